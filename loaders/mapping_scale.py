"""Scales of a wide file's columns: one for all runs, or one of each run; two scales under one name are refused."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from analytics.errors import BadLog
from loaders.mapping_profile import Profile, Run

Range = tuple[float, float]


@dataclass(slots=True)
class Ranges:
    """The lowest and highest number met so far in each column that the file's one scale is said of, by field."""

    met: dict[str, dict[str, Range]] = field(default_factory=dict)

    def add(self, profile: Profile, run: Run, block: pl.DataFrame) -> None:
        """Note the numbers of one run's columns; what `values` has a word for is on our scale already."""
        for name in profile.scale:
            columns = run.columns.get(name, ())
            if name in run.scale or not columns or columns[0] not in block.columns:
                continue
            given = block[columns[0]]
            if isinstance(given.dtype, pl.List):
                continue
            texts = given.cast(pl.String).str.strip_chars()
            words = [word.strip().lower() for word in profile.values.get(name, {})]
            numbers = texts.filter(~texts.str.to_lowercase().is_in(words)).cast(pl.Float64, strict=False).drop_nulls()
            numbers = numbers.filter(numbers.is_finite())
            if numbers.len():
                low, high = float(str(numbers.min())), float(str(numbers.max()))
                before = self.met.setdefault(name, {}).get(columns[0], (low, high))
                self.met[name][columns[0]] = min(low, before[0]), max(high, before[1])

    def check(self, profile: Profile) -> None:
        """Raise BadLog where one scale stands for a column of 0 to 1 and for one that goes beyond.

        A column of zeros alone is 0 on both scales.
        """
        for name, (low, high) in profile.scale.items():
            found = self.met.get(name, {})
            if low > 0 or high <= 1:
                continue
            shares = [column for column, span in found.items() if span[0] >= 0 and 0 < span[1] <= 1]
            beyond = [column for column, span in found.items() if span[1] > 1]
            if shares and beyond:
                said = " and ".join(f"'{c}' from {found[c][0]:g} to {found[c][1]:g}" for c in (shares[0], beyond[0]))
                raise BadLog(
                    f"{profile.name}: scale.{name} is [{low:g}, {high:g}] for every run, and {said} are hardly on one "
                    f"scale. Write it into each [[runs]] instead, e.g. scale = {{ {name} = [0, 1] }}."
                )
