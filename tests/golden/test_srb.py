"""SocialReasonBench: Section 4.3, Table 11 and the muted run, asked of rows that obey the printed counts."""

import pytest

from tests.asking import asked, one, rows

FIRST = "capability=intent_recognition|behavior_prediction|emotional_empathy"
SECOND = "capability=causal_antecedent|counterfactual_reasoning"
SRB = {"benchmark": "srb"}
MAIN = {"benchmark": "srb", "condition": "none"}


def contrast(store, **given):
    return asked(store, "significance", SRB, first=FIRST, second=SECOND, **given).table


def test_six_of_eight_fall_from_perception_to_causal_and_counterfactual(embedded):
    table = contrast(embedded, alternative="greater")
    significant = table.filter("significant")
    assert (table["n_first"].unique().to_list(), table["n_second"].unique().to_list()) == ([272], [145])
    assert (significant.height, significant["m"].unique().to_list()) == (6, [8])
    assert round(significant["p_holm"].max(), 3) == 0.045
    assert set(table.filter(kind="model")["run"]) - set(significant["run"]) == {
        "srb/gemini-3-pro",
        "srb/arc-hunyuan-video",
    }


def test_five_remain_two_sided_and_five_without_the_gemini_systems(embedded):
    assert contrast(embedded, alternative="two-sided")["significant"].sum() == 5
    table = contrast(embedded, alternative="greater", without="Gemini 3 Pro|Gemini 3 Flash")
    assert (table["significant"].sum(), table["m"].max()) == (5, 6)
    assert one(table.to_dicts(), run="srb/arc-hunyuan-video")["significant"] is False


def test_people_do_not_fall(embedded):
    row = one(contrast(embedded, alternative="greater").to_dicts(), run="srb/human")
    assert (round(row["p"], 3), row["p_holm"], row["m"]) == (0.142, None, None)
    assert (round(100 * row["rate_first"], 1), round(100 * row["rate_second"], 1)) == (90.8, 86.9)


def test_wilson_intervals_of_table_11(embedded, printed):
    """All 63; one lower end rounds to 59.6 where 59.5 is printed (see tests/numeric/test_intervals.py)."""
    table = asked(embedded, "cells", MAIN).table
    found = {(row["model"], row["value"]): row for row in table.iter_rows(named=True)}
    off = []
    for want in printed("srb_table11_wilson"):
        row = found[want["system"], want["dimension"]]
        assert (row["n"], row["reason"], row["determined"]) == (int(want["n"]), None, True)
        for end, column in (("low", "wilson_low_pct"), ("high", "wilson_high_pct")):
            if abs(100 * row[end] - float(want[column])) > 0.05 + 1e-9:
                off.append((want["system"], want["dimension"], end))
    assert len(found) == 63
    assert off == [("GLM-4.6V-Flash", "emotional_empathy", "low")]


def test_profiles_agree_with_the_cells(embedded):
    cells = rows(embedded, "cells", MAIN)
    profiles = rows(embedded, "profiles", MAIN)
    assert [(c["run"], c["value"], c["rate"], c["low"], c["high"]) for c in cells] == [
        (p["run"], p["value"], p["raw"], p["raw_low"], p["raw_high"]) for p in profiles
    ]
    assert all(p["chance"] == pytest.approx(1 / 6) for p in profiles)
    assert all(p["to_human"] < 0.15 for p in profiles if p["kind"] == "model")


def test_muting_costs_gemini_most_on_causal_antecedent_and_empathy(embedded):
    where = SRB | {"kind": "model"}
    whole = one(rows(embedded, "conditions", where), setting="muted")
    assert whole["difference"] == pytest.approx(-0.06, abs=0.005)
    drops = {
        row["value"]: row["difference"]
        for row in rows(embedded, "conditions", where, level_of="capability")
        if row["setting"] == "muted"
    }
    assert sorted(drops, key=drops.get)[:2] == ["causal_antecedent", "emotional_empathy"]


def test_run_against_run_is_an_illustration(embedded):
    answer = asked(embedded, "pairwise", SRB)
    assert (answer.table.height, answer.table["m_mcnemar"].unique().to_list()) == (28, [28])
    assert not answer.table["determined"].any()
    assert any("illustration" in note for note in answer.notes)
