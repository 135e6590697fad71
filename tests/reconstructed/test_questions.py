"""The product's own questions on the reconstructed rows give the printed figures."""

import polars as pl
import pytest

from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.slices import NONE, Slice
from analytics.store import Store
from loaders.warehouse import build
from logs.generate.exact import ROOT, table, window

FOLDERS = ("psycheme", "hss", "hss-judges", "srb")
PARTS = {"media_type": ("image", "video"), "capability": ("temporal", "physical", "social", "abstract")}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    build([str(ROOT / name) for name in FOLDERS], folder, add=False)
    return Store(folder)


def board(store, given=None, **choices):
    _, options = options_of(question("leaderboard"), {"resamples": "100"} | (given or {}))
    return ask(store, "leaderboard", Slice.of(**choices), Policy(), options).table


def prints(value, printed):
    low, high = window(printed)
    return float(low) - 1e-9 <= 100 * value <= float(high) + 1e-9


def by_model(frame, condition=NONE):
    found = frame.filter(pl.col("condition") == condition)
    assert found.height, f"no run with condition {condition}"
    return {row["model"]: row for row in found.iter_rows(named=True)}


def test_psycheme_macros_and_capabilities(store):
    main = by_model(board(store, benchmark="psycheme", kind="model"))
    cells = {
        name: by_model(board(store, benchmark="psycheme", kind="model", capability=name))
        for name in (row["capability"] for row in table("psycheme_capabilities"))
    }
    for row in table("psycheme_table2"):
        assert prints(main[row["model"]]["raw"], row["raw_macro"])
        assert prints(main[row["model"]]["verified"], row["verified_macro"])
        for name, found in cells.items():
            assert prints(found[row["model"]]["verified"], row[name])


def test_psycheme_ablations_and_people(store):
    whole = board(store, benchmark="psycheme")
    for row in table("psycheme_table3_input_ablation"):
        condition = NONE if row["input"] == "full" else f"input={row['input']}"
        mine = by_model(whole.filter(pl.col("kind") == "model"), condition)[row["model"]]
        assert prints(mine["raw"], row["raw_macro"])
        assert prints(mine["verified"], row["verified_macro"])
    micro = board(store, {"average": "micro"}, benchmark="psycheme")
    for row in table("psycheme_table4_memory"):
        mine = by_model(micro, f"history={row['condition'].removesuffix('_history')}")["Qwen3.5-9B"]
        assert prints(mine["raw"], row["raw_micro"])
        assert prints(mine["verified"], row["verified_micro"])
    (human,) = whole.filter(pl.col("kind") == "human").iter_rows(named=True)
    assert prints(human["raw_micro"], "85.27")
    assert prints(human["raw_macro"], "84.82")


def test_hss_table_1_and_its_half_widths(store):
    frame = board(store, {"resamples": "10000"}, benchmark="hss")
    shown = frame.filter(pl.col("condition").is_in([NONE, "input=blind"]))
    names = {"control": "GPT-6-astra [blind]", "human": "Human baseline"}
    found = {names.get(row["kind"], row["model"]): row for row in shown.iter_rows(named=True)}
    for row in table("hss_table1"):
        mine = found[row["model"]]
        assert prints(mine["raw"], row["pass_at_1"])
        if row["ci_half_width"]:
            half = 50 * (mine["raw_high"] - mine["raw_low"])
            assert abs(half - float(row["ci_half_width"])) <= 0.2


@pytest.mark.parametrize(("key", "part"), [(key, part) for key, parts in PARTS.items() for part in parts])
def test_hss_table_1_by_part(store, key, part):
    frame = board(store, benchmark="hss", **{key: part})
    mine = by_model(frame.filter(pl.col("kind") == "model"))
    assert len(mine) == 25
    for row in table("hss_table1"):
        if row["model"] in mine:
            assert prints(mine[row["model"]]["raw"], row[part])
    (blind,) = frame.filter(pl.col("kind") == "control")["raw"]
    assert prints(blind, table("hss_table1")[-1][part])


