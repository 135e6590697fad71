"""Rows of ratings: one per rater and unit, read from verdicts, answers or comparisons."""

from __future__ import annotations

import polars as pl

from analytics.ballots import as_sets
from analytics.errors import UnknownValue
from analytics.panel_runs import about_items, about_runs
from analytics.policy import Policy
from analytics.slices import Slice
from analytics.store import Connection, frame

NEEDS = {
    "judges": "verdicts of judges (table verdicts)",
    "reviewers": "verdicts on a judge's verdicts (table verdicts, column on_judge)",
    "annotators": "answers of human runs (table responses, runs of kind human)",
    "runs": "answers of models to choice items (table responses)",
    "preferences": "comparisons of two responses (table comparisons)",
}

# one row per judge and criterion of a response; the judge's place is alphabetical
VERDICTS = """
SELECT r.run_benchmark AS benchmark, 'none' AS condition, v.judge_id AS rater, 0 AS place, v.run_idx, v.item_idx,
       v.attempt, i.cluster, v.criterion || CASE WHEN v.on_judge = '' THEN '' ELSE ' of ' || v.on_judge END AS part,
       CASE WHEN v.status <> 'ok' THEN NULL WHEN $on = 'met' THEN CASE WHEN v.met THEN 'met' WHEN NOT v.met THEN 'unmet'
       END WHEN $on = 'label' THEN v.label ELSE v.score::VARCHAR END AS rating{also}
FROM verdicts v
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE (v.on_judge <> '') = $reviewed AND ($attempts = 'mean' OR v.attempt = 1) AND {where}
"""

NEITHER = ", v.status = 'ok' AND v.met IS NULL AS neither"

# one row per judge and response, as the policy's judge=NAME settles it (views.sql): met where every criterion is, unmet
# where one is not, whatever one without a verdict would be; null where that leaves it open, and where a verdict is a
# number that is neither
WHOLE = """
WITH said AS ({verdicts}),
asked AS (SELECT run_idx, item_idx, attempt, count(DISTINCT part) AS parts FROM said GROUP BY ALL)
SELECT s.benchmark, s.condition, s.rater, s.place, s.run_idx, s.item_idx, s.attempt, any_value(s.cluster) AS cluster,
       'item' AS part,
       CASE WHEN bool_or(s.neither) THEN NULL WHEN bool_or(s.rating = 'unmet') THEN 'unmet'
            WHEN count(s.rating) < max(a.parts) THEN NULL ELSE 'met' END AS rating
FROM said s JOIN asked a USING (run_idx, item_idx, attempt)
GROUP BY s.benchmark, s.condition, s.rater, s.place, s.run_idx, s.item_idx, s.attempt
"""

# one row per person (an attempt of a human run is a person of its own) and item
ANNOTATED = """
SELECT r.run_benchmark AS benchmark, r.condition, r.run_id AS run, r.run_idx::INTEGER AS place, a.attempt, a.item_idx,
       i.cluster, i.answer_type, a.status::VARCHAR AS status, a.answer, g.raw,
       max(a.attempt) OVER (PARTITION BY r.run_idx) AS attempts
FROM responses a
JOIN {graded} g USING (run_idx, item_idx, attempt)
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE r.kind = 'human' AND i.reference_known AND {where}
"""

# one row per judge and pair of outputs. A system whose outputs several files repeat may stand under several run names:
# runs of one model with the same text for the item are one output, and a second verdict on it is a further attempt.
COMPARED = """
WITH named AS (SELECT run_a AS run_id FROM comparisons UNION SELECT run_b FROM comparisons),
twins AS (
    SELECT a.item_idx, r.run_id,
           first_value(r.run_id) OVER (PARTITION BY a.item_idx, r.model, a.response ORDER BY a.run_idx) AS twin
    FROM responses a JOIN run_dims r USING (run_idx) JOIN named USING (run_id)
    WHERE a.attempt = 1 AND a.response IS NOT NULL
),
held AS (
    SELECT c.benchmark, c.judge_id, c.attempt, c.label, c.score, c.run_a AS told_a, c.run_b AS told_b, i.item_idx,
           i.cluster, coalesce(a.twin, c.run_a) AS run_a, coalesce(b.twin, c.run_b) AS run_b
    FROM comparisons c
    JOIN item_dims i ON i.benchmark = c.benchmark AND i.item_id = c.item_id
    LEFT JOIN twins a ON a.item_idx = i.item_idx AND a.run_id = c.run_a
    LEFT JOIN twins b ON b.item_idx = i.item_idx AND b.run_id = c.run_b
    WHERE i.item_idx IN (SELECT item_idx FROM item_dims WHERE {about_items})
      AND (c.run_a IN ({runs}) OR c.run_b IN ({runs}))
)
SELECT benchmark, 'none' AS condition, judge_id AS rater, 0 AS place, item_idx, cluster, run_a, run_b, label, score,
       row_number() OVER (PARTITION BY item_idx, run_a, run_b, judge_id ORDER BY attempt, told_a, told_b) AS attempt
FROM held ORDER BY benchmark, item_idx, run_a, run_b, judge_id, attempt
"""

