"""Rationale labels: how well supported are the answers that earn credit?"""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.groups import group_of, predicate, spell
from analytics.numeric.arrays import ratio
from analytics.numeric.bootstrap import percentile_interval
from analytics.numeric.resampling import resampled_sums
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.scores import GRADED
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

KEYS = {"whole": "", "run": ", run", "capability": ", capability", "run_capability": ", run, capability"}

HELD = """
WITH held AS (
    SELECT i.benchmark, r.run_id AS run, i.capability, r.provenance, {group} AS item_group,
           coalesce(i.cluster, 'item ' || i.item_idx) AS unit, i.cluster IS NOT NULL AS shared, i.item_idx,
           g.coverage, g.evidence, g.logic
    FROM (SELECT * FROM {graded}) g
    JOIN item_dims i USING (item_idx)
    JOIN run_dims r USING (run_idx)
    WHERE g.raw IS NOT NULL AND ($credit = 'any' OR g.raw = 1) AND ($attempt_rule = 'mean' OR g.attempt = 1) AND {where}
)
"""

COUNTS = """
SELECT benchmark, item_group{keys}, count(*)::BIGINT AS responses, count(evidence)::BIGINT AS n,
       count(*) FILTER (evidence = 'supported')::BIGINT AS k_supported,
       count(*) FILTER (evidence = 'weak')::BIGINT AS k_weak,
       count(*) FILTER (evidence = 'contradicted')::BIGINT AS k_contradicted,
       count(coverage)::BIGINT AS n_coverage, count(*) FILTER (coverage = 'absent')::BIGINT AS k_absent,
       count(logic)::BIGINT AS n_logic, count(*) FILTER (logic = 'gap')::BIGINT AS k_gap,
       count(*) FILTER (logic = 'broken')::BIGINT AS k_broken,
       count(DISTINCT item_idx)::BIGINT AS items, count(DISTINCT unit)::BIGINT AS units
FROM held GROUP BY benchmark, item_group{keys} ORDER BY benchmark, item_group{keys}
"""

UNITS = """
SELECT benchmark, item_group{keys}, n, weak, count(*)::BIGINT AS times
FROM (SELECT benchmark, item_group{keys}, unit, count(evidence) AS n,
             count(*) FILTER (evidence IN ('weak', 'contradicted')) AS weak
      FROM held WHERE evidence IS NOT NULL GROUP BY benchmark, item_group{keys}, unit)
GROUP BY benchmark, item_group{keys}, n, weak ORDER BY benchmark, item_group{keys}, n, weak
"""

EVERYTHING, REST = "all", "the rest"


