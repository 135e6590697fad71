"""Policies and rubrics: URL parameters, sentences, what each rule does to a credit."""

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.errors import UnknownName, UnknownValue
from analytics.policy import ATTEMPTS, GUESSED, MEANING, MISSING, TIES, Policy
from analytics.questions import ask, options_of, question
from analytics.rubric import Weights, parse_weights, rubric, rubrics, spell_weights
from analytics.slices import Slice
from tests.stores import toy_store


@given(st.sampled_from(MISSING), st.sampled_from(ATTEMPTS), st.sampled_from(GUESSED), st.sampled_from(TIES))
def test_the_url_round_trips(missing, attempts, guessed, ties):
    policy = Policy(missing=missing, attempts=attempts, guessed=guessed, ties=ties)
    assert Policy.from_params(policy.to_params()) == policy
    assert policy.sentence()


def test_every_rule_is_said_in_words():
    for name, rules in (("missing", MISSING), ("attempts", ATTEMPTS), ("guessed", GUESSED), ("ties", TIES)):
        assert set(MEANING[name]) == set(rules)


@pytest.mark.parametrize(
    ("params", "error", "text"),
    [
        ({"missing": "nought"}, UnknownValue, "Allowed: declared, zero, exclude"),
        ({"mising": "zero"}, UnknownName, "Did you mean 'missing'"),
        ({"rubric": "present:1"}, UnknownValue, "lacks weights for absent"),
        ({"rubric": "presnt:1"}, UnknownValue, "Did you mean 'present'"),
    ],
)
def test_errors_say_what_is_allowed(params, error, text):
    with pytest.raises(error, match=text):
        Policy.from_params(params)


weight = st.floats(min_value=0.01, max_value=100)


@given(st.tuples(*[weight] * len(fields(Weights))))
def test_rubrics_round_trip_to_six_digits(values):
    weights = Weights(*(float(f"{v:g}") for v in values))
    assert parse_weights(spell_weights(weights)) == weights


@pytest.mark.parametrize("bad", ["1e9", "-1", "nan", "inf", "x", ""])
def test_a_weight_must_be_a_number_in_range(bad):
    spelled = spell_weights(rubric("rationale").weights).replace("weak:1", f"weak:{bad}")
    with pytest.raises(UnknownValue, match="weak"):
        parse_weights(spelled)


def test_all_zero_evidence_is_refused_since_credit_would_be_zero_by_zero():
    zero = spell_weights(Weights(1, 0.5, 0, 0, 0, 1.2, 1, 0.5))
    with pytest.raises(UnknownValue, match="0/0"):
        parse_weights(zero)


def test_the_shipped_rubric_is_the_documents_and_says_what_is_assumed():
    shipped = rubric("rationale")
    assert shipped.weights.divisor() == pytest.approx(1.44)
    assert set(shipped.assumed) == {"coverage.absent", "evidence.contradicted", "logic.broken"}
    with pytest.raises(UnknownName, match="Did you mean 'rationale'"):
        rubric("rational")
    assert list(rubrics()) == ["rationale"]


def labels(coverage, evidence, logic):
    return {"coverage": coverage, "evidence": evidence, "logic": logic}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    log = {
        "benchmarks": [
            {"benchmark": "toy", "title": "t", "missing_policy": "zero", "raw_means": "r", "verified_means": "v",
             "slice_name": "c", "headline": "micro", "rubric": "rationale"}
        ],
        "items": [{"item_id": f"i{k}", "capability": "c"} for k in range(4)],
        "runs": [{"run_id": "r"}],
        "judges": [{"judge_id": j} for j in ("strict", "kind", "third")],
        "responses": [
            {"run_id": "r", "item_id": "i0", "credit": 1.0} | labels("present", "supported", "sound"),
            {"run_id": "r", "item_id": "i1", "credit": 1.0} | labels("present", "weak", "gap"),
            {"run_id": "r", "item_id": "i2", "credit": 1.0, "status": "guessed"} | labels("absent", "weak", "sound"),
            {"run_id": "r", "item_id": "i3", "credit": None, "status": "error"},
        ],
        "verdicts": [
            {"run_id": "r", "item_id": item, "judge_id": judge, "criterion": criterion, "met": met,
             "status": "ok" if met is not None else "judge_failed"}
            for item, by in (
                ("i0", {"strict": (True, True), "kind": (True, True), "third": (True, True)}),
                ("i1", {"strict": (True, False), "kind": (True, True), "third": (True, None)}),
                ("i2", {"strict": (False, False), "kind": (True, True), "third": (True, False)}),
            )
            for judge, mets in by.items()
            for criterion, met in zip("ab", mets, strict=True)
        ],
    }  # fmt: skip
    return toy_store(tmp_path_factory.mktemp("policy"), **log)


