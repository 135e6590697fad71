"""A served app and a browser for the tests; both fail a test on what a user would not see: requests and warnings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.hostile import hostile_store
from tests.browser.served import Guard, Server, browser, chromium, served


@pytest.fixture(scope="session")
def chrome() -> Iterator[Browser]:
    path = chromium()
    if path is None:
        reason = "no chromium on the PATH; name it in SCOREPROOF_CHROMIUM"
        if os.environ.get("SCOREPROOF_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with browser(path) as started:
        yield started


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for the embedded store of the whole session: it is built once."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[Server]:
    """The app on the shipped logs."""
    with served(tmp_path_factory.mktemp("embedded"), store=None, home=home) as server:
        yield server
        assert server.complaints() == []


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The app on a log whose every text tries to be markup."""
    folder = tmp_path_factory.mktemp("hostile")
    with served(folder, store=hostile_store(folder), home=folder) as server:
        yield server
        assert server.complaints() == []


@pytest.fixture
def context(chrome: Browser) -> Iterator[BrowserContext]:
    """A fresh profile that reaches nothing but the server, and fails the test if anything tried to."""
    made = chrome.new_context(viewport={"width": 1440, "height": 1000}, accept_downloads=True)
    made.set_default_timeout(90_000)  # two busy cores: a first answer may take longer than the 30 s that are usual
    guard = Guard()
    guard.watch(made)
    yield made
    made.close()
    assert guard.stopped == []


@pytest.fixture
def tab(context: BrowserContext) -> Iterator[Page]:
    """A page that fails the test on a script error."""
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []
