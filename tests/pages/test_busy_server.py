"""What many visitors at once bring about: files forgotten before they are fetched, first visits at the same time."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui.kit import links, show
from tests.pages.conftest import Open


def offered(test: AppTest) -> dict[str, str]:
    """The files of a table's foot by label: '' where the file is there, else the name by which it is asked for."""
    test.session_state["fold foot leaderboard"] = True
    buttons = test.run().get("download_button")
    return {button.proto.label: button.proto.deferred_file_id for button in buttons}


def test_files_of_a_table_are_there_before_they_are_asked_for(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    test = open_page("pages/01_leaderboard.py", "embedded", {"benchmark": "psycheme"})
    found = offered(test)
    assert {label for label, later in found.items() if not later} == {"CSV", "Parquet", "LaTeX"}
    assert found["PNG"]
    assert found["SVG"]
    monkeypatch.setattr(show, "AT_ONCE", 10)
    assert all(offered(test).values())


def test_every_page_is_read_by_many_threads_at_once() -> None:
    files = [(links.ROOT / page.path, page.number) for page in links.pages()]
    start = threading.Barrier(8)

    def read(_: int) -> list[links.Page]:
        start.wait()
        return [links.read_page(*file) for file in files * 20]

    with ThreadPoolExecutor(8) as threads:
        for found in threads.map(read, range(8)):
            assert found == list(links.pages()) * 20


def test_pandas_is_whole_before_a_page_runs() -> None:
    """Of twenty first visits at once two met half of it, while another page imported it for its figure."""
    code = "import sys; import pages.ui.kit.page; print(hasattr(sys.modules['pandas'], 'Timestamp'))"
    done = subprocess.run([sys.executable, "-c", code], check=True, cwd=links.ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "True"


def test_title_and_question_are_those_of_the_docstring() -> None:
    for page in links.pages():
        doc = ast.get_docstring(ast.parse((links.ROOT / page.path).read_text(encoding="utf-8")))
        assert doc is not None
        assert doc.splitlines()[0] == f"{page.title} · {page.question}"
