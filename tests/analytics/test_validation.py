"""What a person should know of a store before they use a number from it: rules, coverage, spellings, trust."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analytics.store import Store
from analytics.validation import validation
from loaders.trust import Facts, sentence
from tests.asking import asked, one, rows
from tests.stores import toy_build, toy_store, write_log


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Ten items; run `whole` has all, `part` the first seven, `hole` every second; two rows are bad."""
    of = {"whole": range(10), "part": range(7), "hole": range(0, 10, 2)}
    spelled = ["Counting", "counting ", "Countin", "level 1", "level 2", "none of these", "a", "b", "Depth", "Depth"]
    responses = [{"run_id": run, "item_id": f"i{k}", "credit": 1.0} for run, items in of.items() for k in items]
    responses += [
        {"run_id": "whole", "item_id": "i0", "credit": 0.0},  # a key twice
        {"run_id": "part", "item_id": "i7", "credit": 1.7},
    ]
    return toy_store(
        tmp_path,
        items=[{"item_id": f"i{k}", "capability": spelled[k]} for k in range(10)],
        runs=[{"run_id": run} for run in of],
        responses=responses,
    )


def test_records_are_counted_by_rule(store: Store) -> None:
    found = {row["rule"]: row for row in rows(store, "rules")}
    assert (found["duplicate_key"]["records"], found["duplicate_key"]["doubled"]) == (1, True)
    assert (found["out_of_range"]["records"], found["out_of_range"]["doubled"]) == (1, False)
    assert found["out_of_range"]["severity"] == "refused"
    assert "allowed: from 0 to 1" in found["out_of_range"]["example"]


def test_a_run_is_covered_as_far_as_it_has_responses(store: Store) -> None:
    by_run = {row["run"]: row for row in rows(store, "coverage", bins=1)}
    assert {run: (row["answered"], row["missing"]) for run, row in by_run.items()} == {
        "whole": (10, 0), "part": (7, 3), "hole": (5, 5),
    }  # fmt: skip
    map_of = rows(store, "coverage", bins=5)
    assert [row["share"] for row in map_of if row["run"] == "part"] == [1, 1, 1, 0.5, 0]
    assert [row["share"] for row in map_of if row["run"] == "hole"] == [0.5] * 5
    last = one(map_of, run="part", bin=5)
    assert (last["first_item"], last["last_item"], last["items"]) == ("i8", "i9", 2)
    assert asked(store, "coverage", bins=5).left_out == {"items without a response": 8}


def test_a_map_never_has_more_bins_than_items_and_every_item_is_in_one(store: Store) -> None:
    for bins in (1, 3, 7, 10, 60, 400):
        found = [row for row in rows(store, "coverage", bins=bins) if row["run"] == "hole"]
        assert len(found) == min(bins, 10)
        assert sum(row["items"] for row in found) == 10
        assert max(row["items"] for row in found) - min(row["items"] for row in found) <= 1


def test_missing_items_are_listed_and_the_rest_is_counted(store: Store) -> None:
    answer = asked(store, "unanswered", {"run": "part"})
    assert answer.table["item"].to_list() == ["i7", "i8", "i9"]
    short = asked(store, "unanswered", most=2)
    assert (short.table.height, short.left_out) == (2, {"rows beyond the first": 6})


def test_values_spelled_nearly_alike_are_asked_about_and_digits_are_not(store: Store) -> None:
    found = {(row["a"], row["b"]): row["why"] for row in rows(store, "spellings")}
    assert found == {
        ("Counting", "counting "): "differ in spaces, signs or case alone",
        ("Countin", "Counting"): "differ in 1 letter",
        ("Countin", "counting "): "differ in 1 letter",
    }


def test_case_alone_is_named(tmp_path: Path) -> None:
    items = [{"item_id": "a", "capability": "Time"}, {"item_id": "b", "capability": "time"}]
    store = toy_store(tmp_path, items=items, runs=[], responses=[])
    assert [row["why"] for row in rows(store, "spellings")] == ["differ in case alone"]


def test_the_report_of_a_build_has_every_part(store: Store) -> None:
    found = validation(store)
    assert set(found) == {"rules", "statuses", "coverage", "spellings"}
    assert len(found["coverage"]) == 3
    assert one(found["statuses"], run="part", status="no row")["responses"] == 3
    json.dumps(found, allow_nan=False)


def test_a_place_is_called_what_it_counts(tmp_path: Path) -> None:
    rows_of = [{"run_id": "r", "item_id": "i0", "credit": 1.7, "line": 12}]
    log = write_log(tmp_path / "l.json", items=[{"item_id": "i0"}], runs=[{"run_id": "r"}], responses=rows_of)
    toy_build(tmp_path, log)
    (issue,) = rows(Store(tmp_path / "store"), "issues")
    assert (issue["place"], issue["line"]) == ("record 12", 12)


def test_the_sentence_of_a_source_names_what_was_found_and_what_to_do(store: Store) -> None:
    (source,) = rows(store, "sources")
    assert source["trust"].startswith("Use with care: 2 of 24 records were refused (duplicate_key, out_of_range)")
    assert "2 of its 3 runs lack items of the population" in source["trust"]
    assert source["trust"].endswith("mend these records and read it again before you compare.")


CLEAN = {"role": "log", "seen": 9, "refused": 0, "doubted": 0, "runs": 1, "interrupted": 0, "partial": 0,
         "unscored": 0, "simulated": False, "refusing": None, "doubting": None}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "start", "end"),
    [
        ({}, "Usable:", "nothing to do."),
        ({"role": "companion"}, "It belongs to a log", "nothing to do."),
        ({"role": "refused", "refusing": "broken_json"}, "Nothing was loaded from it (broken_json)", "read it again."),
        ({"role": "refused", "refusing": "unknown_format"}, "Nothing was loaded", "by a profile, or leave it out."),
        ({"role": "refused", "refusing": "same_run_twice"}, "Nothing was loaded", "there is nothing to do."),
        ({"refusing": "replacement_unreadable"}, "Use with care: its file changed", "or remove the source."),
        ({"doubted": 2, "doubting": "not_finite"}, "Usable: every record was kept, 2 with a doubt", "before you cite."),
        ({"partial": 1}, "Use with care: 1 of its 1 runs lack", "or load the rest."),
        ({"unscored": 1}, "Use with care: 1 of its 1 runs have no credit", "with their verdicts."),
        ({"simulated": True}, "Use with care: its rows are simulated", "of them."),
        ({"interrupted": 1}, "Usable: 1 of its 1 runs were interrupted", "when there is one."),
    ],
)
def test_each_finding_has_its_verdict_and_its_next_step(change: dict[str, object], start: str, end: str) -> None:
    said = sentence(Facts(**(CLEAN | change)))  # type: ignore[arg-type]
    assert said.startswith(start)
    assert said.endswith(end)
