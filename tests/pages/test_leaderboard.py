"""The Leaderboard's views: score and tokens, criteria and attempts, two runs; each is the question's answer."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analytics.slices import Slice
from tests.pages.conftest import STORES, Open, texts
from tests.pages.test_pages import ask
from tests.stores import toy_build, write_log

PAGE = "pages/01_leaderboard.py"


def shown(test) -> dict[str, str]:
    assert [error.value for error in test.exception] == []
    return {metric.label.replace("\\", ""): metric.value for metric in test.metric}


def test_score_and_tokens(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "view": "tokens"})
    table = ask(shipped / "embedded", "tokens", Slice.of(benchmark="hss", condition="none"))
    best = table.filter(pl.col("frontier"))
    assert shown(test)["Not beaten"] == f"{best.height} of {table['frontier'].count()}"
    said = texts(test)
    assert "Left out, not counted as 0: Human (the log has no tokens written)." in said
    # credit and tokens of the main runs are printed
    assert not [words.value for words in test.markdown if "illustration" in words.value]
    assert all(name in said for name in best["model"])


def test_a_log_without_tokens_says_what_it_lacks(open_page: Open) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "view": "tokens"})
    assert [error.value for error in test.exception] == []
    assert "output_tokens" in texts(test)
    both = open_page(PAGE, "embedded", {"benchmark": "hss", "view": "tokens", "measure": "both"})
    assert "input_tokens" in texts(both)


def test_criteria_beside_credit_and_the_blind_control(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "view": "criteria", "part": "one criterion"})
    rows = ask(shipped / "embedded", "criteria", Slice.of(benchmark="hss"))
    one = rows.filter((pl.col("part") == "one criterion") & (pl.col("condition") == "none"))
    best = one.filter(pl.col("kind") == "model").sort("share", descending=True).row(0, named=True)
    found = shown(test)
    assert float(found[f"Criteria met: {best['model']}"]) == pytest.approx(100 * best["share"])
    assert best["share"] == pytest.approx(best["credit"])
    # printed: the blind control passes 4 tasks in all three attempts and 67 at least once
    assert found["GPT-6-astra (control): passes all 3"] == "4"
    assert found["GPT-6-astra (control): at least once"] == "67"


def test_criteria_of_a_log_without_verdicts(open_page: Open) -> None:
    said = texts(open_page(PAGE, "embedded", {"benchmark": "srb", "view": "criteria"}))
    assert "A rubric score needs verdicts by criterion" in said
    assert "Every item has one attempt here" in said


def test_two_runs_item_by_item(open_page: Open, shipped: Path) -> None:
    a, b = "srb/qwen2.5-omni-7b", "srb/gemini-2.5-flash"
    runs = ask(shipped / "embedded", "leaderboard", Slice.of(benchmark="srb", kind="model"))["run"].to_list()
    a, b = (a, b) if {a, b} <= set(runs) else runs[:2]
    address: dict[str, str | list[str]] = {"benchmark": "srb", "view": "pair", "a": a, "b": b, "outcome": "fixed"}
    test = open_page(PAGE, "embedded", address)
    counts = ask(shipped / "embedded", "compare", Slice.of(benchmark="srb"), a=a, b=b)
    found = shown(test)
    items = dict(counts.select("outcome", "items").iter_rows())
    assert {name: found[name.capitalize()] for name in ("fixed", "broken", "both right", "both wrong")} == {
        name: str(items[name]) for name in ("fixed", "broken", "both right", "both wrong")
    }
    pair = ask(shipped / "embedded", "pairwise", Slice.of(benchmark="srb"), runs_of=f"{a}|{b}").row(0, named=True)
    sign = 1 if pair["a"] == b else -1
    assert float(found["b minus a (points)"]) == pytest.approx(100 * sign * pair["difference"])
    assert found["p (McNemar)"] == f"{pair['p_mcnemar']:.4f}"
    listed = next(d.value for d in test.dataframe if "outcome" in d.value.columns)
    assert set(listed["outcome"]) == {"fixed"}
    assert len(listed) == items["fixed"]


def test_two_runs_without_a_common_item_are_not_compared(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def apart(folder: Path) -> Path:
        log = write_log(
            folder / "apart.json",
            items=[{"item_id": item, "capability": "x"} for item in "ij"],
            runs=[{"run_id": run} for run in "ab"],
            responses=[{"run_id": "a", "item_id": "i", "credit": 1.0}, {"run_id": "b", "item_id": "j", "credit": 0.0}],
        )
        toy_build(folder, log)
        return folder / "store"

    monkeypatch.setitem(STORES, "apart", apart)
    test = open_page(PAGE, "apart", {"view": "pair", "missing": "exclude"})
    assert "b minus a (points)" not in shown(test)
    assert "no common items" in texts(test)


def test_one_run_has_none_to_compare_with(open_page: Open) -> None:
    assert "two runs over the same items" in texts(open_page(PAGE, "one run", {"view": "pair"}))


def test_selected_rows_come_from_the_address(open_page: Open) -> None:
    address: dict[str, str | list[str]] = {"benchmark": "toy", "row": ["m1", "m3"]}
    test = open_page(PAGE, "everything", address)
    assert [error.value for error in test.exception] == []
    labels = [link.proto.label for link in test.get("page_link")]
    assert "Open the cases of 2 selected rows" in labels
    assert "Compare the two item by item" in [button.label for button in test.button]
