"""Stages: at which check is credit lost on the way from raw to verified?"""

from __future__ import annotations

import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.errors import Undefined
from analytics.gap import PER, WHOLE
from analytics.numeric.credit import LOSSES, attributed_losses
from analytics.policy import Policy
from analytics.populations import runs_of
from analytics.questions import AVERAGE, Answer, Question, Result
from analytics.rubric import rubrics
from analytics.scores import GRADED, settled
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of

STAGED = """
WITH settled AS ({settled}
),
staged AS (
    SELECT * FROM settled
    WHERE raw IS NOT NULL AND covered IS NOT NULL AND evidenced IS NOT NULL AND verified IS NOT NULL
)
"""

MEANS = """
SELECT run_idx::BIGINT AS run_idx, capability,
       count(*) FILTER (NOT hidden AND raw IS NOT NULL)::BIGINT AS with_raw,
       count(*) FILTER (NOT hidden)::BIGINT AS open_items,
       count(raw) FILTER (labelled)::BIGINT AS n, sum(raw) FILTER (NOT hidden) AS earned,
       avg(raw) FILTER (labelled) AS raw, avg(covered) FILTER (labelled) AS covered,
       avg(evidenced) FILTER (labelled) AS evidenced, avg(verified) FILTER (labelled) AS verified
FROM (SELECT *, raw IS NOT NULL AND covered IS NOT NULL AND evidenced IS NOT NULL AND verified IS NOT NULL AS labelled
      FROM settled)
GROUP BY run_idx, capability ORDER BY run_idx, capability
"""

FACTORS = """
SELECT t.run_idx::BIGINT AS run_idx, t.capability, g.raw, g.c, g.e, g.l, g.e_max, g.l_max,
       sum(1.0 / CASE WHEN t.rule = 'zero' THEN t.usable + t.failed ELSE t.usable END) AS weight,
       bool_or(g.coverage = 'absent') AS absent, bool_or(g.evidence = 'contradicted') AS contradicted,
       bool_or(g.logic = 'broken') AS broken
FROM staged t
JOIN (SELECT * FROM {graded}) g USING (run_idx, item_idx)
WHERE g.raw > 0 AND ($attempt_rule = 'mean' OR g.attempt = 1)
GROUP BY ALL
"""

STAGES = ("raw", "covered", "evidenced", "verified")


def stages(cursor: Connection, chosen: Slice, policy: Policy, *, per: str, average: str) -> Answer:
    """Mean credit after each check, and how much is lost at each, in order and whatever the order.

    One row per run, or per run and capability, over the `n` items whose credit is known after every stage: `raw`, then
    `covered` (an informative rationale is there), `evidenced` (its evidence supports the answer), `verified` (its logic
    holds), means in [0, 1]. `lost_*` is the credit lost at a stage in that order; `due_to_*` the same loss
    averaged over the six orders of the three checks (Shapley value), so that a late check is not favoured. Both add up
    to `gap` = raw - verified. Per run, every figure is the mean that `average` names; a macro mean is null when a
    capability has no such item. `unlabelled` items have a raw credit but not every label, and are left out.
    Sources: PsycheMME, scoring contract (stages); Shapley 1953, doi:10.1515/9781400881970-018.
    Raises EmptySlice when no item of the slice has every label, Undefined when a factor of the log exceeds the best of
    its rubric, so that verified credit would exceed raw credit.
    """
    where, params = chosen.where()
    bound = params | policy.params()
    with_stages = STAGED.format(settled=settled(policy, where))
    means = frame(cursor, with_stages + MEANS, bound)
    # a run that nobody labelled has every stage on its wrong answers alone, where each is 0 whatever the labels
    kept = (pl.col("raw") * pl.col("n")).sum().over("run_idx") > 0
    means = means.filter(kept | (pl.col("earned").sum().over("run_idx") == 0))
    if not means["n"].sum():
        raise empty(chosen, needs="coverage, evidence and logic labels or factors")
    factors = frame(cursor, with_stages + FACTORS.format(graded=GRADED), bound)
    cells = means.join(_attributed(factors), on=["run_idx", "capability"], how="left").with_columns(
        pl.col(f"due_to_{loss}").fill_null(0) / pl.col("n") for loss in LOSSES
    )
    described = runs_of(cursor)
    mean_of = pl.col("headline") if average == "declared" else pl.lit(average)
    described = described.with_columns(average=pl.lit("micro") if per == "run_capability" else mean_of)
    rows = cells.join(described, on="run_idx", how="left")
    rows = _whole(rows) if per == "run" else rows
    rows = rows.filter(pl.col("n") > 0).with_columns(
        gap=pl.col("raw") - pl.col("verified"),
        lost_coverage=pl.col("raw") - pl.col("covered"),
        lost_evidence=pl.col("covered") - pl.col("evidenced"),
        lost_logic=pl.col("evidenced") - pl.col("verified"),
        unlabelled=pl.col("with_raw") - pl.col("n"),
    )
    rows = rows.sort(["benchmark", "scope", "regime", "condition", pl.col("kind") != "model", "run", "capability"])
    table = table_of(rows.to_dicts(), COLUMNS[:-1])
    asked = {"per": per, "average": average}
    table = mark(cursor, table, chosen, question="stages", options=asked, policy=policy)
    left_out = {"items with a raw credit and without every label": int(table["unlabelled"].sum())}
    notes = (*note(table), *_assumptions(cursor, factors, rows, policy), policy.sentence())
    return Answer(table, "means by stage; losses in order, and averaged over the six orders", left_out, notes)


