"""Serving without writing: visitors may look and ask, and change nothing on the server.

Every road that writes, or reads a path that a visitor names, asks here. A page that hides its buttons is a courtesy;
this is the lock.
"""

from __future__ import annotations

import os

from analytics.errors import ReadOnly

VARIABLE = "SCOREPROOF_READ_ONLY"
"""Set to 1 by `scoreproof serve --read-only`, or by whoever starts the server."""

SAYS = "This server is read-only: logs, profiles and claims are looked at here, not added, removed or saved."


def is_read_only() -> bool:
    """Whether this process serves without writing. Anything but an empty value, 0, no or false means that it does."""
    return os.environ.get(VARIABLE, "").strip().lower() not in ("", "0", "no", "false")


def check_writable(what: str) -> None:
    """Raise ReadOnly when this process must not do `what`, which is said in the error."""
    if is_read_only():
        raise ReadOnly(f"{what} is off: {SAYS} Run scoreproof on your own machine for that.")
