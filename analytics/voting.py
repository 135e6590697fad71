"""Voting: what would a panel of runs reach by plurality, at best, and by its best member?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.ballots import LEVEL_OF, NEEDED, WHOLE, Ballots, added, ballots, levels
from analytics.determined import COLUMN, mark, note
from analytics.errors import UnknownValue, did_you_mean, listing
from analytics.numeric.bootstrap import mean_replicates
from analytics.numeric.intervals import wilson
from analytics.numeric.moments import MOMENTS_ABOVE, difference_from_moments, mean_from_moments
from analytics.numeric.resampling import percentiles
from analytics.numeric.voting import best_single, oracle, outvoted, plurality, right_ballots
from analytics.panel_runs import PANEL, panel_runs
from analytics.policy import Policy
from analytics.questions import LEVEL, RESAMPLES, SEED, Answer, Option, Question, Result
from analytics.scores import clusters_of
from analytics.slices import Slice, empty
from analytics.store import Connection
from analytics.tables import table_of

FloatArray = npt.NDArray[np.float64]

NEEDS = "choice items with answers of the panel (table responses, column answer) and a known reference"

TIE_RULE = Option(
    "tie_rule",
    "choice",
    "policy",
    "when answers tie for first: as the policy says, share the credit, abstain, defer to a run, or draw with the seed",
    allowed=("policy", "share", "abstain", "defer", "random"),
)
DEFER_TO = Option("defer_to", "text", "", "run or model of the panel that decides ties, with tie_rule=defer")


def voting(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    panel: str,
    level_of: str,
    tie_rule: str,
    defer_to: str,
    level: float,
    resamples: int,
    seed: int,
) -> Answer:
    """Plurality, oracle and best single run of a panel, all on the same items.

    One row per benchmark version and level of `level_of`. The panel's ballots are the runs' first answers where they
    are valid; a multiple-choice ballot is the whole option set; open items have no votes and are left out. An item
    without any ballot is in the `n` items and not solved. `plurality` is the mean credit of the most chosen answer.
    When k answers tie for first it is 1/k if the right one is among them (share), nothing (abstain), the answer of
    `defer_to` if it is among them, or one drawn with the seed. `oracle` is the share of items that any member solves,
    `single` the share that the best member solves (`best`; all that are equally good, joined by '|'). `gain` is
    plurality minus single, paired by item. `tied` items have a tie for first; on `outvoted` ones a member is right and
    the right answer is not first.

    Interval: Wilson score (doi:10.2307/2276774) for a rate of whole items that share no cluster; else percentile
    bootstrap over items or clusters (Efron 1979, doi:10.1214/aos/1176344552), the same draws for all; above 10,000
    items that share no cluster the delta method on their sums. The best member
    is chosen on the same items, so its rate is optimistic. Raises EmptySlice without ballots, UnknownValue for a panel
    or decider that is not there.
    """
    rule = policy.ties if tie_rule == "policy" else tie_rule
    members = panel_runs(cursor, chosen, panel=panel)
    also = ("cluster",) if level_of in (WHOLE, *NEEDED) else ("cluster", level_of)
    found = ballots(cursor, chosen, policy, members, also=also)
    if not found:
        raise empty(chosen, needs=NEEDS)
    rows: list[dict[str, object]] = []
    for held in found:
        decider = _decider(held, defer_to, found) if rule == "defer" else None
        if rule == "defer" and decider is None:
            continue
        rows += [
            {"benchmark": held.benchmark, "level_of": level_of, "level": name, "members": held.runs.height}
            | _level(held, at, rule=rule, decider=decider, level=level, resamples=resamples, seed=seed)
            for name, at in levels(held.items, level_of)
        ]
    options = {"panel": panel, "tie_rule": rule}
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="voting", column="plurality", options=options)
    methods = "; ".join(table["interval"].unique(maintain_order=True))
    said = (_panel_note(found), "The best member is chosen on the same items: its rate is optimistic.")
    method = f"ties: {rule}; {level:.0%} interval: {methods}"
    drew = "bootstrap" in methods or rule == "random"
    return Answer(
        table, method, added(*(held.left_out for held in found)), (*said, *note(table)), seed if drew else None
    )


def _decider(held: Ballots, name: str, found: list[Ballots]) -> int | None:
    """Return the row of the deciding run, None in a benchmark version that lacks it; raises when no panel has it."""
    rows = held.runs.with_row_index("row").filter((pl.col("run") == name) | (pl.col("model") == name))
    if rows.height:
        return int(rows["row"][0])
    known = [run for each in found for column in ("run", "model") for run in each.runs[column]]
    if name not in known:
        raise UnknownValue(
            f"defer_to names '{name}', which is no member of the panel.{did_you_mean(name, known)} "
            f"It has: {listing(dict.fromkeys(known))}."
        )
    return None


def _level(
    held: Ballots,
    at: npt.NDArray[np.int64],
    *,
    rule: str,
    decider: int | None,
    level: float,
    resamples: int,
    seed: int,
) -> dict[str, object]:
    """Return the votes on the items at these places."""
    whole = len(at) == held.items.height
    choices, correct = (held.choices, held.correct) if whole else (held.choices[:, at], held.correct[at])
    items = held.items if whole else held.items[at.tolist()]
    vote = plurality(choices, correct, ties=rule, decider=decider, seed=seed if rule == "random" else None)
    single = best_single(choices, correct)
    best = single.runs
    right = right_ballots(choices, correct)
    alone = right[best[0]].astype(np.float64) if best.size else np.zeros(len(at))
    rates = np.vstack([vote.credit, oracle(choices, correct), alone])
    ends, gain, interval = _intervals(rates, items, level=level, resamples=resamples, seed=seed)
    return {
        "n": vote.n,
        "plurality": vote.rate,
        "plurality_low": ends[0, 0],
        "plurality_high": ends[1, 0],
        "plurality_credit": float(vote.credit.sum()),
        "oracle": rates[1].mean() if len(at) else None,
        "oracle_low": ends[0, 1],
        "oracle_high": ends[1, 1],
        "oracle_items": int(rates[1].sum()),
        "best": "|".join(held.runs["run"][best.tolist()]),
        "single": single.best,
        "single_low": ends[0, 2],
        "single_high": ends[1, 2],
        "single_items": int(single.right.max(initial=0)),
        "gain": vote.rate - single.best,
        "gain_low": gain[0],
        "gain_high": gain[1],
        "tied": vote.tied,
        "tied_share": vote.tied / vote.n if vote.n else None,
        "outvoted": int(outvoted(choices, correct).sum()),
        "no_ballot": int((vote.ballots == 0).sum()),
        "all_right": int(right.all(axis=0).sum()),
        "ballots": int(vote.ballots.sum()),
        "tie_rule": rule,
        "interval": interval,
    }


def _intervals(
    rates: FloatArray, items: pl.DataFrame, *, level: float, resamples: int, seed: int
) -> tuple[FloatArray, FloatArray, str]:
    """Return low and high of each row of `rates` (2 x 3), of the gain of the first over the last, and the method."""
    shared = clusters_of(items)
    if shared is None and items.height > MOMENTS_ABOVE:
        return _from_moments(rates, level=level)
    drawn = mean_replicates(rates, mean="micro", resamples=resamples, seed=seed, clusters=shared)
    tail = (1 - level) / 2
    ends = percentiles(drawn, (tail, 1 - tail))
    gain = percentiles((drawn[:, 0] - drawn[:, 2])[:, None], (tail, 1 - tail))[:, 0]
    drew = "items" if shared is None else "clusters of items"
    method = f"percentile bootstrap over {drew}, {resamples} resamples, seed {seed}"
    if shared is not None:
        return ends, gain, method
    whole = (rates == np.floor(rates)).all(axis=1)
    right = np.where(whole, rates.sum(axis=1), 0.0)
    low, high = wilson(right, rates.shape[1], level=level)
    ends = np.where(whole, np.stack([low, high]), ends)
    named = "Wilson score" if whole.all() else "Wilson score (oracle, single)"
    return ends, gain, f"{named}; {method}"


def _from_moments(rates: FloatArray, *, level: float) -> tuple[FloatArray, FloatArray, str]:
    """Return what `_intervals` does for many independent items, at a cost that does not grow with resamples."""
    n = np.full((3, 1), rates.shape[1])
    total, squares = rates.sum(axis=1)[:, None], (rates**2).sum(axis=1)[:, None]
    each = mean_from_moments(n, total, squares, mean="micro", level=level)
    gain = difference_from_moments(
        n[:1], total_a=total[:1], total_b=total[2:], squares_a=squares[:1], squares_b=squares[2:],
        products=[[float(rates[0] @ rates[2])]], mean="micro", level=level,
    )  # fmt: skip
    return np.stack([each.low, each.high]), np.array([gain.low[0], gain.high[0]]), each.method


def _panel_note(found: list[Ballots]) -> str:
    """Return the sentence that names the panel."""
    return "Panel: " + "; ".join(f"{held.benchmark}: {listing(held.runs['run'], most=30)}" for held in found) + "."


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("level_of", "text", "what the rows split items by"),
    Result("level", "text", "slice of items"),
    Result("members", "count", "runs of the panel"),
    Result("n", "count", "items"),
    Result("plurality", "proportion", "mean credit of the most chosen answer"),
    Result("plurality_low", "proportion", "lower end of its interval"),
    Result("plurality_high", "proportion", "upper end of its interval"),
    Result("plurality_credit", "number", "credit of the plurality, summed over items"),
    Result("oracle", "proportion", "share of items that any member solves"),
    Result("oracle_low", "proportion", "lower end of its interval"),
    Result("oracle_high", "proportion", "upper end of its interval"),
    Result("oracle_items", "count", "items that any member solves"),
    Result("best", "text", "best member; equally good ones joined by '|'"),
    Result("single", "proportion", "share of items that the best member solves"),
    Result("single_low", "proportion", "lower end of its interval"),
    Result("single_high", "proportion", "upper end of its interval"),
    Result("single_items", "count", "items that the best member solves"),
    Result("gain", "points", "plurality minus single"),
    Result("gain_low", "points", "lower end of its paired interval"),
    Result("gain_high", "points", "upper end of its paired interval"),
    Result("tied", "count", "items with a tie for first place"),
    Result("tied_share", "proportion", "their share"),
    Result("outvoted", "count", "items on which a member is right and the right answer is not first"),
    Result("no_ballot", "count", "items without any valid ballot"),
    Result("all_right", "count", "items that every member solves"),
    Result("ballots", "count", "valid ballots cast"),
    Result("tie_rule", "text", "what happens when answers tie"),
    Result("interval", "text", "how the intervals were made; Wilson never makes the gain's"),
    COLUMN,
)

QUESTION = Question(
    name="voting",
    title="Voting",
    asks="What would a panel reach by plurality, at best, and by its best member?",
    source="Wilson 1927, doi:10.2307/2276774; Efron 1979, doi:10.1214/aos/1176344552",
    needs=NEEDS,
    options=(PANEL, LEVEL_OF, TIE_RULE, DEFER_TO, LEVEL, RESAMPLES, SEED),
    columns=COLUMNS,
    ask=voting,
)
