"""The validation report of a build: what a person should know of a store before they use a number from it."""

from __future__ import annotations

from analytics.export import to_records
from analytics.policy import Policy
from analytics.questions import ask, question
from analytics.slices import Slice
from analytics.store import Store

PARTS: dict[str, dict[str, int]] = {"rules": {}, "statuses": {}, "coverage": {"bins": 1}, "spellings": {}}
"""Questions of the report, with the options in which it departs from their initial ones."""


def validation(store: Store) -> dict[str, list[dict[str, object]]]:
    """Return the answers to the report's questions as records, by question; coverage is by run.

    Missing items by name are one question away: `scoreproof ask unanswered`.
    """
    found = {}
    for name, options in PARTS.items():
        initial = {option.name: option.initial for option in question(name).options}
        found[name] = to_records(ask(store, name, Slice(), Policy(), initial | options).table)
    return found
