"""Findings that the documents print, as a reader meets them: on a page's own address, or on the one stated here."""

from __future__ import annotations

from tests.pages.conftest import Open, texts


def shown(test) -> dict[str, str]:
    assert [error.value for error in test.exception] == []
    return {metric.label.replace("\\", ""): metric.value for metric in test.metric}


def test_six_of_eight_systems_differ_between_perception_and_causal_items(open_page: Open) -> None:
    test = open_page("pages/05_significance.py", "embedded")
    found = shown(test)
    assert "benchmark is srb" in texts(test)
    assert found["Runs that differ"] == "6 of 8"
    assert round(float(found["Largest adjusted p of these"]), 3) == 0.045
    assert round(float(found["Human, unadjusted p"]), 3) == 0.142


def test_votes_of_the_proprietary_models_on_timing(open_page: Open) -> None:
    address: dict[str, str | list[str]] = {"benchmark": "psycheme", "capability": "timing", "panel": "proprietary"}
    test = open_page("pages/07_voting.py", "embedded", address)
    assert [round(float(metric.value), 2) for metric in test.metric[:3]] == [91.67, 57.64, 66.67]


def test_three_pairs_of_judges(open_page: Open) -> None:
    test = open_page("pages/06_judges.py", "embedded")
    found = shown(test)
    assert (found["Pairs of raters"], found["Agreement"]) == ("3", "96.2% to 97.5%")
    low, high = (float(end) for end in found["Cohen's kappa"].split(" to "))
    assert 0.914 <= low < high <= 0.946  # printed for both units together


def test_weak_evidence_and_retention_on_timing(open_page: Open) -> None:
    found = shown(open_page("pages/03_raw_verified_gap.py", "embedded", {"view": "reasons"}))
    shares = [round(float(value), 2) for name, value in found.items() if name.startswith("Weak or contradicted")]
    assert shares == [49.74, 7.62]
    found = shown(open_page("pages/03_raw_verified_gap.py", "embedded", {"view": "capability"}))
    assert found["Keeps least: timing"] == "17 of 17 runs"


def test_families_of_failures(open_page: Open) -> None:
    found = shown(open_page("pages/04_failure_causes.py", "embedded"))
    families = {name: round(float(found[name])) for name in ("Perception", "Latent", "Reasoning")}
    assert families == {"Perception": 53, "Latent": 41, "Reasoning": 5}
    assert found["Labelled failures"] == "8573"


def test_failures_before_and_after_the_agent(open_page: Open) -> None:
    address: dict[str, str | list[str]] = {"benchmark": "hss", "within": "agentic_387", "view": "repair"}
    found = shown(open_page("pages/04_failure_causes.py", "embedded", address))
    assert (found["Failures before"], found["After"]) == ("944", "759")


def test_effort_that_does_not_help(open_page: Open) -> None:
    address: dict[str, str | list[str]] = {"benchmark": "hss", "dimension": "effort", "level_of": "subcapability"}
    found = shown(open_page("pages/09_conditions.py", "embedded", address))
    assert found["End no better than start"] == "7 of 33"
