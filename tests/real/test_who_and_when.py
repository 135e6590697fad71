"""Who&When failure labels against the reference results beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from loaders.who_and_when import READER
from tests.reading import Reading, found_by, read_all

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def labelled(logs: Path) -> Reading:
    paths = found_by(READER, logs / "who_and_when")
    assert len(paths) == 48
    return read_all(READER, paths)


def test_counts(labelled: Reading, expected: Any) -> None:
    want = expected("who_and_when")
    assert (labelled.seen, labelled.kept, labelled.refused) == (want["n"], want["n"], 0)
    assert labelled["responses"]["credit"].sum() == 0
    assert labelled["items"]["item_id"].n_unique() == want["n"]
    assert dict(labelled["items"].group_by("axis").len().rows()) == want["by_group"]


def test_agents_and_levels(labelled: Reading, expected: Any) -> None:
    want = expected("who_and_when")
    rows = labelled["failure_labels"].join(labelled["items"].select("item_id", "capability"), on="item_id")
    assert dict(rows.group_by("cause").len().rows()) == want["mistake_agent"]
    assert {str(level): n for level, n in rows.group_by("capability").len().rows()} == want["level"]
    crossed = rows.group_by("cause", "capability").len().rows()
    assert {f"{cause}|{level}": n for cause, level, n in crossed} == want["agent_by_level"]


def test_steps(labelled: Reading, expected: Any) -> None:
    want = expected("who_and_when")
    assert labelled["failure_labels"].filter(pl.col("note").str.starts_with("step ")).height == want["step_in_range"]
    actor = pl.col("note").str.extract(r"^step \d+ by (.+?): ")
    exact = labelled["failure_labels"].filter(actor == pl.col("cause")).height
    assert exact == want["step_agent_matches_name"]
    spoken = labelled["failure_labels"].filter(actor.str.starts_with(pl.col("cause") + pl.lit(" (")))
    assert labelled.rules() == {"agent_of_step": want["n"] - exact - spoken.height}
