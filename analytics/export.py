"""Answers as files: the same columns and unrounded numbers everywhere, with a stamp that says how they were made."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import NONE, Slice

Stamp = Mapping[str, str]

EXECUTED = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""First characters that make a spreadsheet run a text cell as a formula."""

DIGITS = {"proportion": 2, "points": 2, "number": 4, "seconds": 2, "tokens": 0}


def stamp(
    asked: Question, answer: Answer, chosen: Slice, policy: Policy, *, options: Mapping[str, Any], data_hash: str
) -> dict[str, str]:
    """Return what every exported file says of itself: question, slice, policy, method, n, left out, seed, data."""
    left = "; ".join(f"{reason}: {n}" for reason, n in answer.left_out.items() if n) or "nothing"
    n = answer.table["n"].sum() if "n" in answer.table.columns else answer.table.height
    said = {
        "question": asked.name,
        "slice": chosen.sentence(),
        "policy": policy.sentence(),
        "options": ", ".join(f"{name}={value}" for name, value in options.items()),
        "method": answer.method,
        "n": f"{n} over {answer.table.height} rows" if "n" in answer.table.columns else f"{n} rows",
        "left out": left,
        "seed": "none used" if answer.seed is None else str(answer.seed),
        "data hash": data_hash,
        "ask": command(asked, chosen, policy, options),
    }
    return {name: " ".join(text.split()) for name, text in said.items() if text}


def command(asked: Question, chosen: Slice, policy: Policy, options: Mapping[str, Any]) -> str:
    """Return the `scoreproof ask` call that gives the same table."""
    import shlex  # noqa: PLC0415 - needed for this line alone

    initial = {option.name: option.initial for option in asked.options}
    parts = ["scoreproof", "ask", asked.name]
    parts += [f"--where {shlex.quote(f'{name}={value}')}" for name, values in chosen.choices for value in values]
    changed = policy.to_params() | {k: str(v) for k, v in options.items() if v != initial.get(k)}
    parts += [f"--set {shlex.quote(f'{name}={value}')}" for name, value in changed.items()]
    return " ".join(parts)


def _plain(value: object) -> object:
    """Return a value that JSON has; not a number is null, never a word that other readers choke on."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return value


def to_records(table: pl.DataFrame) -> list[dict[str, object]]:
    """Return one record per row with values that JSON has, numbers unrounded."""
    return [{name: _plain(value) for name, value in row.items()} for row in table.iter_rows(named=True)]


def to_json(table: pl.DataFrame) -> str:
    """Return a list of records, numbers unrounded."""
    return json.dumps(to_records(table), ensure_ascii=False, indent=1, default=str, allow_nan=False) + "\n"


def to_csv(table: pl.DataFrame, *, said: Stamp | None, guard: bool) -> str:
    """Return CSV; the stamp stands in comment lines above the header.

    `guard` puts an apostrophe before text that a spreadsheet would run as a formula, and each line of the stamp into
    one quoted cell.
    """
    flat = _flat(table)
    if guard:
        texts = [name for name, kind in flat.schema.items() if kind in (pl.String, pl.Categorical, pl.Enum)]
        flat = flat.with_columns(_guarded(pl.col(name).cast(pl.String)).alias(name) for name in texts)
        flat = flat.rename({name: f"'{name}" for name in flat.columns if name.startswith(EXECUTED)})
    lines = [f"# {name}: {text}" for name, text in (said or {}).items()]
    if guard:
        lines = ['"' + line.replace('"', '""') + '"' for line in lines]
    return "".join(f"{line}\n" for line in lines) + flat.write_csv()


def _guarded(text: pl.Expr) -> pl.Expr:
    """Return the text with an apostrophe before what a spreadsheet would run; blanks in front do not hide it."""
    shown = text.str.strip_chars_start(" \u00a0\u3000\ufeff")
    runs = pl.any_horizontal(shown.str.starts_with(first) for first in EXECUTED)
    return pl.when(runs).then(pl.concat_str(pl.lit("'"), text)).otherwise(text)


def to_parquet(table: pl.DataFrame, *, said: Stamp | None) -> bytes:
    """Return Parquet; the stamp is the file's key-value metadata."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - heavy, and for this format alone

    arrow = table.to_arrow()
    marks = {f"scoreproof.{name}": text for name, text in (said or {}).items()}
    arrow = arrow.replace_schema_metadata({**(arrow.schema.metadata or {}), **marks})
    buffer = io.BytesIO()
    pq.write_table(arrow, buffer, compression="zstd")
    return buffer.getvalue()


LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def latex_text(text: str) -> str:
    """Return text that LaTeX prints as it stands."""
    return "".join(LATEX.get(c, c) for c in " ".join(text.split()))


def to_latex(table: pl.DataFrame, columns: Sequence[Result], *, said: Stamp | None) -> str:
    """Return a tabular with booktabs rules; proportions in percent, the stamp in comment lines."""
    units = {column.name: column for column in columns}
    numeric = [kind.is_numeric() for kind in table.dtypes]
    spec = "".join("r" if is_number else "l" for is_number in numeric)
    heads = [latex_text(_head(name, units)) for name in table.columns]
    lines = [f"% {name}: {text}" for name, text in (said or {}).items()]
    lines += [rf"\begin{{tabular}}{{{spec}}}", r"\toprule", " & ".join(heads) + r" \\", r"\midrule"]
    for row in table.iter_rows():
        cells = [latex_text(written(value, units.get(name))) for name, value in zip(table.columns, row, strict=True)]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def to_text(table: pl.DataFrame, columns: Sequence[Result], *, width: int) -> str:
    """Return an aligned table for a terminal; proportions in percent with two decimals.

    Columns that do not fit beside each other in `width` go on below, after the column that tells rows apart. Columns
    that say nothing in any row, null or 'none', are left away; files have them.
    """
    units = {column.name: column for column in columns}
    shown = [name for name in table.columns if not table.height or not _says_nothing(table[name])]
    texts_of = [name for name in shown if table[name].dtype == pl.String]
    lead = next((name for name in texts_of if table[name].n_unique() == table.height), (texts_of or shown or [""])[0])
    shown.sort(key=lambda name: name != lead)
    cells = {
        name: [_head(name, units), *(_clip(written(value, units.get(name))) for value in table[name])] for name in shown
    }
    right = {name: table[name].dtype.is_numeric() for name in shown}
    widths = {name: max(len(text) for text in texts) for name, texts in cells.items()}
    blocks: list[list[str]] = []
    for name in shown:
        used = sum(widths[other] + 2 for other in blocks[-1]) if blocks else width
        if used + widths[name] > width:
            blocks.append([lead, name] if blocks else [name])
        else:
            blocks[-1].append(name)
    out = []
    for block in blocks:
        out += [
            "  ".join(
                cells[name][line].rjust(widths[name]) if right[name] else cells[name][line].ljust(widths[name])
                for name in block
            ).rstrip()
            for line in range(table.height + 1)
        ]
        out.append("")
    return "\n".join(out)


def _says_nothing(column: pl.Series) -> bool:
    """Whether no row of a column has a value: null, or the word for 'the log says nothing here'."""
    held = column.drop_nulls()
    return held.is_empty() or (held.dtype == pl.String and bool(held.is_in([NONE, ""]).all()))


def _head(name: str, units: Mapping[str, Result]) -> str:
    unit = units[name].unit if name in units else "text"
    return f"{name} %" if unit == "proportion" else f"{name} pts" if unit == "points" else name


def _clip(text: str, *, most: int = 48) -> str:
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else line[: most - 3] + "..."


def written(value: object, column: Result | None) -> str:
    """Return one value as a person reads it; the last step before paper or terminal, never before a calculation."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return "; ".join(str(v) for v in value)
    return _number(value, column.unit if column else "number") if isinstance(value, float) else str(value)


def _number(value: float, unit: str) -> str:
    """Return a number in its unit's usual digits; a small p keeps its size, not a number is no text."""
    if not math.isfinite(value):
        return ""
    if unit == "p":
        return f"{value:.3g}"
    scaled = value * 100 if unit in {"proportion", "points"} else value
    return f"{scaled:.{DIGITS.get(unit, 4)}f}"


def _flat(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with lists joined, since CSV has none."""
    lists = [name for name, kind in table.schema.items() if isinstance(kind, pl.List)]
    return table.with_columns(pl.col(name).cast(pl.List(pl.String)).list.join("; ") for name in lists)
