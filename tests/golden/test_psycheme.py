"""PsycheMME: gap, labels, ablations and histories, asked of rows that obey the printed figures."""

import pytest

from tests.asking import asked, one, rows

FROZEN = {"benchmark": "psycheme", "kind": "model", "condition": "none"}


def test_labels_of_right_single_choice_answers_on_timing_and_the_rest(embedded):
    where = FROZEN | {"answer_type": "single_choice"}
    timing, rest = rows(embedded, "labels", where, against="capability=timing")
    assert (timing["group"], rest["group"]) == ("capability=timing", "the rest")
    assert (round(100 * timing["weak_or_contradicted"], 2), round(100 * rest["weak_or_contradicted"], 2)) == (
        49.74,
        7.62,
    )
    assert (timing["determined"], rest["determined"]) == (True, True)
    assert timing["low"] < timing["weak_or_contradicted"] < timing["high"]


def test_retention_is_lowest_on_timing_for_all_seventeen(embedded):
    table = asked(embedded, "gap", FROZEN, per="run_capability").table
    lowest = table.sort("retention").group_by("run", maintain_order=True).first()
    assert (lowest.height, lowest["capability"].unique().to_list()) == (17, ["timing"])


def test_gap_of_the_printed_macros(embedded, printed):
    found = {row["model"]: row for row in rows(embedded, "gap", FROZEN)}
    for want in printed("psycheme_table2"):
        row = found[want["model"]]
        assert round(100 * row["raw"], 2) == float(want["raw_macro"])
        assert round(100 * row["verified"], 2) == float(want["verified_macro"])
        assert row["gap"] == pytest.approx(row["raw"] - row["verified"])
        assert (row["average"], row["determined"], row["unlabelled"]) == ("macro", True, 0)


def test_stages_end_at_verified_and_name_the_assumed_weights(embedded):
    answer = asked(embedded, "stages", FROZEN)
    gap = {row["run"]: row["gap"] for row in rows(embedded, "gap", FROZEN)}
    for row in answer.table.iter_rows(named=True):
        assert row["gap"] == pytest.approx(gap[row["run"]])
        assert row["due_to_coverage"] + row["due_to_evidence"] + row["due_to_logic"] == pytest.approx(row["gap"])
    assert not answer.table["determined"].any()
    assert any("evidence.contradicted = 0.5" in note for note in answer.notes)


def test_open_need_questions(embedded):
    where = FROZEN | {"capability": "need", "answer_type": "open"}
    found = {
        row["model"]: (row["k_full"], row["n"], row["determined"]) for row in rows(embedded, "distribution", where)
    }
    assert found["Gemini 3.6 Flash"] == (10, 35, True)
    assert found["Claude Opus 5"] == (24, 35, True)
    assert found["Kimi K3"][2] is False


def test_histories_on_forty_memory_items(embedded, printed):
    found = {row["setting"]: row for row in rows(embedded, "conditions", {"benchmark": "psycheme"}, base="no")
             if row["dimension"] == "history"}  # fmt: skip
    want = {row["condition"].removesuffix("_history"): row for row in printed("psycheme_table4_memory")}
    assert set(found) == set(want)
    for name, row in found.items():
        assert (round(100 * row["raw"], 2), round(100 * row["verified"], 2)) == (
            float(want[name]["raw_micro"]), float(want[name]["verified_micro"]),
        )  # fmt: skip
        assert row["determined"]
    assert found["matched"]["difference"] == pytest.approx(0.40)
    assert found["matched"]["n"] == 40


def test_input_ablation_against_the_full_input(embedded, printed):
    table = rows(embedded, "conditions", {"benchmark": "psycheme"})
    full = {
        row["model"]: float(row["raw_macro"])
        for row in printed("psycheme_table3_input_ablation")
        if row["input"] == "full"
    }
    for want in printed("psycheme_table3_input_ablation"):
        if want["input"] == "full":
            continue
        row = one(table, model=want["model"], setting=want["input"])
        assert 100 * row["difference"] == pytest.approx(float(want["raw_macro"]) - full[want["model"]], abs=0.011)
        assert (row["n"], row["average"], row["determined"]) == (1000, "macro", True)


def test_people_have_no_verified_credit(embedded):
    table = rows(embedded, "profiles", {"benchmark": "psycheme", "kind": "human"})
    assert {row["verified"] for row in table} == {None}
