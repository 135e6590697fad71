"""The Data page: a change runs beside the page, which shows how it ended; the validation report is on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec
from streamlit.testing.v1 import AppTest

from analytics.errors import BadLog
from loaders import base, discover
from pages.ui.kit import logs
from tests.pages.conftest import APP, texts
from tests.stores import TOY, write_log


@pytest.fixture
def page(stores: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page on a copy of a small store, which the toy reader can add to."""
    shutil.copytree(stores("everything"), tmp_path / "S")
    monkeypatch.setenv("SCOREPROOF_STORE", str(tmp_path / "S"))
    monkeypatch.setenv("SCOREPROOF_HOME", str(tmp_path / "home"))
    every = (*base.readers(), TOY)
    monkeypatch.setattr(discover, "readers", lambda: every)
    st.cache_resource.clear()
    test = AppTest.from_file(APP, default_timeout=120)
    test.run()
    test.switch_page("pages/13_data.py")
    return test.run().run()


def add(test: AppTest, path: Path) -> AppTest:
    """Type a path, press the button, wait until the change has ended, and look at the page again."""
    test.text_input[0].set_value(str(path))
    next(button for button in test.button if button.label == "Read it").click().run()
    job = logs._job()
    assert job is not None
    assert job.wait(120)
    return test.run()


def test_two_uploads_of_one_name_are_refused_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREPROOF_HOME", str(tmp_path / "home"))
    files = [UploadedFile(UploadedFileRec(str(n), "log.json", "", b"x" * n), FileURLs()) for n in (1, 2)]
    with pytest.raises(BadLog, match=r"called log\.json"):
        logs.keep(files)
    assert not (tmp_path / "home").exists()
    folder, names = logs.keep(files[:1])
    assert (Path(folder, "log.json").read_bytes(), names) == (b"x", "log.json")


def metric(test: AppTest, label: str) -> str:
    return str(next(one.value for one in test.metric if one.label == label))


def newcomer(folder: Path) -> Path:
    """One more run, on five of the nine items of the store."""
    rows = [{"run_id": "new", "item_id": f"i{k}", "credit": 1.0} for k in range(5)]
    items = [{"item_id": f"i{k}"} for k in range(5)]
    return write_log(folder / "new.json", items=items, runs=[{"run_id": "new"}], responses=rows)


def test_a_log_is_added_and_taken_back(page: AppTest, tmp_path: Path) -> None:
    assert metric(page, "Files") == "1"
    test = add(page, newcomer(tmp_path))
    assert not test.exception
    assert "Done in" in texts(test)
    assert metric(test, "Files") == "2"
    next(button for button in test.button if button.label == "Undo").click().run()
    assert "Done in" not in texts(test)
    assert metric(test.run(), "Files") == "1"


def test_an_error_takes_the_place_of_an_old_success(page: AppTest, tmp_path: Path) -> None:
    add(page, newcomer(tmp_path))
    test = add(page, tmp_path / "nowhere")
    assert "does not exist. Give a file or folder with logs." in texts(test)
    assert "Done in" not in texts(test)
    assert metric(test, "Files") == "2"


def test_partial_runs_are_counted_and_refused_files_count_as_files(page: AppTest, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    newcomer(tmp_path / "logs")
    (tmp_path / "logs" / "empty.json").write_bytes(b"")
    test = add(page, tmp_path / "logs")
    assert (metric(test, "Files"), metric(test, "Files refused")) == ("3", "1")
    test.query_params["map_of"] = "toy"
    test.run().run()
    assert metric(test, "Partial runs") == "1"
    assert metric(test, "Missing responses") == "4"


def test_the_page_shows_one_part_and_an_old_address_of_the_map_opens_it(page: AppTest) -> None:
    assert page.button_group(key="url view").options == ["Logs", "Coverage", "Dictionary"]
    assert "Sources" in [heading.value for heading in page.subheader]
    page.query_params["map_of"] = "toy"
    page.run()
    assert next(heading.value for heading in page.subheader) == "Runs by items"
    page.query_params["view"] = "dictionary"
    page.run()
    (frame,) = (one.value for one in page.dataframe)
    assert {"runs", "responses"} <= set(frame["table"])
    page.query_params["view"] = "reconstruction"
    assert "needs a log with reconstructed rows" in texts(page.run())


def test_a_file_that_came_to_a_folder_is_named_and_read(page: AppTest, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "empty.json").write_bytes(b"")
    add(page, folder)
    files = int(metric(page, "Files"))
    assert "New in folders" not in texts(page)
    newcomer(folder)
    st.cache_data.clear()
    assert "New in folders that were read: new.json." in texts(page.run())
    next(button for button in page.button if button.label == "Read the new ones").click().run()
    job = logs._job()
    assert job is not None
    assert job.wait(120)
    assert job.error == ""
    assert "New in folders" not in texts(page.run())
    assert metric(page, "Files") == str(files + 1)


def test_a_log_that_changed_on_disk_is_named(page: AppTest, tmp_path: Path) -> None:
    log = newcomer(tmp_path)
    add(page, log)
    assert "Changed on disk" not in texts(page)
    log.write_text(log.read_text() + " ")
    st.cache_data.clear()
    assert "Changed on disk since the store was built: new.json." in texts(page.run())
    next(button for button in page.button if button.label == "Read them again").click().run()
    job = logs._job()
    assert job is not None
    assert job.wait(120)
    assert job.error == ""
    assert "Changed on disk" not in texts(page.run())
