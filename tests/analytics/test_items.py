"""Item statistics on small panels, against NumPy's own correlation."""

import numpy as np
import pytest

from analytics.errors import EmptySlice
from tests.answers import asked, row
from tests.stores import toy_store


def panelled(folder, credits, *, items=None, runs=None):
    """Credits by run; None is no row."""
    count = len(next(iter(credits.values())))
    return toy_store(
        folder,
        items=[{"item_id": f"i{k}", "reference": "A", "chance": 0.25} | (items or {}).get(k, {}) for k in range(count)],
        runs=[{"run_id": run} | (runs or {}).get(run, {}) for run in credits],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "credit": value}
            for run, values in credits.items()
            for k, value in enumerate(values)
            if value is not None
        ],
    )


CREDITS = {
    "best": [1.0, 1.0, 1.0, 0.0, 0.0, 1.0],
    "good": [1.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    "weak": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
}


def test_difficulty_discrimination_and_the_items_that_weak_runs_hit(tmp_path):
    store = panelled(tmp_path, CREDITS)
    answer = asked(store, "items")
    table = np.array(list(CREDITS.values()))
    for k in (1, 2, 4, 5):
        found = row(answer, item=f"i{k}")
        rest = np.delete(table, k, axis=1).mean(axis=1)
        assert found["discrimination"] == pytest.approx(np.corrcoef(table[:, k], rest)[0, 1], abs=1e-12)
        assert found["difficulty"] == pytest.approx(table[:, k].mean())
    assert row(answer, item="i0")["everybody"]
    dead = row(answer, item="i3")
    assert (dead["nobody"], dead["discrimination"], dead["reason"]) == (True, None, "all runs alike")
    assert dead["below_chance"]
    odd = row(answer, item="i4")
    assert (odd["suspicious"], odd["inversion"]) == (True, 1.0)
    assert not row(answer, item="i5")["suspicious"]


def test_missing_is_not_wrong_and_sweeps_stay_out(tmp_path):
    store = panelled(
        tmp_path,
        {"r": [1.0, None], "s": [0.0, None], "sweep": [0.0, 0.0]},
        runs={"sweep": {"condition": "effort=low"}},
        items={1: {"chance": None}},
    )
    answer = asked(store, "items")
    assert (row(answer)["item"], row(answer)["n"], row(answer)["difficulty"]) == ("i0", 2, 0.5)
    assert answer.left_out["items without a credit of any run"] == 1
    named = asked(store, "items", panel="r|sweep")
    assert row(named, item="i1")["below_chance"] is None
    zero = asked(store, "items", missing="zero")
    assert (row(zero, item="i1")["n"], row(zero, item="i1")["nobody"]) == (2, True)


def test_one_run_and_no_verified_credit_are_stated(tmp_path):
    store = panelled(tmp_path, {"r": [1.0, 0.0]})
    answer = asked(store, "items")
    assert set(answer.table["reason"]) == {"all runs alike"}
    with pytest.raises(EmptySlice, match="verified credit"):
        asked(store, "items", on="verified")
