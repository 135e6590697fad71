"""Scales of credits: one for all runs, or in a wide file one of each; two under one name are refused or doubted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from analytics.errors import BadLog
from loaders.base import Issue
from loaders.mapping_profile import Profile, Run

Range = tuple[float, float]


@dataclass(slots=True)
class Ranges:
    """The lowest and highest number met so far, by field, under the file's one scale.

    `met` has them for each column of a wide file, `runs` for each run of a long one, with how many numbers it has.
    """

    met: dict[str, dict[str, Range]] = field(default_factory=dict)
    runs: dict[str, dict[str, tuple[float, float, int]]] = field(default_factory=dict)

    def add_long(self, profile: Profile, frame: pl.DataFrame) -> None:
        """Note the numbers of each run of a long file, of which the keyed frame has them on our scale."""
        for name, (low, high) in profile.scale.items():
            if name in profile.values:  # what it has a word for is on our scale already, and looks no other here
                continue
            ours = frame[name].cast(pl.Float64, strict=False)
            numbers = frame.select("run_id", ours.alias("ours")).drop_nulls().filter(pl.col("ours").is_finite())
            spans = numbers.group_by("run_id").agg(
                pl.col("ours").min().alias("least"), pl.col("ours").max().alias("most"), pl.len()
            )
            known = self.runs.setdefault(name, {})
            for run, least, most, count in spans.rows():
                # as the log has them: what the scale took to ours is taken back, short of the last digits
                span = round(least * (high - low) + low, 9), round(most * (high - low) + low, 9)
                before = known.get(run, (*span, 0))
                known[run] = min(span[0], before[0]), max(span[1], before[1]), before[2] + count

    def doubts(self, profile: Profile) -> Iterator[Issue]:
        """Yield a doubt for each run of a long file from 0 to 1 beside runs that go beyond, under one wider scale.

        It may be a run that earned little, so that it is kept; a run of zeros alone is 0 on both scales.
        """
        for name, (low, high) in profile.scale.items():
            found = self.runs.get(name, {})
            beyond = sorted(run for run, span in found.items() if span[1] > 1)
            if low > 0 or high <= 1 or not beyond:
                continue
            for run, (least, most, count) in sorted(found.items()):
                if least >= 0 and 0 < most <= 1:
                    message = (
                        f"{name} of run {run} goes from {least:g} to {most:g}, that of {beyond[0]} up to "
                        f"{found[beyond[0]][1]:g}, and {profile.name} has the scale [{low:g}, {high:g}] for both. "
                        "Where the first is on a scale of its own, give its rows a file and a profile with "
                        f"{name} = [0, 1]."
                    )
                    yield Issue("scale_of_run", "doubted", message, column=f"responses.{name}", records=count)

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
