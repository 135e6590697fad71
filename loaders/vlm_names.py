"""What VLMEvalKit tells by names alone: `<model>/[T<date>_G<hash>/]<model>_<dataset>[_<judge>[_result]].<ending>`.

Models, datasets and judges may all hold underscores, so the model is taken from the folder, never guessed.
Naming: https://github.com/open-compass/VLMEvalKit, docs and vlmeval/smp.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from analytics.errors import BadLog

TABLES = (".xlsx", ".csv", ".tsv", ".json")
DATED = re.compile(r"T\d{8}_G[0-9a-f]+")
JUDGED = re.compile(
    r"(?P<dataset>.+?)_(?:(?P<result>exact_matching|[A-Za-z0-9.\-]+)_result|(?P<aux>auxmatch)|"
    r"(?P<judge>exact_matching|(?:gpt|chatgpt|openai|claude|gemini|qwen|deepseek|llama)[\w.\-]*))"
)
ROTATED = re.compile(r"(?P<dataset>.+)_rot(?P<degrees>0|90|180|270)")
PROGRAMS = ("exact_matching", "auxmatch")


@dataclass(frozen=True, slots=True)
class Named:
    """What a file's place says: `condition` is a rotation of the same scenes, `dated` the folder of a dated run."""

    model: str
    dataset: str
    judge: str | None
    condition: str | None
    dated: str | None

    @property
    def run_id(self) -> str:
        """The run: model, benchmark, condition and dated folder."""
        parts = [self.model, self.dataset, self.condition, self.dated]
        return "vlmevalkit/" + "/".join(part for part in parts if part)


def named(path: Path) -> Named:
    """Return what the path says; links are followed, so that a linked file is the run that it belongs to."""
    real = path.resolve()
    folder = real.parent
    dated = folder.name if DATED.fullmatch(folder.name) else None
    model = folder.parent.name if dated else folder.name
    rest = real.stem.removeprefix(model + "_")
    if rest == real.stem or not rest:
        raise BadLog(
            f"{path.name} does not begin with the name of its folder '{model}' and an underscore, so the model's name "
            "cannot be told from the dataset's. Put it in a folder named after the model."
        )
    found = JUDGED.fullmatch(rest)
    judge = (found["result"] or found["aux"] or found["judge"]) if found else None
    dataset = found["dataset"] if found else rest
    turned = ROTATED.fullmatch(dataset)
    if turned is not None:
        return Named(model, turned["dataset"], judge, f"rotation={turned['degrees']}", dated)
    return Named(model, dataset, judge, None, dated)


def beside(path: Path) -> list[Path]:
    """Return the tables beside a file whose names go on where its own ends: what was made from it."""
    stem = path.stem + "_"
    return [
        other
        for other in sorted(path.parent.iterdir())
        if other.suffix.lower() in TABLES and other.stem.startswith(stem) and other.is_file()
    ]


def made_from(path: Path) -> list[Path]:
    """Return the tables beside a file whose names its own goes on from, and those that go on from the same stem."""
    stems = {path.stem.rsplit("_", k)[0] for k in (1, 2)}
    return [
        other
        for other in sorted(path.parent.iterdir())
        if other != path
        and other.suffix.lower() in TABLES
        and any(other.stem == stem or other.stem.startswith(stem + "_") for stem in stems if stem)
        and other.is_file()
    ]
