"""Position bias: does a run choose the letters of the options as often as they are right?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from analytics.ballots import Ballots, added, ballots
from analytics.determined import COLUMN, mark, note
from analytics.numeric.intervals import wilson
from analytics.numeric.positions import position_bias as by_position
from analytics.panel_runs import PANEL, panel_runs
from analytics.policy import Policy
from analytics.questions import LEVEL, Answer, Question, Result
from analytics.slices import Slice, empty
from analytics.store import Connection, frame
from analytics.tables import table_of
from analytics.voting import NEEDS

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

ORDERS = """
SELECT run_idx, item_idx, order_shown FROM responses
WHERE attempt = 1 AND order_shown IS NOT NULL AND run_idx = ANY($members)
"""


def position_bias(cursor: Connection, chosen: Slice, policy: Policy, *, panel: str, level: float) -> Answer:
    """Positions that a run chooses, beside the positions that hold the right answer on the same items.

    One row per run and position (A is the first option as shown; the stored order where the log has no other). `chosen`
    and `right` are shares of the `n` single-choice items on which the run has a valid letter; `chosen_low` and
    `chosen_high` bound the chosen share (Wilson score, doi:10.2307/2276774). `chi_square`, `df` and `p` test, for the
    whole run, whether its choices fit the right positions (Pearson 1900, doi:10.1080/14786440009463897): a right choice
    fits by itself, so the test is cautious. They are null, with a `reason`, where undefined. Items with several
    right options, and answers that are no letter, are left out and counted.
    Raises EmptySlice without ballots, UnknownValue for a panel that is not there.
    """
    members = panel_runs(cursor, chosen, panel=panel)
    found = ballots(cursor, chosen, policy, members)
    if not found:
        raise empty(chosen, needs=NEEDS)
    orders = frame(cursor, ORDERS, {"members": members["run_idx"].to_list()})
    rows: list[dict[str, object]] = []
    left_out = added(*(held.left_out for held in found))
    for held in found:
        single = np.flatnonzero((held.items["answer_type"] == "single_choice").to_numpy())
        left_out = added(left_out, {"items with several right options": held.items.height - len(single)})
        picked, right = _positions(held, single, orders)
        words = int(((held.choices[:, single] >= 0) & (picked < 0)).sum())
        left_out = added(left_out, {"answers that are no letter of an option": words})
        rows += _rows(held, picked, right, level=level)
    if not rows:
        raise empty(chosen, needs="single-choice items with letters as answers")
    table = mark(cursor, table_of(rows, COLUMNS[:-1]), chosen, question="position_bias", options={})
    return Answer(
        table, f"{level:.0%} interval: Wilson score; chi-square against right positions", left_out, note(table)
    )


def _positions(
    held: Ballots, single: npt.NDArray[np.int64], orders: pl.DataFrame
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return chosen and right position of each run and single-choice item, -1 for none."""
    stored = np.array([LETTERS.find(label) if len(label) == 1 else -1 for label in held.labels] + [-1])
    picked, right = stored[held.choices[:, single]], np.tile(stored[held.correct[single]], (held.runs.height, 1))
    place_of_run = {int(run): k for k, run in enumerate(held.runs["run_idx"])}
    place_of_item = {int(item): k for k, item in enumerate(held.items["item_idx"][single.tolist()])}
    for run, item, order in orders.iter_rows():
        if run not in place_of_run or item not in place_of_item:
            continue
        at = (place_of_run[run], place_of_item[item])
        shown = [order.index(letter) if letter in order else -1 for letter in LETTERS[: len(order)]] + [-1]
        picked[at] = shown[picked[at]] if picked[at] < len(order) else -1
        right[at] = shown[right[at]] if right[at] < len(order) else -1
    return picked, right


def _rows(
    held: Ballots, picked: npt.NDArray[np.int64], right: npt.NDArray[np.int64], *, level: float
) -> list[dict[str, object]]:
    positions = int(max(picked.max(initial=-1), right.max(initial=-1))) + 1
    if not positions:
        return []
    found = by_position(picked, right, positions=positions)
    low, high = wilson(found.chosen, found.n[:, None], level=level)
    return [
        {
            "benchmark": held.benchmark,
            "run": held.runs["run"][run],
            "model": held.runs["model"][run],
            "position": LETTERS[position],
            "chosen_items": found.chosen[run, position],
            "right_items": found.right[run, position],
            "chosen": found.chosen[run, position] / found.n[run] if found.n[run] else None,
            "chosen_low": low[run, position],
            "chosen_high": high[run, position],
            "right": found.right[run, position] / found.n[run] if found.n[run] else None,
            "n": found.n[run],
            "chi_square": found.chi_square[run],
            "df": found.df[run],
            "p": found.p[run],
            "reason": str(found.reason[run]),
        }
        for run in range(held.runs.height)
        for position in range(positions)
    ]


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("run", "text", "run"),
    Result("model", "text", "system"),
    Result("position", "text", "position of the option as shown"),
    Result("chosen_items", "count", "items on which the run chose it"),
    Result("right_items", "count", "of the same items, those on which it is right"),
    Result("chosen", "proportion", "share of the run's valid choices"),
    Result("chosen_low", "proportion", "lower end of its interval"),
    Result("chosen_high", "proportion", "upper end of its interval"),
    Result("right", "proportion", "share of right answers at this position, same items"),
    Result("n", "count", "single-choice items with a valid letter of the run"),
    Result("chi_square", "number", "chi-square of the run's choices against the right positions"),
    Result("df", "count", "its degrees of freedom"),
    Result("p", "p", "its p value"),
    Result("reason", "text", "why the test is undefined; empty where it is defined"),
    COLUMN,
)

QUESTION = Question(
    name="position_bias",
    title="Position bias",
    asks="Does a run choose the letters of the options as often as they are right?",
    source="Wilson 1927, doi:10.2307/2276774; Pearson 1900, doi:10.1080/14786440009463897",
    needs=NEEDS,
    options=(PANEL, LEVEL),
    columns=COLUMNS,
    ask=position_bias,
)
