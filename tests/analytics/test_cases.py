"""Cases: pages, search, filters, one item in full."""

import pytest

from analytics.cases import like
from analytics.errors import UnknownValue
from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.slices import Slice
from tests.stores import toy_store


@pytest.fixture
def store(tmp_path):
    items = [
        {
            "item_id": f"i{k}",
            "capability": "a" if k < 3 else "b",
            "prompt": text,
            "options": ["x", "y"],
            "reference": "A",
        }
        for k, text in enumerate(("Who waits?", "100% sure", "snake_case", "Quote ' here", "back\\slash", "plain"))
    ]
    responses = [
        {"run_id": run, "item_id": f"i{k}", "credit": float(credit), "answer": "A" if credit else "B",
         "rationale": f"{run} thinks of the river" if k == 5 else None, "status": "ok"}
        for run, credits in (("r", (1, 1, 0, 0, 1, 0)), ("s", (1, 0, 0, 1, 1, 0)))
        for k, credit in enumerate(credits)
    ]  # fmt: skip
    verdicts = [
        {"run_id": "r", "item_id": "i0", "judge_id": "j", "met": True, "justification": "fits"},
        {"run_id": "r", "item_id": "i0", "judge_id": "k", "met": None, "status": "judge_failed"},
    ]
    return toy_store(
        tmp_path,
        items=items,
        runs=[{"run_id": "r"}, {"run_id": "s"}],
        responses=responses,
        judges=[{"judge_id": "j"}, {"judge_id": "k"}],
        verdicts=verdicts,
    )


def listed(store, where=None, **given):
    _, options = options_of(question("cases"), {name: str(value) for name, value in given.items()})
    return ask(store, "cases", Slice.of(**(where or {})), Policy(), options).table


def test_pages_follow_each_other_without_gap_or_overlap(store):
    pages = [listed(store, page=k, per_page=2) for k in (1, 2, 3, 4)]
    assert [item for page in pages for item in page["item"]] == ["i0", "i1", "i2", "i3", "i4", "i5"]
    assert pages[0]["total"].to_list() == [6, 6]
    assert pages[3].height == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("waits", ["i0"]),
        ("WAITS", ["i0"]),
        ("100%", ["i1"]),
        ("0% s", ["i1"]),
        ("e_c", ["i2"]),
        ("' here", ["i3"]),
        ("back\\", ["i4"]),
        ("river", ["i5"]),
        ("'; DROP TABLE items; --", []),
        ("", ["i0", "i1", "i2", "i3", "i4", "i5"]),
    ],
)
def test_search_takes_every_character_as_it_stands(store, text, found):
    assert listed(store, search=text)["item"].to_list() == found


def test_pages_of_a_search_follow_each_other_and_know_how_many_there_are(store):
    pages = [listed(store, search="A", page=k, per_page=3) for k in (1, 2, 3)]
    assert [item for page in pages for item in page["item"]] == ["i0", "i1", "i2", "i3", "i4", "i5"]
    assert pages[0]["total"].to_list() == [6, 6, 6]
    assert pages[2].height == 0
    assert pages[0].select("runs", "n", "raw").rows() == [(2, 2, 1.0), (2, 2, 0.5), (2, 2, 0.0)]


def test_wildcards_are_escaped():
    assert like("50%_\\") == "%50\\%\\_\\\\%"


def test_filters(store):
    assert listed(store, differ="yes")["item"].to_list() == ["i1", "i3"]
    assert listed(store, credit="nobody")["item"].to_list() == ["i2", "i5"]
    assert listed(store, credit="everybody")["item"].to_list() == ["i0", "i4"]
    assert listed(store, {"capability": "b"}, credit="nobody")["item"].to_list() == ["i5"]
    assert listed(store, {"run": "r"}, credit="everybody")["item"].to_list() == ["i0", "i1", "i4"]
    assert listed(store, order="hardest")["raw"].to_list() == sorted(listed(store)["raw"].to_list())


def one(store, name, where=None, item="i0"):
    options = {"benchmark": "toy", "item": item}
    return ask(store, name, Slice.of(**(where or {})), Policy(), options)


def test_one_item_knows_its_neighbours_in_the_slice(store):
    row = one(store, "case_item", item="i3").table.row(0, named=True)
    assert (row["previous"], row["next"], row["prompt"]) == ("i2", "i4", "Quote ' here")
    inside = one(store, "case_item", {"capability": "b"}, item="i3").table.row(0, named=True)
    assert (inside["previous"], inside["next"]) == (None, "i4")
    with pytest.raises(UnknownValue, match="no item 'zz'"):
        one(store, "case_item", item="zz")


def test_responses_and_verdicts_of_one_item(store):
    answers = one(store, "case_responses").table
    assert answers.select("run", "raw", "answer").rows() == [("r", 1.0, "A"), ("s", 1.0, "A")]
    assert one(store, "case_responses", {"run": "s", "capability": "b"}).table["run"].to_list() == ["s"]
    verdicts = one(store, "case_verdicts")
    assert verdicts.table.select("judge", "met", "status").rows() == [("j", True, "ok"), ("k", None, "judge_failed")]
    assert verdicts.left_out == {"verdicts that did not come out": 1}


def test_columns_are_declared(store):
    for name in ("cases", "case_item", "case_responses", "case_verdicts"):
        table = listed(store) if name == "cases" else one(store, name).table
        assert table.columns == [c.name for c in question(name).columns], name


@pytest.fixture
def scoped(tmp_path):
    """Two benchmarks; one run of the first has only the tagged items as its population, one item has no run."""
    return toy_store(
        tmp_path,
        benchmarks=[{"benchmark": "toy"}, {"benchmark": "other"}, {"benchmark": "idle"}],
        items=[{"item_id": f"i{k}", "capability": "ab"[k % 2]} for k in range(5)]
        + [{"item_id": "o", "benchmark": "other"}, {"item_id": "x", "benchmark": "idle"}],
        item_tags=[{"item_id": f"i{k}", "kind": "scope", "tag": "half"} for k in (1, 2)]
        + [{"item_id": "i3", "kind": "skill", "tag": "half"}],
        runs=[{"run_id": "whole"}, {"run_id": "part", "scope": "half", "vendor": "v"},
              {"run_id": "far", "benchmark": "other"}],
        responses=[{"run_id": "whole", "item_id": "i0", "credit": 1.0},
                   {"run_id": "part", "item_id": "i1", "credit": 0.5}],
    )  # fmt: skip


@pytest.mark.parametrize(
    "where",
    [
        {},
        {"run": "part"},
        {"run": ["part", "far"]},
        {"vendor": "v", "capability": "a"},
        {"benchmark": "idle"},
        {"tag": "half"},
        {"tag": "half", "run": "whole"},
        {"model": "whole", "provenance": "imported", "benchmark": "toy"},
    ],
)
@pytest.mark.parametrize("policy", [Policy(), Policy(attempts="first")])
@pytest.mark.parametrize("search", ["", "I", "i1", "nowhere"])
def test_the_plain_page_is_what_the_general_way_gives(scoped, where, policy, search):
    """An item order stated by way of credit takes the general way, and holds every item of the plain page."""
    _, plain = options_of(question("cases"), {"search": search})
    _, general = options_of(question("cases"), {"order": "hardest", "search": search})
    one = ask(scoped, "cases", Slice.of(**where), policy, plain).table
    other = ask(scoped, "cases", Slice.of(**where), policy, general).table
    assert one.rows() == other.sort("benchmark", "item").rows()