def test_hss_agents_effort_and_frames(store):
    frame = board(store, benchmark="hss")
    for row in table("hss_table2_agentic"):
        mine = by_model(frame, f"harness={row['harness']}")[row["base_model"]]
        assert prints(mine["raw"], row["agent"])
        assert mine["declared"] == 388
    for row in table("hss_table11_frames"):
        assert prints(by_model(frame, f"frames={row['frames']}")[row["model"]]["raw"], row["pass_at_1"])
    for name in ("retrodiction", "patterns_pareidolia"):
        part = board(store, benchmark="hss", subcapability=name)
        for row in table("hss_table10_effort"):
            if row["subdomain"] == name:
                mine = by_model(part, f"effort={row['effort']}")[row["model"]]
                assert prints(mine["raw"], row["accuracy_pct"])


def test_srb_table_3(store):
    for name in {row["dimension"] for row in table("srb_table3")}:
        frame = by_model(board(store, benchmark="srb", capability=name))
        for row in table("srb_table3"):
            if row["dimension"] == name:
                mine = frame[row["system"]]
                assert (mine["correct"], mine["n"], mine["regime"]) == (
                    int(row["correct"]),
                    int(row["n"]),
                    row["input"],
                )
                assert prints(mine["raw"], row["accuracy_pct"])


def test_judge_study_is_a_population_of_its_own(store):
    mine = by_model(board(store, benchmark="hss-judges"))
    for row in table("hss_table12_judges"):
        if row["judge"] == "Claude-Opus-5":
            assert prints(mine[row["model"]]["raw"], row["pass_at_1"])
            assert mine[row["model"]]["declared"] == 524


def test_agreement_of_annotators_and_judges(store):
    _, options = options_of(question("agreement"), {"raters": "annotators", "resamples": "100"})
    chosen = Slice.of(benchmark="srb", condition="pass=overlap")
    found = {
        row["coefficient"]: row for row in ask(store, "agreement", chosen, Policy(), options).table.rows(named=True)
    }
    assert round(found["Fleiss' kappa"]["value"], 2) == 0.73
    assert round(found["Fleiss' kappa"]["observed"], 3) == 0.778
    assert found["unanimity"]["value"] == 26 / 50
    for unit in ("item", "criterion"):
        _, options = options_of(question("judges"), {"raters": "judges", "unit": unit, "resamples": "100"})
        pairs = ask(store, "judges", Slice.of(benchmark="hss-judges"), Policy(), options).table.rows(named=True)
        printed = [row for row in table("hss_figure6_judge_agreement") if row["unit"] == unit]
        assert len(pairs) == len(printed) == 3
        for row in printed:
            both = {row["judge_a"], row["judge_b"]}
            (mine,) = (pair for pair in pairs if {pair["rater_a"], pair["rater_b"]} == both)
            assert mine["n"] == int(row["n"])
            assert prints(mine["agreement"], row["agreement_pct"])
            assert 0.9135 < mine["kappa"] < 0.9465


def asked(store, name, given, **choices):
    _, options = options_of(question(name), {"resamples": "100"} | given)
    return ask(store, name, Slice.of(**choices), Policy(), options).table


def test_votes_on_timing(store):
    (row,) = asked(store, "voting", {"panel": "proprietary"}, benchmark="psycheme", capability="timing").rows(
        named=True
    )
    assert (row["n"], row["members"]) == (72, 8)
    assert (row["oracle_items"], row["plurality_credit"], row["single_items"]) == (66, 41.5, 48)
    assert [round(100 * row[name], 2) for name in ("oracle", "plurality", "single")] == [91.67, 57.64, 66.67]


def test_weak_support_and_endorsements(store):
    main = {"benchmark": "psycheme", "kind": "model", "condition": NONE, "answer_type": "single_choice"}
    names = [row["capability"] for row in table("psycheme_capabilities") if row["capability"] != "timing"]
    whole = {"per": "whole", "credit": "full"}
    (timing,) = asked(store, "labels", whole, **main, capability="timing").rows(named=True)
    (others,) = asked(store, "labels", whole, **main, capability=names).rows(named=True)
    assert prints(timing["weak_or_contradicted"], "49.74")
    assert prints(others["weak_or_contradicted"], "7.62")
    review = asked(store, "endorsements", {}, benchmark="psycheme").filter(pl.col("reviewer") == "all")
    (every,) = review.rows(named=True)
    assert (every["endorsed"], every["n"]) == (1352, 1500)