def row(store, **given_options):
    policy, options = options_of(question("leaderboard"), given_options)
    return ask(store, "leaderboard", Slice(), policy, options).table.row(0, named=True)


def test_missing_and_guessed(store):
    assert (row(store)["raw"], row(store)["n"]) == (0.75, 4)
    assert (row(store, missing="exclude")["raw"], row(store, missing="exclude")["n"]) == (1.0, 3)
    assert row(store, guessed="wrong")["raw"] == 0.5
    left = row(store, guessed="left_out", missing="exclude")
    assert (left["raw"], left["n"], left["unjudged"]) == (1.0, 2, 1)


def test_verified_credit_follows_the_rubric(store):
    middle = 1 / 1.44
    assert row(store, missing="exclude", guessed="left_out")["verified"] == pytest.approx((1 + middle) / 2)
    assert row(store)["verified"] == pytest.approx((1 + middle + 0.5 * 1.2 / 1.44) / 4)
    flat = spell_weights(Weights(1, 1, 1, 1, 1, 1, 1, 1))
    assert row(store, rubric=flat)["verified"] == pytest.approx(0.75)


def test_judges_settle_as_the_rule_says(store):
    """i1: strict no, kind yes, third failed on one criterion; i2: strict no, kind yes, third no."""
    assert row(store, judge="strict", missing="exclude")["raw"] == pytest.approx(1 / 3)
    assert row(store, judge="kind", missing="exclude")["raw"] == 1.0
    majority = row(store, judge="majority", missing="exclude")
    assert (majority["raw"], majority["n"], majority["unjudged"]) == (0.5, 2, 1)
    assert row(store, judge="any", missing="exclude")["raw"] == 1.0
    every = row(store, judge="all", missing="exclude")
    assert (every["raw"], every["n"]) == (pytest.approx(1 / 3), 3)
    third = row(store, judge="third", missing="exclude")
    assert (third["n"], third["unjudged"]) == (2, 1)
    with pytest.raises(UnknownValue, match="Did you mean 'strict'"):
        row(store, judge="strickt")


@pytest.mark.parametrize("judge", ["scores", "majority", "any", "all"])
def test_a_metric_between_0_and_1_is_neither_met_nor_unmet_on_either_side(tmp_path, judge):
    """A log of metrics: where one is a fraction, the row has no pass or fail, whether the 0/1 metric is 0 or 1."""
    of = {"i0": (1.0, 0.5), "i1": (0.0, 0.5), "i2": (1.0, 1.0), "i3": (0.0, 1.0)}
    store = toy_store(
        tmp_path,
        items=[{"item_id": item} for item in of],
        runs=[{"run_id": "r"}],
        judges=[{"judge_id": "scores"}],
        responses=[{"run_id": "r", "item_id": item, "credit": exact} for item, (exact, _) in of.items()],
        verdicts=[
            {"run_id": "r", "item_id": item, "judge_id": "scores", "criterion": name, "score": score,
             "met": score == 1 if score in (0, 1) else None}
            for item, scores in of.items()
            for name, score in zip(("exact", "overlap"), scores, strict=True)
        ],
    )  # fmt: skip
    found = row(store, judge=judge)
    assert (found["raw"], found["n"], found["unjudged"]) == (0.5, 2, 2)
