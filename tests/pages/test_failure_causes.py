"""Failure causes: families, agent repair and traps are the questions' numbers; without labels the page says so."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analytics.slices import Slice
from tests.pages.conftest import Open, texts
from tests.pages.test_pages import ask

PAGE = "pages/04_failure_causes.py"


def shown(test) -> dict[str, str]:
    assert [error.value for error in test.exception] == []
    return {metric.label: metric.value for metric in test.metric}


def test_families_and_repair_are_the_questions(open_page: Open, shipped: Path) -> None:
    address = {"benchmark": "hss", "media_type": "video", "within": "agentic_387"}
    metrics = shown(open_page(PAGE, "embedded", address | {"view": "repair"}))
    chosen = Slice.of(benchmark="hss", media_type="video")
    table = ask(shipped / "embedded", "failure_totals", chosen, by="family", per="whole")
    whole = dict(table.select("cause", "share").iter_rows())
    assert float(metrics["Perception"]) == pytest.approx(100 * whole["perception"])
    assert metrics["Labelled failures"] == str(table["n"][0])
    paired = ask(shipped / "embedded", "repair", chosen.with_choice("tag", ["agentic_387"]))
    every = paired.filter((pl.col("pair") == "all pairs") & (pl.col("cause") == "all")).row(0, named=True)
    assert (metrics["Failures before"], metrics["After"]) == (str(every["before"]), str(every["after"]))


def test_published_families_and_repair(open_page: Open) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "within": "agentic_387", "cause": "missed_cue"})
    metrics = shown(test)
    assert [round(float(metrics[name])) for name in ("Perception", "Latent", "Reasoning")] == [53, 41, 5]
    repaired = shown(open_page(PAGE, "embedded", {"benchmark": "hss", "within": "agentic_387", "view": "repair"}))
    assert (repaired["Failures before"], repaired["After"]) == ("944", "759")
    listed = next(d.value for d in test.dataframe if "alike" in d.value.columns)
    assert set(listed["cause"]) == {"missed_cue"}


def test_failures_are_listed_once_a_cause_is_chosen(open_page: Open) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "hss"})
    assert not [d for d in test.dataframe if "alike" in d.value.columns]
    assert "select a row of the table, to list the failures" in texts(test)
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "cause": "size_distance_fit"})
    (listed,) = (d.value for d in test.dataframe if "alike" in d.value.columns)
    assert set(listed["cause"]) == {"size_distance_fit"}


def test_without_labels_the_page_says_what_log_has_them(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "everything", {"benchmark": "toy"})
    assert "failure_labels" in texts(test)
    srb = open_page(PAGE, "embedded", {"benchmark": "srb"})
    said = texts(srb)
    assert "failure_labels" in said
    assert "illustration" in said
    rows = ask(shipped / "embedded", "traps", Slice.of(benchmark="srb"), level_of="whole").filter(
        pl.col("kind") == "model"
    )
    sums = rows.filter(pl.col("trap") == "visual_trap")
    assert float(shown(srb)["Visual trap"]) == pytest.approx(100 * sums["fallen"].sum() / sums["wrong"].sum())
