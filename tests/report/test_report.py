"""The report: the numbers of the questions, the words beside them, and nothing of a log taken for markup."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

import cli
from analytics.errors import EmptySlice, UnknownName, UnknownValue
from analytics.slices import Slice
from analytics.store import Store
from pages.ui.report.page import report
from pages.ui.report.parts import plain
from tests.browser.hostile import EVIL, hostile_store
from tests.pages.conftest import everything
from tests.report.parsed import Parsed, Table, column, parsed
from tests.stores import toy_store

ROOT = Path(__file__).resolve().parents[2]
ELEMENTS = {
    "html", "head", "meta", "title", "link", "style", "body", "header", "main", "article", "section", "nav", "ul", "li",
    "a", "h1", "h2", "h3", "h4", "p", "span", "code", "figure", "picture", "source", "img", "figcaption", "div",
    "table", "thead", "tbody", "tr", "th", "td", "data", "details", "summary", "dl", "dt", "dd",
}  # fmt: skip
DRAWN = {"svg", "g", "path", "text", "tspan", "rect", "line", "defs", "clipPath", "linearGradient", "stop", "title"}
ADDRESSES = {"href", "src", "srcset", "action", "data", "poster", "style", "content"}
FEW = {"resamples": "200", "flips": "199"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return everything(tmp_path_factory.mktemp("everything"))


@pytest.fixture(scope="module")
def page(store: Path) -> Parsed:
    return parsed(report(Store(store), Slice(), FEW, source=f" --store {store}"))


def asked(table: Table, capfdbinary: pytest.CaptureFixture[bytes]) -> list[dict[str, object]]:
    """Run the command that stands below a table, and return its records."""
    program, *arguments = table.command
    assert program == "scoreproof"
    assert cli.main([*arguments, "--format", "json"]) == 0
    found: list[dict[str, object]] = json.loads(capfdbinary.readouterr().out)
    return found


def is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def test_every_number_is_that_of_the_command_below_its_table(
    page: Parsed, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert {"leaderboard", "profiles", "significance", "pairwise", "judges"} <= {t.question for t in page.tables}
    compared = 0
    for table in page.tables:
        records = asked(table, capfdbinary)
        columns = [column(head) for head in table.heads]
        numeric = [name for name in columns if any(is_number(record[name]) for record in records)]
        wanted = Counter(tuple(record[name] for name in numeric) for record in records)
        held = Counter(
            tuple(None if row[columns.index(name)] == "" else float(row[columns.index(name)]) for name in numeric)
            for row in table.rows
        )
        assert held == wanted, table.question
        compared += sum(len(numeric) for _ in table.rows)
    assert compared > 300


def test_a_number_is_shown_rounded_in_its_unit(page: Parsed) -> None:
    board = next(table for table in page.tables if table.question == "leaderboard")
    at = board.heads.index("raw (%)")
    for shown, row in zip(board.shown, board.rows, strict=True):
        if row[at]:
            assert shown[at] == f"{float(row[at]) * 100:.2f}"


def test_words_stand_beside_the_numbers(page: Parsed) -> None:
    text = page.text()
    for words in (
        "Rows: every item and every run.",
        "missing and failed attempts count as each benchmark declares",
        "left out",
        "data hash",
        "seed",
        "method",
        "20260",
        "logs that you loaded",
    ):
        assert words in text, words


def test_a_part_without_its_data_says_which_log_it_needs(page: Parsed, tmp_path: Path) -> None:
    text = page.text()
    assert "No published document is about these benchmarks." in text
    store = toy_store(
        tmp_path,
        items=[{"item_id": "a"}],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "a", "credit": 1.0}],
    )
    lone = parsed(report(store, Slice(), FEW, source="")).text()
    assert "It needs a log with verdicts of judges, answers of people or runs, or comparisons." in lone
    assert "It needs a log with two runs over common items." in lone
    assert "The items differ in no key of a slice." in lone


def test_a_slice_and_a_policy_are_those_of_the_report(store: Path) -> None:
    chosen = Slice.of(benchmark="toy", capability="c1")
    one = parsed(report(Store(store), chosen, FEW | {"missing": "exclude"}, source=""))
    assert "capability is c1" in one.text()
    assert "missing and failed attempts are left out and counted" in one.text()
    profiles = next(table for table in one.tables if table.question == "profiles")
    assert {row[profiles.heads.index("value")] for row in profiles.rows} == {"c1"}
    assert all("--set missing=exclude" in " ".join(table.command) for table in one.tables if table.question != "raters")


def test_simulated_rows_are_called_an_illustration_in_words_and_in_the_figure(tmp_path: Path) -> None:
    rows = [{"run_id": run, "item_id": item, "credit": 1.0} for run in ("r", "s") for item in ("a", "b")]
    runs = [{"run_id": run, "provenance": "reconstructed"} for run in ("r", "s")]
    store = toy_store(tmp_path, items=[{"item_id": "a"}, {"item_id": "b"}], runs=runs, responses=rows)
    page = parsed(report(store, Slice(), FEW, source=""))
    assert "Illustration: simulated, not determined by the published figures" in page.text()
    drawn = [given["alt"] for tag, given in page.elements if tag == "img"]
    assert drawn
    assert all("Illustration: simulated" in words for words in drawn)


def test_what_cannot_be_asked_is_an_error_and_no_file(
    store: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for given, error in (({"levl": "0.9"}, UnknownName), ({"level": "2"}, UnknownValue)):
        with pytest.raises(error):
            report(Store(store), Slice(), given, source="")
    with pytest.raises(EmptySlice):
        report(Store(store), Slice.of(benchmark="other", model="m1"), {}, source="")
    out = tmp_path / "r.html"
    code = cli.main(["report", "--store", str(store), "--where", "capability=c9", "--out", str(out)])
    assert (code, out.exists()) == (2, False)
    assert b"No row has capability 'c9'" in capfdbinary.readouterr().err


def test_the_command_writes_the_page(store: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    sets = [part for name, value in FEW.items() for part in ("--set", f"{name}={value}")]
    assert cli.main(["report", "--store", str(store), "--where", "benchmark=toy", *sets, "--out", str(out)]) == 0
    page = parsed(out.read_text(encoding="utf-8"))
    assert {table.question for table in page.tables} >= {"leaderboard", "profiles"}
    assert all(f"--store {store}" in " ".join(table.command) for table in page.tables)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    return report(Store(hostile_store(tmp_path_factory.mktemp("hostile"))), Slice(), FEW, source="")


def test_text_of_a_log_makes_no_element_and_no_address(hostile: str) -> None:
    page = parsed(hostile)
    assert {tag for tag, _ in page.elements} <= ELEMENTS
    for tag, given in page.elements:
        assert not [name for name in given if name.startswith("on")], tag
        for name in ADDRESSES & set(given):
            ours = given[name].startswith(("#", "data:", "data:image/svg+xml;base64,")) or tag == "meta"
            assert ours, (tag, name, given[name][:80])
    cells = [cell for table in page.tables for row in table.shown for cell in row]
    assert any(EVIL in cell for cell in cells)  # the whole of it, as text
    assert "<b>bold</b>" not in hostile


def test_the_page_forbids_what_it_does_not_need(hostile: str) -> None:
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    metas = [given for tag, given in parsed(hostile).elements if tag == "meta"]
    assert {"http-equiv": "Content-Security-Policy", "content": policy} in metas
    assert not re.search(r"url\(|@import", hostile)


def test_a_figure_is_whole_xml_without_a_reference(hostile: str) -> None:
    found = re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", hostile)
    assert len(found) >= 12
    for text in found:
        for element in ElementTree.fromstring(base64.b64decode(text)).iter():
            assert element.tag.rpartition("}")[2] in DRAWN, element.tag
            assert not [name for name in element.attrib if name.endswith("href") or name.startswith("on")]


PROBE = "import sys, pages.ui.report.page; print('streamlit' in sys.modules)"


def test_a_report_needs_no_streamlit() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "False"


def test_wide_blanks_and_joiners_are_text_and_control_and_direction_characters_are_not():
    text = "a\u3000b\u00a0c\td \U0001f469\u200d\U0001f52c \u0645\u06cc\u200c\u0634\u0648\u062f"
    assert plain(text) == text
    assert plain("a\x00b\u202ec\x1bd\u2066e") == "a\ufffdb\ufffdc\ufffdd\ufffde"
