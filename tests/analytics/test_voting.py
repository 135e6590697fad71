"""Votes on stores small enough to count by hand: every tie rule, bad ballots, one population for all."""

import itertools

import numpy as np
import polars as pl
import pytest
from statsmodels.stats.proportion import proportion_confint

from analytics import voting as voting_question
from analytics.errors import EmptySlice, UnknownValue
from tests.answers import asked, row, rows
from tests.stores import toy_store

FEW = {"resamples": 200}


def polled(folder, answers, *, reference="A", items=None, runs=None, **more):
    """Choice answers by run; '-' has an invalid format, '.' has no row at all."""
    count = len(next(iter(answers.values())))
    return toy_store(
        folder,
        items=[
            {"item_id": f"i{k}", "reference": reference, "capability": "ab"[k % 2], "options": list("wxyz")}
            | (items or {}).get(k, {})
            for k in range(count)
        ],
        runs=[{"run_id": run, "access": "proprietary" if run < "m" else "open-weight"} | (runs or {}).get(run, {})
              for run in answers],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "answer": None if letter == "-" else letter,
             "credit": float(letter == reference), "status": "invalid_format" if letter == "-" else "ok"}
            for run, letters in answers.items()
            for k, letter in enumerate(letters)
            if letter != "."
        ],
        **more,
    )  # fmt: skip


def test_ties_share_two_to_two_and_one_to_one_to_one(tmp_path):
    """DESIGN 5: votes 2-2 with one right give 1/2, 1-1-1 gives 1/3."""
    store = polled(tmp_path, {"a": ["A", "A"], "b": ["A", "B"], "c": ["B", "C"], "d": ["B", "-"]})
    even, three = (row(asked(store, "voting", {"capability": c}, **FEW)) for c in "ab")
    assert (even["plurality"], even["tied"], even["ballots"]) == (1 / 2, 1, 4)
    assert (three["plurality"], three["tied"], three["ballots"]) == (pytest.approx(1 / 3), 1, 3)
    both = row(asked(store, "voting", **FEW))
    assert both["plurality_credit"] == pytest.approx(1 / 2 + 1 / 3)
    assert (both["oracle"], both["single"], both["best"]) == (1.0, 1.0, "a")
    assert both["gain"] == pytest.approx((1 / 2 + 1 / 3) / 2 - 1)


@pytest.fixture(scope="module")
def tied(tmp_path_factory):
    answers = {"a": "ABAB", "b": "AABA", "c": "BBAB", "d": "BABA"}
    return polled(tmp_path_factory.mktemp("tied"), {run: list(letters) for run, letters in answers.items()})


def test_every_tie_rule_is_named_and_does_what_it_says(tied):
    share = row(asked(tied, "voting", **FEW))
    assert (share["tie_rule"], share["tied"], share["tied_share"], share["plurality"]) == ("share", 4, 1.0, 0.5)
    assert row(asked(tied, "voting", ties="abstain", **FEW))["plurality"] == 0
    assert row(asked(tied, "voting", tie_rule="abstain", **FEW))["tie_rule"] == "abstain"
    deferred = row(asked(tied, "voting", tie_rule="defer", defer_to="a", **FEW))
    assert deferred["plurality"] == 0.5  # what run a alone reaches
    drawn = [row(asked(tied, "voting", tie_rule="random", seed=seed, **FEW))["plurality"] for seed in range(12)]
    assert drawn[3] == row(asked(tied, "voting", tie_rule="random", seed=3, **FEW))["plurality"]
    assert len(set(drawn)) > 1
    assert 0.2 < np.mean(drawn) < 0.8
    with pytest.raises(UnknownValue, match="no member of the panel"):
        asked(tied, "voting", tie_rule="defer", defer_to="aa")


def test_the_order_of_the_panel_changes_nothing(tied):
    first = row(asked(tied, "voting", panel="a|b|c", **FEW))
    for order in itertools.permutations("abc"):
        assert row(asked(tied, "voting", panel="|".join(order), **FEW)) == first


