"""Agent repair: the population stands beside the counts, the printed pair is named, exports are of these items."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from analytics.determined import printed_on
from tests.pages.conftest import Open, texts

PAGE = "pages/04_failure_causes.py"


def counts(test: AppTest) -> tuple[str, str]:
    assert [error.value for error in test.exception] == []
    found = {metric.label: metric.value for metric in test.metric}
    return found["Failures before"], found["After"]


def test_the_population_is_said_and_the_printed_pair_is_one_press_away(open_page: Open) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "view": "repair"})
    assert counts(test) == ("948", "760")
    said = texts(test)
    assert "Counted on items whatever their tag: 1,552 first attempts that 4 pairs of runs have in common." in said
    assert "Table 7 prints 944 before and 759 after: on the items with the tag agentic_387." in said
    next(button for button in test.button if button.label == "Count on the items of the paper").click()
    test.run()
    assert counts(test) == ("944", "759")
    said = texts(test)
    assert "Counted on items with the tag agentic_387: 1,548 first attempts" in said
    assert "prints 944" not in said


def test_a_slice_that_no_paper_prints_has_no_printed_pair(open_page: Open) -> None:
    test = open_page(PAGE, "embedded", {"benchmark": "hss", "view": "repair", "media_type": "video"})
    counts(test)
    assert "prints" not in texts(test)


def test_exports_name_the_items_that_were_counted(open_page: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    stamps: list[str] = []
    monkeypatch.setattr(
        "pages.ui.kit.show.proof", lambda answer, name, asked, *_, **__: stamps.append(f"{name} {asked.chosen}")
    )
    monkeypatch.setattr("pages.ui.kit.show.fold", lambda *_, **__: AlwaysOpen())
    open_page(PAGE, "embedded", {"benchmark": "hss", "view": "repair", "within": "agentic_387"})
    assert any(line.startswith("repair") and "agentic_387" in line for line in stamps)


class AlwaysOpen:
    """A fold that is open, so that what is in it is made."""

    open = True

    def __enter__(self) -> AlwaysOpen:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def test_pins_say_on_which_slice_the_rows_are_the_printed_ones() -> None:
    found = printed_on("repair", "hss")
    assert found is not None
    assert found == ("Humanity's Sixth Sense Table 7", {"tag": ("agentic_387",)})
    assert printed_on("repair", "srb") is None
    assert printed_on("composition", "hss") is None
