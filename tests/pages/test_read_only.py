"""Pages of a read-only server offer nothing that it would refuse, and stay whole."""

from __future__ import annotations

import pytest

from loaders.read_only import SAYS, VARIABLE
from tests.pages.conftest import Open, texts


@pytest.mark.parametrize("page", ["pages/13_data.py"])
def test_a_read_only_page_has_no_control_that_writes(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    test = open_page(page, "one run")
    writing = {"Read it", "Read them", "Check it"}
    assert writing & {button.label for button in test.button}
    monkeypatch.setenv(VARIABLE, "1")
    test = open_page(page, "one run")
    assert not test.exception
    assert not writing & {button.label for button in test.button}
    if "data" in page:
        assert SAYS in texts(test)
