"""Conditions: differences are the question's, compared with the base of the address; logs without a setting say so."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from analytics.slices import Slice
from tests.pages.conftest import Open, texts
from tests.pages.test_pages import ask

PAGE = "pages/09_conditions.py"


def shown(test) -> dict[str, str]:
    assert [error.value for error in test.exception] == []
    return {metric.label: metric.value for metric in test.metric}


def test_effort_ends_no_better_in_seven_of_thirty_three(open_page: Open) -> None:
    address = {"benchmark": "hss", "dimension": "effort", "level_of": "subcapability"}
    test = open_page(PAGE, "embedded", address)  # an address of before the page had parts
    assert shown(test)["End no better than start"] == "7 of 33"
    test = open_page(PAGE, "embedded", address | {"level_of": "capability", "view": "slices"})
    assert shown(test)["Best is not the highest"] == "7 of 12"


def test_verified_differences_to_the_main_run(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "psycheme", "dimension": "input", "credit": "verified"})
    shown(test)
    rows = ask(shipped / "embedded", "conditions", Slice.of(benchmark="psycheme"), base="main", level_of="none")
    rows = rows.filter((pl.col("dimension") == "input") & ~pl.col("is_base"))["verified_difference"]
    got = [float(metric.value) for metric in test.metric[:2]]
    assert got == pytest.approx([100 * rows.max(), 100 * rows.min()])
    said = [m.value for m in test.markdown if "illustration" in m.value]
    assert said == []  # the whole is printed
    for part in ("slices", "items"):
        address = {"benchmark": "psycheme", "dimension": "input", "credit": "verified", "view": part}
        test = open_page(PAGE, "embedded", address)
        shown(test)
        assert len([m.value for m in test.markdown if "illustration" in m.value]) == 1


def test_parts_are_offered_where_the_data_has_them_and_old_addresses_open_theirs(open_page: Open) -> None:
    def offered(address: dict[str, str | list[str]]) -> tuple[list[str], str]:
        test = open_page(PAGE, "embedded", address)
        shown(test)
        switch = test.button_group(key="url view")
        return list(switch.options), str(switch.value)

    effort: dict[str, str | list[str]] = {"benchmark": "hss", "dimension": "effort"}
    assert offered(effort) == (["Effect", "By slice", "Curves", "Item by item"], "effect")
    assert offered({"benchmark": "psycheme", "dimension": "input"})[0] == ["Effect", "By slice", "Item by item"]
    for name, value, part in (
        ("level_of", "subcapability", "slices"),
        ("of", "all", "curves"),
        ("outcome", "fixed", "items"),
    ):
        assert offered(effort | {name: value})[1] == part
    assert offered(effort | {"level_of": "subcapability", "of": "all"})[1] == "curves"
    assert offered(effort | {"level_of": "subcapability", "outcome": "fixed"})[1] == "items"
    assert offered(effort | {"level_of": "subcapability", "view": "effect"})[1] == "effect"


def test_curves_have_their_numbers_beside_them(open_page: Open, shipped: Path) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "dimension": "effort", "view": "curves"})
    shown(test)
    rows = ask(shipped / "embedded", "conditions", Slice.of(benchmark="hss"), base="lowest", level_of="none")
    rows = rows.filter((pl.col("dimension") == "effort") & pl.col("place").is_not_null())
    table = next(frame.value for frame in test.dataframe if "setting" in frame.value.columns)
    assert sorted(table["raw"]) == pytest.approx(sorted(100 * rows["raw"]))


def test_a_log_without_a_varied_setting_says_what_is_needed(open_page: Open) -> None:
    assert "dimension=value" in texts(open_page(PAGE, "one run"))
    said = texts(open_page(PAGE, "embedded", {"benchmark": "srb", "dimension": "pass"}))
    assert "no base run" in said
