"""What runs and levels are called in a figure."""

from __future__ import annotations

import altair as alt
import polars as pl

SPACED = "replace(datum.label, /_/g, ' ')"
"""Axis labels as they are read: values of a log often write a space as an underscore."""


PERCENT = "format(datum.value * 100, '~r')"
"""Ticks of proportions as they are read; the sign stands in the axis title, once."""

LINE = 22
"""Letters of a row's name before it goes on in a second line."""

RAISED = 6
"""Half of a line of a name, in pixels."""

_NAME = f"(length({SPACED}) > {LINE} ? lastindexof(slice({SPACED}, 0, {LINE}), ' ') : -1)"
FOLDED = f"{_NAME} > 0 ? [slice({SPACED}, 0, {_NAME}), slice({SPACED}, {_NAME} + 1)] : {SPACED}"
"""Names of rows as they are read: a long one goes on in a second line, where it has a space to break at."""

UPRIGHT = 56
"""Pixels per column below which heads stand upright: slanted ones leave the figure and push its columns together."""

ROWS = 120
"""Pixels that the names of rows take, about, of the width of a figure."""

HEAD = 50
"""Pixels that upright heads are taller than slanted ones."""

WHOLE, NUMBER = 17, 34
"""Narrowest columns that have room for a number without its last digit, and for one with it."""


def raised(two_lines: str) -> alt.ConditionalAxisPropertynumbernull:
    """Return the offset of a row's name: two lines stand half a line higher, so that their middle is the row's."""
    return alt.ConditionalAxisPropertynumbernull(condition={"test": two_lines, "value": -RAISED}, value=0)


def row_axis(*, lines: bool = False) -> alt.Axis:
    """Return the axis of a figure's rows: every name, at its row, cut where it would leave no room at 400 pixels."""
    return alt.Axis(
        labelLimit=136, labelOverlap=False, labelFlush=False, labelPadding=6, labelExpr=FOLDED, ticks=False,
        domain=False, grid=lines, gridOpacity=0.35, labelOffset=raised(f"{_NAME} > 0"),
    )  # fmt: skip


def column_axis(columns: int, *, limit: int, label: str = SPACED) -> alt.Axis:
    """Return the axis of a matrix' columns: heads above, slanted where there is room, else upright.

    How wide the figure is, is known in the browser alone; a picture made elsewhere has slanted heads.
    """
    upright = f"(containerSize()[0] - {ROWS}) / {max(1, columns)} < {UPRIGHT}"
    return alt.Axis(
        orient="top", labelAngle=alt.ExprRef(f"{upright} ? -90 : -40"), labelAlign="left", labelBaseline="middle",
        labelLimit=limit, labelOverlap=False, labelFlush=False, labelPadding=4, ticks=False, domain=False,
        labelExpr=label, titlePadding=6,
    )  # fmt: skip


def cell_number(value: str, columns: int, digits: int) -> str:
    """Return the expression that writes a cell's number: a digit less where columns are narrow, nothing below that."""
    room = f"width / {max(1, columns)}"
    return f"{room} < {WHOLE} ? '' : format({value}, {room} < {NUMBER} ? '.{max(0, digits - 1)}f' : '.{digits}f')"


def cell_size(columns: int) -> alt.ExprRef:
    """Return the size of the numbers in cells: smaller where columns are narrow."""
    return alt.ExprRef(f"width / {max(1, columns)} < {NUMBER} ? 9 : 12")


def run_names(table: pl.DataFrame) -> pl.DataFrame:
    """Return one row per run with `name`, what a figure calls it: its model, and what sets runs of one model apart.

    Needs the columns run, model, kind and condition. Runs of one model are told apart by their condition, else by what
    their id adds to the model; human and control runs say their kind.
    """
    runs = table.select("run", "model", "kind", "condition").unique("run", maintain_order=True)
    kind = pl.col("kind")
    told = (kind == "model") | pl.col("model").str.to_lowercase().str.contains(kind, literal=True)
    plain = pl.when(told).then("model").otherwise(pl.format("{} ({})", "model", "kind"))
    runs = runs.with_columns(plain.alias("name"))
    varied = pl.col("name").is_duplicated() & (pl.col("condition") != "none")
    runs = runs.with_columns(name=pl.when(varied).then(pl.format("{} · {}", "name", "condition")).otherwise("name"))
    twice = pl.col("name").is_duplicated()
    own = pl.col("run").str.strip_prefix(pl.col("model")).str.strip_chars_start("/")
    own = pl.when(own == "").then("run").otherwise(own)
    runs = runs.with_columns(name=pl.when(twice).then(pl.format("{} · {}", "name", own)).otherwise("name"))
    alike = pl.col("name").is_duplicated()  # the rest of one id is another id as a whole
    return runs.select("run", name=pl.when(alike).then("run").otherwise("name"))


def level_order(table: pl.DataFrame) -> list[str]:
    """Return the values of a slice key from many items to few, ties by name; 'none' last."""
    sized = table.group_by("value").agg(pl.col("declared").max())
    return sized.sort(pl.col("value") == "none", -pl.col("declared").cast(pl.Int64), "value")["value"].to_list()


def p_text(p: float) -> str:
    """Return a p value as a headline writes it: four decimals, and no 0 where it is only small."""
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def spoken(level: str) -> str:
    """Return a level's name as an axis writes it."""
    return level.replace("_", " ")
