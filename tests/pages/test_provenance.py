"""Within a minute it is clear which numbers are printed, which are rebuilt and which are a demo."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from logs.generate.demo.make import JUDGES
from tests.pages.conftest import Open, texts

CASES = "pages/11_cases.py"


def badges(test: AppTest) -> list[str]:
    return [words.value for words in test.markdown if words.value.startswith(":") and "-badge[" in words.value]


def test_each_card_of_the_overview_has_its_badge_and_demos_come_last(open_page: Open) -> None:
    test = open_page("app.py", "embedded")
    assert [error.value for error in test.exception] == []
    titles = [heading.value.replace("\\", "") for heading in test.subheader]
    cards = [title for title in titles if title not in ("Published figures", "Every benchmark")]
    assert [title.startswith("Demo") for title in cards] == [False, False, True] * 2  # two columns
    shown = badges(test)
    assert sum("[demo]" in badge for badge in shown) == 1 + 1 + 2  # title, legend, two cards
    assert sum("[reconstructed]" in badge for badge in shown) == 1 + 1 + 4 + 1  # and among the published figures
    assert "rows simulated so that they meet the published figures; they prove nothing else" in texts(test)


def test_the_list_and_each_case_say_what_they_are(open_page: Open) -> None:
    for address in ({"benchmark": "hss"}, {"benchmark": "hss", "item": "hss-0001"}):
        assert "Reconstructed: simulated rows, an illustration." in texts(open_page(CASES, "embedded", address))
    assert "Demo: written and drawn for this project." in texts(
        open_page(CASES, "embedded", {"benchmark": "demo-cases"})
    )
    assert "Demo:" not in texts(open_page(CASES, "everything", {"benchmark": "toy"}))


@pytest.mark.parametrize(
    ("item", "media"), [("psychological-understanding-2", "media/bus-stop.png"), ("timing-1", "media/keys.webm")]
)
def test_a_demo_case_shows_prompt_media_answers_and_three_judges(open_page: Open, item: str, media: str) -> None:
    test = open_page(CASES, "embedded", {"benchmark": "demo-cases", "item": item})
    assert [error.value for error in test.exception] == []
    said = texts(test)
    assert media in said
    assert "not among the loaded folders" not in said
    kind = "image" if media.endswith(".png") else "video"
    assert test.get(kind), f"no {kind} element"
    assert any("?" in block.value for block in test.code)
    for judge in JUDGES:
        assert f"{judge['judge_id']}, 1: " in said


def test_the_data_page_counts_what_the_rebuilt_rows_meet(open_page: Open) -> None:
    test = open_page("pages/13_data.py", "embedded", {"view": "reconstruction"})
    shown = {metric.label: metric.value for metric in test.metric}
    parts = ("Matched", "Under an assumption", "Unreachable", "Outside the rows", "Mismatch")
    assert int(shown["Printed figures"]) == sum(int(shown[part]) for part in parts)
    assert shown["Mismatch"] == "0"
    assert "Reconstruction" in test.button_group(key="url view").options
    other = open_page("pages/13_data.py", "everything")
    assert "Reconstruction" not in other.button_group(key="url view").options


def test_printed_scores_stand_beside_the_rows(open_page: Open) -> None:
    test = open_page("pages/01_leaderboard.py", "embedded", {"benchmark": "psycheme", "view": "paper"})
    assert "34 of 34 scores that the paper prints for this slice come out of the rows, by construction." in texts(test)
    frame = next(table.value for table in test.dataframe if "printed" in table.value.columns)
    assert frame["printed"].to_list()[:2] == ["85.68", "80.03"]
    offered = open_page("pages/01_leaderboard.py", "everything", {"benchmark": "toy"}).button_group(key="url view")
    assert "Beside the paper" not in offered.options
