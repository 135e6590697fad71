"""Issues with a place: the first ones of a rule each by itself, the others counted into one."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from loaders.base import Issue, shorten

EXAMPLES = 20
"""Issues of one rule and column in one source that are given in full."""

Severity = Literal["refused", "doubted", "note"]


@dataclass(slots=True)
class Located:
    """Running count of the issues of one source by rule and column."""

    counts: dict[tuple[str, str | None], int] = field(default_factory=dict)
    last: dict[tuple[str, str | None], Issue] = field(default_factory=dict)
    unshown: dict[tuple[str, str | None], array[int]] = field(default_factory=dict)

    def one(self, issue: Issue) -> Iterator[Issue]:
        """Yield the issue unless its rule has had EXAMPLES already; then it is only counted."""
        key = (issue.rule, issue.column)
        self.counts[key] = self.counts.get(key, 0) + 1
        if self.counts[key] <= EXAMPLES:
            yield issue
        else:
            self.last[key] = issue
            if issue.line is not None:
                self.unshown.setdefault(key, array("q")).append(issue.line)

    def where(
        self,
        mask: pl.Series,
        lines: pl.Series,
        found: pl.Series,
        *,
        rule: str,
        severity: Severity,
        message: str,
        column: str,
    ) -> Iterator[Issue]:
        """Yield an issue for each row marked in `mask`; `message` has a {found} for the value of that row.

        `lines` and `found` are as long as `mask`. Rows past EXAMPLES are only counted.
        """
        if not mask.any():
            return
        key = (rule, column)
        before = self.counts.get(key, 0)
        marked = pl.DataFrame([lines.alias("line"), found.alias("found")]).filter(mask)
        self.counts[key] = before + marked.height
        shown = max(0, EXAMPLES - before)
        for row in marked.head(shown).iter_rows(named=True):
            yield _issue(rule, severity, message, column, row)
        if marked.height > shown:
            self.last[key] = _issue(rule, severity, message, column, marked.tail(1).row(0, named=True))
            more = marked["line"].slice(shown).cast(pl.Int64).drop_nulls()
            self.unshown.setdefault(key, array("q")).extend(more)

    def rest(self) -> Iterator[Issue]:
        """Yield one issue for each rule that had more than EXAMPLES, standing for all that were not shown."""
        for key, issue in self.last.items():
            more = self.counts[key] - EXAMPLES
            message = f"{more} more records have the same fault, the last at {issue.line}: {issue.message}"
            lines = self.unshown.get(key, array("q"))
            known = lines if len(lines) == more else None
            yield Issue(issue.rule, issue.severity, message, issue.line, issue.column, issue.excerpt, more, known)


def _issue(rule: str, severity: Severity, message: str, column: str, row: dict[str, object]) -> Issue:
    line = row["line"]
    found = "nothing" if row["found"] is None else f"'{shorten(str(row['found']), most=60)}'"
    place = line if isinstance(line, int) else None
    return Issue(rule, severity, message.format(found=found), place, column)
