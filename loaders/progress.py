"""How far a build is, and how a caller stops it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a build is: `done` of `total` sources or steps, `rows` records seen in the current source.

    `rate` is records per second of the current source, 0 before its first.
    """

    stage: Literal["read", "build", "done"]
    done: int
    total: int
    source: str
    rows: int
    rate: float = 0.0


OnProgress = Callable[[Progress], None]


class Cancelled(BaseException):
    """Raised by an `on_progress` that wants the build to end; the served build is then as it was.

    Like the cancellation of a task it is no Exception: what keeps one bad file from stopping the others must not keep
    it from being heard.
    """


def silent(_: Progress) -> None:
    """Report nothing."""


def to_terminal(progress: Progress) -> None:
    """Write one line of progress to standard error where that is a terminal."""
    if sys.stderr.isatty():
        share = f"{progress.done}/{progress.total}"
        rows = f", {progress.rows:,} records, {progress.rate:,.0f} per second" if progress.rows else ""
        line = f"{progress.stage} {share} {progress.source}{rows}"[:110]
        sys.stderr.write(f"\r\x1b[K{line}" + ("\n" if progress.stage == "done" else ""))
        sys.stderr.flush()


def counter(on_progress: OnProgress, done: int, total: int, source: str) -> Callable[[int], None]:
    """Return what tells the caller how many records of one source were seen, and how fast they come."""
    start = time.monotonic()

    def seen(rows: int) -> None:
        on_progress(Progress("read", done, total, source, rows, rows / max(time.monotonic() - start, 1e-3)))

    return seen
