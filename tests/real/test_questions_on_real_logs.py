"""Agreement, votes and preferences on other people's logs, asked of stores built from them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analytics.store import Store
from loaders.warehouse import build
from tests.answers import asked, row

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def stores(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the store of one folder of logs, built once."""
    built: dict[str, Store] = {}

    def of(name: str) -> Store:
        if name not in built:
            folder = tmp_path_factory.mktemp(name) / "store"
            build([str(logs / name)], folder, add=False)
            built[name] = Store(folder)
        return built[name]

    return of


def test_pandalm_kappas_of_every_pair(stores: Any, expected: Any) -> None:
    answer = asked(stores("pandalm"), "judges", raters="preferences", resamples=200)
    pairs = {frozenset(r[side].split("/")[-1] for side in ("rater_a", "rater_b")): r for r in answer.table.to_dicts()}
    want = expected("pandalm")["kappa_pairs"]
    assert len(pairs) == len(want)
    for cell in want:
        found = pairs[frozenset((cell["a"], cell["b"]))]
        assert found["n"] == cell["n"]
        for ours, theirs in (("agreement", "agreement"), ("expected", "expected_agreement"), ("kappa", "kappa")):
            assert found[ours] == pytest.approx(cell[theirs], abs=1e-12)
        assert found["kappa_low"] < cell["kappa"] < found["kappa_high"]
    people = sorted(r["kappa"] for key, r in pairs.items() if all(name.startswith("annotator") for name in key))
    assert people == pytest.approx([0.852, 0.862, 0.879], abs=5e-4)


def test_pandalm_people_as_a_panel_and_judges_against_them(stores: Any, expected: Any) -> None:
    want = expected("pandalm")
    people = "|".join(f"pandalm/annotator{k}" for k in (1, 2, 3))
    panel = asked(stores("pandalm"), "agreement", raters="preferences", among=people, resamples=200)
    assert row(panel, coefficient="Fleiss' kappa")["value"] == pytest.approx(
        want["fleiss_kappa_three_humans"], abs=1e-12
    )
    assert round(row(panel, coefficient="unanimity")["value"] * 999) == want["human_unanimous_items"]
    judges = asked(stores("pandalm"), "majority_agreement", raters="preferences")
    for name, cell in want["judge_vs_human_majority"].items():
        found = row(judges, judge=name)
        assert (found["agree"], found["n"], found["no_majority"]) == (cell["correct"], cell["n"], 0)
        assert [found["low"], found["high"]] == pytest.approx(cell["wilson95"], abs=1e-12)


def test_alpaca_eval_judges_and_win_rates(stores: Any, expected: Any) -> None:
    want, store = expected("alpaca_eval"), stores("alpaca_eval")
    names = {"rater_a": "alpaca_eval_cot_gpt4_turbo_fn", "rater_b": "alpaca_eval_gpt4_turbo_fn"}
    cells = {None: want["kappa_cot_vs_fn"]} | want["kappa_cot_vs_fn_by_dataset"]
    for dataset, cell in cells.items():
        where = {"capability": dataset} if dataset else {}
        found = row(asked(store, "judges", where, raters="preferences", resamples=200), **names)
        assert found["n"] == cell["n"]
        assert found["agreement"] == pytest.approx(cell["agreement"], abs=1e-12)
        assert found["kappa"] == pytest.approx(cell["kappa"], abs=1e-12)
    other = row(asked(store, "judges", raters="preferences", resamples=200), rater_a="alpaca_eval_cot_gpt4_turbo_fn",
                rater_b="alpaca_eval_gpt4")  # fmt: skip
    assert (other["n"], other["kappa"], other["reason"]) == (0, None, "no common units")
    table = asked(store, "preferences", resamples=200)
    judges = {"cot": "alpaca_eval_cot_gpt4_turbo_fn", "fn": "alpaca_eval_gpt4_turbo_fn", "gpt4": "alpaca_eval_gpt4"}
    for short, cell in want["win_rate"].items():
        found = row(table, judge=judges[short])
        assert found["win_rate"] == pytest.approx(cell["win_rate"], abs=1e-12)
        assert (found["n"], found["failed"]) == (cell["n_non_null"], cell["n_null"])
        wins = want["wins_wilson"][short]
        assert (found["b_better"], found["b_share"]) == (wins["correct"], pytest.approx(wins["accuracy"], abs=1e-12))
        assert [found["b_share_low"], found["b_share_high"]] == pytest.approx(wins["wilson95"], abs=1e-12)


