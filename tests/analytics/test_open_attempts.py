"""Criteria that a judge left open, with or without a row: unjudged, settled by one unmet, and counted in words."""

import pytest

from analytics.questions import ask, options_of, question
from analytics.slices import Slice
from tests.stores import toy_store

# Of three criteria: strict lacks a row for c in i0 (nothing unmet), in i1 (b unmet), and failed on c in i2 (a unmet)
# and in i3 (nothing unmet); kind rules on all but for c of i4, of which the log declares three criteria.
MET = {
    "i0": {"strict": "TT-", "kind": "TTT"},
    "i1": {"strict": "TF-", "kind": "TTT"},
    "i2": {"strict": "FT?", "kind": "TTT"},
    "i3": {"strict": "TT?", "kind": "TTF"},
    "i4": {"strict": "TTT", "kind": "TT-"},
}
CREDIT = {"i0": 1.0, "i1": 0.0, "i2": 0.0, "i3": None, "i4": 1.0}
SAID = {"T": {"met": True}, "F": {"met": False}, "?": {"met": None, "status": "judge_failed"}}


def verdicts():
    for item, by in MET.items():
        for judge, mets in by.items():
            for criterion, met in zip("abc", mets, strict=True):
                if met != "-":
                    yield {"run_id": "r", "item_id": item, "judge_id": judge, "criterion": criterion} | SAID[met]
        # a judge with a rubric of its own, and one of the answer as a whole, gave every verdict they were asked for
        for judge, criterion in (("style", "brief"), ("whole", "answer")):
            yield {"run_id": "r", "item_id": item, "judge_id": judge, "criterion": criterion, "met": True}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return toy_store(
        tmp_path_factory.mktemp("open"),
        items=[{"item_id": item, "capability": item} for item in MET],
        runs=[{"run_id": "r"}],
        judges=[{"judge_id": judge} for judge in ("strict", "kind", "style", "whole")],
        responses=[
            {"run_id": "r", "item_id": item, "credit": credit, "status": "ok" if credit is not None else "judge_failed"}
            for item, credit in CREDIT.items()
        ],
        verdicts=list(verdicts()),
    )


def asked(store, name="leaderboard", chosen=None, **given):
    policy, options = options_of(question(name), {key: str(value) for key, value in given.items()})
    return ask(store, name, chosen or Slice(), policy, options)


def credits_of(store, judge):
    """Return the credit of each item under one judge; None where it is unjudged."""
    found = {}
    for item in MET:
        row = asked(store, chosen=Slice.of(capability=item), judge=judge).table.row(0, named=True)
        found[item] = row["raw"]
        assert (row["n"], row["unjudged"]) == ((0, 1) if row["raw"] is None else (1, 0))
    return found


def test_a_criterion_without_a_row_is_unjudged_and_one_unmet_settles(store):
    # i3 has the log's status judge_failed, which no choice of a judge undoes
    assert credits_of(store, "strict") == {"i0": None, "i1": 0.0, "i2": 0.0, "i3": None, "i4": 1.0}
    assert credits_of(store, "kind") == {"i0": 1.0, "i1": 1.0, "i2": 1.0, "i3": None, "i4": None}


def test_a_row_that_is_not_there_counts_like_one_that_failed(tmp_path, store):
    """The same log with a failed verdict written for each row that is not there gives the same credits."""
    whole = [*verdicts()]
    for item, by in MET.items():
        for judge, mets in by.items():
            whole += [
                {"run_id": "r", "item_id": item, "judge_id": judge, "criterion": c} | SAID["?"]
                for c, met in zip("abc", mets, strict=True) if met == "-"
            ]  # fmt: skip
    full = toy_store(
        tmp_path,
        items=[{"item_id": item, "capability": item} for item in MET],
        runs=[{"run_id": "r"}],
        judges=[{"judge_id": judge} for judge in ("strict", "kind", "style", "whole")],
        responses=[{"run_id": "r", "item_id": item, "credit": 1.0} for item in MET if item != "i3"],
        verdicts=[row for row in whole if row["item_id"] != "i3"],
    )
    for judge in ("strict", "kind", "style", "whole", "majority", "any", "all"):
        for item in (item for item in MET if item != "i3"):
            slices = [asked(s, chosen=Slice.of(capability=item), judge=judge).table["raw"][0] for s in (store, full)]
            assert slices[0] == slices[1], (judge, item)


