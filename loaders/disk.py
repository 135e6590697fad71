"""A disk that takes no more: told apart from a log that cannot be read, which only that log pays for."""

from __future__ import annotations

import errno

import duckdb

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS})
LOST = (duckdb.IOException, duckdb.TransactionException, duckdb.FatalException)


def is_full(error: BaseException) -> bool:
    """Whether what was being written could not be: the store's disk is full, over quota, broken or read-only."""
    return isinstance(error, LOST) or (isinstance(error, OSError) and error.errno in FULL)
