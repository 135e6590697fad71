"""Agreement of raters on stores whose answers can be worked out by hand or by another implementation."""

import krippendorff
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa

from analytics import ratings
from analytics.errors import EmptySlice, UnknownValue
from analytics.rating_rows import rating_rows
from tests.answers import asked, row, rows
from tests.raters import judged
from tests.stores import toy_store

FEW = {"resamples": 200}


def test_a_pair_has_agreement_kappa_prevalences_and_missing_counts(tmp_path):
    a = [1, 1, 1, 0, 0, 1, 0, 1, None, 1]
    b = [1, 0, 1, 0, 1, 1, 0, 1, 1, None]
    store = judged(
        tmp_path, a=[None if v is None else bool(v) for v in a], b=[None if v is None else bool(v) for v in b]
    )
    answer = asked(store, "judges", **FEW)
    pair = row(answer)
    both = np.array([(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None])
    table = np.histogram2d(both[:, 0], both[:, 1], bins=[[-0.5, 0.5, 1.5]] * 2)[0]
    assert pair["n"] == 8
    assert pair["agreement"] == 6 / 8
    assert pair["kappa"] == pytest.approx(cohens_kappa(table).kappa, abs=1e-12)
    assert (pair["category"], pair["prevalence_a"], pair["prevalence_b"]) == ("met", 5 / 8, 5 / 8)
    assert (pair["missing_a"], pair["missing_b"], pair["missing_both"]) == (1, 1, 0)
    assert pair["kappa_low"] <= pair["kappa"] <= pair["kappa_high"]
    assert answer.left_out["verdicts that did not come out"] == 2
    assert "200 resamples, seed 20260" in answer.method
    assert answer.seed == 20260


def test_one_category_is_undefined_with_a_reason_and_the_agreement_beside_it(tmp_path):
    """Pitfall 8: [1, 1, 1] against [1, 1, 1]."""
    store = judged(tmp_path, a=[True] * 3, b=[True] * 3)
    pair = row(asked(store, "judges", **FEW))
    assert (pair["kappa"], pair["kappa_low"], pair["reason"], pair["agreement"]) == (None, None, "one category", 1.0)
    assert pair["ac1"] == 1.0
    panel = asked(store, "agreement", **FEW)
    assert row(panel, coefficient="Fleiss' kappa")["reason"] == "one category"
    assert row(panel, coefficient="Gwet's AC1")["value"] == 1.0
    assert row(panel, coefficient="unanimity")["value"] == 1.0


def test_skewed_prevalence_lowers_kappa_and_not_ac1(tmp_path):
    """Pitfall 8: 95/5 prevalence with 90 % agreement."""
    a = [True] * 90 + [True] * 5 + [False] * 5
    b = [True] * 90 + [False] * 5 + [True] * 5
    pair = row(asked(judged(tmp_path, a=a, b=b), "judges", **FEW))
    assert pair["agreement"] == 0.9
    assert pair["kappa"] < 0
    assert pair["ac1"] > 0.88


def test_one_judge_is_a_stated_answer(tmp_path):
    store = judged(tmp_path, a=[True, False, True])
    pairs = asked(store, "judges", **FEW)
    assert pairs.table.height == 0
    assert any("one rater" in note for note in pairs.notes)
    panel = asked(store, "agreement", **FEW)
    assert set(panel.table["reason"]) == {"one rater"}
    assert panel.table["value"].null_count() == panel.table.height


def test_no_verdicts_names_the_table(tmp_path):
    store = toy_store(tmp_path, items=[{"item_id": "i0"}], runs=[{"run_id": "r"}], responses=[])
    for name in ("judges", "agreement", "confusion", "leniency", "self_preference", "rank_agreement"):
        with pytest.raises(EmptySlice, match="table verdicts"):
            asked(store, name)
    with pytest.raises(EmptySlice, match="on_judge"):
        asked(store, "endorsements")
    with pytest.raises(EmptySlice, match="table comparisons"):
        asked(store, "preferences")
    with pytest.raises(EmptySlice, match="runs of kind human"):
        asked(store, "judges", raters="annotators")


def test_a_judge_that_lacks_half_is_compared_on_the_other_half(tmp_path):
    rng = np.random.default_rng(5)
    full = rng.random(40) < 0.6
    other = np.where(rng.random(40) < 0.8, full, ~full)
    half = [bool(v) if k < 20 else "-" for k, v in enumerate(other)]
    third = [bool(v) for v in np.where(rng.random(40) < 0.9, full, ~full)]
    store = judged(tmp_path, a=[bool(v) for v in full], b=half, c=third)
    answer = asked(store, "judges", **FEW)
    assert row(answer, rater_a="a", rater_b="b")["n"] == 20
    assert row(answer, rater_a="a", rater_b="b")["missing_b"] == 20
    panel = asked(store, "agreement", **FEW)
    matrix = np.array([full, [float(v) if v != "-" else np.nan for v in half], third], dtype=float)
    alpha = row(panel, coefficient="Krippendorff's alpha, nominal")
    assert alpha["value"] == pytest.approx(
        krippendorff.alpha(reliability_data=matrix, level_of_measurement="nominal"), abs=1e-12
    )
    assert alpha["n"] == 40


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(*[st.booleans()] * 3), min_size=4, max_size=25))
def test_fleiss_is_the_library_s(tmp_path_factory, units):
    a, b, c = (list(column) for column in zip(*units, strict=True))
    store = judged(tmp_path_factory.mktemp("fleiss"), a=a, b=b, c=c)
    found = row(asked(store, "agreement", resamples=100), coefficient="Fleiss' kappa")
    if len({value for unit in units for value in unit}) == 1:
        assert (found["value"], found["reason"]) == (None, "one category")
        return
    table, _ = aggregate_raters(np.array(units, dtype=int), n_cat=2)
    assert found["value"] == pytest.approx(fleiss_kappa(table), abs=1e-9)


