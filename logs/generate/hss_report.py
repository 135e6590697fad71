"""Re-aggregate the rows of Humanity's Sixth Sense: Table 1, composition, sweeps, people and blind control."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from pathlib import Path

import polars as pl

from logs.generate.checks import Values, read
from logs.generate.exact import percent, table
from logs.generate.hss_report_agents import agent_values
from logs.generate.hss_report_causes import cause_values
from logs.generate.hss_report_judges import judge_values

DOMAINS = ("temporal", "physical", "social", "abstract")
MEDIA = ("image", "video")
Sixths = pl.DataFrame  # one row per run x task: sixths of a task passed, over its usable attempts


def load(root: Path) -> pl.DataFrame:
    """Return every response with its run and item columns."""
    folder = root / "hss"
    runs = read(folder, "runs").select("run_id", "model", "vendor", "kind", "condition", "scope")
    items = read(folder, "items").select("item_id", "capability", "subcapability", "media_type")
    return read(folder, "responses").join(runs, on="run_id").join(items, on="item_id")


def task_means(rows: pl.DataFrame) -> Sixths:
    """Return the mean over usable attempts of each run x task, in sixths of a task; tasks without any are dropped."""
    usable = rows.filter(pl.col("credit").is_not_null())
    keys = ["model", "condition", "item_id", "capability", "subcapability", "media_type"]
    sums = usable.group_by(keys).agg(pl.col("credit").sum().cast(pl.Int64).alias("passes"), pl.len().alias("attempts"))
    return sums.with_columns((6 * pl.col("passes") // pl.col("attempts")).alias("sixths"))


def mean(tasks: Sixths) -> Fraction:
    """Return pass@1 in percent."""
    return percent(Fraction(int(tasks["sixths"].sum()), 6), tasks.height)


def _part(tasks: Sixths, part: str) -> Sixths:
    if part == "all":
        return tasks
    return tasks.filter((pl.col("capability") == part) | (pl.col("media_type") == part))


def half_width(tasks: Sixths) -> Fraction:
    """Return the half-width of the 95 % interval over tasks in percentage points, by the normal approximation.

    The paper resamples tasks; with hundreds of tasks both agree to a few hundredths of a point.
    """
    n, total = tasks.height, int(tasks["sixths"].sum())
    variance = Fraction(int((tasks["sixths"] ** 2).sum()), n) - Fraction(total, n) ** 2
    return Fraction(100 / 6 * 1.96 * sqrt(variance / n))


def _table1(rows: pl.DataFrame, tasks: Sixths) -> tuple[Values, dict[str, dict[str, Fraction]]]:
    """Return the values of Table 1 and Figure 1, and the scores of the 25 models by part."""
    out: Values = {}
    scores: dict[str, dict[str, Fraction]] = {}
    names = {("Human", None): "Human baseline", ("GPT-6-astra", "input=blind"): "GPT-6-astra [blind]"}
    shown = tasks.filter(pl.col("condition").is_null() | (pl.col("condition") == "input=blind"))
    for (model, condition), mine in shown.group_by("model", "condition"):
        name = names.get((str(model), condition), str(model))
        parts = {part: mean(_part(mine, part)) for part in ("all", *MEDIA, *DOMAINS)}
        for part, value in parts.items():
            out["hss_table1", name, "pass_at_1" if part == "all" else part] = value
        out["hss_figure1_leaderboard", name, "pass_at_1"] = parts["all"]
        out["hss_table1", name, "ci_half_width"] = half_width(mine)
        if name not in names.values():
            scores[name] = parts
    for row in table("hss_table1"):
        if row["thinking_tokens"]:
            blind = row["model"].endswith("[blind]")
            where = pl.col("condition") == "input=blind" if blind else pl.col("condition").is_null()
            mine = rows.filter((pl.col("model") == row["model"].removesuffix(" [blind]")) & where)
            written = mine["output_tokens"].drop_nulls()
            wanted = int(row["thinking_tokens"]) + int(row["answer_tokens"])
            if int(written.sum()) != wanted * len(written):
                raise ValueError(f"{row['model']}: the mean of tokens written is not {wanted}")
    return out, scores


def _composition(root: Path) -> Values:
    folder = root / "hss"
    items = read(folder, "items")
    counts = read(folder, "criteria").group_by("item_id").len().rename({"len": "criteria"})
    items = items.join(counts, on="item_id")
    out: Values = {}
    parts = [("hss_composition_domains", "all", items)]
    parts += [("hss_composition_domains", str(d), part) for (d,), part in items.group_by("capability")]
    parts += [("hss_composition", f"{d} / {s}", part) for (d, s), part in items.group_by("capability", "subcapability")]
    for file, key, part in parts:
        out[file, key, "tasks"] = Fraction(part.height)
        out[file, key, "criteria"] = Fraction(int(part["criteria"].sum()))
        for media in MEDIA:
            out[file, key, media] = Fraction(part.filter(pl.col("media_type") == media).height)
    single = items.filter(pl.col("criteria") == 1).height
    out["hss_prose", "criteria_per_task", "value"] = Fraction(int(items["criteria"].sum()), items.height)
    out["hss_prose", "single_criterion_share", "value"] = percent(single, items.height)
    out["hss_figure8_pipeline", "review_3", "left"] = Fraction(items.height)
    return out


def _effort(tasks: Sixths) -> Values:
    """Return Table 10, its differences, Figure 5's steps and the domain gains of Appendix G."""
    out: Values = {}
    rows = table("hss_table10_effort")
    levels: dict[str, list[str]] = {}
    for row in rows:
        mine = levels.setdefault(row["model"], [])
        if row["effort"] not in mine:
            mine.append(row["effort"])
    curves: dict[tuple[str, str], list[Fraction]] = {}
    for model, efforts in levels.items():
        for name in {row["subdomain"] for row in rows} | set(DOMAINS):
            curve = []
            for effort in efforts:
                part = tasks.filter((pl.col("model") == model) & (pl.col("condition") == f"effort={effort}"))
                part = part.filter((pl.col("subcapability") == name) | (pl.col("capability") == name))
                curve.append(mean(part))
            curves[model, name] = curve
            if name in DOMAINS:
                out["hss_effort_domain_gains", f"{model} / {name}", "gain"] = curve[-1] - curve[0]
                continue
            for position, effort in enumerate(efforts):
                key = f"{model} / {name} / {effort}"
                out["hss_table10_effort", key, "accuracy_pct"] = curve[position]
                out["hss_figure5_effort_steps", key, "accuracy_pct"] = curve[position]
                if position:
                    out["hss_figure5_effort_steps", key, "step"] = curve[position] - curve[position - 1]
            out["hss_table10_effort_deltas", f"{model} / {name}", "delta"] = curve[-1] - curve[0]
    cells = {key: curve for key, curve in curves.items() if key[1] not in DOMAINS}
    domains = {key: curve for key, curve in curves.items() if key[1] in DOMAINS}
    lower = sum(c[-1] < c[0] for (model, _), c in cells.items() if model == "Gemini-3.8-flash")
    out["hss_prose", "effort_not_better_cells", "value"] = Fraction(sum(c[-1] <= c[0] for c in cells.values()))
    out["hss_prose", "effort_lower_cells_gemini", "value"] = Fraction(lower)
    highest = sum(c[-1] == max(c) for c in domains.values())
    out["hss_prose", "effort_best_at_highest", "value"] = Fraction(highest)
    return out


