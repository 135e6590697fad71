"""A part of a page: one question, one value per row with its interval, table, method and exports behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl
import streamlit as st

from analytics.errors import ScoreproofError
from analytics.questions import Answer
from pages.ui.charts.forest import BREAK, PICKED, forest
from pages.ui.kit import ask, illustration, pick, plain, show
from pages.ui.kit.asked import Asked


def intervals(
    asked: Asked, name: str, *, options: Mapping[str, Any], title: str, value: str, label: Sequence[str], axis: str,
    scale: float, zero: bool, tips: Mapping[str, str], groups: tuple[str, Sequence[str]] | None = None,
    cases: Mapping[str, str] | None = None, quiet: bool = False,
) -> Answer | None:  # fmt: skip
    """Show the answer to one question as a forest plot; None, with a sentence unless `quiet`, where there is none.

    `value` has its interval in low and high, or in its own _low and _high. `label` are the columns that name a row;
    those that say the same of every row leave. `groups` names the column that colour follows, with its words; `cases`
    maps slice keys to columns, for the way to the cases of a picked row.
    """
    try:
        answer = ask.answer(name, asked.chosen, asked.policy, options)
    except ScoreproofError as error:
        if not quiet:
            st.subheader(title, anchor=False)
            plain.note(str(error), kind="info")
        return None
    st.subheader(title, anchor=False)
    table = answer.table
    telling = [column for column in label if table[column].n_unique() > 1] or label[-1:]
    named = pl.concat_str(telling, separator=BREAK).str.replace(", ", BREAK, literal=True)
    table = table.with_columns(row=named, reading=pl.lit(axis))
    if "low" not in table.columns:
        table = table.with_columns(low=f"{value}_low", high=f"{value}_high")
    held = table.filter(pl.col(value).is_not_null())
    illustration.headline(table)
    figure, hit = None, held.clear()
    if held.height:
        column, words = groups or ("reading", [axis])
        figure = partial(
            forest, held, value=value, label="row", order=held["row"].to_list(), title=axis, fields=["row"],
            group=column, groups=list(words), tips=tips, scale=scale, zero=zero,
        )  # fmt: skip
        figure = illustration.marked(figure, table)
        said = f"Forest plot of {held.height} rows: {axis} with intervals. The table has every number."
        hit = pick.chart(
            figure, held, asked, picked=PICKED, fields=["row"], key=name, alt_text=illustration.spoken(said, table)
        )
    elif "reason" in table.columns:
        plain.note(f"Undefined here: {', '.join(table['reason'].unique().to_list())}.", kind="info")
    chosen = answer.table.clear()
    with show.fold(f"Table and method: {title}", key=name) as fold:
        if fold.open:
            select = "multi" if cases else "none"
            chosen = show.table(answer, name, asked, select=select, key=f"{name} table")  # type: ignore[arg-type]
            show.proof(answer, name, asked, options, figure=figure)
    if cases:
        show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, cases)
    return answer