def test_criteria_of_one_item_are_drawn_together(tmp_path):
    values = [True, True, False, False, True, True, False, True]
    store = judged(tmp_path, criteria=("x", "y"), a=values, b=values)
    assert "items" in asked(store, "judges", **FEW).method
    single = judged(_under(tmp_path), a=values, b=values)
    assert "bootstrap over units," in asked(single, "judges", **FEW).method


def _under(folder):
    (folder / "other").mkdir()
    return folder / "other"


def test_words_need_an_order_for_weights_and_scores_bring_theirs(tmp_path):
    ratings = {"a": ["low", "mid", "high", "low"], "b": ["low", "high", "high", "mid"]}
    scores = {"low": 1.0, "mid": 2.0, "high": 3.0}
    store = toy_store(
        tmp_path,
        items=[{"item_id": f"i{k}", "answer_type": "open"} for k in range(4)],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": f"i{k}", "credit": None} for k in range(4)],
        judges=[{"judge_id": j} for j in ratings],
        verdicts=[
            {"run_id": "r", "item_id": f"i{k}", "judge_id": j, "label": label, "score": scores[label]}
            for j, labels in ratings.items()
            for k, label in enumerate(labels)
        ],
    )
    with pytest.raises(UnknownValue, match="have no order"):
        asked(store, "judges", on="label", weights="linear")
    with pytest.raises(UnknownValue, match="leaves out the labels high"):
        asked(store, "judges", on="label", order="low|mid", **FEW)
    ordered = row(asked(store, "judges", on="label", weights="quadratic", order="low|mid|high", **FEW))
    numbers = row(asked(store, "judges", on="score", weights="quadratic", **FEW))
    table = np.zeros((3, 3))
    for x, y in zip(*ratings.values(), strict=True):
        table[int(scores[x]) - 1, int(scores[y]) - 1] += 1
    expected = cohens_kappa(table, wt="quadratic").kappa
    assert ordered["kappa"] == pytest.approx(expected, abs=1e-12)
    assert numbers["kappa"] == pytest.approx(expected, abs=1e-12)
    panel = asked(store, "agreement", on="label", **FEW)
    assert row(panel, coefficient="Krippendorff's alpha, ordinal")["reason"] == "labels without an order"
    interval = row(asked(store, "agreement", on="score", **FEW), coefficient="Krippendorff's alpha, interval")
    matrix = np.array([[scores[label] for label in labels] for labels in ratings.values()])
    assert interval["value"] == pytest.approx(
        krippendorff.alpha(reliability_data=matrix, level_of_measurement="interval"), abs=1e-12
    )
    with pytest.raises(UnknownValue, match="needs unit=criterion"):
        asked(store, "judges", on="label", unit="item")
    with pytest.raises(UnknownValue, match="Allowed: usual, met, label, score"):
        asked(store, "judges", on="answer")


