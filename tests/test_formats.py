"""docs/formats.md is true: its examples load without a doubt, and every declared field is described."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analytics.store import Store
from loaders.base import readers
from loaders.warehouse import build
from tests.asking import one, rows

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "formats.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```jsonl (\S+)\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("formats")
    for name, text in EXAMPLES:
        path = folder / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    report = build([str(folder / "logs")], folder / "store", add=False)
    assert report.issues == []
    assert {source["loader"] for source in report.sources} == {"hss", "srb"}
    return Store(folder / "store")


def test_the_examples_give_what_the_text_says(store):
    alpha = one(rows(store, "leaderboard", {"benchmark": "hss"}), run="hss/alpha")
    assert (alpha["raw"], alpha["n"], alpha["usable"], alpha["failed"]) == (0.5, 1, 2, 0)
    found = rows(store, "leaderboard", {"benchmark": "srb"})
    assert [one(found, run=f"srb/{run}")["raw"] for run in ("alpha", "beta", "person")] == [1.0, 0.0, None]
    assert one(rows(store, "statuses", {"benchmark": "srb"}), run="srb/beta")["status"] == "invalid_format"


@pytest.mark.parametrize("name", ["hss", "srb"])
def test_every_declared_field_is_described(name):
    reader = next(reader for reader in readers() if reader.name == name)
    section = TEXT.split(f"(`{name}`)\n")[1].split("\n## ")[0]
    for field in reader.fields:
        for path in field.paths:
            last = re.sub(r"\[\]|<|>", "", path.split(".")[-1].split("[]")[-1] or path.split("[]")[0])
            assert re.search(rf"\b{re.escape(last)}\b", section) or path.startswith("<"), path
