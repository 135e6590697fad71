"""Credit step by step, the responses that lose it, and the leaderboard under other weights."""

import itertools
from dataclasses import replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.credit_steps import credit_steps
from analytics.errors import EmptySlice, UnknownValue
from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.rubric import LABELS, rubric, spell_weights
from analytics.slices import Slice
from tests.stores import toy_store

WEIGHTS = rubric("rationale").weights
HARSH = spell_weights(replace(WEIGHTS, weak=0.6))
NOTHING_LEFT = spell_weights(replace(WEIGHTS, contradicted=0.0))


def steps(policy=None, **given_values):
    named = {"weights_of": "rationale", "raw": 1.0, "coverage": "present", "evidence": "supported", "logic": "sound"}
    return credit_steps(None, Slice(), policy or Policy(), **(named | given_values))


def asked(store, name, where=None, policy=None, **given_values):
    own, options = options_of(question(name), {key: str(value) for key, value in given_values.items()})
    return ask(store, name, Slice.of(**(where or {})), policy or own, options)


@pytest.fixture
def store(tmp_path):
    """Two runs, two capabilities; r leans on weak evidence, s on sound but fewer answers."""
    rows = {
        "r": [(1, "supported", "sound"), (1, "weak", "sound"), (1, "weak", "gap"), (1, "supported", "sound")],
        "s": [(1, "supported", "sound"), (1, "supported", "sound"), (0, None, None), (1, "contradicted", "sound")],
    }
    return toy_store(
        tmp_path,
        benchmarks=[{"benchmark": "toy", "rubric": "rationale", "verified_means": "checked credit"}],
        items=[{"item_id": f"i{k}", "capability": "a" if k < 3 else "b"} for k in range(4)],
        runs=[{"run_id": "r"}, {"run_id": "s"}],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "credit": float(raw), "coverage": "present" if evidence else None,
             "evidence": evidence, "logic": logic}
            for run, answers in rows.items()
            for k, (raw, evidence, logic) in enumerate(answers)
        ],
    )  # fmt: skip


def test_steps_of_the_printed_demo():
    """A middle weight beside the best ones leaves 1/1.2 of the credit: 1/1.44 for two of them."""
    table = steps(evidence="weak", logic="gap").table
    assert table["credit"].to_list() == pytest.approx([1, 1, 1 / 1.2, 1 / 1.44])
    assert table["lost"].drop_nulls().sum() == pytest.approx(1 - 1 / 1.44)
    assert table["due_to"].to_list()[2] == pytest.approx(table["due_to"].to_list()[3])


@given(
    raw=st.floats(0, 1),
    labels=st.tuples(*(st.sampled_from(LABELS[kind]) for kind in ("coverage", "evidence", "logic"))),
)
def test_steps_are_the_product(raw, labels):
    c, e, lo = (WEIGHTS.as_dict()[label] for label in labels)
    table = steps(raw=raw, coverage=labels[0], evidence=labels[1], logic=labels[2]).table
    assert table["credit"][-1] == pytest.approx(raw * c * e * lo / 1.44)
    for column in ("lost", "due_to"):
        assert table[column].drop_nulls().sum() == pytest.approx(raw - table["credit"][-1], abs=1e-12)


def test_steps_take_numbers_and_other_weights():
    assert steps(evidence="0.6").table["credit"][-1] == pytest.approx(0.5)
    assert steps(Policy(rubric=HARSH), evidence="weak").table["credit"][-1] == pytest.approx(0.5)
    assert steps(raw=0.0, logic="broken").table["credit"].to_list() == [0, 0, 0, 0]


def test_steps_name_what_is_assumed():
    held = steps(evidence="contradicted")
    assert held.table.filter("assumed")["stage"].to_list() == ["evidence"]
    assert any("evidence.contradicted = 0.5" in note for note in held.notes)
    assert not steps(Policy(rubric=HARSH), evidence="contradicted").table["assumed"].any()


