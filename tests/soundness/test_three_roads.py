"""The cube, the stored scores and the live macro must agree: hidden items and absent labels are no zeros.

Once, under the zero rule, an unanswered item whose answer the benchmark hides entered the denominator as 0 on every
road but the cube, and a benchmark without verified credit had a verified mean of 0 from its failures alone.
"""

import pytest

from analytics.policy import Policy
from analytics.questions import ask, options_of, question
from analytics.scores import scores
from analytics.slices import Slice
from tests.stores import toy_store

ZERO = {
    "benchmark": "toy",
    "title": "t",
    "missing_policy": "zero",
    "raw_means": "r",
    "slice_name": "c",
    "headline": "micro",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    items = [{"item_id": f"i{k}", "capability": "c"} for k in range(4)]
    items += [{"item_id": f"h{k}", "capability": "c", "reference_known": False} for k in range(2)]
    responses = [{"run_id": "r", "item_id": f"i{k}", "credit": 1.0} for k in range(3)]
    responses += [{"run_id": "r", "item_id": "h0", "credit": None, "status": "error"}]
    return toy_store(
        tmp_path_factory.mktemp("roads"),
        benchmarks=[ZERO],
        items=items,
        item_tags=[{"item_id": item["item_id"], "kind": "skill", "tag": "t"} for item in items],
        runs=[{"run_id": "r"}],
        responses=responses,
    )


@pytest.mark.parametrize(("where", "given"), [({}, {}), ({"tag": "t"}, {}), ({}, {"attempts": "first"})])
def test_every_road_gives_the_same_account(store, where, given):
    policy, options = options_of(question("leaderboard"), given)
    row = ask(store, "leaderboard", Slice.of(**where), policy, options).table.row(0, named=True)
    assert (row["n"], row["raw"], row["hidden"], row["failed"]) == (4, 0.75, 2, 1)
    assert (row["verified"], row["n_verified"], row["gap"]) == (None, 0, None)


def test_scores_hold_no_credit_for_hidden_items_and_no_verified_credit_without_labels(store):
    with store.cursor() as cursor:
        table = scores(cursor, Slice(), Policy())
    assert table.filter(table["hidden"])["raw"].to_list() == [None, None]
    assert table["verified"].null_count() == table.height
    assert table["raw"].sum() == 3.0
    assert table["raw"].drop_nulls().len() == 4
