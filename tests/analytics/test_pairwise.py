"""Two runs on the same items: counts, exact tests, paired differences, power, and item by item."""

import numpy as np
import pytest
from scipy.stats import fisher_exact
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import analytics.pairs
from analytics.errors import EmptySlice, UnknownValue
from analytics.numeric.power import detectable_paired, items_needed
from tests.asking import asked, one, rows
from tests.stores import toy_store

N = 30
ITEMS = [{"item_id": f"i{k:03}", "capability": "a" if k < 20 else "b"} for k in range(N)]


def credit(run, values, **more):
    return [{"run_id": run, "item_id": f"i{k:03}", "credit": v} | more for k, v in enumerate(values) if v is not None]


# x and y differ on 10 items, 9 of which x wins; z repeats x
X = [1.0] * 19 + [0.0] * 11
Y = [0.0] * 9 + [1.0] * 11 + [0.0] * 10
RESPONSES = credit("x", X) + credit("y", Y) + credit("z", X)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    runs = [{"run_id": run} for run in ("x", "y", "z")] + [{"run_id": "h", "kind": "human"}]
    folder = tmp_path_factory.mktemp("pairs")
    return toy_store(folder, items=ITEMS, runs=runs, responses=RESPONSES + credit("h", [1.0] * N))


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """g has graded credit, t two attempts, few lacks items, alone has items that nobody else has."""
    graded = [0.5 if k % 3 == 0 else v for k, v in enumerate(X)]
    responses = [*RESPONSES, *credit("g", graded), *credit("t", X), *credit("t", Y, attempt=2)]
    responses += credit("few", [*Y[:12], *[None] * 18])
    runs = [{"run_id": run} for run in ("x", "y", "z", "g", "t", "few")]
    return toy_store(tmp_path_factory.mktemp("odd"), items=ITEMS, runs=runs, responses=responses)


def test_counts_and_exact_mcnemar(store):
    row = one(rows(store, "pairwise"), a="x", b="y")
    assert [row[name] for name in ("n", "both", "only_a", "only_b", "neither")] == [30, 10, 9, 1, 10]
    assert row["p_mcnemar"] == pytest.approx(0.021484375)
    assert row["p_mcnemar"] == pytest.approx(mcnemar([[10, 9], [1, 10]], exact=True).pvalue)
    assert row["p_fisher"] == pytest.approx(fisher_exact([[19, 11], [11, 19]]).pvalue)
    assert (row["p_permutation"], row["reason"]) == (None, None)


def test_holm_is_over_all_pairs_of_the_slice(store):
    found = rows(store, "pairwise")
    assert {row["m_mcnemar"] for row in found} == {3}
    want = multipletests([row["p_mcnemar"] for row in found], method="holm")[1]
    assert [row["p_mcnemar_holm"] for row in found] == pytest.approx(want.tolist())
    want = multipletests([row["p_fisher"] for row in found], method="holm")[1]
    assert [row["p_fisher_holm"] for row in found] == pytest.approx(want.tolist())


def test_equal_runs_have_p_one_and_no_difference(store):
    row = one(rows(store, "pairwise"), a="x", b="z")
    assert (row["p_mcnemar"], row["difference"], row["low"], row["high"]) == (1.0, 0.0, 0.0, 0.0)


def test_people_are_compared_when_named(store):
    row = one(rows(store, "pairwise", runs_of="x|h"))
    assert (row["a"], row["b"], row["m_mcnemar"]) == ("h", "x", 1)
    with pytest.raises(UnknownValue):
        asked(store, "pairwise", runs_of="x|nobody")


def test_graded_and_repeated_credit_take_the_permutation_test(odd):
    found = rows(odd, "pairwise")
    graded, twice = one(found, a="g", b="x"), one(found, a="t", b="x")
    assert (graded["reason"], twice["reason"]) == ("credit is not 0 or 1", "several attempts per item")
    for row in (graded, twice):
        assert (row["p_mcnemar"], row["p_mcnemar_holm"], row["m_mcnemar"], row["only_a"], row["p_fisher"]) == (
            None,
        ) * 5
        assert 0 < row["p_permutation"] <= row["p_permutation_holm"] <= 1
        assert row["low"] <= row["difference"] <= row["high"]
    assert twice["difference"] == pytest.approx(np.mean((np.array(X) + Y) / 2 - X))
    tested = [row for row in found if row["p_mcnemar"] is not None]
    assert {row["m_mcnemar"] for row in tested} == {len(tested)} == {6}
    assert {row["m_permutation"] for row in found if row["p_permutation"] is not None} == {9}
    first = one(rows(odd, "pairwise", attempts="first"), a="t", b="x")
    assert (first["reason"], first["p_mcnemar"]) == (None, 1.0)


def test_only_common_items_enter_a_pair(odd):
    row = one(rows(odd, "pairwise"), a="few", b="x")
    assert (row["n"], row["n_either"], row["only_a"], row["only_b"]) == (12, 30, 0, 9)
    assert row["mean_b"] == 1.0
    assert asked(odd, "pairwise").left_out["items that one run of the pair has no credit for"] == 5 * 18
    zero = one(rows(odd, "pairwise", missing="zero"), a="few", b="x")
    assert (zero["n"], zero["only_b"]) == (30, 16)


