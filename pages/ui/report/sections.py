"""The sections on one benchmark: leaderboard, profiles, significance and judges, each with its figure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import polars as pl

from analytics.questions import question
from analytics.slices import Slice, dimensions
from analytics.usual_contrast import Contrast, first_against_rest, in_words, parts_of, published, spelled
from pages.ui.charts.forest import forest
from pages.ui.charts.heatmap import Measure, heatmap
from pages.ui.charts.intervals import interval_plot, names
from pages.ui.charts.labels import level_order, run_names, spoken
from pages.ui.charts.matrix import Cell, matrix, mirrored
from pages.ui.report.figures import Drawn
from pages.ui.report.parts import Part, Setting, options_of, part

LEADERBOARD = (
    "rank", "model", "raw", "raw_low", "raw_high", "verified", "verified_low", "verified_high", "gap", "kind", "regime",
    "condition", "scope", "rank_low", "rank_high", "tie_group", "n", "declared", "hidden", "failed", "unjudged",
    "partial", "small_n", "tokens", "run", "provenance", "determined",
)  # fmt: skip
PROFILES = (
    "model", "value", "raw", "raw_low", "raw_high", "verified", "verified_low", "verified_high", "rank", "to_best",
    "to_human", "n", "declared", "hidden", "failed", "unjudged", "small_n", "kind", "condition", "run", "provenance",
    "determined",
)  # fmt: skip
CONTRAST = (
    "model", "kind", "condition", "difference", "low", "high", "p_holm", "significant", "p", "rate_first",
    "rate_second", "k_first", "n_first", "k_second", "n_second", "odds_ratio", "odds_low", "odds_high", "m", "family",
    "alternative", "reason", "method", "run", "determined",
)  # fmt: skip
PAIRS = (
    "a", "b", "difference", "low", "high", "p_mcnemar_holm", "p_permutation_holm", "only_a", "only_b", "both",
    "neither", "n", "p_mcnemar", "p_permutation", "m_mcnemar", "m_permutation", "mean_a", "mean_b", "n_either",
    "reason", "method", "determined",
)  # fmt: skip
JUDGES = (
    "rater_a", "rater_b", "kappa", "kappa_low", "kappa_high", "agreement", "expected", "ac1", "n", "category",
    "prevalence_a", "prevalence_b", "missing_a", "missing_b", "missing_both", "condition", "reason", "determined",
)  # fmt: skip

ALPHA = 0.05
MOST_RUNS = 40
"""Runs that a matrix of pairs is drawn for; with more its cells are too small to read."""

MOST_CELLS = 2_000
"""Cells that a heat map is drawn for."""

RATERS = {
    "judges": "Judges", "reviewers": "Reviewers of a judge", "preferences": "Judges of pairs",
    "annotators": "Human annotators",
}  # fmt: skip
READINGS = ["differs after Holm", "could be chance", "outside the family"]
RANKED_APART = ("scope", "regime", "condition")


@dataclass(frozen=True, slots=True)
class Section:
    """One heading of the report and the parts below it."""

    title: str
    parts: tuple[Part, ...]


def sections(setting: Setting, chosen: Slice, benchmark: str) -> tuple[Section, ...]:
    """Return the sections on one benchmark version, whose name the slice holds."""
    board, order = leaderboard(setting, chosen)
    return (
        Section("Leaderboard", (board,)),
        Section("Capability profiles", (profiles(setting, chosen, order),)),
        Section("Significance", (contrast(setting, chosen, benchmark), pairs(setting, chosen, order))),
        Section("Judges", judges(setting, chosen)),
    )


def by_of(setting: Setting, name: str) -> str:
    """Return the credit that a question ranks by here."""
    return str(options_of(setting, question(name), {})["by"])


def ranked(table: pl.DataFrame, by: str) -> pl.DataFrame:
    """Return the rows of runs as the leaderboard has them: models first, high credit first."""
    return table.sort(pl.col("kind") != "model", by, "run", descending=[False, True, False], nulls_last=True)


def main_runs(table: pl.DataFrame) -> pl.DataFrame:
    """Return the runs without a varied condition; all where every run has one."""
    main = table.filter(pl.col("condition") == "none")
    return table if main.is_empty() else main


def rankings(table: pl.DataFrame, by: str) -> list[pl.DataFrame]:
    """Return the groups of comparable runs, each by credit; main runs first, of the others large groups first."""
    groups = table.partition_by(RANKED_APART, maintain_order=True)
    groups.sort(key=lambda group: (group["condition"][0] != "none", -group.height))
    return [ranked(group, by) for group in groups]


def leaderboard(setting: Setting, chosen: Slice) -> tuple[Part, list[str]]:
    """Return the ranking, whose figure has its first group of comparable runs, and the runs in its order."""
    by = by_of(setting, "leaderboard")

    def draw(table: pl.DataFrame) -> tuple[Drawn, str] | None:
        groups = rankings(table, by)
        held = groups[0].filter(pl.col(by).is_not_null())
        if held.is_empty():
            return None
        title = f"{by} credit, {held['average'][0]} mean (%)"
        words = f"Interval plot of {held.height} runs by {by} credit; highest: {names(held.head(1))[0]}."
        if len(groups) > 1:
            words += " Runs of another population, input regime or condition are ranked apart, in the table."
        return interval_plot(held, by=by, title=title), words

    shown, answer = part(
        setting, "leaderboard", chosen, columns=LEADERBOARD, draw=draw, order=lambda t: pl.concat(rankings(t, by))
    )
    return shown, [] if answer is None else pl.concat(rankings(answer.table, by))["run"].to_list()


def profiles(setting: Setting, chosen: Slice, order: list[str]) -> Part:
    """Return the credit of each run by value of the primary slice, or of the key that the report was given."""
    options = options_of(setting, question("profiles"), {})
    by, level = str(options["by"]), spoken(str(options["level_of"]))

    def draw(table: pl.DataFrame) -> tuple[Drawn, str] | None:
        held = main_runs(table).filter(pl.col(by).is_not_null())
        if held.is_empty() or held.height > MOST_CELLS:
            return None
        held = held.join(run_names(held), on="run", how="left")
        named = dict(held.select("run", "name").iter_rows())
        figure = heatmap(
            held,
            measure=Measure(by, f"{by} credit (%)"),
            runs=[named[run] for run in order if run in named],
            levels=level_order(held),
            level_title=level,
        )
        return figure, f"Heat map of {len(named)} runs by {held['value'].n_unique()} values of {level}."

    return part(setting, "profiles", chosen, columns=PROFILES, draw=draw)[0]


def contrast_of(setting: Setting, benchmark: str) -> Contrast | None:
    """Return the contrast of a benchmark: a paper's own, else the first part of its items against the others."""
    with setting.store.cursor() as cursor:
        table = dimensions(cursor, benchmarks=[benchmark])
    values = {str(key): group["value"].to_list() for (key,), group in table.group_by(["key"], maintain_order=True)}
    alternative = str(question("significance").option("alternative").initial)
    return published(parts_of(values), benchmark) or first_against_rest(values, alternative)


