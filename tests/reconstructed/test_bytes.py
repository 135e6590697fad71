"""The generator gives the committed bytes again, in another process with another hash seed."""

import os
import subprocess
import sys
from pathlib import Path

from logs.generate.exact import ROOT

FOLDERS = ("psycheme", "hss", "hss-judges", "srb")


def test_generator_gives_the_committed_bytes(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "logs.generate", "--out", str(tmp_path)],
        cwd=ROOT.parent.parent,
        env=os.environ | {"PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "mismatch" not in done.stdout
    committed = {p.relative_to(ROOT): p.read_bytes() for folder in FOLDERS for p in (ROOT / folder).iterdir()}
    committed |= {Path(name): (ROOT / name).read_bytes() for name in ("REPORT.md", "report.csv")}
    made = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    assert made.keys() == committed.keys()
    assert [str(name) for name in committed if made[name] != committed[name]] == []
