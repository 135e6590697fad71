"""Re-aggregate the SocialReasonBench rows, figure by figure."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path

import polars as pl

from logs.generate.checks import Values, read
from logs.generate.exact import percent, table
from logs.generate.srb_plan import CAUSAL, MUTED_MODEL, PERCEPTION

Z = 1.959963984540054  # the 97.5 % point of the standard normal distribution


def _wilson(k: int, n: int) -> tuple[Fraction, Fraction]:
    """Return the Wilson (1927) 95 % interval in percent."""
    p, scale = k / n, 1 + Z * Z / n
    middle, half = (p + Z * Z / (2 * n)) / scale, Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / scale
    return Fraction(100 * (middle - half)), Fraction(100 * (middle + half))


def _fisher(a: int, n1: int, b: int, n2: int) -> tuple[Fraction, Fraction]:
    """Return the exact one-sided (first share greater) and two-sided p of Fisher's test."""
    total = a + b
    ways = {k: comb(n1, k) * comb(n2, total - k) for k in range(max(0, total - n2), min(n1, total) + 1)}
    every = sum(ways.values())
    one = Fraction(sum(count for k, count in ways.items() if k >= a), every)
    return one, Fraction(sum(count for count in ways.values() if count <= ways[a]), every)


def _holm(p: dict[str, Fraction]) -> dict[str, Fraction]:
    """Return Holm's (1979) adjusted p values."""
    out: dict[str, Fraction] = {}
    worst = Fraction()
    for position, name in enumerate(sorted(p, key=lambda name: p[name])):
        worst = max(worst, min(Fraction(1), p[name] * (len(p) - position)))
        out[name] = worst
    return out


def _tests(counts: dict[tuple[str, str], tuple[int, int]]) -> dict[str, Fraction]:
    """Return the perception against causal contrasts of Section 4.3."""
    systems = sorted({system for system, _ in counts})
    sums = {
        (system, which): tuple(sum(counts[system, name][part] for name in group) for part in (0, 1))
        for system in systems
        for which, group in (("perception", PERCEPTION), ("causal", CAUSAL))
    }
    tests = {s: _fisher(*sums[s, "perception"], *sums[s, "causal"]) for s in systems}
    models = [s for s in systems if s != "Human"]
    level = Fraction(5, 100)
    one = _holm({s: tests[s][0] for s in models})
    two = _holm({s: tests[s][1] for s in models})
    without = _holm({s: tests[s][0] for s in models if not s.startswith("Gemini")})
    return {
        "one_sided_significant": Fraction(sum(p < level for p in one.values())),
        "largest_adjusted_p": max(p for p in one.values() if p < level),
        "two_sided_significant": Fraction(sum(p < level for p in two.values())),
        "without_gemini_significant": Fraction(sum(p < level for p in without.values())),
        "human_unadjusted_p": tests["Human"][0],
        "human_perception": percent(*sums["Human", "perception"]),
        "human_causal": percent(*sums["Human", "causal"]),
        "systems": Fraction(len(models)),
    }


