"""Failure causes, repair, traps and cost on stores that can be counted by hand."""

import numpy as np
import polars as pl
import pytest
from scipy.stats.contingency import association as scipy_association
from statsmodels.stats.proportion import proportion_confint

from analytics.errors import EmptySlice, UnknownValue
from tests.answers import asked, row, rows
from tests.stores import toy_store

FEW = {"resamples": 200}
FAMILY = {"glare": "seeing", "blur": "seeing", "leap": "thinking"}


def failing(folder, causes, *, runs=None, labeller="j", **more):
    """Causes by run: a name is a failure with that cause, '+' is solved, '?' a failure that nobody named."""
    count = len(next(iter(causes.values())))
    return toy_store(
        folder,
        items=[{"item_id": f"i{k}", "answer_type": "open", "capability": "ab"[k % 2],
                "media_type": "image" if k < count // 2 else "video"} for k in range(count)],
        runs=[{"run_id": run, "vendor": f"maker of {run}"} | (runs or {}).get(run, {}) for run in causes],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "credit": float(name == "+"), "steps": k + 1, "output_tokens": 10 * k}
            for run, names in causes.items()
            for k, name in enumerate(names)
            if name != "."
        ],
        failure_labels=[
            {"run_id": run, "item_id": f"i{k}", "attempt": 1, "labeller": labeller, "cause": name,
             "family": FAMILY[name]}
            for run, names in causes.items()
            for k, name in enumerate(names)
            if name in FAMILY
        ],
        **more,
    )  # fmt: skip


