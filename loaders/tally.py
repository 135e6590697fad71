"""The account of one source while it is read: records seen, kept, refused, and kept with a doubt."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from loaders.base import Issue


@dataclass(slots=True)
class Tally:
    """Running account of one source: seen = kept + refused."""

    seen: int = 0
    refused: int = 0
    issues: list[Issue] = field(default_factory=list)
    filled: set[str] = field(default_factory=set)
    primary: set[str] = field(default_factory=set)
    shared_lines: bool = False

    def add(self, issue: Issue, *, counts: bool) -> None:
        """Note an issue; a refused one counts its records as refused when `counts`."""
        self.issues.append(issue)
        if counts and issue.severity == "refused":
            self.refused += issue.records

    @property
    def kept(self) -> int:
        """Records that became rows."""
        return self.seen - self.refused

    @property
    def doubted(self) -> int:
        """Records kept with a doubt, one with several counted once.

        Doubts without a place, or in a file whose lines hold several records each, are added up: at most all kept.
        """
        doubts = [issue for issue in self.issues if issue.severity == "doubted"]
        placed = [] if self.shared_lines else [issue.lines for issue in doubts if issue.lines is not None]
        loose = sum(issue.records for issue in doubts if self.shared_lines or issue.lines is None)
        once = len(np.unique(np.concatenate([np.asarray(lines) for lines in placed]))) if placed else 0
        return min(self.kept, once + loose)


def shares_lines(frame: pl.DataFrame) -> bool:
    """Whether rows that stand for records share lines, as the runs of a wide table do."""
    if "line" not in frame.columns or frame["line"].null_count():
        return False
    line = frame["line"]
    return not bool((line.diff().drop_nulls() > 0).all()) and line.n_unique() < frame.height
