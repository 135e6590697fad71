"""Joins must not multiply rows: logs made to provoke it.

One response has three verdicts by two judges, two failure labels, two tags and two sources that describe its item.
A query that joins any of these to responses would count it up to twelve times, without an error.
"""

import polars as pl
import pytest

from analytics.policy import Policy
from analytics.schema import FAILED, STATUSES
from analytics.scores import GRADED
from analytics.slices import Slice
from analytics.store import Store
from analytics.sums import sums
from tests.stores import toy_build, write_log

ITEMS = [{"item_id": f"i{k}", "capability": "ab"[k % 2], "cluster": "shared"} for k in range(4)]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fan")
    first = write_log(
        folder / "a.json",
        items=ITEMS,
        item_tags=[{"item_id": "i0", "kind": kind, "tag": tag} for kind in ("skill", "scope") for tag in ("s", "t")],
        runs=[{"run_id": "r"}, {"run_id": "part", "scope": "s"}],
        responses=[
            {"run_id": "r", "item_id": f"i{k}", "credit": float(k % 2), "attempt": a} for k in range(4) for a in (1, 2)
        ]
        + [{"run_id": "part", "item_id": "i0", "credit": 1.0}],
        judges=[{"judge_id": "j"}, {"judge_id": "k"}],
        verdicts=[
            {"run_id": "r", "item_id": "i0", "judge_id": j, "criterion": c, "met": True}
            for j in "jk"
            for c in ("x", "y")
        ]
        + [{"run_id": "r", "item_id": "i0", "judge_id": "k", "criterion": "x", "on_judge": "j", "met": True}],
        failure_labels=[
            {"run_id": "r", "item_id": "i0", "attempt": 1, "labeller": who, "cause": "c"} for who in ("p", "q")
        ],
    )
    second = write_log(
        folder / "b.json", items=ITEMS, runs=[{"run_id": "s"}],
        responses=[{"run_id": "s", "item_id": "i1", "credit": 1.0}],
    )  # fmt: skip
    toy_build(folder, first, second)
    return Store(folder / "store")


def one(store, sql, params=None):
    with store.cursor() as cursor:
        return cursor.execute(sql, params).fetchall()[0][0]


@pytest.mark.parametrize("judge", ["logged", "any", "majority", "all", "j"])
def test_graded_has_one_row_per_response(store, judge):
    params = {"judge_rule": judge, "guessed_rule": "as_logged", "weights": None}
    rows = one(store, f"SELECT count(*) FROM {GRADED}", params)
    keys = one(store, f"SELECT count(*) FROM (SELECT DISTINCT run_idx, item_idx, attempt FROM {GRADED})", params)
    assert rows == keys == one(store, "SELECT count(*) FROM responses") == 10


def test_scores_have_one_row_per_run_and_declared_item(store):
    assert one(store, "SELECT count(*) FROM scores") == 4 + 1 + 4
    assert one(store, "SELECT count(*) FROM (SELECT DISTINCT run_idx, item_idx FROM scores)") == 9


def test_the_cube_counts_each_response_and_item_once(store):
    assert one(store, "SELECT sum(n)::BIGINT FROM cube_levels") == 10
    for missing in ("zero", "exclude"):
        assert one(store, "SELECT sum(declared)::BIGINT FROM cube WHERE missing = ?", [missing]) == 9


@pytest.mark.parametrize("where", [{}, {"tag": ["s", "t"]}, {"kind": "model", "capability": ["a", "b"]}])
def test_a_slice_on_tags_counts_an_item_once(store, where):
    with store.cursor() as cursor:
        table = sums(cursor, Slice.of(**where), Policy())
    by_run = dict(table.group_by("run_id").agg(n=pl.col("declared").sum()).iter_rows())
    assert by_run == ({"r": 1, "part": 1, "s": 1} if "tag" in where else {"r": 4, "part": 1, "s": 4})


def test_failed_statuses_are_the_schemas(store):
    said = {status for status in STATUSES if one(store, "SELECT is_failed(?)", [status])}
    assert said == set(FAILED)
