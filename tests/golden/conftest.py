"""One store of the embedded rows for all golden tests, and the tables that they are compared with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from analytics.store import Store
from loaders.warehouse import build
from tests.numeric import published

RECONSTRUCTED = Path(__file__).resolve().parents[2] / "logs" / "reconstructed"


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Store of every reconstructed benchmark."""
    folder = tmp_path_factory.mktemp("embedded") / "store"
    build([str(path) for path in sorted(RECONSTRUCTED.iterdir()) if path.is_dir()], folder, add=False)
    return Store(folder)


@pytest.fixture(scope="session")
def printed() -> Callable[[str], list[dict[str, str]]]:
    """Rows of a published table by its name, every cell as printed."""
    return published.rows
