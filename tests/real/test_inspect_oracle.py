"""Inspect logs against inspect_ai's own reader: same samples, same scores, same statuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from loaders.inspect_ai_log import READER
from tests.reading import found_by, read_all
from tests.real import oracles

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def files(logs: Path) -> list[Path]:
    return found_by(READER, logs / "inspect")


@pytest.fixture(scope="module")
def theirs(files: list[Path]) -> dict[str, dict[str, Any]]:
    if oracles.python() is None:
        pytest.skip(oracles.MISSING)
    return oracles.theirs(files, repeats=1)


def test_samples_scores_and_statuses_are_those_of_inspect_ai(
    files: list[Path], theirs: dict[str, dict[str, Any]]
) -> None:
    assert len(files) == 12
    scored = 0
    for file in files:
        want, reading = theirs[str(file)], read_all(READER, [file])
        rows = reading["responses"]
        held = {(row["item_id"], row["attempt"]): row for row in rows.iter_rows(named=True)}
        assert set(held) == {(sample["id"], sample["epoch"]) for sample in want["samples"]}, file.name
        assert rows.height == len(want["samples"])
        (run,) = reading["runs"].to_dicts()
        assert run["complete"] == (want["status"] == "success"), file.name
        assert run["model"] == want["model"]
        judged = reading.tables.get("verdicts")
        for sample in want["samples"]:
            row = held[sample["id"], sample["epoch"]]
            assert row["credit"] == sample["credit"], (file.name, sample)
            assert (row["status"] == "error") == sample["error"], (file.name, sample)
            scored += sample["credit"] is not None
        verdicts = 0 if judged is None else judged.height
        assert verdicts == sum(len(sample["scorers"]) for sample in want["samples"]), file.name
    assert scored > 500
