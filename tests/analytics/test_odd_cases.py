"""Every question on profiles, gaps, contrasts, pairs and conditions, on stores where little or nothing is there.

Each gives an answer that holds to its declared columns, or says in a sentence what the slice lacks; never a warning,
an exception of a library, a NaN or a number beyond its range.
"""

import pytest

from analytics.errors import EmptySlice, UnknownValue
from tests.answers import asked, row
from tests.stores import toy_store

GROUPS = {"first": "capability=a", "second": "capability=b"}
ASKED = [
    *[("profiles", {"level_of": key}) for key in ("capability", "tag", "tier")],
    ("profiles", {"by": "verified"}),
    *[("cells", {"level_of": key}) for key in ("capability", "tag")],
    *[("gap", {"per": per}) for per in ("run", "run_capability")],
    *[("stages", {"average": average}) for average in ("micro", "macro")],
    ("labels", {}),
    ("labels", {"against": "capability=a", "credit": "any", "per": "run_capability"}),
    *[("distribution", {"by": by}) for by in ("raw", "verified")],
    *[("significance", GROUPS | {"alternative": side}) for side in ("greater", "two-sided")],
    *[("pairwise", {"average": average, "flips": 99}) for average in ("micro", "macro")],
    ("pairwise", {"by": "verified", "flips": 99}),
    ("power", {}),
    ("power", {"per": "n"}),
    *[("conditions", {"base": base, "level_of": key}) for base, key in (("main", "none"), ("lowest", "capability"))],
    ("passk", {"k": "1,2,9"}),
]
LABELLED = {"missing_policy": "zero", "verified_means": "v", "rubric": "rationale", "title": "t", "raw_means": "r",
            "slice_name": "c", "headline": "macro"}  # fmt: skip
ITEMS = [{"item_id": f"i{k}", "capability": "ab"[k % 2]} for k in range(6)]


def responses(run, values, **more):
    return [{"run_id": run, "item_id": f"i{k}", "credit": v} | more for k, v in enumerate(values) if v != "none"]


def stores():
    """Return (name, tables) of each odd log."""
    two = [{"run_id": "x"}, {"run_id": "y"}]
    sweep = [*two, {"run_id": "x/low", "model": "x", "condition": "effort=low"},
             {"run_id": "x/max", "model": "x", "condition": "effort=max"}]  # fmt: skip
    half = ["none"] * 3 + [1.0] * 3
    perfect = {"coverage": "present", "evidence": "supported", "logic": "sound"}
    yield "one run, one item", {"items": ITEMS[:1], "runs": two[:1], "responses": responses("x", [1.0])}
    yield "all right", {"items": ITEMS, "runs": two, "responses": responses("x", [1.0] * 6) + responses("y", [1.0] * 6)}
    yield "all wrong", {"items": ITEMS, "runs": two, "responses": responses("x", [0.0] * 6) + responses("y", [0.0] * 6)}
    yield "nobody judged", {"items": ITEMS, "runs": two, "responses": responses("x", [None] * 6)}
    yield "no responses", {"items": ITEMS, "runs": two, "responses": responses("x", [None])[:0] or []}
    yield (
        "missing halves",
        {"items": ITEMS, "runs": two, "responses": responses("x", half) + responses("y", half[::-1])},
    )
    yield "all failed", {"items": ITEMS, "runs": two, "responses": responses("x", [None] * 6, status="error")}
    yield "hidden", {"items": [i | {"reference_known": False} for i in ITEMS], "runs": two,
                     "responses": responses("x", [None] * 6)}  # fmt: skip
    yield "ties everywhere", {"items": ITEMS, "runs": sweep, "responses": [
        row for run in ("x", "y", "x/low", "x/max") for row in responses(run, [1.0, 0.0] * 3)]}  # fmt: skip
    yield "graded, labelled, clustered", {
        "benchmarks": [{"benchmark": "toy"} | LABELLED],
        "items": [i | {"cluster": f"v{k // 4}"} for k, i in enumerate(ITEMS)],
        "runs": sweep,
        "responses": [row for n, run in enumerate(("x", "y", "x/low")) for row in
                      responses(run, [0.5, 1.0, 0.0, 0.5, 1.0, n / 2], **perfect)],
        "item_tags": [{"item_id": "i0", "kind": "skill", "tag": "t"}],
    }  # fmt: skip
    yield "labelled, all wrong", {"benchmarks": [{"benchmark": "toy"} | LABELLED], "items": ITEMS, "runs": two,
                                  "responses": responses("x", [0.0] * 6)}  # fmt: skip
    yield "only people", {"items": ITEMS, "runs": [{"run_id": "h", "kind": "human"}],
                          "responses": responses("h", [1.0] * 6)}  # fmt: skip


LOGS = dict(stores())


@pytest.fixture(scope="module", params=LOGS)
def store(request, tmp_path_factory):
    return toy_store(tmp_path_factory.mktemp("odd"), **LOGS[request.param])


def test_every_question_answers_or_says_what_is_lacking(store):
    answered, lacking = [], []
    for name, given in ASKED:
        settings = given | ({"resamples": 100} if name in DRAWN else {})
        try:
            answered.append((name, asked(store, name, **settings)))
        except (EmptySlice, UnknownValue) as error:
            lacking.append(str(error))
    assert all(said.startswith("No row") and said.endswith(".") for said in lacking)
    assert {name for name, _ in answered} >= {"profiles", "cells"}  # a declared item has its row, null and counted
    for name, answer in answered:
        assert answer.method, name
        assert answer.table.height, name


DRAWN = {"profiles", "gap", "labels", "significance", "pairwise", "conditions", "passk"}


def test_annotators_who_chose_nothing_that_can_be_read_have_no_agreement_and_no_prevalence(tmp_path):
    store = toy_store(
        tmp_path,
        items=[{"item_id": "i0", "reference": "A"}],
        runs=[{"run_id": "h", "kind": "human"}],
        responses=[
            {"run_id": "h", "item_id": "i0", "attempt": a, "status": "invalid_format", "answer": "A", "credit": 0.0}
            for a in (1, 2)
        ],
    )
    pair = row(asked(store, "judges", raters="annotators", resamples=100))
    assert (pair["n"], pair["missing_both"], pair["reason"]) == (0, 1, "no common units")
    assert pair["kappa"] is pair["prevalence_a"] is pair["prevalence_b"] is None
