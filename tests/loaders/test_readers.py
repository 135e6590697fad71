"""What must hold for every reader: samples, declared columns, one claim per file, a closed account, no surprise."""

from __future__ import annotations

from pathlib import Path

import pytest

from analytics.schema import TABLES
from loaders.base import HEAD_BYTES, Reader, readers
from loaders.discover import Candidate, discover
from tests.loaders.reading import read_sample

SAMPLES = Path(__file__).parent / "samples"
EVERY = pytest.mark.parametrize("reader", readers(), ids=lambda reader: reader.name)


def candidates(reader: Reader, kind: str) -> list[Candidate]:
    """Return what discovery finds among the good or broken samples of a reader, every reader being asked."""
    folder = SAMPLES / reader.name / kind
    assert folder.is_dir(), f"{reader.name} has no {kind} samples: put some into {folder}"
    return list(discover(str(folder)))


def test_there_are_readers_and_their_names_are_unique():
    names = [reader.name for reader in readers()]
    assert {"native", "psycheme", "published"} <= set(names)
    assert len(set(names)) == len(names)


@EVERY
def test_no_two_fields_read_one_path(reader):
    paths = [path for field in reader.fields for path in field.paths]
    doubled = sorted({path for path in paths if paths.count(path) > 1})
    assert paths, f"{reader.name} declares no column"
    assert doubled == []


@EVERY
def test_fields_name_columns_of_the_schema(reader):
    for field in reader.fields:
        table, _, column = field.target.partition(".")
        assert table in TABLES, field.target
        assert column in TABLES[table].names(), field.target


@EVERY
def test_good_samples_are_claimed_by_their_reader_alone_and_read_without_loss(reader):
    claimed = [c for c in candidates(reader, "good") if not c.companion]
    assert claimed, f"no good sample of {reader.name} is recognised"
    for candidate in claimed:
        assert candidate.issue is None, candidate.issue
        assert candidate.reader is not None
        assert candidate.reader.name == reader.name
        read = read_sample(reader, candidate.source.path)
        assert [i for i in read.issues if i.severity == "refused"] == []
        assert read.seen == read.kept > 0


@EVERY
def test_broken_samples_are_accounted_for(reader):
    claimed = [c for c in candidates(reader, "broken") if c.reader is not None]
    assert {c.reader.name for c in claimed if c.reader} == {reader.name}
    for candidate in claimed:
        read = read_sample(reader, candidate.source.path)
        assert read.kept + read.refused == read.seen
        assert any(i.severity in ("refused", "doubted") for i in read.issues), candidate.source.name
        assert not any(i.rule == "reader_failed" for i in read.issues), read.issues
        for issue in read.issues:
            assert issue.rule
            assert issue.message.strip()
            assert issue.records >= 0


@EVERY
def test_reading_twice_gives_the_same(reader):
    for kind in ("good", "broken"):
        for candidate in candidates(reader, kind):
            if candidate.reader is None:
                continue
            first = read_sample(reader, candidate.source.path)
            second = read_sample(reader, candidate.source.path)
            assert first.issues == second.issues
            assert first.tables.keys() == second.tables.keys()
            for name, frame in first.tables.items():
                assert frame.equals(second.tables[name]), name


@EVERY
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe{\x00}\x00",
        b"{",
        b"[",
        b"[]",
        b"{}",
        b"\x00" * 64,
        b"PAR1",
        b"PK\x03\x04",
        b"hello, world\n1,2\n",
    ],
    ids=repr,
)
def test_a_file_of_another_tool_is_not_claimed(reader, content, tmp_path):
    path = tmp_path / "some.json"
    path.write_bytes(content)
    assert not reader.claims(path, content[:HEAD_BYTES])
    (tmp_path / "folder").mkdir()
    if reader.unit == "folder":
        assert not reader.claims(tmp_path / "folder", b"")
