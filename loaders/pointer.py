"""The pointer file of a store: which build is current, and which files were taken out of it."""

from __future__ import annotations

import json
from pathlib import Path

POINTER = "current.json"


def named_by(pointer: Path) -> str:
    """Return the name of the build file that a pointer names; empty where there is none that can be read."""
    try:
        return Path(str(json.loads(pointer.read_text(encoding="utf-8"))["file"])).name
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def removed_by(pointer: Path) -> frozenset[Path]:
    """Return where the sources stand on disk that a person took out of the store, links followed.

    Empty where the pointer names none or cannot be read. A fresh build, and adding such a file again, drops it here.
    """
    try:
        return frozenset(Path(str(place)) for place in json.loads(pointer.read_text(encoding="utf-8"))["removed"])
    except (OSError, ValueError, KeyError, TypeError):
        return frozenset()