@pytest.mark.parametrize("wrong", [{"evidence": "week"}, {"logic": "1.3"}, {"coverage": "-0.1"}, {"coverage": "nan"}])
def test_steps_refuse_what_has_no_meaning(wrong):
    with pytest.raises(UnknownValue, match="llowed"):
        steps(**wrong)


def test_other_weights_change_places(store):
    table = asked(store, "reweighted", policy=Policy(rubric=HARSH), average="micro").table
    r, s = (table.row(by_predicate=pl.col("run") == run, named=True) for run in "rs")
    assert r["verified_declared"] == pytest.approx((2 + 1 / 1.2 + 1 / 1.44) / 4)
    assert r["verified"] == pytest.approx((2 + 0.5 + 0.5 / 1.2) / 4)
    assert s["verified"] == s["verified_declared"] == pytest.approx((2 + 0.5 / 1.2) / 4)
    assert (r["rank_declared"], s["rank_declared"], r["rank"], s["rank"]) == (1, 2, 1, 2)
    for row in (r, s):
        assert row["gap"] == pytest.approx(row["raw"] - row["verified"])
        assert row["change"] == pytest.approx(row["verified"] - row["verified_declared"])
    harsher = Policy(rubric=spell_weights(replace(WEIGHTS, weak=0.0)))
    table = asked(store, "reweighted", policy=harsher, average="micro").table
    assert table["run"].to_list() == ["s", "r"]
    assert table["rank_change"].to_list() == [-1, 1]


def test_the_declared_rubric_changes_nothing_and_agrees_with_the_leaderboard(store):
    for average in ("macro", "micro"):
        table = asked(store, "reweighted", average=average).table
        assert table["change"].to_list() == [0, 0]
        board = asked(store, "leaderboard", by="verified", average=average).table
        assert table["run"].to_list() == board["run"].to_list()
        assert table["rank"].to_list() == board["rank"].to_list()
        for column in ("verified", "gap"):
            assert table[column].to_list() == pytest.approx(board[column].to_list())


def test_other_weights_agree_with_the_leaderboard_under_them(store):
    for average in ("macro", "micro"):
        policy = Policy(rubric=HARSH, missing="zero")
        table = asked(store, "reweighted", policy=policy, average=average).table.sort("run")
        own = {"by": "verified", "average": average, "level": 0.95, "resamples": 100, "seed": 1}
        board = ask(store, "leaderboard", Slice(), policy, own).table.sort("run")
        for column in ("verified", "gap", "rank"):
            assert table[column].to_list() == pytest.approx(board[column].to_list())


def test_losses_are_ordered_and_counted(store):
    table = asked(store, "losses").table
    assert table.select("run", "item").rows() == [("s", "i3"), ("r", "i2"), ("r", "i1")]
    assert table["lost"].to_list() == pytest.approx([1 - 0.5 / 1.2, 1 - 1 / 1.44, 1 - 1 / 1.2])
    assert set(table["total"]) == {3}
    assert set(table["earned"]) == {7}
    assert asked(store, "losses", most=1).table["total"].to_list() == [3]


def test_losses_by_label_and_of_everything(store):
    weak = asked(store, "losses", evidence="weak").table
    assert weak["item"].to_list() == ["i2", "i1"]
    both = asked(store, "losses", evidence="weak_or_contradicted").table
    assert both.height == 3
    assert asked(store, "losses", lost="all").table.height == 0
    gone = asked(store, "losses", policy=Policy(rubric=NOTHING_LEFT), lost="all").table
    assert gone.select("run", "item", "verified").rows() == [("s", "i3", 0.0)]


def test_without_labels_the_answer_says_what_is_needed(tmp_path):
    store = toy_store(
        tmp_path,
        items=[{"item_id": "i0"}],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "i0", "credit": 1.0}],
    )
    for name, words in itertools.product(("losses", "reweighted"), ("label",)):
        with pytest.raises(EmptySlice, match=words):
            asked(store, name)
