"""The published tables that golden tests compute from."""

import csv
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "logs" / "published"


def rows(name: str) -> list[dict[str, str]]:
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))