def test_judges_of_other_criteria_were_not_asked_for_these(store):
    for judge in ("style", "whole"):
        assert credits_of(store, judge) == {"i0": 1.0, "i1": 1.0, "i2": 1.0, "i3": None, "i4": 1.0}


def test_a_criterion_that_a_judge_never_names_is_not_of_its_rubric(tmp_path):
    """Two judges that share one criterion of two: neither was asked for what the other alone rules on."""
    store = toy_store(
        tmp_path,
        items=[{"item_id": item, "capability": "c"} for item in ("i0", "i1")],
        runs=[{"run_id": "r"}],
        judges=[{"judge_id": judge} for judge in ("one", "two")],
        responses=[{"run_id": "r", "item_id": item, "credit": 1.0} for item in ("i0", "i1")],
        verdicts=[
            {"run_id": "r", "item_id": item, "judge_id": judge, "criterion": c, "met": item == "i0"}
            for item in ("i0", "i1") for judge, own in (("one", "ab"), ("two", "bc")) for c in own
        ],
    )  # fmt: skip
    for judge in ("one", "two"):
        row = asked(store, judge=judge).table.row(0, named=True)
        assert (row["raw"], row["n"], row["unjudged"]) == (0.5, 2, 0)


def test_declared_criteria_count_where_nobody_ruled_on_them(tmp_path):
    store = toy_store(
        tmp_path,
        items=[{"item_id": "i0", "capability": "c"}],
        runs=[{"run_id": "r"}],
        judges=[{"judge_id": "lone"}],
        criteria=[{"benchmark": "toy", "item_id": "i0", "criterion": c}
                  for c in "ab"],
        responses=[{"run_id": "r", "item_id": "i0", "credit": 1.0}],
        verdicts=[{"run_id": "r", "item_id": "i0", "judge_id": "lone", "criterion": "a", "met": True}],
    )  # fmt: skip
    row = asked(store, judge="lone").table.row(0, named=True)
    assert (row["raw"], row["n"], row["unjudged"]) == (None, 0, 1)


def test_the_share_of_criteria_is_not_known_where_one_has_no_row(store):
    table = asked(store, "criteria", judge="strict", resamples=100).table
    every = table.filter(part="every item").row(0, named=True)
    # credits for i1, i2 and i4; of these only i4 has all three verdicts
    assert (every["n"], every["unjudged"], every["share"], every["criteria"]) == (1, 2, 1.0, 3)


def test_the_ranking_says_how_many_were_settled_or_left_out(store):
    def said(answer):
        return [n for n in answer.notes if n.startswith("Attempts ")]

    (settled,) = said(asked(store))
    assert settled.endswith("not met, while it gave no verdict on another: 2.")  # the log credits i0, without a c
    (alone,) = said(asked(store, chosen=Slice.of(capability=["i1", "i3"])))
    assert "left out instead" in alone
    zero, left = said(asked(store, judge="strict"))
    assert "no verdict on another: 2." in zero
    assert "judge strict has no verdict on one of the criteria, and finds none of the others unmet: 1." in left
    (left,) = said(asked(store, judge="kind"))
    assert left.endswith("unmet: 1.")
    assert "left out instead" in zero
    assert said(asked(store, judge="style")) == said(asked(store, judge="majority")) == []
    assert said(asked(store, chosen=Slice.of(capability="i0"))) == []
    (one,) = said(asked(store, chosen=Slice.of(capability="i1")))
    assert "no verdict on another: 1." in one
