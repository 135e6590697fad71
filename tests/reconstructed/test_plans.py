"""Committed plans meet every pinned figure exactly, and a plan that misses one by one unit is refused."""

import copy
import json

import pytest

from logs.generate.exact import PLANS
from logs.generate.hss_causes_plan import media_counts
from logs.generate.hss_spec import BLIND, margins
from logs.generate.hss_verify import verify_hss
from logs.generate.psycheme_verify import PlanError, verify_psycheme
from logs.generate.srb_plan import solve_srb, verify_srb


def _plan(name):
    return json.loads((PLANS / f"{name}.json").read_text(encoding="utf-8"))


PSYCHEME, HSS, SRB = _plan("psycheme"), _plan("hss"), _plan("srb")


def test_committed_plans_are_sound():
    verify_psycheme(PSYCHEME)
    verify_hss(HSS)
    verify_srb(SRB)


def test_the_plan_without_freedom_is_found_again():
    assert json.loads(json.dumps(solve_srb())) == SRB


def _one_more_label(plan):
    labels = plan["cells"][0]["labels"]["choice"]
    first, second = list(labels)[:2]
    labels[first] -= 1
    labels[second] += 1


def _one_more_weak(plan):
    cell = next(cell for cell in plan["cells"] if cell["capability"] == "timing")
    cell["weak"] += 1


def _other_votes(plan):
    plan["votes"][0]["items"] += 1
    plan["votes"][1]["items"] -= 1
    plan["votes"][-1]["right"] -= 1


@pytest.mark.parametrize("change", [_one_more_label, _one_more_weak, _other_votes])
def test_a_changed_psycheme_plan_is_refused(change):
    plan = copy.deepcopy(PSYCHEME)
    change(plan)
    with pytest.raises(PlanError):
        verify_psycheme(plan)


def _one_more_pass(plan):
    kinds = plan["runs"]["GPT-6-sol"][0]["kinds"]
    kinds["0"] -= 1
    kinds["1+"] = kinds.get("1+", 0) + 1


def _agent_pass(plan):
    entries = plan["agents"]["runs"]["GPT-6-astra"]
    entry = next(e for e in entries if e["group"] == "pass")
    entry["group"] = "fail"


def _other_cause(plan):
    entry = plan["causes"][0]
    entry["cause"] = "missed_cue" if entry["cause"] != "missed_cue" else "line_of_sight"


def _judge(plan):
    counts = plan["judges"]["models"]["GPT-6-astra"]
    counts["111"] -= 1
    counts["000"] += 1


@pytest.mark.parametrize("change", [_one_more_pass, _agent_pass, _other_cause, _judge])
def test_a_changed_hss_plan_is_refused(change):
    plan = copy.deepcopy(HSS)
    change(plan)
    with pytest.raises(PlanError):
        verify_hss(plan)


def test_a_changed_srb_plan_is_refused():
    plan = copy.deepcopy(SRB)
    plan["correct"]["GPT-4o"]["moral_dilemma"] += 1
    with pytest.raises(PlanError, match="GPT-4o moral_dilemma"):
        verify_srb(plan)


def test_blind_control_is_pinned_by_its_counts():
    blind = margins()[BLIND]
    assert blind.mixed == 67 - 4
    assert sum(blind.sixths[d] for d in ("temporal", "physical", "social", "abstract")) == 2 * 103


def test_causes_by_media_type_add_up():
    counts = media_counts()
    assert sum(counts.values()) == 8573
    assert counts["missed_cue", "image"] + counts["missed_cue", "video"] == 1826
