"""Raw-Verified gap: printed findings on the page, the question's numbers, and what a log without labels is told."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics.determined import ILLUSTRATION
from analytics.questions import ask, options_of, question
from analytics.slices import Slice
from analytics.store import Store
from pages.ui.charts.dumbbell import End, dumbbell
from pages.ui.charts.grouped import grouped_bars
from pages.ui.charts.stacked import stacked_bars
from tests.pages.conftest import Open, texts

PAGE = "pages/03_raw_verified_gap.py"
PSYCHEME: dict[str, str | list[str]] = {"benchmark": "psycheme"}


def asked(store: Path, name: str, where: dict[str, str], **given: str) -> pl.DataFrame:
    policy, options = options_of(question(name), given)
    return ask(Store(store), name, Slice.of(**where), policy, options).table


def metrics(test: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in test.metric}


def test_the_headline_is_the_questions_number(open_page: Open, shipped: Path) -> None:
    shown = metrics(open_page(PAGE, "embedded", PSYCHEME))
    table = asked(shipped / "embedded", "gap", {"benchmark": "psycheme", "condition": "none", "kind": "model"})
    best = table.sort("verified", descending=True).row(0, named=True)
    for label, column in (("Raw", "raw"), ("Verified", "verified"), ("Kept", "retention")):
        assert float(shown[label]) == pytest.approx(100 * best[column])
    assert float(shown["Gap (points)"]) == pytest.approx(100 * best["gap"])
    least = next(float(value) for label, value in shown.items() if label.startswith("Least kept"))
    assert least == pytest.approx(100 * table["retention"].min())


def test_the_printed_findings_stand_on_the_page(open_page: Open) -> None:
    """Weak or contradicted evidence on Timing and elsewhere: 49.74 and 7.62; Timing keeps least in all 17 runs."""
    shown = metrics(open_page(PAGE, "embedded", PSYCHEME | {"view": "reasons"}))
    shares = [float(value) for label, value in shown.items() if label.startswith("Weak or contradicted")]
    assert shares == pytest.approx([49.74, 7.62], abs=0.005)
    shown = metrics(open_page(PAGE, "embedded", PSYCHEME | {"view": "capability"}))
    assert shown["Keeps least: timing"] == "17 of 17 runs"


def test_a_printed_statement_is_told_from_simulated_shares(open_page: Open) -> None:
    printed = "Printed in PsycheMME Finding 01: which capability keeps least."
    address = PSYCHEME | {"view": "capability"}
    assert printed in texts(open_page(PAGE, "embedded", address))
    assert printed not in texts(open_page(PAGE, "embedded", address | {"answer_type": "single_choice"}))
    assert printed not in texts(open_page(PAGE, "embedded", address | {"missing": "exclude"}))


def test_the_demo_reproduces_its_printed_means(open_page: Open) -> None:
    shown = metrics(open_page(PAGE, "embedded", {"benchmark": "demo"}))
    assert float(shown["Raw"]) == pytest.approx(75)
    assert float(shown["Verified"]) == pytest.approx(100 * (5 + 1 / 1.44) / 8)


def test_the_address_restricts_and_switches(open_page: Open, shipped: Path) -> None:
    address: dict[str, str | list[str]] = PSYCHEME | {
        "capability": "timing", "average": "micro", "order": "any_order", "evidence": "weak", "runs": "every",
    }  # fmt: skip
    test = open_page(PAGE, "embedded", address)
    assert "capability is timing" in texts(test)
    where = {"benchmark": "psycheme", "capability": "timing"}
    table = asked(shipped / "embedded", "gap", where, average="micro")
    drawn = table.filter(pl.col("retention").is_not_null())
    assert len(test.dataframe[0].value) == drawn.height
    assert "averaged over the six orders" in texts(open_page(PAGE, "embedded", address | {"view": "stages"}))
    test = open_page(PAGE, "embedded", address | {"view": "losses"})
    weak = asked(shipped / "embedded", "losses", where, evidence="weak")
    assert metrics(test)["Answers"] == str(weak["total"][0])
    assert ILLUSTRATION in texts(test)


@pytest.mark.parametrize("store", ["one run", "embedded"])
def test_without_labels_the_page_says_what_log_is_needed(open_page: Open, store: str) -> None:
    test = open_page(PAGE, store, {"benchmark": "srb"} if store == "embedded" else {})
    said = texts(test)
    assert "needs responses with rationale labels" in said
    assert "data dictionary on the Data page" in said
    assert not test.metric


def test_an_empty_store_says_what_is_needed(open_page: Open) -> None:
    assert "needs a log with rationale labels" in texts(open_page(PAGE, "empty"))


ROWS = pl.DataFrame(
    {
        "run": ["r", "s"], "name": ["R", "S"], "n": [40, 40], "raw": [0.9, 0.8], "verified": [0.7, None],
        "raw_low": [0.8, 0.7], "raw_high": [1.0, 0.9], "verified_low": [0.6, None], "verified_high": [0.8, None],
        "lost_a": [0.15, 0.1], "lost_b": [0.05, None],
    }
)  # fmt: skip


def data(figure: object) -> list[dict[str, object]]:
    return [row for rows in figure.to_dict()["datasets"].values() for row in rows]  # type: ignore[attr-defined]


def test_a_dumbbell_holds_both_ends_and_no_row_that_lacks_one() -> None:
    ends = (End("raw", "raw"), End("verified", "verified"))
    figure = dumbbell(ROWS, ends=ends, label="name", order=["R", "S"], title="credit (%)", fields=["run"])
    points = [(row["run"], row["end"], row["at"], row["low"], row["high"]) for row in data(figure) if "end" in row]
    assert points == [("r", "raw", 0.9, 0.8, 1.0), ("r", "verified", 0.7, 0.6, 0.8)]


def test_stacked_bars_are_in_points_and_add_up() -> None:
    parts = {"lost_a": "a", "lost_b": "b"}
    figure = stacked_bars(ROWS, parts=parts, label="name", order=["R", "S"], title="lost", fields=["run"], points=True)
    shares = [(row["run"], row["part"], row["share"]) for row in data(figure)]
    assert shares == [("r", "a", 15.0), ("s", "a", 10.0), ("r", "b", 5.0)]


def test_grouped_bars_draw_an_interval_where_there_is_one() -> None:
    table = pl.DataFrame({"group": ["x", "y"], "n": [4, 5], "one": [0.5, 0.2], "two": [0.1, None], "low": [0.4, 0.1],
                          "high": [0.6, 0.3]})  # fmt: skip
    rows = data(grouped_bars(table, measures={"one": ("One", ""), "two": ("Two", None)}, title="share (%)"))
    found = [(row["group"], row["measure"], row["share"], row["low"]) for row in rows]
    assert found == [("x", "One", 0.5, 0.4), ("y", "One", 0.2, 0.1), ("x", "Two", 0.1, None)]
