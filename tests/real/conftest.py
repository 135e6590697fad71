"""Where other people's logs lie, and what their absence means."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from analytics.store import Store
from loaders.warehouse import build

ROOT = Path(__file__).resolve().parents[2]


def real_logs() -> Path:
    return Path(os.environ.get("SCOREPROOF_REAL_LOGS", ROOT / ".." / "shared" / "real-logs")).resolve()


@pytest.fixture(scope="session")
def logs() -> Path:
    """Folder of the real logs. Absent, the tests skip; where they are required, they fail."""
    folder = real_logs()
    if folder.is_dir():
        return folder
    reason = f"no logs at {folder}; name their folder in SCOREPROOF_REAL_LOGS"
    if os.environ.get("SCOREPROOF_REQUIRE_REAL") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def expected(logs: Path) -> Any:
    """Return the reference results of one folder."""
    return lambda name: json.loads((logs / name / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def blink_and_inspect(logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One store of BLINK's saved outputs and of the Inspect log sets."""
    folder = tmp_path_factory.mktemp("real") / "store"
    build([str(logs / "blink"), str(logs / "inspect" / "log-sets")], folder, add=False)
    return Store(folder)
