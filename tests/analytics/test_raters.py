"""Who rated what, and the units on which two raters differ, on rows typed out here."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics import questions
from analytics.errors import UnknownValue
from analytics.policy import Policy
from analytics.questions import Answer
from analytics.slices import Slice
from analytics.store import Store
from tests.stores import toy_store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder: Path = tmp_path_factory.mktemp("raters")
    said = {
        ("a", "j1"): True, ("a", "j2"): True,
        ("b", "j1"): True, ("b", "j2"): False,
        ("c", "j1"): False, ("c", "j2"): True,
        ("d", "j1"): True, ("d", "j2"): None,
    }  # fmt: skip
    return toy_store(
        folder,
        items=[{"item_id": name, "capability": "x", "options": ["one", "two"], "reference": "A"} for name in "abcd"],
        runs=[{"run_id": "m"}, {"run_id": "h1", "kind": "human"}, {"run_id": "h2", "kind": "human"}],
        responses=[
            *({"run_id": "m", "item_id": name, "answer": "A", "credit": 1.0} for name in "abcd"),
            *({"run_id": run, "item_id": "a", "answer": "B", "credit": 0.0} for run in ("h1", "h2")),
        ],
        judges=[{"judge_id": "j1"}, {"judge_id": "j2"}],
        verdicts=[
            {"run_id": "m", "item_id": item, "judge_id": judge, "met": met, "status": ("ok", "abstained")[met is None]}
            for (item, judge), met in said.items()
        ],
    )  # fmt: skip


def ask(store: Store, name: str, **given: object) -> Answer:
    own = {option.name: option.initial for option in questions.question(name).options} | given
    return questions.ask(store, name, Slice(), Policy(), own)


def test_raters_are_counted_by_what_they_are(store: Store) -> None:
    table = ask(store, "raters").table
    assert dict(table.select("raters", "size").iter_rows()) == {"judges": 2, "annotators": 2, "runs": 1}
    assert dict(table.select("raters", "rows").iter_rows())["judges"] == 8


def test_disagreements_are_the_units_off_the_diagonal(store: Store) -> None:
    answer = ask(store, "disagreements")
    rows = answer.table.select("item", "run", "label_a", "label_b", "total").rows()
    assert rows == [("b", "m", "met", "unmet", 2), ("c", "m", "unmet", "met", 2)]
    assert answer.left_out["units that one of the two raters left without a rating"] == 1
    crossed = ask(store, "confusion").table
    off = crossed.filter(crossed["label_a"] != crossed["label_b"])
    assert off["units"].sum() == answer.table["total"][0]


def test_disagreements_end_at_most_and_turn_with_the_raters(store: Store) -> None:
    rows = (
        ask(store, "disagreements", most=1, a="j2", b="j1").table.select("item", "label_a", "label_b", "total").rows()
    )
    assert rows == [("b", "unmet", "met", 2)]
    with pytest.raises(UnknownValue, match="the slice has: j1, j2"):
        ask(store, "disagreements", a="nobody")
