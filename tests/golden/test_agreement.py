"""Judges and annotators of the embedded logs against what the papers print."""

from __future__ import annotations

import pytest

from tests.answers import asked, row

HSS = {"benchmark": "hss-judges"}
SRB = {"benchmark": "srb", "condition": "pass=overlap"}


def places(text: str) -> int:
    return len(text.partition(".")[2])


def test_the_three_pairs_of_judges_agree_as_figure_6_prints(embedded, printed):
    for unit in ("criterion", "item"):
        answer = asked(embedded, "judges", HSS, unit=unit, resamples=100)
        for pair in (line for line in printed("hss_figure6_judge_agreement") if line["unit"] == unit):
            found = row(answer, rater_a=min(pair["judge_a"], pair["judge_b"]),
                        rater_b=max(pair["judge_a"], pair["judge_b"]))  # fmt: skip
            assert found["n"] == int(pair["n"])
            assert f"{100 * found['agreement']:.1f}" == pair["agreement_pct"]
            assert found["determined"] == (unit == "item")


def test_item_kappas_are_those_of_appendix_i(embedded, printed):
    prose = {line["measure"]: line["value"] for line in printed("hss_prose")}
    kappas = asked(embedded, "judges", HSS, unit="item", resamples=100).table["kappa"].sort().to_list()
    assert f"{kappas[-1]:.3f}" == prose["kappa_high"]
    assert kappas == pytest.approx([0.918, 0.923, 0.946], abs=5e-4)
    lowest = asked(embedded, "judges", HSS, unit="criterion", resamples=100).table["kappa"].min()
    assert f"{lowest:.3f}" == prose["kappa_low"]


def test_levels_leniency_and_residuals_are_those_of_table_12(embedded, printed):
    answer = asked(embedded, "leniency", HSS, unit="item", resamples=100)
    for line in printed("hss_judge_levels"):
        found = row(answer, judge=line["judge"])
        assert f"{100 * found['mean']:.1f}" == line["mean_pass_at_1"]
        assert f"{100 * found['leniency']:+.1f}" == line["leniency"]
        assert found["determined"]
    cells = asked(embedded, "self_preference", HSS, unit="item", resamples=100)
    for line in printed("hss_table12_judges"):
        assert f"{100 * row(cells, judge=line['judge'], model=line['model'])['score']:.1f}" == line["pass_at_1"]
    for line in printed("hss_judge_residuals"):
        found = row(cells, judge=line["judge"], model=line["model"])
        assert f"{100 * found['residual']:+.2f}" == line["residual"]
        assert found["relation"] in {"same vendor", "itself"}
    ranks = asked(embedded, "rank_agreement", HSS, unit="item").table
    assert ranks["spearman"].to_list() == pytest.approx([1, 1, 1])


def test_five_annotators_agree_as_table_9_prints(embedded, printed):
    table = {line["measure"]: line["value"] for line in printed("srb_table9_agreement")}
    answer = asked(embedded, "agreement", SRB, raters="annotators", resamples=500)
    fleiss = row(answer, coefficient="Fleiss' kappa")
    assert f"{fleiss['value']:.2f}" == table["fleiss_kappa"]
    assert f"{100 * fleiss['observed']:.1f}" == table["pairwise_agreement_pct"]
    assert fleiss["low"] < 0.73 < fleiss["high"]
    assert row(answer, coefficient="unanimity")["value"] == int(table["unanimous_items"]) / int(table["overlap_items"])
    assert (fleiss["n"], fleiss["raters"], fleiss["determined"]) == (50, 5, True)
    assert not row(answer, coefficient="Gwet's AC1")["determined"]
    stored = row(asked(embedded, "agreement", SRB, raters="annotators", letters="stored", resamples=100),
                 coefficient="Fleiss' kappa")  # fmt: skip
    assert stored["observed"] == pytest.approx(fleiss["observed"], abs=1e-12)
    assert stored["value"] < 0.05  # the stored order puts every right answer first


def test_the_annotators_plurality_is_right_on_49_of_50(embedded, printed):
    table = {line["measure"]: line["value"] for line in printed("srb_table9_agreement")}
    people = "|".join(f"Annotator {k}" for k in range(1, 6))
    found = row(asked(embedded, "voting", SRB | {"kind": "human"}, panel=people, resamples=100))
    assert (found["plurality_credit"], found["n"]) == (float(table["majority_matches_reference"]), 50)
    assert round(100 * found["single"]) == int(table["annotator_5_pct"])


def test_people_endorse_the_judge_as_printed(embedded):
    found = row(asked(embedded, "endorsements", resamples=200), reviewer="all")
    assert (found["endorsed"], found["n"], found["determined"]) == (1352, 1500, True)
