"""Asking inspect_ai's own reader, in a process of its own, since it need not live in our environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from loaders.base import Source
from loaders.inspect_ai_log import READER

SCRIPT = Path(__file__).with_name("inspect_oracle.py")
MISSING = (
    "inspect_ai is not installed: install the extra `inspect-oracle`, or name a Python that has it in "
    "SCOREPROOF_INSPECT_PYTHON"
)


def python() -> str | None:
    """Return a Python that has inspect_ai; None where there is none."""
    named = os.environ.get("SCOREPROOF_INSPECT_PYTHON", sys.executable)
    found = subprocess.run([named, "-c", "import inspect_ai"], capture_output=True, timeout=120, check=False)
    return named if found.returncode == 0 else None


def theirs(files: list[Path], *, repeats: int) -> dict[str, dict[str, Any]]:
    """Return what inspect_ai reads from each file, and how long it took."""
    command = [str(python()), str(SCRIPT), str(repeats), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
    found: dict[str, dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def ours(file: Path, *, repeats: int) -> float:
    """Return the least processor time in which our reader reads a file whole."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        for _found in READER.read(Source(file, file.name, str(file.parent))):
            pass
        taken.append(time.process_time() - start)
    return min(taken)
