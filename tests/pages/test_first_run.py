"""What the first page of a process imports: no reader of logs, no statistics that it does not ask for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from analytics.questions import questions
from tests.browser.served import ROOT

HEAVY = ("scipy", "statsmodels", "vl_convert", "loaders.warehouse", "loaders.discover")
SCRIPT = f"""
import json, sys
from streamlit.testing.v1 import AppTest
test = AppTest.from_file({str(ROOT / "app.py")!r}, default_timeout=120).run()
asked = [name for name in sys.modules if name.startswith("analytics.")]
print(json.dumps([[e.value for e in test.exception], [m for m in {HEAVY!r} if m in sys.modules], len(asked)]))
"""


def test_the_overview_imports_nothing_heavy(shipped: Path) -> None:
    env = os.environ | {"SCOREPROOF_STORE": str(shipped / "embedded")}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, check=True, cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
    exceptions, heavy, modules = json.loads(done.stdout.strip().splitlines()[-1])
    assert exceptions == []
    assert heavy == []
    assert modules < 40  # of 130: those of the questions that the page asks


def test_a_question_stands_in_the_module_of_its_name() -> None:
    """Else asking one would import them all; load_rules is kept apart from the word for the rules of a policy."""
    elsewhere = {name for name, q in questions().items() if q.ask.__module__ != f"analytics.{name}"}
    assert elsewhere <= {"rules"}
