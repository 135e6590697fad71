"""Capability profiles: the headline is the question's number, the address restricts, every level or its absence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from streamlit.testing.v1 import AppTest

from analytics.determined import ILLUSTRATION
from analytics.questions import Answer, ask, options_of, question
from analytics.slices import Slice
from analytics.store import Store
from loaders.warehouse import build
from pages.ui.charts.heatmap import Measure, heatmap
from pages.ui.charts.illustration import LINES, across
from pages.ui.charts.labels import run_names
from pages.ui.charts.profile import parallel, radar, safe
from tests.pages.conftest import STORES, Open, texts
from tests.real.conftest import real_logs
from tests.stores import toy_build, write_log

PAGE = "pages/02_capability_profiles.py"


def asked(store: Path, where: dict[str, str], **given: str) -> Answer:
    policy, options = options_of(question("profiles"), given)
    return ask(Store(store), "profiles", Slice.of(**where), policy, options)


def metrics(test: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in test.metric}


def test_the_headline_is_the_questions_number(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "srb"})
    table = asked(shipped / "embedded", {"benchmark": "srb"}).table.filter(pl.col("condition") == "none")
    models = table.filter(pl.col("kind") == "model")
    led = models.group_by("run").agg((pl.col("rank") == 1).sum(), pl.len())
    most = led.sort("rank", descending=True).row(0, named=True)
    shown = metrics(test)
    assert shown["First in"] == f"{most['rank']} of {most['len']}"
    own = models.filter(pl.col("run") == most["run"])
    strongest = next(float(value) for label, value in shown.items() if label.startswith("Strongest"))
    weakest = next(float(value) for label, value in shown.items() if label.startswith("Weakest"))
    assert (strongest, weakest) == pytest.approx((100 * own["raw"].max(), 100 * own["raw"].min()))
    assert shown["Runs"] == str(table["run"].n_unique())


def test_printed_numbers_are_no_illustration_and_others_are(open_page: Open) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "by": "verified"})
    headline = f":orange[{ILLUSTRATION}]"
    assert headline not in texts(test)
    few = open_page(PAGE, "embedded", {"benchmark": "psycheme", "by": "verified", "view": "parallel"})
    assert headline not in texts(few)
    assert "Gemini 3.6 Flash: strongest in" in texts(few)
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "by": "raw"})
    assert headline in texts(test)


def test_people_without_rationales_have_no_verified_credit(open_page: Open) -> None:
    """Their wrong answers verify to 0 and their right ones to nothing: a mean of the former is no finding."""
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "by": "verified", "run": "psycheme/human"})
    assert [error.value for error in test.exception] == []
    assert "needs a log with a verified credit" in texts(test)
    assert not test.metric


def test_the_address_restricts_rows_and_columns(open_page: Open) -> None:
    address: dict[str, str | list[str]] = {
        "benchmark": "psycheme", "capability": ["timing", "risk"], "measure": "rank", "compare": ["psycheme/kimi-k3"],
    }  # fmt: skip
    test = open_page(PAGE, "embedded", address)
    assert "capability is risk or timing" in texts(test)
    assert set(test.dataframe[0].value["value"]) == {"timing", "risk"}
    test = open_page(PAGE, "embedded", address | {"view": "parallel"})
    assert test.multiselect(key="url compare").value == ["psycheme/kimi-k3"]
    assert "Kimi K3: strongest in" in texts(test)
    assert "Claude Opus 5: strongest in" not in texts(test)


@pytest.mark.parametrize("level", ["capability", "axis", "tier", "tag"])
@pytest.mark.parametrize("measure", ["credit", "to_human"])
def test_every_level_of_a_log_that_has_them(open_page: Open, level: str, measure: str) -> None:
    address: dict[str, str | list[str]] = {"benchmark": "srb", "level_of": level, "measure": measure}
    said = {"map": "", "radar": "A few runs side by side", "tiers": "With and without a tier",
            "splits": "Capability and second axis"}  # fmt: skip
    for view, words in said.items():
        test = open_page(PAGE, "embedded", address | {"view": view})
        assert [error.value for error in test.exception] == []
        assert level == "tag" or words in texts(test)


def test_a_part_that_the_log_lacks_says_what_is_needed(open_page: Open) -> None:
    assert "needs a log with tiers" in texts(open_page(PAGE, "one run", {"view": "tiers"}))
    assert "needs a log with items split by two dimensions" in texts(open_page(PAGE, "one run", {"view": "splits"}))


def test_a_measure_that_the_log_lacks_says_what_is_needed(open_page: Open) -> None:
    test = open_page(PAGE, "one run", {"measure": "gap"})
    assert "needs a log with rationale labels or factors" in texts(test)
    test = open_page(PAGE, "one run", {"measure": "to_human"})
    assert "needs a log with human runs" in texts(test)
    assert test.dataframe[0].value["value"].to_list() == ["x", "y"]
    test = open_page(PAGE, "one run", {"level_of": "tag"})
    assert "No row with a run and a value of tag" in texts(test)


def test_an_empty_store_says_what_is_needed(open_page: Open) -> None:
    assert "needs a log with runs, items with a capability, and responses" in texts(open_page(PAGE, "empty"))


def test_every_run_of_a_log_with_many_conditions(open_page: Open, stores: Callable[[str], Path]) -> None:
    del stores
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "level_of": "subcapability", "runs": "every"})
    assert [error.value for error in test.exception] == []
    assert test.dataframe[0].value["run"].nunique() == 63
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "level_of": "subcapability"})
    assert set(test.dataframe[0].value["model"]) > {"Human"}
    assert test.dataframe[0].value["run"].nunique() < 30


CELLS = pl.DataFrame(
    {
        "run": ["r", "r", "s"], "name": ["R", "R", "S"], "value": ["a", "b", "a"], "n": [40, 3, 40],
        "small_n": [False, True, False], "raw": [0.5, None, 0.25], "raw_low": [0.4, None, 0.2],
        "raw_high": [0.6, None, 0.3],
    }
)  # fmt: skip


def test_the_heat_map_holds_the_numbers_and_leaves_unknown_cells_empty() -> None:
    figure = heatmap(CELLS, measure=Measure("raw", "raw (%)"), runs=["R", "S"], levels=["a", "b"], level_title="level")
    spec = figure.to_dict()
    (rows,) = spec["datasets"].values()
    assert [(row["run"], row["value"], row["shown"]) for row in rows] == [("r", "a", 50.0), ("s", "a", 25.0)]
    assert spec["params"][0]["name"] == "cell"
    marked = across(figure).to_dict()
    assert [layer["mark"].get("text") for layer in marked["layer"][1:-1]] == [list(LINES)] * 2
    assert marked["layer"][-1] == spec["layer"][-1]  # the numbers, over the words
    assert marked["params"] == spec["params"]


def test_profiles_hold_means_and_ends_and_no_markup() -> None:
    rows = CELLS.filter(pl.col("raw").is_not_null()).with_columns(name=pl.lit("<b>R</b> & co"))
    lines = parallel(rows, by="raw", runs=["r", "s"], levels=["a", "b"], title="raw (%)")
    assert lines.data[0].y == (50.0,)
    assert lines.data[0].error_y.array == pytest.approx((10.0,))
    assert lines.data[0].error_y.arrayminus == pytest.approx((10.0,))
    assert lines.data[0].name == safe("<b>R</b> & co") == "&lt;b&gt;R&lt;/b&gt; &amp; co"
    around = radar(rows, by="raw", runs=["r"], levels=["a", "b"], title="raw (%)")
    assert around.layout.polar.bgcolor == "rgba(0, 0, 0, 0)"  # the theme's dark ground shows through
    assert around.data[1].r == (40.0, 60.0, None)
    assert around.layout.polar.radialaxis.range == (0, 100)


def test_runs_of_one_model_are_told_apart() -> None:
    runs = pl.DataFrame(
        {
            "run": ["a", "b", "c", "d", "e"], "model": ["M", "M", "N", "N", "P"],
            "kind": ["model", "model", "model", "model", "human"],
            "condition": ["none", "effort=low", "x", "x", "none"],
        }
    )  # fmt: skip
    assert run_names(runs)["name"].to_list() == ["M", "M · effort=low", "N · x · c", "N · x · d", "P (human)"]


def blink(folder: Path) -> Path:
    """BLINK's saved outputs of six models."""
    logs = real_logs() / "blink"
    if not logs.is_dir():
        pytest.skip(f"no logs at {logs}; name their folder in SCOREPROOF_REAL_LOGS")
    build([str(logs)], folder / "store", add=False)
    return folder / "store"


