"""The pointer file of a store: which build is current."""

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
