"""What can go wrong, in sentences: what was found, where, what is allowed, what to do next."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class ScoreproofError(Exception):
    """Base of every error that a reader of results is meant to see; its text is a whole sentence."""


class UnknownName(ScoreproofError, KeyError):
    """A slice key, question, option, table or column that does not exist."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownValue(ScoreproofError, ValueError):
    """A value that its key, option or column does not allow."""


class EmptySlice(ScoreproofError, ValueError):
    """No row is left that the question could be asked of."""


class Undefined(ScoreproofError, ArithmeticError):
    """A statistic that has no value on these data; the text says why."""


class NoStore(ScoreproofError, FileNotFoundError):
    """No complete build where a store was expected."""


class BadStore(ScoreproofError, OSError):
    """A store whose pointer, file or schema version does not fit."""


class BadLog(ScoreproofError, ValueError):
    """A file that cannot be read as the log that it claims to be."""


class ReadOnly(ScoreproofError, PermissionError):
    """Something that a read-only server does not do."""


class QueryTimeout(ScoreproofError, TimeoutError):
    """A query that was stopped at its time limit."""


def did_you_mean(found: str, allowed: Iterable[str]) -> str:
    """Return ' Did you mean ...?' for the nearest allowed spelling, or an empty text if none is near."""
    names = [str(name) for name in allowed]
    by_lower = {name.lower(): name for name in names}
    near = get_close_matches(found.lower(), list(by_lower), n=1, cutoff=0.6)
    return f" Did you mean '{by_lower[near[0]]}'?" if near else ""


def listing(names: Iterable[str], *, most: int = 12) -> str:
    """Join names for an error text; past `most` it says how many more there are."""
    every = [str(name) for name in names]
    shown = ", ".join(every[:most])
    return shown if len(every) <= most else f"{shown} and {len(every) - most} more"
