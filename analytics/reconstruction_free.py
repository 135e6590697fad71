"""What no printed figure pins in the reconstructed rows, and by which rule it was filled."""

from __future__ import annotations

import tomllib

import polars as pl

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.reconstruction import FOLDER, NEEDS, held
from analytics.slices import Slice
from analytics.store import Connection


def reconstruction_free(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Return what is free in the reconstructed rows: results on it are an illustration.

    One row per thing left free; `rule` says how the rows fill it. Slice and policy do not apply. Raises EmptySlice
    without reconstructed rows.
    """
    del policy
    held(cursor, chosen)
    entries = tomllib.loads((FOLDER / "free.toml").read_text(encoding="utf-8"))["free"]
    return Answer(pl.DataFrame(entries, schema=[c.name for c in QUESTION.columns]), "the generator's own list", {})


QUESTION = Question(
    name="reconstruction_free",
    title="Free in the reconstruction",
    asks="What do the reconstructed rows hold that no printed figure pins?",
    source="logs/reconstructed/free.toml, beside the rows",
    needs=NEEDS,
    options=(),
    columns=(
        Result("benchmark", "text", "benchmark version, or all"),
        Result("what", "text", "what is free"),
        Result("rule", "text", "by which rule it was filled"),
    ),
    ask=reconstruction_free,
)