CAUSES = {
    "r": ["glare", "leap", "glare", "+", "blur", "leap", "?", "leap"],
    "s": ["glare", "leap", "+", "leap", "blur", "glare", "+", "leap"],
    "t": ["glare", "glare", "blur", "leap", "+", "leap", "leap", "+"],
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    runs = {"agent": {"model": "r", "condition": "harness=Tool"}}
    agent = {"agent": ["+", "leap", "glare", "blur", "+", "glare", "+", "?"]}
    return failing(tmp_path_factory.mktemp("failures"), CAUSES | agent, runs=runs)


def test_the_matrix_counts_main_runs_alone_with_every_zero(store):
    answer = asked(store, "failures")
    counts = {(r["cause"], r["level"]): r["failures"] for r in answer.table.to_dicts()}
    assert counts == {
        ("leap", "a"): 1, ("leap", "b"): 8, ("glare", "a"): 4, ("glare", "b"): 2, ("blur", "a"): 3, ("blur", "b"): 0,
    }  # fmt: skip
    glare = row(answer, cause="glare", level="a")
    assert (glare["share_in_level"], glare["share_in_cause"], glare["n"]) == (4 / 8, 4 / 6, 18)
    expected = 6 * 8 / 18
    residual = (4 - expected) / np.sqrt(expected * (1 - 6 / 18) * (1 - 8 / 18))
    assert glare["residual"] == pytest.approx(residual)
    assert glare["family_size"] == 6
    assert answer.left_out == {
        "failed responses whose cause nobody named": 1,
        "labels on responses with full credit": 0,
    }


def test_families_whole_and_agent_runs_by_name(store):
    families = asked(store, "failures", by="family", level_of="media_type")
    assert row(families, cause="seeing", level="image")["failures"] == 6
    whole = asked(store, "failures", level_of="whole")
    assert set(whole.table["residual"]) == {None}
    assert set(whole.table["family_size"]) == {0}
    agent = asked(store, "failures", {"condition": "harness=Tool"}, level_of="whole")
    assert {(r["cause"], r["failures"]) for r in agent.table.to_dicts()} == {("glare", 2), ("leap", 1), ("blur", 1)}


def test_totals_by_group_add_up_and_intervals_draw_items(store):
    whole = asked(store, "failure_totals", **FEW)
    assert [(r["cause"], r["failures"], r["runs"]) for r in whole.table.to_dicts()] == [
        ("leap", 9, 3), ("glare", 6, 3), ("blur", 3, 3),
    ]  # fmt: skip
    assert whole.table["share"].sum() == pytest.approx(1)
    by_run = asked(store, "failure_totals", per="run", **FEW)
    assert row(by_run, group="r", cause="leap")["share"] == pytest.approx(3 / 6)
    assert {(r["low"] <= r["share"] <= r["high"]) for r in by_run.table.to_dicts()} == {True}
    by_media = asked(store, "failure_totals", per="media_type", **FEW).table
    for value in ("image", "video"):  # each group has the numbers, ends included, of the slice of its items
        own = asked(store, "failure_totals", {"media_type": value}, **FEW).table
        held = by_media.filter((pl.col("group") == value) & (pl.col("failures") > 0))
        numbers = ["cause", "failures", "share", "low", "high", "n", "runs"]
        assert held.sort("cause").select(numbers).equals(own.sort("cause").select(numbers))


def test_same_cause_among_the_runs_that_fail_on_an_item(store):
    items = asked(store, "same_cause", level_of="item", at_least=2)
    assert row(items, level="i0")["cause_share"] == 1.0
    assert row(items, level="i1")["cause_share"] == pytest.approx(2 / 3)
    two = row(items, level="i2")
    assert (two["failures"], two["cause_share"], two["family_share"]) == (2, 0.5, 1.0)
    assert "i6" not in items.table["level"].to_list()
    assert items.left_out["items with fewer than 2 labelled failures"] == 1
    whole = row(asked(store, "same_cause", at_least=2))
    shares = items.table["cause_share"].to_numpy()
    assert (whole["items"], whole["cause_share"]) == (len(shares), pytest.approx(np.median(shares)))
    pairs = sum(r["pairs"] for r in items.table.to_dicts())
    assert whole["pairs"] == pairs
    none = row(asked(store, "same_cause", at_least=50))
    assert (none["items"], none["cause_share"]) == (0, None)


def test_association_is_the_library_s_and_one_level_is_undefined(store):
    answer = asked(store, "association")
    capability = row(answer, **{"with": "capability"})
    table = np.array([[1, 8], [4, 2], [3, 0]])
    assert capability["v"] == pytest.approx(scipy_association(table, method="cramer"), abs=1e-12)
    assert (capability["causes"], capability["levels"], capability["n"]) == (3, 2, 18)
    access = row(answer, **{"with": "access"})
    assert (access["v"], access["reason"]) == (None, "one level")


def test_an_agent_run_fixes_some_failures_and_adds_others(store):
    answer = asked(store, "repair", **FEW)
    assert set(answer.table["pair"]) == {"r -> agent"}
    whole = row(answer, cause="all")
    # r fails on 0 1 2 4 5 6 7, the agent on 1 2 3 5 7
    assert (whole["before"], whole["after"], whole["fixed"], whole["new"], whole["n"]) == (7, 5, 3, 1, 8)
    assert (whole["unnamed_before"], whole["unnamed_after"]) == (1, 1)
    assert (whole["low"], whole["high"]) == pytest.approx(proportion_confint(3, 7, method="wilson"), abs=1e-12)
    glare = row(answer, cause="glare")
    assert (glare["before"], glare["after"], glare["fixed"], glare["new"]) == (2, 2, 1, 0)
    blur = row(answer, cause="blur")
    assert (blur["before"], blur["after"], blur["fixed"], blur["new"]) == (1, 1, 1, 1)
    assert row(answer, cause="leap")["change"] == pytest.approx((1 - 3) / 3)
    named = asked(store, "repair", a="s", b="agent", by="family", **FEW)
    assert row(named, cause="all")["before"] == 6
    with pytest.raises(UnknownValue, match="Did you mean 'agent'"):
        asked(store, "repair", b="agents")
    with pytest.raises(EmptySlice, match="two runs on the same items"):
        asked(store, "repair", condition="effort")


def test_pooled_pairs_are_drawn_by_item(tmp_path):
    causes = {
        "r": ["glare", "leap", "+", "glare"], "r2": ["+", "leap", "+", "glare"],
        "s": ["leap", "leap", "glare", "+"], "s2": ["leap", "+", "glare", "leap"],
    }  # fmt: skip
    runs = {"r2": {"model": "r", "condition": "harness=x"}, "s2": {"model": "s", "condition": "harness=y"}}
    answer = asked(failing(tmp_path, causes, runs=runs), "repair", **FEW)
    assert answer.table["pair"].unique(maintain_order=True).to_list() == ["all pairs", "r -> r2", "s -> s2"]
    pooled = row(answer, pair="all pairs", cause="all")
    assert (pooled["before"], pooled["after"], pooled["fixed"], pooled["new"], pooled["n"]) == (6, 5, 2, 1, 8)
    assert pooled["low"] <= 2 / 6 <= pooled["high"]
    assert sum(r["before"] for r in rows(answer, pair="all pairs") if r["cause"] != "all") == 6


def test_a_missing_attempt_is_no_failure_to_mend(tmp_path):
    causes = {"r": ["glare", "glare", "glare"], "agent": ["+", ".", "glare"]}
    runs = {"agent": {"model": "r", "condition": "harness=x"}}
    answer = asked(failing(tmp_path, causes, runs=runs), "repair", **FEW)
    assert (row(answer, cause="all")["n"], row(answer, cause="all")["fixed"]) == (2, 1)
    assert answer.left_out["items without an outcome in both runs"] == 1
    zero = asked(failing(_under(tmp_path), causes, runs=runs), "repair", missing="zero", **FEW)
    assert (row(zero, cause="all")["n"], row(zero, cause="all")["after"]) == (3, 2)


def _under(folder):
    (folder / "other").mkdir()
    return folder / "other"


def test_two_labellers_count_twice_and_it_is_said(tmp_path):
    store = failing(tmp_path, {"r": ["glare", "leap"]}, labeller="j")
    assert asked(store, "failure_totals", **FEW).notes == ()
    with pytest.raises(UnknownValue, match="'k' named no failure"):
        asked(store, "failure_totals", labeller="k")
    labels = [
        {"run_id": "r", "item_id": "i0", "attempt": 1, "labeller": who, "cause": cause}
        for who, cause in (("j", "glare"), ("k", "leap"))
    ]
    both = toy_store(
        _under(tmp_path),
        items=[{"item_id": "i0", "answer_type": "open"}],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "i0", "credit": 1.0}],
        failure_labels=labels,
    )
    answer = asked(both, "failure_totals", **FEW)
    assert set(answer.table["n"]) == {2}
    assert "a response counts once for each" in answer.notes[0]
    assert answer.left_out["labels on responses with full credit"] == 1
    assert set(asked(both, "failure_totals", labeller="k", **FEW).table["cause"]) == {"leap"}
    assert set(answer.table["family"]) == {"none"}