# one row per item whose options were shown in another order than the stored one: that of the first run that has it
SHOWN = """
SELECT a.item_idx, arg_min(a.order_shown, a.run_idx) AS shown
FROM responses a
WHERE a.order_shown IS NOT NULL AND a.item_idx IN (SELECT item_idx FROM item_dims WHERE {about_items})
GROUP BY a.item_idx
"""

Rows = tuple[pl.DataFrame, str, dict[str, dict[str, int]]]


def rating_rows(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    raters: str,
    unit: str,
    on: str,
    unparsed: str,
    letters: str,
) -> Rows:
    """Return the ratings of the slice, what they mean, and what was left out by benchmark version and reason.

    Of raters that are not runs: those are in `run_ratings`, without a row for each answer.

    One row per rater and unit: benchmark, condition, rater, place (order of the raters), run_idx, item_idx, attempt,
    part (criterion ...), cluster, rating (null where the rater has none). A unit is (run, item, attempt, part); the run
    is -1 and the attempt 1 where the raters are those who answered. Raises UnknownValue where `on` does not fit.
    """
    if raters in ("judges", "reviewers"):
        return _verdicts(cursor, chosen, policy, reviewed=raters == "reviewers", unit=unit, on=fits(raters, on))
    if raters == "preferences":
        fits(raters, on)
        return _preferences(cursor, chosen)
    what = fits(raters, on)
    rows, meaning, left_out = _annotators(cursor, chosen, policy, on=what, unparsed=unparsed)
    if what == "answer" and letters == "shown":
        orders = orders_shown(cursor, chosen)
        rows = respelled(orders, rows) if orders.height else rows
    return rows, meaning, left_out


LETTERS = {k: chr(ord("A") + k) for k in range(26)}

ALLOWED = {
    "judges": ("met", "label", "score"),
    "reviewers": ("met", "label", "score"),
    "annotators": ("answer", "correct"),
    "runs": ("answer", "correct"),
    "preferences": ("label",),
}


def fits(raters: str, on: str) -> str:
    """Return what is compared; the first allowed one is the usual."""
    allowed = ALLOWED[raters]
    if on == "usual":
        return allowed[0]
    if on not in allowed:
        raise UnknownValue(f"{raters} have no '{on}'. Allowed: usual, {', '.join(allowed)}.")
    return on


def _verdicts(cursor: Connection, chosen: Slice, policy: Policy, *, reviewed: bool, unit: str, on: str) -> Rows:
    where, params = chosen.where()
    sql = VERDICTS.format(where=where, also=NEITHER if unit == "item" else "")
    if unit == "item":
        if on != "met":
            raise UnknownValue(f"A response as an item is met or not; '{on}' needs unit=criterion.")
        sql = WHOLE.format(verdicts=sql)
    bound = params | {"on": on, "reviewed": reviewed, "attempts": policy.attempts}
    rows = frame(cursor, sql, bound)
    failed = rows.filter(pl.col("rating").is_null()).group_by("benchmark").len()
    return rows, on, {name: {"verdicts that did not come out": n} for name, n in failed.iter_rows()}


