"""The SQL that each question sends, without a filter and with every filter, frozen.

A change of a snapshot is a change of what is asked: read it before you accept it. A missing snapshot fails.
SCOREPROOF_UPDATE_SNAPSHOTS=1 writes them anew.
"""

import contextlib
import os
from pathlib import Path

import pytest

from analytics.errors import ScoreproofError
from analytics.policy import Policy
from analytics.questions import questions
from analytics.slices import KEYS, Slice
from tests.stores import toy_store

HERE = Path(__file__).resolve().parent
ITEM = {
    "item_id": "i0", "capability": "a", "subcapability": "b", "axis": "c", "media_type": "d", "tier": "f",
    "cluster": "g", "reference": "A", "options": ["x", "y"],
}  # fmt: skip
RUN = {"run_id": "r", "model": "r", "vendor": "v", "access": "w", "regime": "x", "condition": "y", "provenance": "demo"}


class Recorder:
    """A cursor that notes every text sent through it."""

    def __init__(self, cursor):
        self.cursor, self.sent = cursor, []

    def sql(self, text, params=None):
        self.sent.append(text.strip())
        return self.cursor.sql(text, params=params)

    def interrupt(self):
        self.cursor.interrupt()


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return toy_store(
        tmp_path_factory.mktemp("snapshots"),
        items=[ITEM, ITEM | {"item_id": "i1"}],
        item_tags=[{"item_id": "i0", "kind": "skill", "tag": "t"}],
        runs=[RUN, RUN | {"run_id": "s", "model": "s"}],
        responses=[
            {"run_id": r, "item_id": i, "credit": float(r == "r"), "answer": "A", "attempt": 1}
            for r in ("r", "s")
            for i in ("i0", "i1")
        ],
        judges=[{"judge_id": "j"}],
        verdicts=[{"run_id": "r", "item_id": "i0", "judge_id": "j", "met": True}],
        failure_labels=[
            {"run_id": "s", "item_id": i, "attempt": 1, "labeller": "j", "cause": "c", "family": "f"}
            for i in ("i0", "i1")
        ],
    )


FILTERS = {
    "every": {name: ("toy" if name == "benchmark" else "x") for name in KEYS},
    "none": {},
}


@pytest.mark.parametrize("filters", sorted(FILTERS))
@pytest.mark.parametrize("name", sorted(questions()))
def test_sql_is_as_it_was(store, name, filters):
    asked = questions()[name]
    options = {option.name: option.initial for option in asked.options}
    options |= {k: v for k, v in {"benchmark": "toy", "item": "i0"}.items() if k in options}
    with store.cursor() as cursor:
        recorder = Recorder(cursor)
        with contextlib.suppress(ScoreproofError):  # an empty slice ends the question after its SQL was sent
            asked.ask(recorder, Slice.of(**FILTERS[filters]), Policy(), **options)
    path = HERE / f"{name}.{filters}.sql"
    sent = ";\n\n".join(recorder.sent) + "\n"
    if os.environ.get("SCOREPROOF_UPDATE_SNAPSHOTS") == "1":
        path.write_text(sent)
    assert path.exists(), f"no snapshot {path.name}; see the head of this file"
    assert path.read_text() == sent


def test_no_snapshot_is_left_over():
    known = {f"{name}.{filters}.sql" for name in questions() for filters in FILTERS}
    assert {path.name for path in HERE.glob("*.sql")} <= known
