"""Whatever is asked of the embedded logs has a stated answer: rows, or a sentence that says what is lacking."""

from __future__ import annotations

import random

import pytest

from analytics.errors import ScoreproofError
from analytics.questions import question
from analytics.store import frame
from tests.answers import asked

NAMES = (
    "agreement", "association", "attempt_cost", "confusion", "endorsements", "failure_totals", "failures", "items",
    "judges", "leniency", "majority_agreement", "position_bias", "preferences", "rank_agreement", "repair",
    "same_cause", "self_preference", "traps", "voting", "voting_curve", "voting_items",
)  # fmt: skip
POLICIES = ({}, {"missing": "zero"}, {"missing": "exclude", "attempts": "first"}, {"ties": "abstain"})


@pytest.mark.parametrize("name", NAMES)
def test_any_slice_and_option_is_answered_or_refused_in_words(embedded, name):
    dice = random.Random(name)
    with embedded.cursor() as cursor:
        values = frame(cursor, "SELECT key, value FROM dimensions ORDER BY key, value").rows()
    refusals = []
    for _ in range(4):
        where = dict(dice.choice(values) for _ in range(dice.randint(0, 2)))
        options = {o.name: dice.choice(o.allowed) for o in question(name).options if o.allowed and dice.random() < 0.5}
        options |= {o.name: 100 for o in question(name).options if o.name == "resamples"}
        try:
            asked(embedded, name, where, **options, **dice.choice(POLICIES))
        except ScoreproofError as refused:
            refusals.append(str(refused))
    assert all(len(text) > 20 and text.endswith((".", "none")) for text in refusals)
