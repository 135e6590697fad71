"""Methods: every question with its source, every term, and the address that opens one."""

from __future__ import annotations

import re

import pytest

from analytics.policy import MEANING
from analytics.questions import Question, questions
from analytics.rubric import rubrics
from analytics.slices import KEYS
from analytics.terms import TERMS
from pages.ui.kit import docs, page
from tests.pages.conftest import Open, texts

PAGE = "pages/14_methods.py"

SOURCE = re.compile(r"doi:10\.|arXiv:|https://|[Rr]ows|counts|account|document|PsycheMME|Humanity|Social|schema|rubric")
"""What a source names: a paper, a benchmark's paper, or what is counted."""


@pytest.mark.parametrize("asked", questions().values(), ids=lambda asked: asked.name)
def test_every_public_question_names_its_source(asked: Question) -> None:
    assert asked.source.strip()
    assert SOURCE.search(asked.source) or "means over all k-subsets" in asked.source, asked.source
    assert asked.needs.strip()
    assert len(docs.paragraphs(asked.ask)) >= 1


def test_every_term_is_sourced_and_leads_to_questions() -> None:
    assert len({term.name for term in TERMS}) == len(TERMS)
    for term in TERMS:
        assert term.source, term.name
        assert len(term.meaning.split()) > 5, term.name
        assert term.questions, term.name
        assert set(term.questions) <= set(questions()), term.name
        assert term.formula.count("{") == term.formula.count("}"), term.name


def test_the_page_lists_every_question_term_rule_key_and_rubric(open_page: Open) -> None:
    test = open_page(PAGE, "one run")
    labels = [box.label for box in test.expander]
    for wanted in (*questions().values(), *rubrics().values()):
        assert wanted.title in labels
    assert {term.name for term in TERMS} <= set(labels)
    shown = [{name: frame.value[name].to_list() for name in frame.value.columns} for frame in test.dataframe]
    assert any(set(frame.get("rule", [])) == set(MEANING) for frame in shown)
    assert any(frame.get("key") == list(KEYS) for frame in shown)
    assert any(frame.get("provenance") == list(page.BADGES) for frame in shown)
    assert test.metric[0].value == test.metric[1].value == str(len(questions()))


def test_the_address_opens_a_method_and_finds_words(open_page: Open) -> None:
    test = open_page(PAGE, "one run", {"method": "stages"})
    said = texts(test)
    assert questions()["stages"].asks in said
    assert f"Source: {questions()['stages'].source}" in said
    columns = [frame.value["column"].to_list() for frame in test.dataframe if "column" in frame.value.columns]
    assert columns == [[column.name for column in questions()["stages"].columns]]
    test = open_page(PAGE, "one run", {"find": "wilson interval"})
    labels = [box.label for box in test.expander]
    assert "Wilson interval" in labels
    assert "Macro mean" not in labels
    assert "No term and no method mentions 'zzz'" in texts(open_page(PAGE, "one run", {"find": "zzz"}))
    assert "no question 'stagez'" in texts(open_page(PAGE, "one run", {"method": "stagez"}))


def test_docstrings_are_shown_as_words() -> None:
    def documented() -> None:
        """One `line`.

        Another
        paragraph.
        """

    assert docs.paragraphs(documented) == ["One line.", "Another paragraph."]
