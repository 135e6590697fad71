"""Repeated attempts: pass@k and pass^k inside their domain, null with a count outside it."""

from math import comb

import pytest

from analytics.errors import EmptySlice, UnknownValue
from tests.asking import asked, one, rows
from tests.stores import toy_store

# (attempts, right ones) of each item
TRIED = [(4, 1), (4, 4), (4, 0), (2, 1)]


def attempts(run, tried, failed=0):
    out = []
    for k, (n, c) in enumerate(tried):
        out += [{"run_id": run, "item_id": f"i{k}", "credit": float(a < c), "attempt": a + 1} for a in range(n)]
        out += [{"run_id": run, "item_id": f"i{k}", "status": "error", "attempt": n + a + 1} for a in range(failed)]
    return out


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    items = [{"item_id": f"i{k}"} for k in range(5)]
    responses = attempts("r", TRIED) + attempts("one", [(1, 1), (1, 0)]) + attempts("failing", [(1, 1)], failed=1)
    runs = [{"run_id": run} for run in ("r", "one", "failing", "none")]
    return toy_store(tmp_path_factory.mktemp("passk"), items=items, runs=runs, responses=responses)


def test_both_are_means_over_items_with_enough_attempts(store):
    found = rows(store, "passk", {"run": "r"}, k="1,2,3,4")
    for row in found:
        k = row["k"]
        enough = [(n, c) for n, c in TRIED if n >= k]
        at = [1 - comb(n - c, k) / comb(n, k) for n, c in enough]
        hat = [comb(c, k) / comb(n, k) for n, c in enough]
        assert (row["n"], row["too_few"]) == (len(enough), 4 - len(enough))
        assert row["pass_at_k"] == pytest.approx(sum(at) / len(at))
        assert row["pass_hat_k"] == pytest.approx(sum(hat) / len(hat))
        assert row["pass_at_k_low"] <= row["pass_at_k"] <= row["pass_at_k_high"]
        assert row["pass_hat_k"] <= row["pass_at_k"]
    assert any("differ in their number of attempts" in note for note in asked(store, "passk", {"run": "r"}).notes)


def test_k_beyond_the_attempts_is_null_with_a_reason(store):
    row = one(rows(store, "passk", {"run": "one"}, k="5"))
    assert (row["pass_at_k"], row["pass_hat_k"], row["pass_at_k_low"], row["n"], row["too_few"]) == (
        None,
        None,
        None,
        0,
        2,
    )
    assert row["reason"] == "no item has 5 attempts"
    assert row["without"] == 3


def test_a_failed_attempt_counts_as_the_missing_policy_says(store):
    left_out = one(rows(store, "passk", {"run": "failing"}, k="1"))
    assert (left_out["pass_at_k"], left_out["n"]) == (1.0, 1)
    zero = rows(store, "passk", {"run": "failing"}, k="1,2", missing="zero")
    assert [(row["n"], row["pass_at_k"], row["pass_hat_k"]) for row in zero] == [(5, 0.1, 0.1), (1, 1.0, 0.0)]


def test_clusters_are_drawn_whole(tmp_path):
    items = [{"item_id": f"i{k}", "cluster": "v" if k < 3 else None} for k in range(4)]
    store = toy_store(tmp_path, items=items, runs=[{"run_id": "r"}], responses=attempts("r", [(2, 2)] * 3 + [(2, 0)]))
    row = one(rows(store, "passk", k="2"))
    assert (row["pass_at_k"], row["pass_at_k_low"], row["pass_at_k_high"]) == (0.75, 0.0, 1.0)


def test_what_cannot_be_asked_says_so(store):
    for text in ("", "0", "two", "1.5"):
        with pytest.raises(UnknownValue, match="whole numbers"):
            asked(store, "passk", k=text)
    with pytest.raises(EmptySlice):
        asked(store, "passk", {"run": "none"})