def answered(folder, answers, *, kind="model", options=4, **more):
    """Choice answers by run; None is no answer in a valid format."""
    count = len(next(iter(answers.values())))
    return toy_store(
        folder,
        items=[{"item_id": f"i{k}", "reference": "A", "options": list("wxyz")[:options], "capability": "c"}
               for k in range(count)],
        runs=[{"run_id": run, "kind": kind} | more.get(run, {}) for run in answers],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "answer": letter, "credit": float(letter == "A"),
             "status": "ok" if letter else "invalid_format"}
            for run, letters in answers.items()
            for k, letter in enumerate(letters)
        ],
    )  # fmt: skip


def test_runs_agree_on_letters_or_on_being_right_and_an_unparsed_answer_is_no_letter(tmp_path):
    store = answered(tmp_path, {"r": ["A", "B", "C", None], "s": ["A", "B", "A", None]})
    letters = row(asked(store, "judges", raters="runs", **FEW))
    assert (letters["n"], letters["agreement"], letters["missing_both"]) == (3, 2 / 3, 1)
    own = row(asked(store, "judges", raters="runs", unparsed="category", **FEW))
    assert (own["n"], own["agreement"]) == (4, 3 / 4)
    right = row(asked(store, "judges", raters="runs", on="correct", **FEW))
    assert (right["n"], right["agreement"]) == (4, 3 / 4)
    picked = asked(store, "judges", raters="runs", among="r|s", **FEW)
    assert picked.table.height == 1
    with pytest.raises(UnknownValue, match="names 't'"):
        asked(store, "judges", raters="runs", among="r|t")


def test_letters_are_compared_as_shown_so_that_the_stored_order_gives_no_prevalence(tmp_path):
    orders = [list("ABCD"), list("BACD"), list("CBAD"), list("DBCA")]
    answers = {"p": ["A", "A", "A", "A"], "q": ["A", "A", "A", "B"]}
    store = toy_store(
        tmp_path,
        items=[{"item_id": f"i{k}", "reference": "A", "options": list("wxyz")} for k in range(4)],
        runs=[{"run_id": run, "kind": "human"} for run in answers],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "answer": letter, "credit": 1.0, "order_shown": orders[k]}
            for run, letters in answers.items()
            for k, letter in enumerate(letters)
        ],
    )
    stored = row(asked(store, "judges", raters="annotators", letters="stored", **FEW))
    shown = row(asked(store, "judges", raters="annotators", **FEW))
    assert stored["agreement"] == shown["agreement"] == 3 / 4
    assert stored["kappa"] == 0
    # shown letters of p: A, B, C, D; of q: A, B, C, B
    assert shown["expected"] == pytest.approx((1 * 1 + 1 * 2 + 1 * 1 + 1 * 0) / 16)
    assert shown["kappa"] == pytest.approx((0.75 - 0.25) / 0.75)


def test_option_sets_are_equal_in_any_order_of_their_letters(tmp_path):
    answers = {"r": ["A,B", "C", "B,D"], "s": ["B, A", "C", "D"]}
    store = toy_store(
        tmp_path,
        items=[{"item_id": f"i{k}", "reference": "A,B", "answer_type": "multiple_choice"} for k in range(3)],
        runs=[{"run_id": run} for run in answers],
        responses=[
            {"run_id": run, "item_id": f"i{k}", "answer": text, "credit": 0.0}
            for run, texts in answers.items()
            for k, text in enumerate(texts)
        ],
    )
    assert row(asked(store, "judges", raters="runs", **FEW))["agreement"] == 2 / 3


def test_annotators_of_different_passes_are_different_panels_and_attempts_are_people(tmp_path):
    overlap = {"condition": "pass=overlap"}
    store = answered(
        tmp_path, {"main": ["A", "B"], "p": ["A", "B"], "q": ["A", "A"]}, kind="human", p=overlap, q=overlap
    )
    panel = asked(store, "agreement", raters="annotators", **FEW)
    assert set(panel.table["condition"]) == {"none", "pass=overlap"}
    assert {r["raters"] for r in rows(panel, condition="pass=overlap")} == {2}
    twice = toy_store(
        _under(tmp_path),
        items=[{"item_id": "i0", "reference": "A"}, {"item_id": "i1", "reference": "A"}],
        runs=[{"run_id": "people", "kind": "human"}],
        responses=[
            {"run_id": "people", "item_id": f"i{k}", "attempt": n, "answer": letter, "credit": 0.0}
            for n, letters in ((1, "AB"), (2, "AC"))
            for k, letter in enumerate(letters)
        ],
    )
    pair = row(asked(twice, "judges", raters="annotators", **FEW))
    assert (pair["rater_a"], pair["rater_b"]) == ("people, attempt 1", "people, attempt 2")
    assert (pair["n"], pair["agreement"]) == (2, 0.5)


