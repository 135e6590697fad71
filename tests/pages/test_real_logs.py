"""Every page on logs that other people wrote: the numbers of their reference results, or the empty state that fits."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.pages.conftest import PAGES, Open, texts
from tests.real.conftest import real_logs

pytestmark = pytest.mark.real

STORES = ("blink", "pandalm", "alpaca_eval", "inspect", "vlmevalkit")

NO_LABELS = "No row with a verified credit"
NO_CAUSES = "No row with named causes of failures"
NO_SETTING = "No row with a varied setting"
NO_CREDIT = "No run has a raw credit here"

SAYS: dict[tuple[str, str], str] = {
    **{(store, "raw_verified_gap"): NO_LABELS for store in STORES},
    **{(store, "credit_calculator"): NO_LABELS for store in STORES},
    **{(store, "failure_causes"): NO_CAUSES for store in STORES},
    **{(store, "conditions"): NO_SETTING for store in STORES if store != "vlmevalkit"},
    **{(store, "leaderboard"): NO_CREDIT for store in ("pandalm", "alpaca_eval")},
    **{(store, "capability_profiles"): "a log with a raw credit" for store in ("pandalm", "alpaca_eval")},
    **{(store, "significance"): "a credit on items of both groups" for store in ("pandalm", "alpaca_eval")},
    **{(store, "voting"): "No row with choice items" for store in ("pandalm", "alpaca_eval")},
    **{(store, "items"): "No row with raw credit of a run" for store in ("pandalm", "alpaca_eval")},
    ("inspect", "significance"): "items that differ in a capability",
    ("vlmevalkit", "judges"): "No two raters to compare here",
    # its first benchmark has a run per rotation and none without
    ("vlmevalkit", "significance"): "No row with a main run",
    ("vlmevalkit", "voting"): "No row with a main run of a model",
    ("vlmevalkit", "items"): "No row with a main run of a model",
}
"""What a page says where a log lacks what it shows: the store, the page and words of the empty state."""


def expected(name: str) -> Any:
    return json.loads((real_logs() / name / "expected.json").read_text(encoding="utf-8"))


def shown(test: Any) -> dict[str, str]:
    assert [error.value for error in test.exception] == []
    return {metric.label.replace("\\", ""): metric.value for metric in test.metric}


def stem(page: str) -> str:
    return page.removesuffix(".py").split("_", 1)[-1]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("store", STORES)
def test_every_page_has_numbers_or_says_what_it_lacks(open_page: Open, store: str, page: str) -> None:
    test = open_page(page, store, {"view": "what_if"} if stem(page) == "credit_calculator" else {})
    found = shown(test)
    words = SAYS.get((store, stem(page)))
    if words is None:
        assert found or test.dataframe, f"{page} shows nothing on {store}"
    else:
        said = texts(test)
        assert words in said
        links = [link.proto.label for link in test.get("page_link")]
        assert "Open the cases of" not in " ".join(links)


@pytest.mark.parametrize(
    ("store", "address", "reference"),
    [
        ("blink", {"average": "micro"}, lambda e: e["overall_micro"]),
        ("inspect", {"benchmark": "theory_of_mind"}, lambda e: {"anthropic/claude": e["theory_of_mind"]}),
        (
            "vlmevalkit", {"benchmark": "MMStar"},
            lambda e: {name: e["MMStar"][name]["overall"] for name in ("vila_8b", "vila_13b")},
        ),
        ("vlmevalkit", {"benchmark": "RealWorldQA"}, lambda e: e["RealWorldQA"]["overall"]),
    ],
)  # fmt: skip
def test_the_leaderboard_has_the_reference_counts(open_page: Open, store: str, address: Any, reference: Any) -> None:
    test = open_page("pages/01_leaderboard.py", store, address | {"average": "micro"})
    rows = reference(expected(store))
    best = max(rows.values(), key=lambda row: row["accuracy"])
    found = shown(test)
    assert float(found["Raw, best"]) == pytest.approx(100 * best["accuracy"])
    assert found["Items"] == str(best["n"])
    assert [float(found["from"]), float(found["to"])] == pytest.approx([100 * end for end in best["wilson95"]])
    table = test.dataframe[0].value
    assert sorted(table["raw"]) == pytest.approx(sorted(100 * row["accuracy"] for row in rows.values()))


def test_the_macro_mean_of_blink(open_page: Open) -> None:
    found = shown(open_page("pages/01_leaderboard.py", "blink", {"average": "macro"}))
    assert float(found["Raw, best"]) == pytest.approx(100 * max(expected("blink")["overall_macro"].values()))


def test_cells_of_blink(open_page: Open) -> None:
    test = open_page("pages/02_capability_profiles.py", "blink")
    tasks = expected("blink")["by_task"]
    table = test.dataframe[0].value
    for model, task, raw, n in zip(table["model"], table["value"], table["raw"], table["n"], strict=True):
        cell = tasks[model][task.replace(" ", "_")]
        assert (raw, n) == (pytest.approx(100 * cell["accuracy"]), cell["n"])


@pytest.mark.parametrize(
    ("store", "address", "key"),
    [
        ("inspect", {"benchmark": "popularity"}, lambda e: e["set_oracle_and_vote"]),
        ("vlmevalkit", {"benchmark": "RealWorldQA"}, lambda e: e["RealWorldQA"]["vote_on_letters"]),
    ],
)
def test_votes_have_the_reference_shares(open_page: Open, store: str, address: Any, key: Any) -> None:
    found = shown(open_page("pages/07_voting.py", store, address))
    reference = key(expected(store))
    assert float(found["Oracle"]) == pytest.approx(100 * reference["oracle_coverage"])
    assert float(found["Plurality"]) == pytest.approx(100 * reference["plurality_accuracy"])


def test_votes_on_blink(open_page: Open) -> None:
    found = shown(open_page("pages/07_voting.py", "blink"))
    assert float(found["Oracle"]) == pytest.approx(100 * 1761 / 1901)
    assert float(found["Plurality"]) == pytest.approx(51.17, abs=5e-3)


def test_agreement_of_judges(open_page: Open) -> None:
    found = shown(open_page("pages/06_judges.py", "alpaca_eval"))
    reference = expected("alpaca_eval")["kappa_cot_vs_fn"]
    assert (found["Agreement"], found["Cohen's kappa"]) == (
        f"{reference['agreement']:.1%}", f"{reference['kappa']:.3f}"
    )  # fmt: skip
    test = open_page("pages/06_judges.py", "pandalm")
    shown(test)
    pairs = {frozenset((row["a"], row["b"])): row for row in expected("pandalm")["kappa_pairs"]}
    table = next(d.value for d in test.dataframe if "kappa" in d.value.columns)
    got = {
        frozenset((a.removeprefix("pandalm/"), b.removeprefix("pandalm/"))): (kappa, n)
        for a, b, kappa, n in zip(table["rater_a"], table["rater_b"], table["kappa"], table["n"], strict=True)
    }
    for pair, row in pairs.items():
        assert got[pair] == (pytest.approx(row["kappa"]), row["n"])


def test_rotations_of_tdbench_are_conditions(open_page: Open) -> None:
    test = open_page("pages/09_conditions.py", "vlmevalkit", {"benchmark": "tdbench"})
    shown(test)
    turns = expected("vlmevalkit")["tdbench_gpt-4.1"]
    table = next(d.value for d in test.dataframe if "setting" in d.value.columns)
    got = dict(zip(table["setting"], table["raw"], strict=True))
    assert {f"{turn}": got[str(turn)] for turn in (0, 90, 180, 270)} == {
        f"{turn}": pytest.approx(100 * turns[f"rot{turn}"]["overall"]["accuracy"]) for turn in (0, 90, 180, 270)
    }


def test_attempts_of_one_log_set(open_page: Open) -> None:
    """Five attempts at ten items: how often one of them, and all of them, are right."""
    test = open_page("pages/01_leaderboard.py", "inspect", {"benchmark": "popularity", "view": "criteria"})
    shown(test)
    table = next(d.value for d in test.dataframe if "pass_hat_k" in d.value.columns)
    ten = table[(table["n"] == 10) & (table["k"] == 5)].set_index("model")
    for model, reference in expected("inspect")["set2"].items():
        row = ten.loc[model]
        assert row["pass_at_k"] == pytest.approx(100 * reference["pass_at"]["5"])
        assert row["pass_hat_k"] == pytest.approx(100 * reference["all_five_correct"] / reference["items"])