def _attributed(factors: pl.DataFrame) -> pl.DataFrame:
    """Return the order-free losses, summed over the items of each run and capability."""
    if not factors.height:
        kinds = {"run_idx": pl.Int64(), "capability": pl.String()} | {f"due_to_{loss}": pl.Float64() for loss in LOSSES}
        return pl.DataFrame(schema=kinds)
    beyond = factors.filter((pl.col("c") > 1) | (pl.col("e") > pl.col("e_max")) | (pl.col("l") > pl.col("l_max")))
    if beyond.height:
        most = [float(value) for value in beyond.select(pl.col("c", "e", "l").max()).row(0)]
        raise Undefined(
            "Some rationale factors exceed the best of their rubric, so that credit would grow at a check: largest "
            f"coverage {most[0]:g}, evidence {most[1]:g}, logic {most[2]:g}. Choose a rubric that has them."
        )
    parts = []
    for (best_e, best_l), part in factors.group_by("e_max", "l_max"):
        raw, c, e, lo = (part[name].cast(pl.Float64).to_numpy() for name in ("raw", "c", "e", "l"))
        lost = attributed_losses(raw, c, e, lo, best_evidence=float(str(best_e)), best_logic=float(str(best_l)))
        weighted = lost * part["weight"].cast(pl.Float64).to_numpy()
        named = {f"due_to_{loss}": weighted[k] for k, loss in enumerate(LOSSES)}
        parts.append(part.select("run_idx", "capability").with_columns(**{k: pl.Series(v) for k, v in named.items()}))
    return pl.concat(parts).group_by("run_idx", "capability").agg(pl.col(f"due_to_{loss}").sum() for loss in LOSSES)


def _whole(rows: pl.DataFrame) -> pl.DataFrame:
    """Turn rows by capability into one row per run, as a macro or a micro mean."""
    figures = [*STAGES, *(f"due_to_{loss}" for loss in LOSSES)]
    counted = pl.col("open_items") > 0
    macro = pl.col("average").first() == "macro"
    complete = (pl.col("n").filter(counted) > 0).all()

    def mean(name: str) -> pl.Expr:
        # a mean without items is null and must not spoil the sum of the others
        total = (pl.col(name).fill_null(0) * pl.col("n")).sum() / pl.col("n").sum()
        each = pl.when(complete).then(pl.col(name).filter(counted).mean())
        return pl.when(pl.col("n").sum() > 0).then(pl.when(macro).then(each).otherwise(total)).alias(name)

    kept = ("run", "benchmark", "model", "kind", "regime", "condition", "scope", "average", "provenance")
    return (
        rows.group_by("run_idx", maintain_order=True)
        .agg(*[pl.col(name).first() for name in kept], *[mean(f) for f in figures], pl.col("n", "with_raw").sum())
        .with_columns(capability=pl.lit(WHOLE))
    )


def _assumptions(cursor: Connection, factors: pl.DataFrame, rows: pl.DataFrame, policy: Policy) -> tuple[str, ...]:
    """Name the weights that no document states, where a label with such a weight occurs."""
    if policy.weights() is not None:
        return ("Weights are the reader's own, not the declared rubric's.",)
    met = {
        label
        for label, column in (("coverage.absent", "absent"), ("evidence.contradicted", "contradicted"),
                              ("logic.broken", "broken"))
        if factors[column].any()
    }  # fmt: skip
    declared = frame(cursor, "SELECT benchmark, rubric FROM benchmarks WHERE rubric IS NOT NULL ORDER BY benchmark")
    said = []
    for benchmark, name in declared.filter(pl.col("benchmark").is_in(rows["benchmark"].unique().to_list())).iter_rows():
        known = rubrics().get(name)
        used = sorted(met & set(known.assumed)) if known else []
        if known and used:
            weights = known.weights.as_dict()
            listed = ", ".join(f"{label} = {weights[label.split('.')[1]]:g}" for label in used)
            said.append(f"Assumed weights of rubric {name} ({benchmark}), stated in no document: {listed}.")
    return tuple(said)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("capability", "text", "capability; 'all' for a row per run"),
    Result("average", "text", "mean that every figure of the row is: macro or micro"),
    Result("raw", "proportion", "mean raw credit"),
    Result("covered", "proportion", "mean credit after coverage"),
    Result("evidenced", "proportion", "mean credit after coverage and evidence"),
    Result("verified", "proportion", "mean credit after coverage, evidence and logic"),
    Result("gap", "points", "raw minus verified"),
    Result("lost_coverage", "points", "credit lost at coverage, the first check"),
    Result("lost_evidence", "points", "credit lost at evidence, the second"),
    Result("lost_logic", "points", "credit lost at logic, the last"),
    Result("due_to_coverage", "points", "credit lost to coverage, averaged over the orders of the checks"),
    Result("due_to_evidence", "points", "credit lost to evidence, likewise"),
    Result("due_to_logic", "points", "credit lost to logic, likewise"),
    Result("n", "count", "items whose credit is known after every stage"),
    Result("unlabelled", "count", "items with a raw credit and without every label"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="stages",
    title="Stages of credit",
    asks="At which check is credit lost on the way from raw to verified?",
    source="PsycheMME, scoring contract; Shapley 1953, doi:10.1515/9781400881970-018",
    needs="coverage, evidence and logic labels or factors",
    options=(PER, AVERAGE),
    columns=COLUMNS,
    ask=stages,
)