def _frames(tasks: Sixths) -> Values:
    out: Values = {}
    curves: dict[str, dict[int, Fraction]] = {}
    swept = tasks.filter(pl.col("condition").str.starts_with("frames="))
    halves = []
    for (model, condition), part in swept.group_by("model", "condition"):
        frames = int(str(condition).removeprefix("frames="))
        curves.setdefault(str(model), {})[frames] = mean(part)
        out["hss_table11_frames", f"{model} / {frames}", "pass_at_1"] = mean(part)
        halves.append(half_width(part))
    for model, curve in curves.items():
        key = ("hss_table11_frame_gains", model)
        out[*key, "delta"] = curve[500] - curve[10]
        out[*key, "step_10_100"] = curve[100] - curve[10]
        out[*key, "step_100_500"] = curve[500] - curve[100]
        best = max(curve.values())
        out[*key, "best_frames"] = Fraction(min(f for f, share in curve.items() if share == best))
    out["hss_prose", "frames_interval_half_width", "value"] = sum(halves, Fraction()) / len(halves)
    return out


def _prose(rows: pl.DataFrame, tasks: Sixths, scores: dict[str, dict[str, Fraction]]) -> Values:
    """Return the figures of Section 3.1 and of the blind control."""
    n = len(scores)
    drops = [s["image"] - s["video"] for s in scores.values()]
    others = {m: [s[d] for d in DOMAINS if d != "social"] for m, s in scores.items()}
    vendors = rows.filter(pl.col("kind") == "model")["vendor"].n_unique()
    blind = tasks.filter(pl.col("condition") == "input=blind")
    human = rows.filter(pl.col("kind") == "human")
    found = {
        "models": Fraction(n),
        "vendors": Fraction(vendors),
        "attempts": Fraction(rows.filter(pl.col("condition").is_null())["attempt"].n_unique()),
        "video_drop_models": Fraction(sum(drop > 0 for drop in drops)),
        "video_drop_points": sum(drops, Fraction()) / n,
        "social_lowest_models": Fraction(sum(s["social"] < min(others[m]) for m, s in scores.items())),
        "social_average": sum((s["social"] for s in scores.values()), Fraction()) / n,
        "other_domains_average": sum((sum(o, Fraction()) / 3 for o in others.values()), Fraction()) / n,
        "blind_all_attempts": Fraction(blind.filter(pl.col("sixths") == 6).height),
        "blind_at_least_once": Fraction(blind.filter(pl.col("sixths") > 0).height),
        "unsure_share": percent(human.filter(pl.col("confidence") == 0).height, human.height),
    }
    out: Values = {("hss_prose", key, "value"): value for key, value in found.items()}
    for name, part in (
        ("sure", human.filter(pl.col("confidence") == 1)),
        ("unsure", human.filter(pl.col("confidence") == 0)),
        ("all", human),
    ):
        out["hss_human_confidence", name, "n"] = Fraction(part.height)
        out["hss_human_confidence", name, "accuracy_pct"] = percent(Fraction(part["credit"].sum()), part.height)
    return out


def hss_values(root: Path) -> Values:
    """Return the value that the rows give for every printed figure of the paper that they carry."""
    rows = load(root)
    tasks = task_means(rows)
    main, scores = _table1(rows, tasks)
    out = main | _composition(root) | _effort(tasks) | _frames(tasks) | _prose(rows, tasks, scores)
    return out | agent_values(root, rows) | cause_values(root, rows) | judge_values(root)
