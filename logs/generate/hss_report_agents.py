"""Re-aggregate the agent runs of Humanity's Sixth Sense: Tables 2, 7, 8 and 9 and Figure 4."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from pathlib import Path
from statistics import median

import polars as pl

from logs.generate.checks import Values, read
from logs.generate.exact import percent, table

PARTS = ("image", "video", "temporal", "physical", "social", "abstract")


def _mcnemar(b: int, c: int) -> Fraction:
    """Return the exact two-sided p of McNemar's test."""
    tail = sum(comb(b + c, k) for k in range(min(b, c) + 1))
    return min(Fraction(1), Fraction(2 * tail, 2 ** (b + c)))


def _pairs(rows: pl.DataFrame) -> pl.DataFrame:
    """Return one row per agent run x task: the agent's credit and the three single-call attempts."""
    agent = rows.filter(pl.col("condition").str.starts_with("harness="))
    single = rows.filter(pl.col("condition").is_null() & (pl.col("kind") == "model"))
    attempts = single.group_by("model", "item_id").agg(
        pl.col("credit").sum().cast(pl.Int64).alias("passes"),
        pl.col("credit").filter(pl.col("attempt") == 1).first().alias("first"),
    )
    return agent.join(attempts, on=["model", "item_id"])


def _table2(pairs: pl.DataFrame) -> Values:
    """Return Tables 2 and 9: raw is the mean of three attempts, wins and losses take their majority."""
    out: Values = {}
    for row in table("hss_table2_agentic"):
        mine = pairs.filter(pl.col("model") == row["base_model"])
        key = f"{row['harness']} / {row['base_model']}"
        n = mine.height

        def gain(part: pl.DataFrame) -> Fraction:
            return percent(Fraction(part["credit"].sum()) - Fraction(int(part["passes"].sum()), 3), part.height)

        for file in ("hss_table2_agentic", "hss_table9_harness_pairs"):
            out[file, key, "raw"] = percent(Fraction(int(mine["passes"].sum()), 3), n)
            out[file, key, "agent"] = percent(Fraction(mine["credit"].sum()), n)
            out[file, key, "delta"] = gain(mine)
            out[file, key, "thinking_tokens"] = Fraction(int(mine["output_tokens"].sum()), n)
        for part in PARTS:
            inside = mine.filter((pl.col("capability") == part) | (pl.col("media_type") == part))
            out["hss_table2_agentic", key, f"delta_{part}"] = gain(inside)
        out["hss_table2_agentic", key, "steps"] = Fraction(median(mine["steps"].to_list()))
        win = mine.filter((pl.col("credit") == 1) & (pl.col("passes") < 2)).height
        loss = mine.filter((pl.col("credit") == 0) & (pl.col("passes") >= 2)).height
        nine = ("hss_table9_harness_pairs", key)
        out[*nine, "win"], out[*nine, "loss"] = Fraction(win), Fraction(loss)
        out[*nine, "p_value"] = _mcnemar(win, loss)
        out[*nine, "blank"] = Fraction(mine.filter(pl.col("status") == "invalid_format").height)
        out[*nine, "n_tasks"] = Fraction(n)
        name = {"Claude-Opus-5": "opus", "Claude-Fable-5.1": "fable"}.get(row["base_model"])
        if name is not None:
            for word, credit in (("solved", 1), ("failed", 0)):
                steps = mine.filter(pl.col("credit") == credit)["steps"].to_list()
                out["hss_prose", f"steps_{word}_{name}", "value"] = Fraction(median(steps))
    return out


def _table8(pairs: pl.DataFrame) -> Values:
    """Return Table 8 and the three-attempt gains that the prose names, on the 387 tasks."""
    out: Values = {}
    gains = {"patterns_pareidolia": "patterns", "retrodiction": "retrodiction", "spatial_reachability": "reachability"}
    for (name,), part in pairs.group_by("subcapability"):
        n, agent = part.height, Fraction(part["credit"].sum())
        single = Fraction(part["first"].sum())
        key = ("hss_table8_agentic_subdomains", str(name))
        out[*key, "n"], out[*key, "single"] = Fraction(n), percent(single, n)
        out[*key, "agentic"], out[*key, "delta"] = percent(agent, n), percent(agent - single, n)
        if name in gains:
            three = percent(agent - Fraction(int(part["passes"].sum()), 3), n)
            out["hss_prose", f"agentic_{gains[str(name)]}_gain", "value"] = three
    return out


def _table7(root: Path, pairs: pl.DataFrame) -> Values:
    """Return Table 7 and Figure 4: causes of failed first attempts and of failed agent runs on the 387 tasks."""
    labels = read(root / "hss", "failure_labels").select("run_id", "item_id", "family", "cause")
    runs = read(root / "hss", "runs").select("run_id", "model", "condition")
    labels = labels.join(runs, on="run_id")
    key = ["model", "item_id"]
    single = labels.filter(pl.col("condition").is_null()).join(pairs.select(*key, "credit"), on=key)
    agent = labels.filter(pl.col("condition").str.starts_with("harness=")).join(pairs.select(key), on=key)
    out: Values = {}
    for (family, cause), part in single.group_by("family", "cause"):
        before, after = part.height, agent.filter(pl.col("cause") == cause).height
        fixed = part.filter(pl.col("credit") == 1).height
        row = ("hss_table7_agentic_failures", f"{family} / {cause}")
        out[*row, "single"], out[*row, "agentic"] = Fraction(before), Fraction(after)
        out[*row, "delta_pct"], out[*row, "fixed_pct"] = percent(after - before, before), percent(fixed, before)
        out["hss_figure4_agentic", str(cause), "single"] = Fraction(before)
        out["hss_figure4_agentic", str(cause), "agentic"] = Fraction(after)
    out["hss_prose", "agentic_single_failures", "value"] = Fraction(single.height)
    out["hss_prose", "agentic_agent_failures", "value"] = Fraction(agent.height)
    return out


def _ranges(found: Values) -> Values:
    """Return the ranges of gains and steps that the text gives per harness."""
    out: Values = {}
    for column, word in (("delta", "gain"), ("steps", "steps")):
        for harness in ("Claude Code", "Codex"):
            mine = [
                value
                for (file, row, name), value in found.items()
                if file == "hss_table2_agentic" and row.startswith(f"{harness} /") and name == column
            ]
            key = f"{harness.lower().replace(' ', '_')}_{word}"
            out["hss_prose", f"{key}_low", "value"] = min(mine)
            out["hss_prose", f"{key}_high", "value"] = max(mine)
    return out


def agent_values(root: Path, rows: pl.DataFrame) -> Values:
    """Return every figure about the agent runs."""
    pairs = _pairs(rows)
    tags = read(root / "hss", "item_tags")
    paired = tags.filter(pl.col("tag") == "agentic_387")["item_id"]
    inner = pairs.filter(pl.col("item_id").is_in(paired.to_list()))
    out = _table2(pairs) | _table8(inner) | _table7(root, inner)
    out["hss_prose", "agentic_tasks", "value"] = Fraction(pairs["item_id"].n_unique())
    out["hss_prose", "agentic_paired_tasks", "value"] = Fraction(inner["item_id"].n_unique())
    out["hss_prose", "agentic_pairs", "value"] = Fraction(pairs["run_id"].n_unique())
    return out | _ranges(out)