def test_an_item_without_a_ballot_stays_in_the_population(tmp_path):
    store = polled(tmp_path, {"a": ["A", "-", "."], "b": ["A", "-", "."]})
    found = row(asked(store, "voting", **FEW))
    assert (found["n"], found["no_ballot"], found["ballots"]) == (3, 2, 2)
    assert found["plurality"] == found["oracle"] == found["single"] == pytest.approx(1 / 3)
    assert (found["oracle_low"], found["oracle_high"]) == pytest.approx(
        proportion_confint(1, 3, method="wilson"), abs=1e-12
    )
    assert found["best"] == "a|b"


def test_open_and_hidden_items_do_not_vote_and_are_counted(tmp_path):
    store = polled(
        tmp_path,
        {"a": ["A", "A", "A"], "b": ["A", "A", "B"]},
        items={1: {"answer_type": "open"}, 2: {"reference": None, "reference_known": False}},
    )
    answer = asked(store, "voting", **FEW)
    assert row(answer)["n"] == 1
    assert answer.left_out["open items, on which nobody votes"] == 1
    assert answer.left_out["items whose answer the benchmark hides"] == 1


def test_an_option_set_is_one_ballot_in_any_order(tmp_path):
    store = polled(
        tmp_path,
        {"a": ["A,C"], "b": ["C, A"], "c": ["A"], "d": ["B"]},
        reference="A,C",
        items={0: {"answer_type": "multiple_choice"}},
    )
    found = row(asked(store, "voting", **FEW))
    assert (found["plurality"], found["tied"], found["all_right"]) == (1.0, 0, 0)


def test_the_panel_is_main_runs_unless_others_are_named(tmp_path):
    store = polled(
        tmp_path,
        {"a": ["A", "B"], "sweep": ["B", "A"], "person": ["A", "A"], "z": ["B", "A"]},
        runs={"sweep": {"condition": "effort=low"}, "person": {"kind": "human"}},
    )
    everyone = asked(store, "voting", **FEW)
    assert row(everyone)["members"] == 2
    assert "a, z" in everyone.notes[0]
    assert row(asked(store, "voting", panel="proprietary", **FEW))["best"] == "a"
    assert row(asked(store, "voting", panel="open-weight", **FEW))["best"] == "z"
    assert row(asked(store, "voting", panel="a|person|sweep", **FEW))["members"] == 3
    assert row(asked(store, "voting", {"condition": "effort=low"}, **FEW))["best"] == "sweep"
    assert row(asked(store, "voting", {"kind": "human"}, **FEW))["single"] == 1.0
    with pytest.raises(UnknownValue, match="Did you mean 'person'"):
        asked(store, "voting", panel="a|persons")


def test_all_vote_on_the_same_items_and_a_partial_run_enters_only_when_named(tmp_path):
    scoped = {"item_tags": [{"item_id": "i0", "kind": "scope", "tag": "one"}]}
    store = polled(
        tmp_path, {"a": ["A", "B"], "b": ["A", "A"], "part": ["A", "."]}, runs={"part": {"scope": "one"}}, **scoped
    )
    assert row(asked(store, "voting", **FEW))["n"] == 2
    named = asked(store, "voting", panel="a|part", **FEW)
    assert row(named)["n"] == 1
    assert named.left_out["items outside the declared population of a member"] == 1


def test_levels_split_the_items_and_shared_clusters_are_drawn_whole(tmp_path):
    store = polled(
        tmp_path,
        {"a": list("AABB"), "b": list("ABAB"), "c": list("AAAB")},
        items={k: {"cluster": "video"} for k in range(4)},
    )
    answer = asked(store, "voting", level_of="capability", **FEW)
    assert [(r["level"], r["n"], r["plurality"]) for r in answer.table.to_dicts()] == [("a", 2, 1.0), ("b", 2, 0.5)]
    assert set(answer.table["interval"]) == {"percentile bootstrap over clusters of items, 200 resamples, seed 20260"}


def test_the_curve_ends_at_the_whole_panel_and_starts_at_its_mean_member(tied):
    curve = asked(tied, "voting_curve")
    whole = row(asked(tied, "voting", **FEW))
    first, last = curve.table.row(0, named=True), curve.table.row(-1, named=True)
    assert first["plurality"] == first["oracle"] == pytest.approx(0.5)
    assert (last["plurality"], last["oracle"]) == (pytest.approx(whole["plurality"]), pytest.approx(whole["oracle"]))
    assert curve.table["panels"].to_list() == [4, 6, 4, 1]
    assert curve.table["exact"].all()
    some = asked(tied, "voting_curve", limit=1, samples=5)
    assert some.table["exact"].to_list() == [False, False, False, True]


