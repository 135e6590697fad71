"""Humanity's Sixth Sense: effort, frames, the blind control and people, asked of rows that obey the printed figures."""

import polars as pl

from tests.asking import asked, one, rows

EFFORT = {"benchmark": "hss", "condition": [f"effort={name}" for name in ("low", "medium", "high", "xhigh", "max")]}


def test_seven_of_thirty_three_subdomains_end_no_better_and_three_lower(embedded):
    table = asked(embedded, "conditions", EFFORT, base="lowest", level_of="subcapability").table
    last = table.filter(pl.col("place") == pl.col("place").max().over("model", "value"))
    change = last["difference"].round(12)
    assert (last.height, (change <= 0).sum()) == (33, 7)
    lower = last.filter((pl.col("difference").round(12) < 0) & (pl.col("model") == "Gemini-3.8-flash"))
    assert (lower.height, lower["determined"].all()) == (3, True)


def test_the_best_is_at_the_highest_effort_in_five_of_twelve_domain_curves(embedded):
    table = asked(embedded, "conditions", EFFORT, base="lowest", level_of="capability").table
    curves = table.group_by("model", "value").agg(pl.col("best_is_highest").first())
    assert (curves.height, curves["best_is_highest"].sum()) == (12, 5)
    gains = {
        (row["model"], row["value"]): round(100 * row["difference"], 1)
        for row in table.filter(pl.col("place") == pl.col("place").max().over("model")).iter_rows(named=True)
    }
    assert gains["GPT-6-astra", "social"] == 15.5
    assert gains["Gemini-3.8-flash", "abstract"] == -1.0


def test_frames_of_table_11(embedded, printed):
    found = rows(embedded, "conditions", {"benchmark": "hss"}, base="lowest")
    lines = printed("hss_table11_frames")
    for line in lines:
        row = one(found, model=line["model"], dimension="frames", setting=line["frames"])
        assert f"{100 * row['raw']:.1f}" == line["pass_at_1"]
    best = {row["model"]: row["setting"] for row in found if row["dimension"] == "frames" and row["best"]}
    assert best == {"GPT-6-astra": "500", "Claude-Opus-5.5": "200", "GPT-6-sol": "500", "Claude-Opus-5": "100"}
    assert len(lines) == 20


def test_the_blind_control_passes_four_tasks_always_and_sixty_seven_once(embedded):
    row = one(rows(embedded, "passk", {"benchmark": "hss", "kind": "control"}, k="3"))
    assert (round(row["pass_hat_k"] * 522), round(row["pass_at_k"] * 522), row["n"]) == (4, 67, 522)


def test_several_attempts_have_no_mcnemar_test(embedded):
    where = {"benchmark": "hss", "model": ["GPT-6-astra", "Claude-Opus-5.5"]}
    row = one(rows(embedded, "pairwise", where))
    assert (row["p_mcnemar"], row["reason"], row["n"]) == (None, "several attempts per item", 522)
    first = one(rows(embedded, "pairwise", where, attempts="first"))
    assert first["p_mcnemar"] is not None
