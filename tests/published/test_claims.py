"""Claims are complete records over cells that exist, and those that are plain arithmetic give what is known of them."""

from __future__ import annotations

import re

import pytest

from tests.published.statements import ARITHMETIC, claim_holds
from tests.published.tables import FOLDER, decimals, groups, places, records, rows, table
from tests.published.test_tables import UNITS

CLAIMS = records("claims.toml", "claim")
IDENTITIES = {record["id"] for record in records("identities.toml", "identity")}
KINDS = ARITHMETIC | {
    *("fisher_holm", "best_at_last", "attempt_bounds", "half_width", "disjoint_intervals", "net_wins"),
    *("rank_correlation", "kappa", "unanimity", "ask", "not_checkable"),
}
WITHOUT_NUMBER = {"identities", "range", "rank", "net_wins", "ask", "not_checkable"}
DEPARTURES = {"missing_attempts", "one_more_item", "other_population", "other_attempts", "judge_failed"}
OPTIONS = {"level", "slack", "attempts"}

# Read against the documents one by one: what each says cannot be had from the figures as printed.
NOT_AS_PRINTED = {
    "H08": "two models need missing attempts",
    "H49": "five models need missing attempts",
    "H54": "five models need missing attempts",
    "H95": "24 models in the statement, 25 in Table 5",
    "H113": "+30.6 in the text, +30.9 in Table 8",
    "H114": "+18.9 in the text, +20.4 in Table 8",
    "H122": "15.2 times the tokens on all 522 tasks; those on the 388 are not printed",
    "H152": "2,620 items are 524 tasks, the release has 522",
    "H153": "3,780 criteria are 756, the release has 723",
    "H157": "at least 0.92 in the text, from 0.914 in the appendix",
    "H160": "97.2 in the text, 97.3 in Figure 6",
    "S01": "one lower end: 59.552, printed 59.5",
}


def selectors(value):
    if isinstance(value, dict) and "column" in value:
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from selectors(part)
    elif isinstance(value, list):
        for part in value:
            yield from selectors(part)
    elif isinstance(value, str):
        yield value


def test_ids_are_unique_and_carry_the_document():
    ids = [claim["id"] for claim in CLAIMS]
    assert len(ids) == len(set(ids))
    for claim in CLAIMS:
        assert claim["document"] == {"P": "psycheme", "H": "hss", "S": "srb"}[claim["id"][0]]


def test_every_document_is_covered():
    for document, least in (("psycheme", 60), ("hss", 150), ("srb", 60)):
        assert sum(claim["document"] == document for claim in CLAIMS) >= least


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_claim_is_a_complete_record(claim):
    assert claim["kind"] in KINDS
    assert claim["unit"] in UNITS
    assert claim["place"]
    assert claim["statement"]
    assert claim["printed"]
    assert set(claim.get("allows", [])) <= DEPARTURES
    assert claim.get("relation", "equals") in {"equals", "at_least", "at_most", "above", "below", "about"}
    assert ("tolerance" in claim) == (claim.get("relation") == "about") or claim["kind"] == "range"
    if "number" in claim:
        assert re.fullmatch(r"-?\d+(\.\d+)?", claim["number"])
        assert claim["decimals"] == decimals(claim["number"])
    else:
        assert claim["kind"] in WITHOUT_NUMBER
    if claim["kind"] == "not_checkable":
        assert claim["missing"]
    if claim["kind"] == "identities":
        assert set(claim["ids"]) <= IDENTITIES
    if claim["kind"] == "ask":
        assert claim["question"]
        assert claim["column"]
        assert "where" in claim
        assert "set" in claim


@pytest.mark.parametrize("claim", [c for c in CLAIMS if "inputs" in c], ids=lambda claim: claim["id"])
def test_inputs_name_cells_that_exist(claim):
    each = groups(claim)
    assert each, claim["id"]
    for role, value in claim["inputs"].items():
        for selector in selectors(value):
            for group in each:
                found = places(selector, claim.get("file", ""), group)
                assert found, (role, selector)
                for file, row, column in found:
                    assert column in row
                    assert column in table(file)["columns"]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            assert role in OPTIONS | {"right", "part", "whole"} | {
                *("credit", "coverage", "evidence", "logic", "divisor"),
            }


@pytest.mark.parametrize("claim", [c for c in CLAIMS if "file" in c], ids=lambda claim: claim["id"])
def test_filters_keep_values_that_occur(claim):
    assert (FOLDER / claim["file"]).exists()
    for field in ("only", "skip", "expect", "first", "second"):
        for column, wanted in claim.get(field, {}).items():
            occurring = {row[column] for row in rows(claim["file"])}
            assert set(wanted if isinstance(wanted, list) else [wanted]) <= occurring, (field, column)


def test_arithmetic_claims_hold_except_those_read_against_the_document():
    verdicts = {claim["id"]: claim_holds(claim) for claim in CLAIMS if claim["kind"] in ARITHMETIC}
    assert all(verdict is not None for verdict in verdicts.values())
    assert {name for name, verdict in verdicts.items() if not verdict} == set(NOT_AS_PRINTED)


def test_claims_differ_from_each_other():
    said = [(claim["document"], claim["place"], claim["statement"], claim["kind"]) for claim in CLAIMS]
    assert len(said) == len(set(said))
