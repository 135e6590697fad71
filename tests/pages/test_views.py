"""Parts of a page: what was chosen in one stays while another is looked at; a part that a log lacks says so."""

from __future__ import annotations

import pytest

from tests.pages.conftest import Open, texts


def test_a_choice_of_a_part_out_of_sight_stays_in_the_address(open_page: Open) -> None:
    gap = "pages/03_raw_verified_gap.py"
    test = open_page(gap, "embedded", {"benchmark": "psycheme", "view": "losses", "lost": "all"})
    test.button_group(key="url view").set_value("stages").run()
    assert test.query_params["view"] == "stages"
    test.button_group(key="url order").set_value("any_order").run()
    assert test.query_params["lost"] == "all"
    assert test.query_params["order"] == "any_order"
    test.button_group(key="url view").set_value("losses").run()
    assert test.button_group(key="url lost").value == "all"
    assert [error.value for error in test.exception] == []


def test_level_and_leaning_are_those_of_judges(open_page: Open) -> None:
    said = texts(open_page("pages/06_judges.py", "embedded", {"benchmark": "psycheme", "view": "level"}))
    assert "needs a log with two judges or more" in said


def test_scores_beside_the_paper_have_a_part_of_their_own(open_page: Open) -> None:
    test = open_page("pages/01_leaderboard.py", "embedded", {"benchmark": "hss", "view": "paper"})
    assert any("printed" in frame.value.columns for frame in test.dataframe)
    assert "come out of the rows" in texts(test)
    none = open_page("pages/01_leaderboard.py", "everything", {"benchmark": "toy", "view": "paper"})
    assert "No loaded table of a paper prints a score for this slice" in texts(none)


@pytest.mark.parametrize(
    ("page", "without", "has"),
    [("03_raw_verified_gap", "srb", "psycheme"), ("06_judges", "hss", "hss-judges"), ("07_voting", "hss", "psycheme")],
)
def test_a_benchmark_that_lacks_it_leads_to_one_that_has_it(open_page: Open, page: str, without: str, has: str) -> None:
    test = open_page(f"pages/{page}.py", "embedded", {"benchmark": without})
    (button,) = [button for button in test.button if "which has it" in button.label]
    button.click().run()
    assert test.query_params == {"benchmark": has}
    assert not [button for button in test.button if "which has it" in button.label]
    alone = open_page(f"pages/{page}.py", "one run", {})
    assert not [button for button in alone.button if "which has it" in button.label]


def test_media_types_stand_with_their_numbers_and_traps_only_where_options_are_typed(open_page: Open) -> None:
    page = "pages/04_failure_causes.py"
    test = open_page(page, "embedded", {"benchmark": "hss", "view": "media"})
    table = next(frame.value for frame in test.dataframe if "share" in frame.value.columns)
    assert set(table["group"]) == {"image", "video"}
    for _, part in table.groupby("group"):
        assert part["failures"].sum() == part["n"].iloc[0]
    assert ":orange[" not in texts(test)  # Table 6 prints the shares of both
    test.session_state["fold foot failure_totals"] = True
    assert "--set per=media_type" in "".join(block.value for block in test.run().code)
    assert "Traps" not in test.button_group(key="url view").options
