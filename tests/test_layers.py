"""Imports point down: app, pages -> pages.ui -> analytics -> analytics.numeric; loaders know the schema and errors."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("app", "cli", "pages", "analytics", "loaders", "logs", "tests", "benchmarks")
CHARTS = ("streamlit", "altair", "plotly", "vl_convert")
SQL = re.compile(r"\b(SELECT|DELETE|INSERT|UPDATE)\b.*\b(FROM|INTO|SET)\b", re.DOTALL)
STATISTICS = ("scipy", "statsmodels")


def files():
    found = [ROOT / "app.py", ROOT / "cli.py"]
    for folder in ("pages", "analytics", "loaders"):
        found += sorted((ROOT / folder).rglob("*.py"))
    return [path for path in found if path.exists()]


def imported(path):
    """Every module that a file imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the module's whole name"
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def forbidden(path):
    """Which prefixes a file may not import, and which of ours it may (all other modules of ours are forbidden)."""
    part = path.relative_to(ROOT).as_posix()
    if part.startswith("analytics/numeric/"):
        return ("streamlit", "altair", "plotly", "duckdb", "polars", "pandas"), ("analytics.numeric",)
    if part.startswith("analytics/"):
        return (*CHARTS, "pandas"), ("analytics",)
    if part.startswith("loaders/"):
        return CHARTS + STATISTICS + ("pandas",), ("loaders", "analytics.schema", "analytics.errors")
    if part.startswith("pages/ui/charts/"):
        return ("streamlit", "duckdb", "pandas", *STATISTICS), ("pages.ui.charts", "analytics")
    if part.startswith("pages/ui/report/"):
        return (
            ("streamlit", "duckdb", "pandas", *STATISTICS),
            ("pages.ui.charts", "pages.ui.report", "analytics"),
        )
    if part.startswith("pages/ui/kit/"):
        return ("duckdb", "pandas", *STATISTICS), ("pages.ui", "analytics", "loaders")
    if part == "cli.py":
        return ("streamlit", "pandas"), ("pages.ui.charts", "pages.ui.report", "analytics", "loaders")
    return ("duckdb", "pandas", *STATISTICS), ("pages.ui", "analytics")


def under(name, prefixes):
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


@pytest.mark.parametrize("path", files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_point_down(path):
    banned, allowed = forbidden(path)
    names = imported(path)
    assert not sorted(name for name in names if under(name, banned))
    ours = {name for name in names if name.split(".")[0] in OURS}
    # `from analytics import slices` names the package and the module: the package alone imports nothing.
    ours -= {name for name in ours if name in ("analytics", "pages") and any(n.startswith(name + ".") for n in ours)}
    assert not sorted(name for name in ours if not under(name, allowed))


def test_pages_hold_no_sql():
    for path in [ROOT / "app.py", *(ROOT / "pages").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not SQL.search(node.value), path


def test_no_file_is_long():
    for path in [*files(), *(ROOT / "tests").rglob("*.py")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 380, path


def test_the_walk_finds_every_layer():
    parts = {path.relative_to(ROOT).parts[0] for path in files()}
    assert {"analytics", "loaders", "cli.py"} <= parts
