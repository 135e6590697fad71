"""Reading Inspect logs, against inspect_ai's own reader; nothing is measured without logs or inspect_ai."""

from typing import Any

from benchmarks.figure import against_floor
from loaders.inspect_ai_log import READER
from tests.reading import found_by
from tests.real import oracles
from tests.real.conftest import real_logs

REPEATS = 25
FASTER = 3
"""How many times faster than inspect_ai a file is to be read."""


def rows() -> list[dict[str, Any]]:
    """Processor time of each file of the samples, the least of several readings: other load does not count."""
    folder = real_logs() / "inspect"
    if not folder.is_dir() or oracles.python() is None:
        return []
    files = found_by(READER, folder)
    theirs = oracles.theirs(files, repeats=REPEATS)
    return [
        against_floor(
            f"read {file.name[-44:]}, {len(theirs[str(file)]['samples'])} samples",
            oracles.ours(file, repeats=REPEATS),
            theirs[str(file)]["seconds"],
            goal=1 / FASTER,
            unit="s",
        )
        for file in files
    ]
