"""Tables of the pages: what was left out of a count is all in sight, and a narrow screen has the number first."""

from __future__ import annotations

import ast

import pytest

from tests.pages.conftest import ROOT, Open

NUMBER = {
    "05_significance.py": {"CONTRAST_MAIN": "difference", "CELLS_MAIN": "rate"},
    "08_credit_calculator.py": {"MAIN": "verified"},
    "02_capability_profiles.py": {"CROSSED": "rate", "REST": "credit"},
}


def tuples(page: str) -> dict[str, list[str]]:
    """Return the tuples of texts that a page's names stand for."""
    found = {}
    for node in ast.parse((ROOT / "pages" / page).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple) and isinstance(node.targets[0], ast.Name):
            values = [part.value for part in node.value.elts if isinstance(part, ast.Constant)]
            found[node.targets[0].id] = [value for value in values if isinstance(value, str)]
    return found


def test_items_that_do_not_apply_stand_beside_the_other_items_without_a_credit() -> None:
    counted = [
        (path.name, name)
        for path in sorted((ROOT / "pages").glob("[0-9]*_*.py"))
        for name, columns in tuples(path.name).items()
        if {"hidden", "unjudged"} <= set(columns) and "not_applicable" not in columns
    ]
    assert counted == []


@pytest.mark.parametrize("page", NUMBER)
def test_the_number_stands_among_the_first_four_columns(page: str) -> None:
    held = tuples(page)
    for name, column in NUMBER[page].items():
        assert column in held[name][:4]


def test_two_runs_are_called_an_illustration_once(open_page: Open) -> None:
    address: dict[str, str | list[str]] = {"benchmark": "srb", "view": "pair"}
    test = open_page("pages/01_leaderboard.py", "embedded", address)
    assert [error.value for error in test.exception] == []
    assert sum("illustration" in part.value for part in test.markdown) == 1
