"""The rows of a store as a check sees them: answers of questions, with the provenance of what they rest on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from analytics.errors import ScoreproofError, UnknownValue, listing
from analytics.panel_runs import about_runs
from analytics.questions import check_judge, options_of, question
from analytics.slices import Slice, check
from analytics.store import Connection, frame

RESAMPLES = 100
"""Resamples of a question whose interval no claim reads; the estimate does not depend on them."""

PROVENANCE = """
SELECT DISTINCT provenance FROM run_dims WHERE {where} AND provenance IS NOT NULL ORDER BY provenance
"""

BENCHMARKS = "SELECT benchmark FROM benchmarks ORDER BY benchmark"

Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """Rows of one answer, the unit of each column, and the provenances of the runs that it rests on."""

    rows: Sequence[Mapping[str, Any]]
    units: Mapping[str, str]
    provenances: tuple[str, ...]
    method: str


@dataclass
class Asker:
    """Asks questions over one cursor; the same question is asked once."""

    cursor: Connection
    memory: dict[str, Asked | ScoreproofError] = field(default_factory=dict)

    @cached_property
    def benchmarks(self) -> list[str]:
        """The benchmarks of the store."""
        found: list[str] = frame(self.cursor, BENCHMARKS)["benchmark"].to_list()
        return found

    def ask(self, name: str, where: Given, options: Given) -> Asked:
        """Return the answer of one question on one slice.

        Raises UnknownName and UnknownValue for a question, key, value or option that the store does not have.
        """
        key = repr((name, sorted(where.items()), sorted(options.items())))
        if key not in self.memory:
            try:
                self.memory[key] = self._ask(name, where, options)
            except ScoreproofError as error:
                self.memory[key] = error
        found = self.memory[key]
        if isinstance(found, ScoreproofError):
            raise found
        return found

    def _ask(self, name: str, where: Given, options: Given) -> Asked:
        asked = question(name)
        chosen = Slice.from_params(where)
        absent = [name for name in chosen.values("benchmark") if name not in self.benchmarks]
        if absent:
            raise UnknownValue(f"No rows of {listing(absent)} are loaded; the store has {listing(self.benchmarks)}.")
        given = {option: str(value) for option, value in options.items()}
        if any(option.name == "resamples" for option in asked.options):
            given.setdefault("resamples", str(RESAMPLES))
        policy, own = options_of(asked, given)
        check(self.cursor, chosen)
        check_judge(self.cursor, policy)
        answer = asked.ask(self.cursor, chosen, policy, **own)
        units = {column.name: str(column.unit) for column in asked.columns}
        return Asked(answer.table.to_dicts(), units, self.provenances(chosen), answer.method)

    def provenances(self, chosen: Slice) -> tuple[str, ...]:
        """Return the provenances of the runs of a slice."""
        predicate, values = about_runs(chosen).where()
        benchmarks = chosen.values("benchmark")
        if benchmarks:
            predicate, values = (
                f"{predicate} AND run_benchmark = ANY($benchmarks)",
                values | {"benchmarks": [*benchmarks]},
            )
        found: pl.DataFrame = frame(self.cursor, PROVENANCE.format(where=predicate), values)
        return tuple(found["provenance"].to_list())
