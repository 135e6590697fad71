"""The three documents: what holds, what does not, and that the second implementation of the identities agrees."""

import json

import pytest

from analytics.audit.report import cells_frame, claims_frame, to_json, to_text
from analytics.audit.run import audit
from analytics.audit.tables import embedded
from tests.published import arithmetic, tables

# Read against the documents one by one.
CONTRADICTED = {
    "H157": "kappa of at least 0.92 on both units, from 0.914 in the appendix",
    "H160": "97.2 % in the text, 97.3 % in Figure 6",
    "S01": "59.552, from whole counts as the appendix says, printed 59.5",
}
CONDITIONAL = {
    "H08": "two models need missing attempts",
    "H49": "five models need missing attempts",
    "H54": "five models need missing attempts",
    "H95": "24 models before GPT-6.1-sol was added",
    "H113": "+30.6 from three attempts, one of them missing",
    "H114": "+18.9 from three attempts",
    "H122": "tokens on all 522 tasks stand for those on the 388",
    "H124": "wins and losses need one verdict per task",
    "H152": "524 tasks",
    "H153": "756 criteria",
    "H165": "five verdicts missing",
}


@pytest.fixture(scope="module")
def found():
    return audit(embedded(), claims=None, cursor=None)


def test_what_does_not_hold_is_what_was_read_against_the_documents(found):
    by_status = {}
    for claim in found.claims:
        by_status.setdefault(claim.verdict.status, set()).add(claim.record["id"])
    assert by_status["contradicted"] == set(CONTRADICTED)
    assert by_status["conditional"] == set(CONDITIONAL)


def test_smallest_departures_are_those_found_by_exhaustive_search(found):
    """Missing attempts per model over its four domains; one of them, Kimi-K3, lacks one attempt only."""
    fewest = {
        check.row: check.verdict.why.split(" missing attempts over all groups")[0].rsplit(" ", 1)[1]
        for check in found.checks
        if check.record["id"] == "hss_table1.whole_counts_domains" and check.verdict.status == "conditional"
    }
    assert fewest == {
        "Qwen3.8-Max": "22",
        "Qwen3.8-flash": "18",
        "Kimi-K3": "1",
        "MiMo-v2.6-flash": "16",
        "MiMo-v2.6-pro": "16",
    }


def test_every_check_agrees_with_the_second_implementation(found):
    ours = {
        (check.record["id"], check.row): check.verdict.status in ("reproduced", "consistent")
        for check in found.checks
        if check.record["kind"] != "ask" and check.verdict.status != "not_checkable"
    }
    theirs = {}
    for record in tables.records("identities.toml", "identity"):
        if record["kind"] == "ask":
            continue
        for group in tables.groups(record):
            row = tables.row_key(record["file"], group[0]) if group else ""
            theirs[record["id"], row] = arithmetic.holds(record, group)
    assert ours == {key: holds for key, holds in theirs.items() if holds is not None}


def test_cells_that_must_be_examined(found):
    targets = [(c.check, c.place) for c in found.cells if c.role == "target"]
    assert sum(check in ("srb_table11.low", "srb_table11.high") for check, _ in targets) == 63 * 2
    assert sum(check == "psycheme_table2.macro" for check, _ in targets) == 17
    assert sum(check in ("hss_table1.domains", "hss_table1.media") for check, _ in targets) >= 25 * 2
    examined = {c.place for c in found.cells if c.status != "not_checkable"}
    for file in (
        "psycheme_table2.csv",
        "srb_table3.csv",
        "srb_table11_wilson.csv",
        "hss_table8_agentic_subdomains.csv",
    ):
        table = found.folder.tables[file]
        wanted = {(table.key(row), column) for row in table.rows for column in table.columns if row[column]}
        assert wanted <= {(place.row, place.column) for place in examined if place.file == file}


def test_a_cell_and_check_occur_once(found):
    keys = [(c.place, c.check) for c in found.cells]
    assert len(keys) == len(set(keys))


def test_a_contradiction_accuses_its_target_and_says_what_the_others_need(found):
    bad = {c.place.column: c for c in found.cells if c.check == "srb_table11.low" and c.status == "contradicted"}
    assert set(bad) == {"wilson_low_pct"}
    (rests,) = [
        c
        for c in found.cells
        if c.check == "srb_table11.low" and c.place.column == "n" and "GLM-4.6V-Flash / emotional" in c.place.row
    ]
    assert rests.status == "conditional"
    assert "right if another cell" in rests.why


def test_json_has_the_agreed_keys_and_no_nan(found):
    whole = json.loads(to_json(found))
    assert list(whole) == ["claims", "cells", "summary"]
    assert list(whole["claims"][0]) == ["id", "document", "status", "printed", "recomputed", "low", "high", "why"]
    assert list(whole["cells"][0]) == [
        *("file", "row", "column", "check", "status", "printed", "low", "high", "why"),
    ]
    assert whole["summary"]["contradictions"] == len(CONTRADICTED) + 1
    assert len(whole["claims"]) == 337


def test_frames_and_text_say_the_same(found):
    assert claims_frame(found).height == 337
    assert cells_frame(found).height == len(found.cells)
    text = to_text(found)
    for name in CONTRADICTED | CONDITIONAL:
        assert f"claim {name} " in text
    assert "59.5, off by 0.00213184; the nearest value that would agree is 59.6" in text


def test_every_verdict_names_its_assumption_or_what_is_missing(found):
    says = {
        "reproduced": ("as printed", "whole count", "checks hold", "largest are"),
        "conditional": ("Holds if", "checks hold"),
        "not_checkable": ("missing:", "undefined:"),
    }
    for why, status in [(c.verdict.why, c.verdict.status) for c in (*found.claims, *found.checks)]:
        assert any(word in why for word in says.get(status, ("",))), (status, why)