@pytest.mark.real
def test_the_cells_of_blink_are_the_reference_results(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STORES, "blink", blink)
    table = open_page(PAGE, "blink").dataframe[0].value
    expected = json.loads((real_logs() / "blink" / "expected.json").read_text(encoding="utf-8"))["by_task"]
    assert len(table) == sum(len(cells) for cells in expected.values())
    for row in table.to_dict("records"):
        cell = expected[row["model"]][row["value"]]
        assert row["n"] == cell["n"]
        shown = [row["raw"], row["raw_low"], row["raw_high"]]
        assert shown == pytest.approx([100 * value for value in (cell["accuracy"], *cell["wilson95"])])


def test_a_log_without_capabilities_says_so(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def bare(folder: Path) -> Path:
        log = write_log(
            folder / "bare.json",
            items=[{"item_id": "a", "media_type": "image"}, {"item_id": "b", "media_type": "video"}],
            runs=[{"run_id": "r"}],
            responses=[{"run_id": "r", "item_id": "a", "credit": 1.0}],
        )
        toy_build(folder, log)
        return folder / "store"

    monkeypatch.setitem(STORES, "bare", bare)
    assert "The log states no capability: one column holds every item. It states: media type." in texts(
        open_page(PAGE, "bare")
    )


def test_a_table_that_shows_the_same_stays_and_another_one_begins_anew(open_page: Open) -> None:
    ids = {}
    for name, given in {"credit": {}, "gap": {"measure": "gap"}, "axis": {"level_of": "subcapability"}}.items():
        test = open_page("pages/02_capability_profiles.py", "everything", {"benchmark": "toy"} | given)
        ids[name] = test.dataframe[0].proto.id
    assert ids["credit"] == ids["gap"] != ids["axis"]