def labels(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    per: str,
    against: str,
    credit: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Shares of rationale labels among responses that earn credit, in one group of items or against the rest.

    One row per benchmark version, group, and run or capability where `per` asks for them. `against` spells a group of
    items (capability=timing): then there is a row for the group and one for 'the rest' of the slice; empty takes all
    items together. `credit` is "full" (responses with full raw credit) or "any" (every response with a raw credit).
    `weak_or_contradicted` and the other evidence shares are over the `n` responses with an evidence label, responses of
    all runs pooled; `absent` over those with a coverage label; `broken` and `logic_gap` over those with a logic label.
    `unlabelled` responses have no evidence label and are left out. Slice by answer_type for choice answers alone.

    Interval: percentile bootstrap over items, or clusters where items share one, since responses of several runs to one
    item are not independent. Efron 1979, doi:10.1214/aos/1176344552; labels: the benchmark's rubric.
    Raises EmptySlice when no response of the slice has a label, UnknownName and UnknownValue for a broken `against`.
    """
    where, params = chosen.where()
    group, named = "TRUE", EVERYTHING
    bound: dict[str, object] = {}
    if against:
        asked = group_of(against, option="against")
        group, bound = predicate(cursor, asked, prefix="group")
        named = spell(asked)
    held = HELD.format(graded=GRADED, group=group, where=where)
    bound = params | bound | policy.params() | {"credit": credit}
    keys = KEYS[per]
    counted = frame(cursor, held + COUNTS.format(keys=keys), bound)
    if not counted["n"].sum():
        raise empty(chosen, needs="an evidence label on a response that earns credit")
    by = ["benchmark", "item_group", *filter(None, keys.strip(", ").split(", "))]
    ends = _intervals(frame(cursor, held + UNITS.format(keys=keys), bound), by, level, resamples, seed)
    table = counted.join(ends, on=by, how="left").with_columns(
        group=pl.when("item_group").then(pl.lit(named)).otherwise(pl.lit(REST))
    )
    table = _shares(table.sort(by, descending=[False, True, *[False] * (len(by) - 2)]))
    options = {"per": per, "against": named if against else "", "credit": credit}
    table = table_of(table.to_dicts(), COLUMNS[:-1])
    main = "weak_or_contradicted"
    table = mark(cursor, table, chosen, question="labels", options=options, column=main, policy=policy)
    unit = "clusters of items" if (counted["units"] < counted["items"]).any() else "items"
    method = f"{level:.0%} interval: percentile bootstrap over {unit}, {resamples} resamples, seed {seed}"
    left_out = {"responses without an evidence label": int(table["unlabelled"].sum())}
    return Answer(table, method, left_out, (*note(table), policy.sentence()), seed)


def _shares(table: pl.DataFrame) -> pl.DataFrame:
    """Add shares to counts; null where nothing is counted."""

    def share(count: pl.Expr, n: str) -> pl.Expr:
        return pl.when(pl.col(n) > 0).then(count / pl.col(n))

    weak = pl.col("k_weak") + pl.col("k_contradicted")
    return table.with_columns(
        unlabelled=pl.col("responses") - pl.col("n"),
        k_weak_or_contradicted=weak,
        weak_or_contradicted=share(weak, "n"),
        supported=share(pl.col("k_supported"), "n"),
        weak=share(pl.col("k_weak"), "n"),
        contradicted=share(pl.col("k_contradicted"), "n"),
        absent=share(pl.col("k_absent"), "n_coverage"),
        logic_gap=share(pl.col("k_gap"), "n_logic"),
        broken=share(pl.col("k_broken"), "n_logic"),
    )


def _intervals(units: pl.DataFrame, by: list[str], level: float, resamples: int, seed: int) -> pl.DataFrame:
    """Return the interval of the weak-or-contradicted share of each group, resampling units drawn as patterns."""
    rows = []
    for keys, part in units.group_by(by, maintain_order=True):
        features = part.select("weak", "n").to_numpy().astype(np.float64)
        times = part["times"].to_numpy()
        sums = resampled_sums(features, multiplicity=times, resamples=resamples, seed=seed)
        total = times @ features
        span = percentile_interval(
            ratio(sums[:, :1], sums[:, 1:]), ratio(total[:1], total[1:]), level=level, seed=seed, method=""
        )
        rows.append(dict(zip(by, keys, strict=True)) | {"low": float(span.low[0]), "high": float(span.high[0])})
    kinds = {name: units.schema[name] for name in by} | {"low": pl.Float64(), "high": pl.Float64()}
    return pl.DataFrame(rows, schema=kinds)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("group", "text", "group of items; 'the rest' is every other item of the slice"),
    Result("run", "text", "run; null where runs are pooled"),
    Result("capability", "text", "capability; null where capabilities are pooled"),
    Result("weak_or_contradicted", "proportion", "share of responses whose evidence is weak or contradicted"),
    Result("low", "proportion", "lower end of its interval"),
    Result("high", "proportion", "upper end of its interval"),
    Result("n", "count", "responses with an evidence label"),
    Result("k_weak_or_contradicted", "count", "of these, weak or contradicted"),
    Result("supported", "proportion", "share whose evidence supports the answer"),
    Result("weak", "proportion", "share whose evidence is weak"),
    Result("contradicted", "proportion", "share whose evidence is contradicted"),
    Result("absent", "proportion", "share without an informative rationale"),
    Result("logic_gap", "proportion", "share whose logic has a gap"),
    Result("broken", "proportion", "share whose logic is broken"),
    Result("n_coverage", "count", "responses with a coverage label"),
    Result("n_logic", "count", "responses with a logic label"),
    Result("items", "count", "items behind the responses"),
    Result("unlabelled", "count", "responses that earn the credit and have no evidence label"),
    COLUMN,
)

QUESTION = Question(
    name="labels",
    title="Rationale labels",
    asks="How well supported are the answers that earn credit?",
    source="labels of the benchmark's rubric; Efron 1979, doi:10.1214/aos/1176344552",
    needs="rationale labels",
    options=(
        Option("per", "choice", "whole", "what a row is about, beside the group", allowed=tuple(KEYS)),
        Option("against", "text", "", "group of items, as key=value|value, to set against the rest; empty takes all"),
        Option("credit", "choice", "full", "responses counted: full raw credit, or any", allowed=("full", "any")),
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=labels,
)
