"""Voting curve: what do plurality and oracle reach with panels of every size?"""

from __future__ import annotations

from analytics.ballots import added, ballots
from analytics.determined import COLUMN, mark, note
from analytics.numeric.panels import subset_curve
from analytics.panel_runs import PANEL, panel_runs
from analytics.policy import Policy
from analytics.questions import SEED, Answer, Option, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection
from analytics.tables import table_of
from analytics.voting import NEEDS

LIMIT = Option("limit", "integer", 3000, "panels of one size up to which all are counted", low=1, high=1_000_000)
SAMPLES = Option("samples", "integer", 1000, "panels drawn of a size that has more", low=1, high=100_000)
TIES = Option(
    "tie_rule",
    "choice",
    "policy",
    "when answers tie for first: as the policy says, share the credit, or abstain",
    allowed=("policy", "share", "abstain"),
)


def voting_curve(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    panel: str,
    tie_rule: str,
    limit: int,
    samples: int,
    seed: int,
) -> Answer:
    """Expected plurality and oracle of a panel of k runs.

    One row per benchmark version and panel size. `plurality` is the mean rate over the `panels` of that size looked
    at, `low` and `high` the lowest and highest of them: a range over panels, no interval over items. `exact` tells that
    these are all panels; otherwise they were drawn with the seed. `oracle` is the mean over all panels in closed form.
    Ballots, items and ties as in `voting`. Source: means over k-subsets of the panel (hypergeometric for the oracle).
    Raises EmptySlice without ballots, UnknownValue for a panel that is not there.
    """
    rule = policy.ties if tie_rule == "policy" else tie_rule
    found = ballots(cursor, chosen, policy, panel_runs(cursor, chosen, panel=panel), also=())
    if not found:
        raise empty(chosen, needs=NEEDS)
    rows: list[dict[str, object]] = []
    for held in found:
        curve = subset_curve(held.choices, held.correct, ties=rule, limit=limit, samples=samples, seed=seed)
        rows += [
            {
                "benchmark": held.benchmark,
                "k": curve.k[at],
                "plurality": curve.plurality[at],
                "low": curve.low[at],
                "high": curve.high[at],
                "oracle": curve.oracle[at],
                "panels": curve.subsets[at],
                "exact": curve.exact[at],
                "n": curve.n,
                "members": held.runs.height,
                "tie_rule": rule,
            }
            for at in range(len(curve.k))
        ]
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="voting_curve", options={})
    method = (
        f"means over panels of k runs, up to {limit} panels of a size all of them, else {samples} drawn; ties: {rule}"
    )
    return Answer(table, method, added(*(held.left_out for held in found)), note(table), seed)


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("k", "count", "runs in the panel"),
    Result("plurality", "proportion", "mean rate of the plurality over panels of this size"),
    Result("low", "proportion", "lowest rate of a panel looked at"),
    Result("high", "proportion", "highest rate of a panel looked at"),
    Result("oracle", "proportion", "mean share of items that any member solves, over all panels of this size"),
    Result("panels", "count", "panels looked at for the plurality"),
    Result("exact", "boolean", "these are all panels of this size"),
    Result("n", "count", "items"),
    Result("members", "count", "runs to choose panels from"),
    Result("tie_rule", "text", "what happens when answers tie"),
    COLUMN,
)

QUESTION = Question(
    name="voting_curve",
    title="Voting by panel size",
    asks="What do plurality and oracle reach with panels of every size?",
    source="means over all k-subsets of a panel, or over drawn ones",
    needs=NEEDS,
    options=(PANEL, TIES, LIMIT, SAMPLES, SEED),
    columns=COLUMNS,
    ask=voting_curve,
)