def test_cost_is_split_by_what_became_of_the_attempt(store):
    answer = asked(store, "attempt_cost", {"run": "r"})
    solved, failed = row(answer, outcome="solved"), row(answer, outcome="failed")
    assert (solved["n"], solved["steps"], solved["tokens"]) == (1, 4.0, 30.0)
    assert (failed["n"], failed["steps"]) == (7, pytest.approx((36 - 4) / 7))
    assert (failed["seconds"], failed["n_seconds"]) == (None, 0)


def test_a_log_without_causes_or_traps_or_cost_says_which_table_it_lacks(tmp_path):
    store = toy_store(
        tmp_path,
        items=[{"item_id": "i0", "reference": "A"}],
        runs=[{"run_id": "r"}, {"run_id": "a", "model": "r", "condition": "harness=x"}],
        responses=[{"run_id": run, "item_id": "i0", "answer": "B", "credit": 0.0} for run in ("r", "a")],
    )
    for name in ("failures", "failure_totals", "same_cause", "association", "repair"):
        with pytest.raises(EmptySlice, match="table failure_labels"):
            asked(store, name)
    with pytest.raises(EmptySlice, match="table option_types"):
        asked(store, "traps")
    with pytest.raises(EmptySlice, match="steps, tokens or seconds"):
        asked(store, "attempt_cost")


TRAPS = {"A": "correct", "B": "visual", "C": "logic"}


def trapped(folder, answers, *, typed="ABC", **runs):
    count = len(next(iter(answers.values())))
    return toy_store(
        folder,
        items=[{"item_id": f"i{k}", "reference": "A", "capability": "ab"[k % 2]} for k in range(count)],
        runs=[{"run_id": run} | runs.get(run, {}) for run in answers],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "answer": None if letter == "-" else letter,
             "credit": float(letter == "A"), "status": "invalid_format" if letter == "-" else "ok"}
            for run, letters in answers.items()
            for k, letter in enumerate(letters)
        ],
        option_types=[
            {"benchmark": "toy", "item_id": f"i{k}", "option": letter, "type": TRAPS[letter]}
            for k in range(count)
            for letter in typed
        ],
    )  # fmt: skip


def test_trap_rates_are_shares_of_wrong_choices_with_invalid_answers_beside(tmp_path):
    store = trapped(tmp_path, {"r": list("ABBC-A"), "person": list("AAAAAA")}, person={"kind": "human"})
    answer = asked(store, "traps")
    visual = row(answer, run="r", trap="visual")
    assert (visual["fallen"], visual["wrong"], visual["rate"], visual["invalid"]) == (2, 3, pytest.approx(2 / 3), 1)
    assert (visual["low"], visual["high"]) == pytest.approx(proportion_confint(2, 3, method="wilson"), abs=1e-12)
    assert sum(r["rate"] for r in rows(answer, run="r")) == pytest.approx(1)
    person = row(answer, run="person", trap="logic")
    assert (person["rate"], person["low"], person["wrong"], person["kind"]) == (None, None, 0, "human")
    by = asked(store, "traps", level_of="capability")
    assert row(by, run="r", trap="visual", level="a")["fallen"] == 1


def test_a_wrong_option_without_a_type_stays_in_the_denominator(tmp_path):
    store = trapped(tmp_path, {"r": list("BC")}, typed="AB")
    found = row(asked(store, "traps"))
    assert (found["fallen"], found["wrong"], found["untyped"], found["rate"]) == (1, 2, 1, 0.5)