def test_outvoted_items_show_the_mistake_that_the_others_share(tmp_path):
    store = polled(tmp_path, {"a": list("AAC"), "b": list("BAB"), "c": list("BAB"), "d": list("CAB")})
    answer = asked(store, "voting_items")
    found = row(answer)
    assert (found["item"], found["first"], found["first_votes"], found["right_runs"]) == ("i0", "B", 2, "a")
    assert (found["shared_wrong"], found["wrong_votes"], found["wrong_share"]) == ("B", 3, pytest.approx(2 / 3))
    assert row(asked(store, "voting_items", which="unsolved"))["item"] == "i2"
    every = asked(store, "voting_items", which="every")
    assert every.table.height == 3
    assert row(every, item="i1")["wrong_share"] is None


def test_position_bias_reads_positions_as_shown(tmp_path):
    store = polled(tmp_path, {"a": list("AAAA")})
    stored = asked(store, "position_bias")
    assert row(stored, position="A")["chosen"] == 1.0
    assert set(stored.table["reason"]) == {"one position"}
    (tmp_path / "shown").mkdir()
    orders = ["ABCD", "BACD", "BCAD", "BCDA"]
    shown = toy_store(
        tmp_path / "shown",
        items=[{"item_id": f"i{k}", "reference": "A"} for k in range(4)],
        runs=[{"run_id": "a"}],
        responses=[
            {"run_id": "a", "item_id": f"i{k}", "answer": "A", "credit": 1.0, "order_shown": list(orders[k])}
            for k in range(4)
        ],
    )
    answer = asked(shown, "position_bias")
    assert answer.table["chosen_items"].to_list() == answer.table["right_items"].to_list() == [1, 1, 1, 1]
    assert set(answer.table["p"]) == {1.0}


def test_words_are_no_letters_and_are_counted(tmp_path):
    store = polled(tmp_path, {"a": ["Yes", "A"], "b": ["A", "B"]})
    answer = asked(store, "position_bias")
    assert answer.left_out["answers that are no letter of an option"] == 1
    assert {r["n"] for r in rows(answer, run="a")} == {1}


def test_a_log_without_choice_items_says_what_is_needed(tmp_path):
    store = polled(tmp_path, {"a": ["text"]}, items={0: {"answer_type": "open"}})
    for name in ("voting", "voting_curve", "voting_items", "position_bias"):
        with pytest.raises(EmptySlice, match="choice items"):
            asked(store, name)


def test_many_items_have_intervals_from_moments_that_the_bootstrap_agrees_with(monkeypatch):
    rng = np.random.default_rng(5)
    right = rng.random((3, 12_000)) < np.array([[0.5], [0.8], [0.6]])
    rates = np.vstack([right[0] * rng.choice([0.5, 1.0], 12_000), right[1] | right[2], right[2]]).astype(float)
    items = pl.DataFrame({"benchmark": ["b"] * 12_000, "item_idx": range(12_000), "cluster": [None] * 12_000})
    items = items.with_columns(pl.col("cluster").cast(pl.String))
    ends, gain, method = voting_question._intervals(rates, items, level=0.95, resamples=400, seed=3)
    assert method == "delta method from moments, micro mean"
    half = 1.959964 * rates.std(axis=1) / 12_000**0.5
    assert ends == pytest.approx(np.stack([rates.mean(axis=1) - half, rates.mean(axis=1) + half]), abs=1e-7)
    lost = rates[0] - rates[2]
    assert gain == pytest.approx(lost.mean() + np.array([-1, 1]) * 1.959964 * lost.std() / 12_000**0.5, abs=1e-7)
    monkeypatch.setattr(voting_question, "MOMENTS_ABOVE", 100_000)
    drawn, drawn_gain, _ = voting_question._intervals(rates, items, level=0.95, resamples=2000, seed=3)
    assert ends == pytest.approx(drawn, abs=1e-3)
    assert gain == pytest.approx(drawn_gain, abs=1.5e-3)
