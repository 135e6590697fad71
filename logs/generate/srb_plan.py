"""The SocialReasonBench counts: tiers, correct answers, the muted run and the five annotators' overlap set.

Most counts follow from the printed percentages in one way only; the solver is a search for those integers.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from logs.generate.exact import count_of, matches, measures, percent, table
from logs.generate.psycheme_verify import require
from logs.generate.solver import NoPlanError

TIERS = ("A", "B", "AB", "C")
DIMENSIONS: dict[str, int] = {row["dimension"]: int(row["n"]) for row in table("srb_table10_tiers")}
PERCEPTION = ("intent_recognition", "behavior_prediction", "emotional_empathy")
CAUSAL = ("counterfactual_reasoning", "causal_antecedent")
OVERLAP, ANNOTATORS = 50, 5
MUTED_MODEL = "Gemini 3 Pro"
MUTED_SHARE = {"causal_antecedent": 10, "emotional_empathy": 10}  # the two largest drops, in items


def correct_counts() -> dict[str, dict[str, int]]:
    """Return correct answers by system and dimension."""
    out: dict[str, dict[str, int]] = {}
    for row in table("srb_table3"):
        out.setdefault(row["system"], {})[row["dimension"]] = count_of(row["accuracy_pct"], int(row["n"]))
    return out


def _muted(main: dict[str, int]) -> dict[str, int]:
    """Lower the correct counts by about six points overall, most in the two dimensions that the text names."""
    drop = round(Fraction(measures("srb_prose")["muted_drop_points"]) * sum(DIMENSIONS.values()) / 100)
    rest = [name for name in DIMENSIONS if name not in MUTED_SHARE]
    left = drop - sum(MUTED_SHARE.values())
    mass = sum(DIMENSIONS[name] for name in rest)
    shares = {name: left * DIMENSIONS[name] // mass for name in rest}
    for name in sorted(rest, key=lambda name: -(left * DIMENSIONS[name] % mass))[: left - sum(shares.values())]:
        shares[name] += 1
    shares |= MUTED_SHARE
    return {name: main[name] - shares[name] for name in DIMENSIONS}


def _overlap() -> list[dict[str, Any]]:
    """Find how often each vote pattern of five annotators occurs on the 50 items.

    A pattern is the number of right votes and the split of the wrong ones. Among the mixes that meet the printed
    figures the first in order with the most 4-1 items is taken.
    """
    printed = measures("srb_table9_agreement")
    right = sum(count_of(printed[f"annotator_{k}_pct"], OVERLAP) for k in range(1, ANNOTATORS + 1))
    pairs = count_of(printed["pairwise_agreement_pct"], OVERLAP * 10)
    best: tuple[int, list[dict[str, Any]]] | None = None
    unanimous, plurality = int(printed["unanimous_items"]), int(printed["majority_matches_reference"])
    rest = plurality - unanimous  # plurality right, not unanimous: 4-1, 3-2, 3-1-1, 2-1-1-1
    for split in product(range(rest + 1), repeat=3):
        if sum(split) > rest:
            continue
        four, three, three_one = split
        two = rest - sum(split)
        agree = unanimous * 10 + four * 6 + three * 4 + three_one * 3 + two
        hits = unanimous * 5 + four * 4 + (three + three_one) * 3 + two * 2
        # the one item whose plurality is wrong: three on one wrong letter, one on another, one right
        if agree + 3 == pairs and hits + 1 == right and (best is None or four > best[0]):
            mix = [(5, [], unanimous), (4, [1], four), (3, [2], three), (3, [1, 1], three_one), (2, [1, 1, 1], two)]
            found = [{"right": r, "wrong": w, "items": k} for r, w, k in mix if k]
            best = (four, [*found, {"right": 1, "wrong": [3, 1], "items": 1}])
    if best is None:
        raise NoPlanError("no mix of vote patterns meets the overlap figures")
    return best[1]


def solve_srb() -> dict[str, Any]:
    """Return the whole integer plan of SocialReasonBench."""
    correct = correct_counts()
    tiers = {
        row["dimension"]: {tier: count_of(row[tier], int(row["n"])) for tier in TIERS}
        for row in table("srb_table10_tiers")
    }
    return {
        "correct": correct,
        "muted": _muted(correct[MUTED_MODEL]),
        "tiers": tiers,
        "axes": {row["category"]: int(row["n"]) for row in table("srb_table2_axes") if row["axis"] == "interaction"},
        "overlap": _overlap(),
    }


def verify_srb(plan: dict[str, Any]) -> None:
    """Check every pinned count of a SocialReasonBench plan with exact fractions.

    Raises
    ------
    PlanError
        Naming the first figure that the plan misses.
    """
    for row in table("srb_table3"):
        share = percent(plan["correct"][row["system"]][row["dimension"]], int(row["n"]))
        require(matches(share, row["accuracy_pct"]), f"{row['system']} {row['dimension']}: {float(share)}")
    for row in table("srb_table10_tiers"):
        counts = plan["tiers"][row["dimension"]]
        require(sum(counts.values()) == int(row["n"]), f"tiers of {row['dimension']} do not add up")
        for tier in TIERS:
            share = percent(counts[tier], int(row["n"]))
            require(matches(share, row[tier]), f"tier {tier} of {row['dimension']}: {float(share)}")
    for row in table("srb_tiers_total"):
        total = sum(counts[row["tier"]] for counts in plan["tiers"].values())
        require(total == int(row["n"]), f"tier {row['tier']}: {total} items")
    require(sum(plan["axes"].values()) == sum(DIMENSIONS.values()), "interaction axis does not add up")
    drop = percent(sum(plan["correct"][MUTED_MODEL].values()) - sum(plan["muted"].values()), sum(DIMENSIONS.values()))
    require(matches(drop, measures("srb_prose")["muted_drop_points"]), f"muted run drops {float(drop)} points")
    printed = measures("srb_table9_agreement")
    mix = plan["overlap"]
    require(sum(row["items"] for row in mix) == OVERLAP, "overlap patterns do not cover the overlap set")
    pairs = sum(row["items"] * sum(v * (v - 1) // 2 for v in (row["right"], *row["wrong"])) for row in mix)
    share = percent(pairs, OVERLAP * 10)
    require(matches(share, printed["pairwise_agreement_pct"]), f"pairwise agreement {float(share)}")
    right = sum(row["items"] * row["right"] for row in mix)
    wanted = sum(count_of(printed[f"annotator_{k}_pct"], OVERLAP) for k in range(1, ANNOTATORS + 1))
    require(right == wanted, f"{right} right answers on the overlap set, not {wanted}")