def _preferences(cursor: Connection, chosen: Slice) -> Rows:
    """Read comparisons; a pair that judges hold both ways round is turned to the way that is commoner."""
    rows = compared(cursor, chosen)
    sides = rows.group_by("benchmark", "run_a", "run_b").len("times")
    turned = sides.rename({"run_a": "run_b", "run_b": "run_a", "times": "other"})
    rows = rows.join(sides, on=["benchmark", "run_a", "run_b"]).join(
        turned, on=["benchmark", "run_a", "run_b"], how="left"
    )
    other = pl.col("other").fill_null(0)
    flip = (other > pl.col("times")) | ((other == pl.col("times")) & (pl.col("run_a") > pl.col("run_b")))
    swapped = pl.col("label").replace({"A": "B", "B": "A"})
    first, second = pl.col("run_a"), pl.col("run_b")
    rows = rows.with_columns(
        rating=pl.when(flip).then(swapped).otherwise("label"),
        part=pl.when(flip)
        .then(pl.concat_str(second, pl.lit(" vs "), first))
        .otherwise(pl.concat_str(first, pl.lit(" vs "), second)),
        run_idx=pl.lit(-1),
    )
    failed = rows.filter(pl.col("rating").is_null()).group_by("benchmark").len()
    return rows, "preference", {name: {"comparisons without a verdict": n} for name, n in failed.iter_rows()}


def compared(cursor: Connection, chosen: Slice) -> pl.DataFrame:
    """Comparisons of items of the slice in which one of the two runs is of the slice; one row per comparison."""
    items, item_values = about_items(chosen).where()
    runs, run_values = about_runs(chosen).where()
    inner = f"SELECT run_id FROM run_dims WHERE {runs}"
    return frame(cursor, COMPARED.format(about_items=items, runs=inner), item_values | run_values)


def _answered(rows: pl.DataFrame, *, on: str, unparsed: str) -> pl.DataFrame:
    """Add the rating of a row with answer, answer_type, status and raw."""
    if on == "correct":
        return rows.with_columns(rating=pl.col("raw").cast(pl.String))
    rows = as_sets(rows, "answer", name="choice")
    rating: pl.Expr = pl.when(pl.col("status") == "ok").then("choice")
    if unparsed == "category":
        rating = pl.when(pl.col("status") == "invalid_format").then(pl.lit("unparsed")).otherwise(rating)
    return rows.with_columns(rating=pl.when(rating != "").then(rating)).drop("choice")


def orders_shown(cursor: Connection, chosen: Slice) -> pl.DataFrame:
    """Orders of options of the items that were shown in another than the stored one: item_idx, shown."""
    where, params = about_items(chosen).where()
    return frame(cursor, SHOWN.format(about_items=where), params)


def respelled(orders: pl.DataFrame, rows: pl.DataFrame) -> pl.DataFrame:
    """Spell ratings (columns item_idx, rating) in the letters of the order shown.

    One order per item, so that equal options stay equal; ratings of other items stay as they are.
    """
    letters = (
        orders.explode("shown")
        .with_columns(at=pl.int_range(pl.len()).over("item_idx"))
        .select("item_idx", pl.col("shown").alias("rating"), letter=pl.col("at").replace_strict(LETTERS, default=None))
    )
    numbered = rows.with_row_index("row")
    spelled = (
        numbered.filter(pl.col("rating").is_not_null())
        .select("row", "item_idx", pl.col("rating").str.split(","))
        .explode("rating")
        .join(letters, on=["item_idx", "rating"])
        .group_by("row")
        .agg(letter=pl.col("letter").sort().str.join(","))
    )
    return (
        numbered.join(spelled, on="row", how="left")
        .sort("row")
        .with_columns(rating=pl.coalesce("letter", "rating"))
        .drop("row", "letter")
    )


def _annotators(cursor: Connection, chosen: Slice, policy: Policy, *, on: str, unparsed: str) -> Rows:
    from analytics.scores import GRADED  # noqa: PLC0415 - used by this kind of rater alone

    where, params = chosen.where()
    rows = frame(cursor, ANNOTATED.format(graded=GRADED, where=where), params | policy.params())
    opened = rows.filter(pl.col("answer_type") == "open") if on == "answer" else rows.clear()
    rows = _answered(rows, on=on, unparsed=unparsed).join(opened.select("item_idx").unique(), on="item_idx", how="anti")
    several = pl.col("attempts") > 1
    rows = rows.with_columns(
        rater=pl.when(several).then(pl.format("{}, attempt {}", "run", "attempt")).otherwise("run"),
        place=pl.col("place") * 1000 + pl.col("attempt"),
        part=pl.lit("item"),
        run_idx=pl.lit(-1),
        attempt=pl.lit(1),
    )
    counted = opened.group_by("benchmark").agg(pl.col("item_idx").n_unique())
    return rows, on, {name: {"open items, whose answers are text": n} for name, n in counted.iter_rows()}
