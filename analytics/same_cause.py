"""Same cause: do the runs that fail on an item fail alike?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.ballots import LEVEL_OF, LEVELS, WHOLE
from analytics.determined import COLUMN, mark, note
from analytics.failure_rows import LABELLER, NEEDS, failure_rows, notes_of
from analytics.numeric.failures import SameCause
from analytics.numeric.failures import same_cause as by_item
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of

ITEM = "item"
SPLIT = Option(
    LEVEL_OF.name, "choice", WHOLE, f"{LEVEL_OF.meaning}; item gives one row per item", allowed=(*LEVELS, ITEM)
)
AT_LEAST = Option("at_least", "integer", 5, "labelled failures that an item needs to count", low=2, high=1000)


def same_cause(
    cursor: Connection, chosen: Slice, policy: Policy, *, level_of: str, at_least: int, labeller: str
) -> Answer:
    """Share of the runs failing on an item that fail for its most frequent cause, and family of causes.

    One row per level (or per item, with level_of=item), over items on which `at_least` main runs have a labelled
    failure; a run counts once per item, by its first labelled attempt. `cause_share` and `family_share` are the
    item's own share, or the median over the `items` of the level. `cause_pairs` and `family_pairs` are the share of
    pairs of failures on one item that have one cause (family), over every item: they do not reward items with few
    failures. `cause` and `family` name the item's most frequent ones (null over several items). With few failures a
    high share is chance: of two, one half is the least. Source: Humanity's Sixth Sense, section 3.2 and appendix D.
    Raises EmptySlice without labels, UnknownValue for a labeller that is not there.
    """
    rows, left_out = failure_rows(cursor, chosen, policy, labeller=labeller, main=True)
    first = rows.sort("attempt", "labeller").unique(["run_idx", "item_idx"], keep="first", maintain_order=True)
    found: list[dict[str, object]] = []
    few = 0
    for (benchmark,), part in first.group_by(["benchmark"], maintain_order=True):
        items = part.unique("item_idx").sort("item_idx")
        results = {name: by_item(_codes(part, items, name), at_least=at_least) for name in ("cause", "family")}
        few += int((results["cause"].failing < at_least).sum())
        if level_of == ITEM:
            found += _items(str(benchmark), part, items, results)
        else:
            levels = items[level_of] if level_of != WHOLE else pl.Series([WHOLE] * items.height)
            for level in levels.unique().sort():
                here = part.join(items.filter(levels == level).select("item_idx"), on="item_idx")
                found.append(_level(str(benchmark), level_of, str(level), here, at_least))
    table = mark(
        cursor,
        table_of(found, COLUMNS[:-1]),
        chosen,
        question="same_cause",
        column="cause_share",
        options={"level_of": level_of, "at_least": at_least},
    )
    left_out |= {f"items with fewer than {at_least} labelled failures": few}
    method = f"share of the most frequent cause among an item's failing runs; median over items with {at_least} or more"
    return Answer(table, method, left_out, (*notes_of(rows), *note(table)))


def _codes(part: pl.DataFrame, items: pl.DataFrame, name: str) -> npt.NDArray[np.int64]:
    """Return causes as runs x items codes, -1 where a run has no labelled failure."""
    runs = part["run_idx"].unique().sort().to_numpy()
    names = {label: k for k, label in enumerate(part[name].unique().sort())}
    codes = np.full((len(runs), items.height), -1, dtype=np.int64)
    at = (
        np.searchsorted(runs, part["run_idx"].to_numpy()),
        np.searchsorted(items["item_idx"].to_numpy(), part["item_idx"].to_numpy()),
    )
    codes[at] = part[name].replace_strict(names, return_dtype=pl.Int64).to_numpy()
    return codes


def _level(benchmark: str, level_of: str, level: str, part: pl.DataFrame, at_least: int) -> dict[str, object]:
    items = part.unique("item_idx").sort("item_idx")
    cause, family = (by_item(_codes(part, items, name), at_least=at_least) for name in ("cause", "family"))
    return {
        "benchmark": benchmark,
        "level_of": level_of,
        "level": level,
        "items": cause.items,
        "failures": part.height,
        "cause_share": cause.median,
        "family_share": family.median,
        "cause_pairs": cause.pair_share,
        "family_pairs": family.pair_share,
        "pairs": cause.pairs,
    }


def _items(
    benchmark: str, part: pl.DataFrame, items: pl.DataFrame, results: dict[str, SameCause]
) -> list[dict[str, object]]:
    """Return one row per item with enough failures, most failures first."""
    cause, family = results["cause"], results["family"]
    most = {
        name: dict(
            part.group_by("item_idx", name)
            .len()
            .sort(["len", name], descending=[True, False])
            .unique("item_idx", keep="first")
            .select("item_idx", name)
            .iter_rows()
        )
        for name in ("cause", "family")
    }
    order = np.lexsort((np.arange(items.height), -cause.failing))
    rows: list[dict[str, object]] = []
    for at in order[(cause.failing >= cause.at_least)[order]].tolist():
        item = items["item_idx"][at]
        rows.append(
            {
                "benchmark": benchmark,
                "level_of": ITEM,
                "level": items["item"][at],
                "items": 1,
                "failures": cause.failing[at],
                "cause": most["cause"][item],
                "cause_share": cause.share[at],
                "family": most["family"][item],
                "family_share": family.share[at],
                "pairs": int(cause.failing[at]) * (int(cause.failing[at]) - 1) // 2,
            }
        )
    return rows


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("level_of", "text", "what the rows split items by"),
    Result("level", "text", "slice of items, or the item"),
    Result("items", "count", "items with enough labelled failures"),
    Result("failures", "count", "labelled failures, one for each run and item"),
    Result("cause", "text", "the item's most frequent cause"),
    Result(
        "cause_share", "proportion", "share of an item's failing runs with its most frequent cause; median of items"
    ),
    Result("family", "text", "the item's most frequent family"),
    Result("family_share", "proportion", "the same for families of causes"),
    Result("cause_pairs", "proportion", "share of pairs of failures on one item with one cause, over every item"),
    Result("family_pairs", "proportion", "the same for families of causes"),
    Result("pairs", "count", "pairs of failures on one item"),
    COLUMN,
)

QUESTION = Question(
    name="same_cause",
    title="Same cause of failure",
    asks="Do the runs that fail on an item fail alike?",
    source="Humanity's Sixth Sense, section 3.2",
    needs=NEEDS,
    options=(SPLIT, AT_LEAST, LABELLER),
    columns=COLUMNS,
    ask=same_cause,
)
