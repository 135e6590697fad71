"""Re-aggregate the PsycheMME rows with exact fractions, figure by figure."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import polars as pl

from logs.generate import psycheme_spec as spec
from logs.generate.checks import Values, read
from logs.generate.exact import percent, table

Cells = dict[str, tuple[int, Fraction, Fraction]]  # capability -> n, raw sum, verified sum


def _cells(rows: pl.DataFrame) -> Cells:
    """Sum raw and verified credit per capability, exactly."""
    columns = ["capability", "credit", "coverage", "evidence", "logic"]
    out: Cells = {}
    for capability, credit, coverage, evidence, logic, count in rows.group_by(columns).len().iter_rows():
        n, raw, verified = out.get(capability, (0, Fraction(), Fraction()))
        earned = Fraction(credit) * count
        kept = earned * spec.COVERAGE[coverage] * spec.EVIDENCE[evidence] * spec.LOGIC[logic] if earned else earned
        out[capability] = (n + count, raw + earned, verified + kept / Fraction(144, 100))
    return out


def _macro(cells: Cells, which: int) -> Fraction:
    """Return the mean over capabilities of raw (1) or verified (2) credit, in percent."""
    means = [percent(cell[which], cell[0]) for cell in cells.values()]
    return sum(means, Fraction()) / len(means)


def _micro(cells: Cells, which: int) -> Fraction:
    return percent(sum((cell[which] for cell in cells.values()), Fraction()), sum(cell[0] for cell in cells.values()))


def _scores(main: dict[str, Cells], other: dict[tuple[str, str], Cells]) -> Values:
    """Return the values of Tables 2 to 4 and of the adaptation."""
    out: Values = {}

    def macros(file: str, row: str, cells: Cells) -> None:
        out[file, row, "raw_macro"] = _macro(cells, 1)
        out[file, row, "verified_macro"] = _macro(cells, 2)

    for model, cells in main.items():
        macros("psycheme_table2", model, cells)
        macros("psycheme_selected", model, cells)
        macros("psycheme_table3_input_ablation", f"full / {model}", cells)
        for name, (n, _, verified) in cells.items():
            out["psycheme_table2", model, name] = percent(verified, n)
    macros("psycheme_adaptation", "Base", main["Qwen3.5-4B"])
    for (model, condition), cells in other.items():
        kind, value = condition.split("=")
        if kind == "checkpoint":
            macros("psycheme_adaptation", value, cells)
        elif kind == "input":
            macros("psycheme_table3_input_ablation", f"{value} / {model}", cells)
        else:
            out["psycheme_table4_memory", f"{value}_history", "raw_micro"] = _micro(cells, 1)
            out["psycheme_table4_memory", f"{value}_history", "verified_micro"] = _micro(cells, 2)
    return out


def _votes(rows: pl.DataFrame) -> dict[str, Fraction]:
    """Recount oracle, plurality and best single run of the proprietary panel from the chosen letters."""
    timing = rows.filter((pl.col("access") == "proprietary") & (pl.col("capability") == "timing"))
    right, oracle = Fraction(), 0
    for _, item in timing.group_by("item_id"):
        ballots = Counter(item["answer"].drop_nulls().to_list())
        top = max(ballots.values())
        first = [letter for letter, votes in ballots.items() if votes == top]
        reference = item["reference"][0]
        right += Fraction(1, len(first)) if reference in first else 0
        oracle += reference in ballots
    singles = timing.group_by("run_id").agg(pl.col("credit").sum())["credit"].to_list()
    n = timing["item_id"].n_unique()
    best = percent(Fraction(max(singles)), n)
    return {"timing_oracle": percent(oracle, n), "timing_plurality": percent(right, n), "timing_best_single": best}


def _findings(frozen: pl.DataFrame, main: dict[str, Cells], other: dict[tuple[str, str], Cells]) -> Values:
    """Return the values of the findings in prose."""
    found = _votes(frozen)
    right = frozen.filter((pl.col("answer_type") == "single_choice") & (pl.col("credit") == 1))
    for key, where in (("timing", pl.col("capability") == "timing"), ("other", pl.col("capability") != "timing")):
        part = right.filter(where)
        found[f"{key}_weak_share"] = percent(part.filter(pl.col("evidence") != "supported").height, part.height)
    need = frozen.filter((pl.col("capability") == "need") & (pl.col("answer_type") == "open"))
    found["need_open_questions"] = Fraction(need["item_id"].n_unique())
    for key, model in (("gemini", "Gemini 3.6 Flash"), ("claude", "Claude Opus 5")):
        part = need.filter(pl.col("model") == model)
        found[f"need_{key}_full_credit"] = percent(part.filter(pl.col("credit") == 1).height, part.height)
        found[f"need_{key}_verified"] = percent(main[model]["need"][2], main[model]["need"][0])
    for key, model in (("qwen3_5_9b", "Qwen3.5-9B"), ("minicpm_v4_5", "MiniCPM-V4.5")):
        whole = _macro(main[model], 1)
        found[f"question_only_gain_{key}"] = whole - _macro(other[model, "input=question_only"], 1)
        found[f"asr_gain_{key}"] = whole - _macro(other[model, "input=visual_only"], 1)
    matched, without = other["Qwen3.5-9B", "history=matched"], other["Qwen3.5-9B", "history=no"]
    found["matched_history_gain_raw"] = _micro(matched, 1) - _micro(without, 1)
    found["matched_history_gain_verified"] = _micro(matched, 2) - _micro(without, 2)
    return {("psycheme_findings", key, "value"): value for key, value in found.items()}


def _counts(folder: Path, rows: pl.DataFrame) -> Values:
    """Return the counts of items, episodes, runs, annotators and endorsements."""
    items, tags, runs = (read(folder, name) for name in ("items", "item_tags", "runs"))
    verdicts = read(folder, "verdicts")
    model = pl.col("kind") == "model"
    main = runs.filter(model & pl.col("condition").is_null())
    adapted = runs.filter(pl.col("condition").str.starts_with("checkpoint="))
    composition = {
        "questions": items.height,
        "episodes": items["cluster"].n_unique(),
        "capabilities": items["capability"].n_unique(),
        "choice_questions": items.filter(pl.col("answer_type") != "open").height,
        "open_questions": items.filter(pl.col("answer_type") == "open").height,
        "frozen_models": main.height,
        "proprietary_models": main.filter(pl.col("access") == "proprietary").height,
        "open_weight_models": main.filter(pl.col("access") == "open-weight").height,
        "adapted_checkpoints": adapted.height,
        "released_score_rows": rows.filter(
            pl.col("run_id").is_in(main["run_id"].to_list() + adapted["run_id"].to_list())
        ).height,
    }
    human = rows.filter(pl.col("kind") == "human")
    means = human.group_by("capability").agg(pl.col("credit").sum(), pl.len().alias("n"))
    shares = [percent(Fraction(credit), n) for _, credit, n in means.iter_rows()]
    endorsed = verdicts.filter(pl.col("on_judge") != "")
    met = endorsed.filter("met").height
    people: dict[str, int | Fraction] = {
        "human_reference / annotators": human["attempt"].n_unique(),
        "human_reference / questions": human["item_id"].n_unique(),
        "human_reference / responses": human.height,
        "human_reference / raw_micro": percent(Fraction(human["credit"].sum()), human.height),
        "human_reference / raw_macro": sum(shares, Fraction()) / len(shares),
        "judge_review / experts": endorsed["judge_id"].n_unique(),
        "judge_review / cases": endorsed.select("run_id", "item_id").n_unique(),
        "judge_review / decisions": endorsed.height,
        "judge_review / endorsed": met,
        "judge_review / endorsed_share": percent(met, endorsed.height),
    }
    out: Values = {("psycheme_composition", key, "value"): Fraction(value) for key, value in composition.items()}
    out |= {("psycheme_people", key, "value"): Fraction(value) for key, value in people.items()}
    for name, count in items.group_by("capability").len().iter_rows():
        out["psycheme_capabilities", name, "n_questions"] = Fraction(count)
    for row in table("psycheme_table4_memory"):
        history = f"history={row['condition'].removesuffix('_history')}"
        part = rows.filter(pl.col("condition") == history).join(items.select("item_id", "cluster"), on="item_id")
        key = ("psycheme_table4_memory", row["condition"])
        out[*key, "n_questions"] = Fraction(part["item_id"].n_unique())
        out[*key, "n_episodes"] = Fraction(part["cluster"].n_unique())
        out[*key, "seeds"] = Fraction(part["attempt"].n_unique())
    if set(tags.filter(pl.col("tag") == "human_300")["item_id"]) != set(human["item_id"]):
        raise ValueError("the human run does not cover its scope")
    return out


def psycheme_values(root: Path) -> Values:
    """Return the value that the rows give for every printed figure of PsycheMME that they carry."""
    folder = root / "psycheme"
    runs = read(folder, "runs").select("run_id", "model", "access", "kind", "condition")
    items = read(folder, "items").select("item_id", "capability", "answer_type", "reference")
    rows = read(folder, "responses").join(runs, on="run_id").join(items, on="item_id")
    main: dict[str, Cells] = {}
    other: dict[tuple[str, str], Cells] = {}
    for (model, condition), part in rows.filter(pl.col("kind") == "model").group_by("model", "condition"):
        if condition is None:
            main[str(model)] = _cells(part)
        else:
            other[str(model), str(condition)] = _cells(part)
    frozen = rows.filter(pl.col("condition").is_null() & (pl.col("kind") == "model"))
    return _scores(main, other) | _findings(frozen, main, other) | _counts(folder, rows)