def _agreement(rows: pl.DataFrame) -> dict[str, Fraction]:
    """Return the overlap figures; kappa over the letters shown, as Fleiss (1971) defines it."""
    shown = rows.with_columns(
        pl.struct("answer", "order_shown")
        .map_elements(lambda s: "ABCDEF"[s["order_shown"].index(s["answer"])], return_dtype=pl.String)
        .alias("shown")
    )
    totals: Counter[str] = Counter()
    pairs = unanimous = plurality = items = 0
    for _, item in shown.group_by("item_id"):
        votes = Counter(item["shown"].to_list())
        totals += votes
        items += 1
        pairs += sum(k * (k - 1) // 2 for k in votes.values())
        unanimous += len(votes) == 1
        top = max(votes.values())
        first = [letter for letter, k in votes.items() if k == top]
        plurality += first == item.filter(pl.col("credit") == 1)["shown"].unique().to_list()
    agree = Fraction(pairs, 10 * items)
    chance = sum((Fraction(k, totals.total()) ** 2 for k in totals.values()), Fraction())
    out = {
        "fleiss_kappa": (agree - chance) / (1 - chance),
        "pairwise_agreement_pct": 100 * agree,
        "unanimous_items": Fraction(unanimous),
        "overlap_items": Fraction(items),
        "majority_matches_reference": Fraction(plurality),
    }
    for model, right, n in rows.group_by("model").agg(pl.col("credit").sum(), pl.len().alias("n")).iter_rows():
        out[f"{model.lower().replace(' ', '_')}_pct"] = percent(Fraction(right), n)
    return out


def _composition(items: pl.DataFrame) -> Values:
    """Return counts and shares of axes, tiers and branch use."""
    n = items.height
    out: Values = {}
    for axis, column in (("interaction", "axis"), ("reasoning", "capability")):
        out["srb_table2_totals", axis, "n"] = Fraction(items[column].count())
        out["srb_table2_totals", axis, "ratio_pct"] = percent(items[column].count(), n)
        for name, count in items.group_by(column).len().iter_rows():
            out["srb_table2_axes", f"{axis} / {name}", "n"] = Fraction(count)
            out["srb_table2_axes", f"{axis} / {name}", "ratio_pct"] = percent(count, n)
    for tier, count in items.group_by("tier").len().iter_rows():
        out["srb_tiers_total", tier, "n"] = Fraction(count)
        out["srb_tiers_total", tier, "share_pct"] = percent(count, n)
    for (name,), part in items.group_by("capability"):
        out["srb_table10_tiers", str(name), "n"] = Fraction(part.height)
        for tier in ("A", "B", "AB", "C"):
            share = percent(part.filter(pl.col("tier") == tier).height, part.height)
            out["srb_table10_tiers", str(name), tier] = share
    groups = {
        "perception": PERCEPTION,
        "counterfactual_and_causal": CAUSAL,
        "relationship": ("relationship_dynamics",),
        "moral": ("moral_dilemma",),
    }
    for group, names in groups.items():
        count = items.filter(pl.col("capability").is_in(names)).height
        out["srb_branch_dependence", group, "n"] = Fraction(count)
        out["srb_branch_dependence", group, "share_pct"] = percent(count, n)
    looked_up = percent(items.filter(pl.col("tier") != "C").height, n)
    prose = {
        "instances": Fraction(n),
        "options": Fraction(int(items["options"].list.len().sum()), n),
        "reasoning_dimensions": Fraction(items["capability"].n_unique()),
        "interaction_types": Fraction(items["axis"].n_unique()),
        "direct_lookup_share": looked_up,
        "derivation_share": 100 - looked_up,
        "perception_items": out["srb_branch_dependence", "perception", "n"],
        "causal_items": out["srb_branch_dependence", "counterfactual_and_causal", "n"],
    }
    return out | {("srb_prose", key, "value"): value for key, value in prose.items()}


def srb_values(root: Path) -> Values:
    """Return the value that the rows give for every printed figure of SocialReasonBench that they carry."""
    folder = root / "srb"
    items, runs = read(folder, "items"), read(folder, "runs")
    rows = read(folder, "responses").join(runs.select("run_id", "model", "regime", "condition", "kind"), on="run_id")
    rows = rows.join(items.select("item_id", "capability"), on="item_id")
    out = _composition(items)
    main = rows.filter(pl.col("condition").is_null())
    inputs = {(row["system"], row["input"]) for row in table("srb_table3")}
    if set(main.select("model", "regime").unique().iter_rows()) != inputs:
        raise ValueError("input regimes of the runs are not those of Table 3")
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    grouped = main.group_by("model", "capability").agg(pl.col("credit").sum(), pl.len().alias("n"))
    for model, name, right, n in grouped.iter_rows():
        counts[model, name] = (int(right), n)
        low, high = _wilson(int(right), n)
        cell = f"{model} / {name}"
        out["srb_table3", cell, "n"] = out["srb_table11_wilson", f"{model} / {name}", "n"] = Fraction(n)
        out["srb_table3", cell, "correct"] = Fraction(right)
        out["srb_table3", cell, "accuracy_pct"] = percent(Fraction(right), n)
        out["srb_table11_wilson", f"{model} / {name}", "accuracy_pct"] = percent(Fraction(right), n)
        out["srb_table11_wilson", f"{model} / {name}", "wilson_low_pct"] = low
        out["srb_table11_wilson", f"{model} / {name}", "wilson_high_pct"] = high
    overlap = rows.filter(pl.col("condition") == "pass=overlap")
    out |= {("srb_table9_agreement", key, "value"): value for key, value in _agreement(overlap).items()}
    whole = main.filter(pl.col("model") == MUTED_MODEL)
    muted = rows.filter(pl.col("condition") == "audio=muted")
    prose = _tests(counts)
    prose["muted_drop_points"] = percent(Fraction(whole["credit"].sum()), whole.height) - percent(
        Fraction(muted["credit"].sum()), muted.height
    )
    prose["annotators"] = Fraction(overlap["run_id"].n_unique())
    traps = read(folder, "option_types").filter(pl.col("type") != "correct")
    prose["distractors"] = Fraction(traps.height, items.height)
    return out | {("srb_prose", key, "value"): value for key, value in prose.items()}