def test_macro_differences_weigh_capabilities_alike(store):
    row = one(rows(store, "pairwise", average="macro"), a="x", b="y")
    gaps = np.array(X) - np.array(Y)
    assert row["difference"] == pytest.approx((gaps[:20].mean() + gaps[20:].mean()) / 2)
    assert row["p_mcnemar"] == pytest.approx(0.021484375)


def test_dependent_items_have_counts_and_no_exact_test(tmp_path):
    items = [dict(item, cluster=f"v{k // 3}") for k, item in enumerate(ITEMS)]
    store = toy_store(tmp_path, items=items, runs=[{"run_id": r} for r in "xyz"], responses=RESPONSES)
    row = one(rows(store, "pairwise"), a="x", b="y")
    assert (row["only_a"], row["only_b"], row["p_mcnemar"]) == (9, 1, None)
    assert row["reason"] == "items share clusters"
    assert row["p_permutation"] is not None
    assert "clusters" in row["method"]


def test_one_run_is_no_pair(store):
    for name in ("pairwise", "power"):
        with pytest.raises(EmptySlice):
            asked(store, name, {"run": "x"})


def test_large_logs_read_the_cube_and_agree_with_the_items(tmp_path, monkeypatch):
    many = 10_002
    items = [{"item_id": f"i{k:05}", "capability": "ab"[k % 2]} for k in range(many)]
    right = {"x": lambda k: k % 3 > 0, "y": lambda k: k % 4 > 0}
    responses = [
        {"run_id": run, "item_id": f"i{k:05}", "credit": float(rule(k))}
        for run, rule in right.items()
        for k in range(many)
        if (run, k) != ("y", 7)
    ]
    store = toy_store(tmp_path, items=items, runs=[{"run_id": "x"}, {"run_id": "y"}], responses=responses)
    for average in ("micro", "macro"):
        cube = rows(store, "pairwise", average=average)[0]
        assert "stored moments" in cube["method"]
        with monkeypatch.context() as patched:
            patched.setattr(analytics.pairs, "_stored", lambda *_: False)
            matrix = rows(store, "pairwise", average=average)[0]
            patched.setattr(analytics.pairs, "MOMENTS_ABOVE", many)
            drawn = rows(store, "pairwise", average=average, resamples=400)[0]
        assert "bootstrap" in drawn["method"]
        for other in (matrix, drawn):
            for name in ("n", "both", "only_a", "only_b", "neither"):
                assert cube[name] == other[name]
            assert cube["difference"] == pytest.approx(other["difference"], abs=1e-12)
            assert cube["p_mcnemar"] == pytest.approx(other["p_mcnemar"])
        assert (cube["low"], cube["high"]) == pytest.approx((matrix["low"], matrix["high"]), abs=1e-12)
        assert (cube["low"], cube["high"]) == pytest.approx((drawn["low"], drawn["high"]), abs=0.003)
        assert cube["n"] == many - 1
    assert rows(store, "power")[0]["n"] == many - 1


def test_power_is_that_of_the_kernels(store):
    row = one(rows(store, "power"), a="x", b="y")
    settings = {"alpha": 0.05, "power": 0.8, "sides": "two-sided"}
    assert row["discordant"] == pytest.approx(10 / 30)
    assert row["detectable"] == pytest.approx(float(detectable_paired(30, discordant=10 / 30, **settings)))
    assert row["detectable_holm"] > row["detectable"]
    assert row["needed"] == int(items_needed(8 / 30, discordant=10 / 30, **settings))
    alike = one(rows(store, "power"), a="x", b="z")
    assert (alike["detectable"], alike["reason"]) == (None, "the runs never differ")


def test_power_of_graded_credit_and_of_numbers_of_items(odd):
    graded = one(rows(odd, "power"), a="g", b="x")
    assert (graded["method"], graded["discordant"], graded["needed"]) == ("paired difference of means", None, None)
    assert graded["detectable"] > 0
    numbers = rows(odd, "power", per="n")
    assert one(numbers, part="all")["n"] == N
    small = one(numbers, part="any", n=10)
    assert (small["detectable"], small["reason"]) == (None, "no difference can be shown with so few items")
    falling = [row["detectable"] for row in numbers if row["part"] == "any" and row["detectable"]]
    assert falling == sorted(falling, reverse=True)


def test_two_runs_item_by_item(odd):
    counts = {row["outcome"]: row["items"] for row in rows(odd, "compare", a="x", b="y")}
    assert counts == {"fixed": 1, "broken": 9, "both right": 10, "both wrong": 10, "equal partial credit": 0}
    listed = asked(odd, "compare", a="x", b="few", show="items")
    assert listed.table["outcome"].value_counts().rows() == [("broken", 9), ("both right", 3)] or set(
        listed.table["outcome"]
    ) == {"broken", "both right"}
    assert listed.left_out["items that only x has a credit for"] == 18
    assert listed.table["n"].unique().to_list() == [12]
    graded = {row["outcome"]: row["items"] for row in rows(odd, "compare", a="g", b="x")}
    assert graded["fixed"] + graded["broken"] == 10
    for a, b in (("", "x"), ("x", "all"), ("x", "nobody")):
        with pytest.raises(UnknownValue):
            asked(odd, "compare", a=a, b=b)
