"""Spoiled logs: a few cases of the long run for every reader, and every input that once broke a reader.

The long run is `python -m benchmarks.fuzz`; what it finds is made short and kept in `fuzzed/`, one folder each.
"""

from __future__ import annotations

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.fuzz import case
from benchmarks.fuzzing import check
from benchmarks.fuzzing.mutations import mutate
from benchmarks.fuzzing.samples import every
from loaders.base import Batch, Issue

SAMPLES = every()
FUZZED = sorted(path for path in (Path(__file__).parent / "fuzzed").iterdir() if path.is_dir())
CASES = 10


@pytest.mark.parametrize("reader", SAMPLES)
def test_a_spoiled_log_is_read_or_refused(reader: str, tmp_path: Path) -> None:
    recognised = 0
    for number in range(CASES):
        name, tree = case(SAMPLES, reader, 0, number)
        check.write_tree(tmp_path / "case", tree)
        outcome = check.run(tmp_path / "case", name, whole=number == 0)
        assert outcome.finding is None, f"case {number}: {outcome}"
        recognised += outcome.claimed > 0
    assert recognised >= CASES // 4


@pytest.mark.parametrize("kept", FUZZED, ids=lambda path: path.name)
def test_what_once_broke_a_reader_no_longer_does(kept: Path, tmp_path: Path) -> None:
    shutil.copytree(kept, tmp_path / "case")
    for path in sorted(p for p in (tmp_path / "case").rglob("*") if p.is_file()):
        outcome = check.run(tmp_path / "case", str(path.relative_to(tmp_path / "case")), whole=False)
        assert outcome.finding is None, outcome


def test_a_case_is_the_same_again() -> None:
    assert case(SAMPLES, "psycheme", 5, 17) == case(SAMPLES, "psycheme", 5, 17)
    assert case(SAMPLES, "psycheme", 5, 17) != case(SAMPLES, "psycheme", 6, 17)


def test_every_mutation_changes_something() -> None:
    rng = random.Random(1)
    tree = SAMPLES["psycheme"][0].tree
    changed = [mutate(tree, rng, b"other")[1] != tree for _ in range(200)]
    assert sum(changed) > 150


FAULTS = {
    "crash": "KeyError",
    "invented": "row invented",
    "unaccounted": "validate loses rows",
    "silent": "AssertionError",
    "slow": "slow",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_check_sees_a_faulty_reader(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the properties forbid is found when a reader does it."""
    folder = tmp_path / "case"
    check.write_tree(folder, {"run.jsonl": SAMPLES["openai_evals"][0].tree["run.jsonl"]})
    candidate = next(c for c in check.discover(str(folder)) if c.reader is not None)
    assert candidate.reader is not None
    good = list(candidate.reader.read(candidate.source))

    def read(_: object) -> object:
        if fault == "crash":
            raise KeyError("x")
        if fault == "slow":
            while True:
                pass
        for found in good:
            many = isinstance(found, Batch) and found.primary and fault == "invented"
            for _ in range(40 if many else 1):
                yield found
        if fault == "silent":
            yield Issue("rule", "refused", " ")

    def validate(table: str, frame: object) -> object:
        valid, issues = original(table, frame)
        return (valid.head(0) if table == "responses" else valid), issues

    original = check.validate
    if fault == "unaccounted":
        monkeypatch.setattr(check, "validate", validate)
    reader = replace(candidate.reader, read=read)
    monkeypatch.setattr(check, "discover", lambda _: [type(candidate)(candidate.source, reader, False, None)])
    outcome = check.run(folder, "run.jsonl", whole=False, seconds=1.0)
    assert outcome.finding is not None
    assert outcome.finding.startswith(FAULTS[fault])