def test_panels_stand_in_one_order_whatever_the_scan_gives(tmp_path, monkeypatch):
    passes = {name: {"condition": f"pass={name}"} for name in "pqrs"}
    letters = dict(zip("pqrs", map(list, ("AB", "AA", "BB", "BA")), strict=True))
    store = answered(tmp_path, letters, kind="human", **passes)
    told = {}
    for turned in (False, True):
        with monkeypatch.context() as patch:

            def scanned(*args, turned=turned, **given):
                found, *rest = rating_rows(*args, **given)
                return (found.reverse() if turned else found, *rest)

            patch.setattr(ratings, "rating_rows", scanned)
            told[turned] = asked(store, "agreement", raters="annotators", **FEW).table
    assert told[False].equals(told[True])
    assert told[False]["condition"].unique(maintain_order=True).to_list() == [f"pass={name}" for name in "pqrs"]


def test_hidden_and_open_items_leave_and_are_counted(tmp_path):
    store = toy_store(
        tmp_path,
        items=[
            {"item_id": "known", "reference": "A"},
            {"item_id": "hidden", "reference": None, "reference_known": False},
            {"item_id": "open", "reference": "river", "answer_type": "open"},
        ],
        runs=[{"run_id": "r"}, {"run_id": "s"}],
        responses=[
            {"run_id": run, "item_id": item, "answer": "A", "credit": None if item == "hidden" else 1.0}
            for run in ("r", "s")
            for item in ("known", "hidden", "open")
        ],
    )
    answer = asked(store, "judges", raters="runs", **FEW)
    assert row(answer)["n"] == 1
    assert answer.left_out["items whose answer the benchmark hides"] == 1
    assert answer.left_out["open items, whose answers are text"] == 1


def test_confusion_counts_every_cell_and_names_who_is_missing(tmp_path):
    store = judged(tmp_path, a=[True, True, False, None, True], b=[True, False, False, True, "-"])
    answer = asked(store, "confusion")
    cells = {(r["label_a"], r["label_b"]): r["units"] for r in answer.table.to_dicts()}
    assert cells == {("unmet", "unmet"): 1, ("unmet", "met"): 0, ("met", "unmet"): 1, ("met", "met"): 1}
    assert set(answer.table["n"]) == {3}
    assert answer.left_out["units that one of the two raters left without a rating"] == 2
    turned = asked(store, "confusion", a="b", b="a")
    assert row(turned, label_a="unmet", label_b="met")["units"] == 1
    with pytest.raises(UnknownValue, match="No two raters called 'z'"):
        asked(store, "confusion", a="z")
    with pytest.raises(UnknownValue, match="is no rater"):
        asked(store, "judges", among="a|zz")


def test_the_same_seed_gives_the_same_interval_and_the_slice_restricts(tmp_path):
    rng = np.random.default_rng(1)
    a, b = ([bool(v) for v in rng.random(30) < 0.6] for _ in range(2))
    store = judged(tmp_path, a=a, b=b)
    first, again, other = (asked(store, "judges", seed=seed, **FEW).table for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)
    part = row(asked(store, "judges", {"capability": "a"}, **FEW))
    assert part["n"] == 15
    assert part["agreement"] == np.mean([x == y for x, y in zip(a[::2], b[::2], strict=True)])


@pytest.mark.parametrize("clustered", [False, True])
def test_many_units_give_the_same_pairs_from_cross_tables(tmp_path, monkeypatch, clustered):
    stream = np.random.default_rng(2)
    said = {name: [None if k == 2 else bool(k) for k in stream.integers(0, 3, 60)] for name in "abc"}
    store = judged(tmp_path, **said)
    given = {"unit": "item" if clustered else "criterion", **FEW}
    few = asked(store, "judges", **given)
    monkeypatch.setattr("analytics.judges.MANY_UNITS", 10)
    many = asked(store, "judges", **given)
    monkeypatch.setattr("analytics.numeric.kappa._UNITS", 10)  # cells are drawn now, from those tables
    drawn = asked(store, "judges", **given).table
    monkeypatch.setattr("analytics.judges.MANY_UNITS", 1000)
    assert drawn.equals(asked(store, "judges", **given).table)
    assert not drawn.equals(many.table)
    assert many.table.height == 3
    assert many.table["missing_a"].sum() > 0
    assert many.table.equals(few.table)