def contrast(setting: Setting, chosen: Slice, benchmark: str) -> Part:
    """Return the contrast of two groups of items within each run."""
    asked, options, title = question("significance"), {}, question("significance").title
    if not {"first", "second"} & set(setting.given):
        usual = contrast_of(setting, benchmark)
        if usual is None:
            why = f"The items differ in no key of a slice. It needs a log with {asked.needs}."
            return Part(asked.name, asked.title, asked.asks, lacking=why)
        options = {"first": spelled(usual.first), "second": spelled(usual.second), "alternative": usual.alternative}
        title = f"{in_words(usual.first)} against {in_words(usual.second)}"
    return part(setting, "significance", chosen, columns=CONTRAST, draw=draw_contrast, options=options, title=title)[0]


def draw_contrast(table: pl.DataFrame) -> tuple[Drawn, str] | None:
    """Return the forest plot of the differences within each run."""
    held = table.filter(pl.col("difference").is_not_null())
    if held.is_empty():
        return None
    reading = (
        pl.when(pl.col("significant").is_null()).then(pl.lit(READINGS[2]))
        .when("significant").then(pl.lit(READINGS[0])).otherwise(pl.lit(READINGS[1]))
    )  # fmt: skip
    held = held.join(run_names(held), on="run", how="left").with_columns(reading=reading)
    order = held.sort(pl.col("kind") != "model", "difference", descending=[False, True])["name"].to_list()
    figure = forest(
        held, value="difference", label="name", order=order, title="first minus second (points)", fields=["run"],
        group="reading", groups=READINGS, tips={}, scale=100, zero=True,
    )  # fmt: skip
    return figure, f"Forest plot of {held.height} runs: difference of the two groups with its interval."


