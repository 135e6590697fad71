"""Score against tokens: which runs earn most for what they write?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.determined import COLUMN, mark, note
from analytics.leaderboard import SMALL_N, leaderboard
from analytics.policy import Policy
from analytics.questions import AVERAGE, LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.slices import Slice
from analytics.store import Connection, frame

SPENT = """
SELECT r.run_id AS run, count(*)::BIGINT AS attempts, count({tokens})::BIGINT AS n_tokens,
       avg({tokens})::DOUBLE AS tokens, median({tokens})::DOUBLE AS tokens_median
FROM responses a
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE ($attempt_rule = 'mean' OR a.attempt = 1) AND {where}
GROUP BY r.run_id
"""

MEASURES = {"written": "a.output_tokens", "both": "a.input_tokens + a.output_tokens"}
WORDS = {"written": "tokens written", "both": "tokens read and written"}

RANKED = ("benchmark", "scope", "regime", "condition")
"""Runs that differ in one of these are not compared."""


def tokens(
    cursor: Connection, chosen: Slice, policy: Policy, *, by: str, average: str, measure: str, level: float,
    resamples: int, seed: int,
) -> Answer:  # fmt: skip
    """Mean credit of each run beside the mean tokens of its attempts, and which runs none beats in both.

    One row per run. `tokens` is the mean over the `n_tokens` of its `attempts` whose log has them; an attempt without
    them is no attempt with 0. The measure is one for all rows: "written" are the tokens written, reasoning included;
    "both" adds the tokens read and takes only attempts whose log has both parts. A run without known tokens or without
    a credit has a `reason` and no place: it is left out and counted, never 0.

    `frontier` is true for a model of which no other model of its ranking (same benchmark, population, regime and
    condition) earns at least as much with at most as many tokens, one of the two strictly better (Pareto 1906). Human
    and control runs, and runs left out, have a null. Credit and its interval are the leaderboard's.
    Raises EmptySlice when no run has an item in the slice.
    """
    board = leaderboard(cursor, chosen, policy, by=by, average=average, level=level, resamples=resamples, seed=seed)
    where, params = chosen.where()
    spent = frame(cursor, SPENT.format(tokens=MEASURES[measure], where=where), params | policy.params())
    score = board.table.with_columns(
        pl.col(by).alias("score"), pl.col(f"{by}_low").alias("low"), pl.col(f"{by}_high").alias("high")
    )
    rows = score.drop("tokens", "determined").join(spent, on="run", how="left")
    rows = rows.with_columns(
        pl.col("attempts").fill_null(0), pl.col("n_tokens").fill_null(0),
        by=pl.lit(by), measure=pl.lit(WORDS[measure]), small_n=pl.col("n") < SMALL_N,
        reason=pl.when(pl.col("tokens").is_null()).then(pl.lit(f"the log has no {WORDS[measure]}"))
        .when(pl.col("score").is_null()).then(pl.lit(f"no {by} credit")),
    )  # fmt: skip
    rows = pl.concat([_with_frontier(part) for part in rows.partition_by(RANKED, maintain_order=True)])
    options = {"average": average, "by": by, "measure": measure}
    table = mark(cursor, rows, chosen, question="tokens", options=options, column="score", policy=policy)
    table = table.select(column.name for column in COLUMNS)
    left_out = board.left_out | {
        f"runs without known {WORDS[measure]}": int(table["tokens"].is_null().sum()),
        f"attempts without known {WORDS[measure]}": int((table["attempts"] - table["n_tokens"]).sum()),
    }
    method = f"tokens: mean per attempt, {WORDS[measure]}; {board.method}"
    return Answer(table, method, left_out, (*note(table), policy.sentence()), board.seed)


def _with_frontier(part: pl.DataFrame) -> pl.DataFrame:
    """Add `frontier` to the rows of one ranking."""
    placed = (part["kind"] == "model") & part["reason"].is_null()
    held = part.filter(placed)
    unbeaten = frontier(held["score"].to_numpy(), held["tokens"].to_numpy())
    flags = pl.DataFrame({"run": held["run"], "frontier": pl.Series(unbeaten, dtype=pl.Boolean)})
    return part.join(flags, on="run", how="left", maintain_order="left")


def frontier(score: npt.NDArray[np.float64], cost: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Whether each point is beaten by none: no other has at least its score at most its cost, one of them strictly."""
    better, worse = score[None, :] >= score[:, None], cost[None, :] <= cost[:, None]
    strict = (score[None, :] > score[:, None]) | (cost[None, :] < cost[:, None])
    return np.asarray(~(better & worse & strict).any(axis=1))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("kind", "text", "model, human or control"),
    Result("regime", "text", "input regime"),
    Result("condition", "text", "setting that was varied"),
    Result("scope", "text", "declared population, where it is not every item"),
    Result("by", "text", "credit that score is the mean of"),
    Result("average", "text", "mean that score is: macro or micro"),
    Result("score", "proportion", "mean credit"),
    Result("low", "proportion", "lower end of its interval"),
    Result("high", "proportion", "upper end of its interval"),
    Result("n", "count", "items with a credit"),
    Result("small_n", "boolean", "fewer than 30 items"),
    Result("measure", "text", "which tokens: written, or read and written"),
    Result("tokens", "tokens", "mean per attempt, over the attempts whose log has them; null where none has"),
    Result("tokens_median", "tokens", "median of the same attempts"),
    Result("n_tokens", "count", "attempts with known tokens"),
    Result("attempts", "count", "attempts in the log"),
    Result("frontier", "boolean", "no other model earns as much with as few tokens; null where not compared"),
    Result("reason", "text", "why the run is left out"),
    Result("provenance", "text", "where the rows come from"),
    COLUMN,
)

QUESTION = Question(
    name="tokens",
    title="Score against tokens",
    asks="Which runs earn most for the tokens that they take?",
    source="Pareto 1906, Manuale di economia politica; means of the store's rows",
    needs="tokens of attempts (input_tokens, output_tokens of responses)",
    options=(
        Option("by", "choice", "raw", "credit that is compared", allowed=("raw", "verified")),
        AVERAGE,
        Option(
            "measure", "choice", "written", "tokens written, or read and written where the log has both",
            allowed=tuple(MEASURES),
        ),
        LEVEL,
        RESAMPLES,
        SEED,
    ),
    columns=COLUMNS,
    ask=tokens,
)  # fmt: skip
