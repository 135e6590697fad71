"""Figures as a reader sees them: numbers, heads and names where there is little room, and words that hide nothing."""

from __future__ import annotations

import re

import altair as alt
import polars as pl
import pytest
import vl_convert

from pages.ui.charts.cause_matrix import FEWER, MORE, cause_matrix
from pages.ui.charts.composition import MOST, composition_bars
from pages.ui.charts.heatmap import Measure, heatmap
from pages.ui.charts.illustration import LINES, across
from pages.ui.charts.labels import p_text, run_names
from pages.ui.charts.marks import LEAST, LEGEND, MARGIN, Spot, interval_marks
from pages.ui.charts.matrix import Cell, matrix

CELLS = pl.DataFrame(
    {
        "run": ["r", "r", "s", "s"], "name": ["R", "R", "S", "S"], "value": ["a_b", "c", "a_b", "c"],
        "n": [40, 3, 40, 40], "small_n": [False, True, False, False], "raw": [0.567, -0.4, 0.0, 0.4],
    }
)  # fmt: skip
WIDE, NARROW, NO_ROOM = 300, 50, 20


def drawn(figure: alt.LayerChart, width: int) -> str:
    """Return the figure as SVG, its plot `width` pixels wide."""
    neutral = ["#8a3b00", "#f8e3d4", "#d6e8f5", "#043554"]
    return vl_convert.vegalite_to_svg(figure.properties(width=width).configure_range(diverging=neutral).to_dict())


def of_runs(*, middle: bool) -> alt.LayerChart:
    return heatmap(
        CELLS, measure=Measure("raw", "raw (%)", middle=middle), runs=["R", "S"], levels=["a_b", "c"], level_title="x"
    )


def words(svg: str) -> list[str]:
    return re.findall(r"<(?:text|tspan)[^>]*>([^<]+)<", svg)


@pytest.mark.parametrize(
    ("width", "numbers"),
    [(WIDE, {"56.7", "\u221240.0*", "0.0", "40.0"}), (NARROW, {"57", "\u221240*", "0", "40"}), (NO_ROOM, {"*"})],
)
def test_cells_keep_their_numbers_as_long_as_there_is_room(width: int, numbers: set[str]) -> None:
    shown = words(drawn(of_runs(middle=False), width))
    assert numbers <= set(shown)
    assert "a b" in shown  # heads are read with spaces
    assert not any("." in word for word in shown) or width == WIDE


def test_a_cell_is_heard_once_and_the_pointer_reaches_it_under_its_number() -> None:
    svg = drawn(of_runs(middle=False), WIDE)
    heard = [label for label in re.findall(r'aria-label="([^"]*)"', svg) if "items:" in label]
    assert len(heard) == CELLS.height
    assert any("raw (%): 56.7" in label and "items: 40" in label for label in heard)
    marks = vl_convert.vegalite_to_vega(of_runs(middle=False).properties(width=WIDE).to_dict())["marks"]
    assert {mark["type"]: mark["interactive"] for mark in marks} == {"rect": True, "text": False}


def test_the_middle_of_two_colours_is_neutral() -> None:
    svg = drawn(of_runs(middle=True), WIDE)
    fills = [tuple(map(int, found)) for found in re.findall(r'fill="rgb\((\d+), (\d+), (\d+)\)"', svg)]
    assert any(max(fill) - min(fill) < 6 for fill in fills)


def test_marks_of_a_cell_stay_where_numbers_lose_a_digit() -> None:
    table = pl.DataFrame(
        {
            "cause": ["p", "q"], "family": ["f", "f"], "level": ["a", "a"], "failures": [8, 2],
            "level_failures": [10, 10], "cause_failures": [8, 2], "share_in_level": [0.8123, 0.1877],
            "share_in_cause": [1.0, 1.0], "residual": [3.0, -3.0], "p_holm": [0.01, 0.01],
        }
    )  # fmt: skip
    figure = cause_matrix(
        table, measure=Measure("share_in_level", "column share (%)"), causes=["p", "q"], levels=["a"],
        level_title="level", below=0.05,
    )  # fmt: skip
    assert {f"81.2 {MORE}", f"18.8 {FEWER}"} <= set(words(drawn(figure, WIDE)))
    assert {f"81{MORE}", f"19{FEWER}"} <= set(words(drawn(figure, 25)))