def pairs(setting: Setting, chosen: Slice, order: list[str]) -> Part:
    """Return every two runs on the items that both have."""
    return part(setting, "pairwise", chosen, columns=PAIRS, draw=partial(draw_pairs, order=order))[0]


def draw_pairs(table: pl.DataFrame, *, order: list[str]) -> tuple[Drawn, str] | None:
    """Return the matrix of differences; grey where the paired test, adjusted, could be chance."""
    runs = list(dict.fromkeys([*table["a"], *table["b"]]))
    held = table.filter(pl.col("difference").is_not_null())
    if held.is_empty() or len(runs) > MOST_RUNS:
        return None
    adjusted = pl.coalesce("p_mcnemar_holm", "p_permutation_holm")
    shared = common_start(runs)
    held = held.with_columns(
        sure=(adjusted <= ALPHA).fill_null(value=False),
        name_a=pl.col("a").str.strip_prefix(shared),
        name_b=pl.col("b").str.strip_prefix(shared),
    )
    swaps = [("a", "b"), ("name_a", "name_b"), ("only_a", "only_b"), ("mean_a", "mean_b"), ("low", "high")]
    both = mirrored(held, swaps=swaps, signed=["difference", "low", "high"])
    named = dict(both.select("a", "name_a").iter_rows())
    cell = Cell("difference", "row minus column (points)", scale=100, digits=1, middle=True)
    figure = matrix(
        both, cell=cell, row="name_a", column="name_b", order=[named[run] for run in order if run in named],
        fields=["a", "b"], tips={}, sure="sure",
    )  # fmt: skip
    return figure, f"Matrix of {held.height} pairs of runs: {cell.title}; grey: adjusted p above {ALPHA}."


def common_start(runs: list[str]) -> str:
    """Return what the ids of all runs start with, up to a slash: a figure need not repeat it."""
    first = runs[0].rpartition("/")[0] + "/" if "/" in runs[0] else ""
    while first and not all(run.startswith(first) and run != first for run in runs):
        first = first[:-1].rpartition("/")[0] + "/" if "/" in first[:-1] else ""
    return first


def judges(setting: Setting, chosen: Slice) -> tuple[Part, ...]:
    """Return the agreement of each kind of rater that the slice has two of."""
    held, answer = part(setting, "raters", chosen, columns=("raters", "size", "groups", "rows"))
    sizes = {} if answer is None else dict(answer.table.select("raters", "size").iter_rows())
    kinds = [str(setting.given["raters"])] if "raters" in setting.given else list(RATERS)
    found = [kind for kind in kinds if sizes.get(kind, 0) > 1]
    if not found:
        asked = question("judges")
        why = f"There are no two raters to compare. It needs a log with {asked.needs}."
        return (Part(asked.name, asked.title, asked.asks, lacking=why), *([held] if sizes else []))
    return tuple(
        part(
            setting, "judges", chosen, columns=JUDGES, draw=draw_judges, options={"raters": kind},
            title=RATERS.get(kind, kind.capitalize()),
        )[0]
        for kind in found
    )  # fmt: skip


def draw_judges(table: pl.DataFrame) -> tuple[Drawn, str] | None:
    """Return kappa with its interval for each pair of raters."""
    held = table.filter(pl.col("kappa").is_not_null())
    if held.is_empty() or held.height > MOST_RUNS:
        return None
    shared = common_start([*held["rater_a"], *held["rater_b"]])
    rows = held.with_columns(
        pair=pl.format(
            "{} \u00b7 {}", pl.col("rater_a").str.strip_prefix(shared), pl.col("rater_b").str.strip_prefix(shared)
        ),
        low="kappa_low",
        high="kappa_high",
        reading=pl.lit("kappa"),
    )
    figure = forest(
        rows, value="kappa", label="pair", order=rows.sort("kappa", descending=True)["pair"].to_list(),
        title="Cohen's kappa", fields=["rater_a", "rater_b"], group="reading", groups=["kappa"], scale=1, zero=False,
        tips={},
    )  # fmt: skip
    return figure, f"Forest plot of {held.height} pairs of raters: Cohen's kappa with its interval."


ASKED: tuple[str, ...] = ("leaderboard", "profiles", "significance", "pairwise", "raters", "judges")
"""Questions of the sections."""
