"""Votes, failure causes and agent repair of the embedded logs against what the papers print."""

from __future__ import annotations

import pytest

from tests.answers import asked, row, rows

TIMING = {"benchmark": "psycheme", "capability": "timing"}
PAIRED = {"tag": "agentic_387"}


def test_timing_votes_of_the_eight_proprietary_models(embedded, printed):
    answer = asked(embedded, "voting", TIMING, panel="proprietary")
    found = row(answer)
    page = {line["measure"]: line["value"] for line in printed("psycheme_findings")}
    assert f"{100 * found['oracle']:.2f}" == page["timing_oracle"] == "91.67"
    assert f"{100 * found['plurality']:.2f}" == page["timing_plurality"] == "57.64"
    assert (found["plurality_credit"], found["oracle_items"], found["single_items"]) == (41.5, 66, 48)
    assert (found["n"], found["members"], found["best"]) == (72, 8, "psycheme/gemini-3.6-flash")
    assert (found["determined"], answer.notes[-1].startswith("The best member")) == (True, True)
    assert f"{100 * found['single']:.2f}" == "66.67"


def test_the_same_row_by_capability_and_everything_else_is_an_illustration(embedded):
    answer = asked(
        embedded, "voting", {"benchmark": "psycheme"}, panel="proprietary", level_of="capability", resamples=200
    )
    assert {r["level"] for r in rows(answer, determined=True)} == {"timing"}
    assert row(answer, level="timing")["plurality_credit"] == 41.5
    assert "illustration" in answer.notes[-1]
    other = asked(embedded, "voting", TIMING, panel="proprietary", tie_rule="abstain", resamples=200)
    assert (row(other)["determined"], row(other)["plurality_credit"]) == (False, 41.0)


def test_outvoted_items_are_as_many_as_the_vote_says(embedded):
    vote = row(asked(embedded, "voting", TIMING, panel="proprietary", resamples=200))
    items = asked(embedded, "voting_items", TIMING, panel="proprietary")
    assert items.table.height == vote["outvoted"]
    assert not items.table["determined"].any()
    curve = asked(embedded, "voting_curve", TIMING, panel="proprietary")
    assert curve.table["plurality"][-1] == pytest.approx(41.5 / 72, abs=1e-12)
    assert curve.table["oracle"][-1] == pytest.approx(66 / 72, abs=1e-12)


def test_failure_causes_are_those_of_table_6(embedded, printed):
    totals = asked(embedded, "failure_totals", resamples=100)
    media = asked(embedded, "failures", level_of="media_type")
    for line in printed("hss_table6_failure_causes"):
        found = row(totals, cause=line["cause"])
        assert (found["failures"], found["family"], found["n"]) == (int(line["count"]), line["family"], 8573)
        assert f"{100 * found['share']:.1f}" == line["share"]
        for name in ("image", "video"):
            cell = row(media, cause=line["cause"], level=name)
            assert f"{100 * cell['share_in_level']:.1f}" == line[f"{name}_share"]
            assert cell["determined"]
    families = asked(embedded, "failure_totals", by="family", resamples=100)
    shares = {r["cause"]: round(100 * r["share"]) for r in families.table.to_dicts()}
    assert (shares["perception"], shares["latent"], shares["reasoning"]) == (53, 41, 5)


def test_the_cells_that_the_prose_prints_are_determined_and_no_others(embedded, printed):
    answer = asked(embedded, "failures", level_of="subcapability")
    cells = [line for line in printed("hss_figure3_causes_by_subdomain") if line["subdomain"] != "all"]
    for line in cells:
        found = row(answer, level=line["subdomain"], cause=line["cause"])
        assert f"{100 * found['share_in_level']:.0f}" == line["share"]
        assert found["determined"]
    assert len(rows(answer, determined=True)) == len(cells) == 7


def test_runs_that_fail_on_a_task_fail_alike(embedded):
    found = row(asked(embedded, "same_cause"))
    assert found["items"] == 503
    assert (round(100 * found["cause_share"]), round(100 * found["family_share"])) == (80, 90)
    assert found["determined"]
    assert not asked(embedded, "same_cause", at_least=4).table["determined"].any()


def test_agents_repair_as_table_7_prints(embedded, printed):
    answer = asked(embedded, "repair", PAIRED, resamples=100)
    for line in printed("hss_table7_agentic_failures"):
        found = row(answer, pair="all pairs", cause=line["cause"])
        assert (found["before"], found["after"]) == (int(line["single"]), int(line["agentic"]))
        assert f"{100 * found['change']:.0f}" == line["delta_pct"]
        assert f"{100 * found['fixed_share']:.0f}" == line["fixed_pct"]
        assert found["determined"]
    whole = row(answer, pair="all pairs", cause="all")
    assert (whole["before"], whole["after"], whole["n"]) == (944, 759, 4 * 387)
    assert 317 <= whole["fixed"] <= 320
    assert len(rows(answer, cause="all")) == 5


def test_traps_and_items_on_reconstructed_rows_are_illustrations(embedded):
    traps = asked(embedded, "traps", {"benchmark": "srb"})
    assert not traps.table["determined"].any()
    wrong = {(r["run"], r["wrong"]) for r in traps.table.to_dicts()}
    assert ("srb/gpt-4o", 183) in wrong
    items = asked(embedded, "items", {"benchmark": "srb"})
    assert (items.table.height, items.table["determined"].any()) == (532, False)