def test_pairs_keep_their_numbers() -> None:
    pairs = pl.DataFrame({"a": ["x", "y"], "b": ["y", "x"], "kappa": [0.918, 0.918]})
    figure = matrix(
        pairs, cell=Cell("kappa", "kappa"), row="a", column="b", order=["x", "y"], fields=["a", "b"], tips={}, sure=None
    )
    assert "0.92" in words(drawn(figure, WIDE))
    assert "0.9" in words(drawn(figure, NARROW))


def test_a_long_name_goes_on_in_a_second_line() -> None:
    named = ["psychological_understanding", "need", "one_word_that_is_short", "an-unbroken-name-of-many-letters"]
    table = pl.DataFrame({"name": named, "v": [0.5] * 4, "low": [0.4] * 4, "high": [0.6] * 4, "n": [9] * 4})
    spot = Spot("v", "low", "high", "share (%)", "percent")
    figure = interval_marks(
        table, spot=spot, label="name", order=named, series=None, series_order=[], fields=["name"], n=("n", "items"),
        zero=False,
    )  # fmt: skip
    svg = drawn(figure, WIDE)
    assert {"psychological", "understanding", "need", "one word that is short"} <= set(words(svg))
    assert figure.to_dict()["layer"][0]["encoding"]["y"]["axis"]["labelOffset"]["condition"]["value"] < 0


def test_words_of_an_illustration_let_marks_show_through() -> None:
    cells, *layers, numbers = across(of_runs(middle=False)).to_dict()["layer"]
    assert [layer["mark"]["text"] for layer in layers] == [list(LINES)] * 2
    assert all(layer["mark"]["opacity"] < 0.4 for layer in layers)
    assert (cells["mark"]["type"], numbers["mark"]["type"]) == ("rect", "text")  # numbers stay readable over the words
    dots = alt.Chart(pl.DataFrame({"x": [1.0]})).mark_point().encode(x="x")
    assert [layer["mark"].get("text") for layer in across(dots).to_dict()["layer"]] == [None, list(LINES), list(LINES)]


def test_a_card_draws_the_largest_capabilities_and_says_so() -> None:
    many = pl.DataFrame(
        {
            "capability": [f"c{n}" for n in range(40)], "media_type": "text", "answer_type": "open",
            "items": list(range(1, 41)),
        }
    )  # fmt: skip
    spec = composition_bars(many, slice_name="field").to_dict()
    (rows,) = spec["datasets"].values()
    assert [row["items"] for row in rows] == list(range(41 - MOST, 41))
    assert spec["encoding"]["x"]["title"] == f"items by field, the {MOST} largest of 40"
    few = composition_bars(many.head(3), slice_name="field").to_dict()
    assert few["encoding"]["x"]["title"] == "items by field"


def test_one_row_of_three_marks_has_room_beside_two_lines_of_legend() -> None:
    table = pl.DataFrame(
        {"name": "all", "of": ["x", "y", "z"], "v": [0.5, 0.6, 0.7], "low": 0.4, "high": 0.8, "n": [9, 9, 9]}
    )
    spot = Spot("v", "low", "high", "share (%)", "percent")

    def height(series: list[str]) -> int:
        figure = interval_marks(
            table, spot=spot, label="name", order=["all"], series="of", series_order=series, fields=["name"],
            n=("n", "items"), zero=False,
        )  # fmt: skip
        return figure.to_dict()["height"]

    assert height(["x", "y"]) == LEAST + MARGIN
    assert height(["x", "y", "z"]) == LEAST + MARGIN + LEGEND


def test_runs_are_told_apart_by_what_their_id_adds_to_the_model() -> None:
    runs = pl.DataFrame(
        {"run": ["lab/m/one", "lab/m/two", "lab/m"], "model": "lab/m", "kind": "model", "condition": "none"}
    )
    assert run_names(runs)["name"].to_list() == ["lab/m · one", "lab/m · two", "lab/m · lab/m"]


def test_a_small_p_is_not_zero() -> None:
    written = [p_text(p) for p in (0.0454, 0.0001, 0.00003, 0.0, 1.0)]
    assert written == ["0.0454", "0.0001", "< 0.0001", "< 0.0001", "1.0000"]