def test_blink_kappas_between_models_on_letters(stores: Any, expected: Any) -> None:
    answer = asked(stores("blink"), "judges", raters="runs", unparsed="category", resamples=200)
    pairs = {frozenset((r["rater_a"], r["rater_b"])): r for r in answer.table.to_dicts()}
    for cell in expected("blink")["kappa_between_models_on_letter"]:
        found = pairs[frozenset((f"blink/{cell['a']}", f"blink/{cell['b']}"))]
        assert found["n"] == cell["n"]
        assert found["agreement"] == pytest.approx(cell["agreement"], abs=1e-12)
        assert found["kappa"] == pytest.approx(cell["kappa"], abs=1e-12)
    assert answer.left_out["items whose answer the benchmark hides"] == 1906


def check_vote(found: dict[str, Any], cell: dict[str, Any]) -> None:
    assert (found["n"], found["oracle_items"], found["all_right"]) == (
        cell["n"], cell["oracle_items"], cell["all_correct_items"],
    )  # fmt: skip
    assert found["plurality_credit"] == pytest.approx(cell["plurality_credit_sum"], abs=1e-9)
    assert found["plurality"] == pytest.approx(cell["plurality_accuracy"], abs=1e-12)
    assert (found["tied"], found["no_ballot"]) == (cell["items_with_tied_top"], cell["items_with_no_ballot"])


def test_blink_votes_overall_and_by_task(stores: Any, expected: Any) -> None:
    want, store = expected("blink"), stores("blink")
    answer = asked(store, "voting", resamples=200)
    check_vote(row(answer), want["oracle_and_vote"]["Z_dropped"])
    best = want["overall_micro"]["GPT4o"]
    found = row(answer)
    assert (found["best"], found["single_items"]) == ("blink/GPT4o", best["correct"])
    assert [found["single_low"], found["single_high"]] == pytest.approx(best["wilson95"], abs=1e-12)
    assert found["gain_high"] < 0
    by_task = asked(store, "voting", level_of="capability", resamples=200)
    for task, cell in want["oracle_and_vote_by_task"].items():
        check_vote(row(by_task, level=task), cell)


def test_blink_position_bias_and_items(stores: Any) -> None:
    bias = asked(stores("blink"), "position_bias")
    assert row(bias, run="blink/instructblip_7b", position="A")["chosen"] > 0.75
    items = asked(stores("blink"), "items")
    assert items.table.height == 1901
    assert items.table["everybody"].sum() == 99
    assert items.left_out["items whose answer the benchmark hides"] == 1906


def test_inspect_votes_and_kappas_on_correctness(stores: Any, expected: Any) -> None:
    want, where = expected("inspect"), {"benchmark": "popularity"}
    vote = row(asked(stores("inspect"), "voting", where, resamples=200))
    check_vote(vote, want["set_oracle_and_vote"])
    answer = asked(stores("inspect"), "judges", where, raters="runs", on="correct", resamples=200)
    assert answer.table.height == 3
    pairs = {frozenset(r[s].rpartition("/")[0] for s in ("rater_a", "rater_b")): r for r in answer.table.to_dicts()}
    for cell in want["set_kappa_on_correctness"]:
        found = pairs[frozenset((cell["a"], cell["b"]))]
        assert (found["n"], found["agreement"]) == (cell["n"], pytest.approx(cell["agreement"], abs=1e-12))
        assert found["kappa"] == pytest.approx(cell["kappa"], abs=1e-12)


def test_vlmevalkit_votes_on_letters(stores: Any, expected: Any) -> None:
    answer = asked(stores("vlmevalkit"), "voting", {"benchmark": "RealWorldQA"}, resamples=200)
    check_vote(row(answer), expected("vlmevalkit")["RealWorldQA"]["vote_on_letters"])


def test_who_and_when_counts_of_blamed_agents(stores: Any, expected: Any) -> None:
    want, store = expected("who_and_when"), stores("who_and_when")
    totals = asked(store, "failure_totals", resamples=200)
    assert {r["cause"]: r["failures"] for r in totals.table.to_dicts()} == want["mistake_agent"]
    assert set(totals.table["n"]) == {want["n"]}
    levels = asked(store, "failures", level_of="capability")
    counts = {f"{r['cause']}|{r['level']}": r["failures"] for r in levels.table.to_dicts() if r["failures"]}
    assert counts == {key.replace("|None", "|none"): n for key, n in want["agent_by_level"].items()}
    nothing = row(asked(store, "same_cause"))
    assert (nothing["items"], nothing["cause_share"]) == (0, None)
