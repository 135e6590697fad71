"""The worked example of docs/mapping.md runs, and its tables name what there is."""

import json
import re
from pathlib import Path

import cli
from loaders import mapping_profile
from loaders.mapping_open import DOCUMENT_BYTES
from loaders.mapping_try import TRIAL_ROWS
from loaders.sheets import SHEET_BYTES

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "mapping.md").read_text(encoding="utf-8")


def block(language):
    return re.search(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)[1]


def asked(capfdbinary, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = next(line for line in TEXT.splitlines() if line.startswith("scoreproof ask"))
    assert cli.main([*command.split()[1:], "--format", "json"]) == 0
    return {row["run"]: (row["correct"], row["n"], row["raw"]) for row in json.loads(capfdbinary.readouterr()[0])}


def test_the_example_gives_the_numbers_that_it_says(tmp_path, capfdbinary, monkeypatch):
    (tmp_path / "pets.csv").write_text(block("csv"))
    profile = tmp_path / "pets.scoreproof.toml"
    profile.write_text(block("toml"))
    assert asked(capfdbinary, tmp_path, monkeypatch) == {"pets/Lynx": (3, 4, 0.75), "pets/Owl": (2, 4, 0.5)}
    profile.write_text(block("toml").replace('name = "pets"', 'name = "pets"\nmissing_policy = "exclude"'))
    assert asked(capfdbinary, tmp_path, monkeypatch)["pets/Owl"] == (2, 3, 2 / 3)


def test_every_key_rule_and_bound_is_described():
    for name in (*mapping_profile._TOP, *mapping_profile._FILE, *mapping_profile._SCORING, *mapping_profile._BENCHMARK):
        assert f"`{name}`" in TEXT or f"`file.{name}`" in TEXT or f"`{name}." in TEXT, name
    for name in (*mapping_profile.RULES, *mapping_profile.FORMATS, *mapping_profile.LAYOUTS):
        assert f"`{name}`" in TEXT, name
    assert f"{DOCUMENT_BYTES >> 20} MiB" in TEXT
    assert f"{SHEET_BYTES >> 30} GiB" in TEXT
    assert f"{TRIAL_ROWS:,} rows" in TEXT
