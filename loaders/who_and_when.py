"""Who&When-like files: one failed run of several agents per JSON file, with the agent and step that people blame.

Every run failed, so accuracy is 0 by construction; what counts are the failure labels. The same file name occurs in
several folders: an item is folder and name. Format: https://github.com/ag2ai/Agents_Failure_Attribution.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from analytics.errors import BadLog
from loaders.base import HEAD_BYTES, Field, Found, Reader, Source
from loaders.gather import Gather
from loaders.json_text import load, text_or_none

SIGNS = tuple(re.compile(rb'"%s"\s*:' % key) for key in (b"history", b"mistake_agent", b"mistake_step"))
BENCHMARK = "who_and_when"
LABELLER = "who_and_when/annotators"

FIELDS = (
    Field("items.item_id", ("<folder>/<file>",)),
    Field("items.prompt", ("question",)),
    Field("items.reference", ("ground_truth",)),
    Field("items.capability", ("level",), "text or number, often absent"),
    Field("responses.response", ("history[]",), "each turn under its agent's name, else its role"),
    Field("responses.credit", ("is_correct",), "0 where it is absent: the set holds failed runs alone"),
    Field("failure_labels.cause", ("mistake_agent",)),
    Field("failure_labels.family", ("mistake_type",), "rare"),
    Field("failure_labels.note", ("mistake_reason",), "after the blamed step, mistake_step"),
)


def claims(path: Path, head: bytes) -> bool:
    """Tell a labelled run by its keys; the labels may stand at the end of a long file."""
    if not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{") or not SIGNS[0].search(head):
        return False
    if path.suffix.lower() != ".json":
        return False
    with path.open("rb") as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - HEAD_BYTES))
        ends = head + file.read()
    return all(sign.search(ends) for sign in SIGNS)


def read(source: Source) -> Iterator[Found]:
    """Yield the run's item, response and failure label."""
    run = load(source.path, source.name)
    history = run.get("history") if isinstance(run, dict) else None
    if not isinstance(history, list) or not all(isinstance(turn, dict) for turn in history):
        raise BadLog(f"{source.name} must hold an object whose `history` is a list of turns. Export it again.")
    agent = run.get("mistake_agent")
    if not isinstance(agent, str) or not agent.strip():
        raise BadLog(f"{source.name} names no `mistake_agent`: without it there is no failure label to read.")
    group = source.path.resolve().parent.name
    item_id = f"{group}/{source.path.stem}"
    key = {"run_id": f"{BENCHMARK}/{group}", "item_id": item_id, "attempt": 1}
    rows = Gather("responses")
    _describe(rows, run, group, item_id)
    correct = run.get("is_correct")
    rows.add(
        "responses",
        **key,
        response="\n\n".join(f"[{_actor(turn)}]\n{text_or_none(turn.get('content')) or ''}" for turn in history),
        credit=1.0 if correct is True else 0.0,
        steps=len(history),
        status="ok",
        line=1,
    )
    rows.add(
        "failure_labels",
        **key,
        labeller=LABELLER,
        family=text_or_none(run.get("mistake_type")),
        cause=agent.strip(),
        note=_note(rows, run, history, agent.strip()),
    )
    yield from rows.batches()
    yield from rows.issues()


def _actor(turn: dict[str, Any]) -> str:
    """Return who speaks: the agent's name, or where the log has none its role, e.g. 'Orchestrator (thought)'."""
    return text_or_none(turn.get("name") or turn.get("role")) or "unknown"


def _note(rows: Gather, run: dict[str, Any], history: list[dict[str, Any]], agent: str) -> str | None:
    """Return the blamed step with the reason; a step that is none of the run's is doubted."""
    reason, step = text_or_none(run.get("mistake_reason")), text_or_none(run.get("mistake_step"))
    place = int(step) if step is not None and step.strip().isdigit() else -1
    if not 0 <= place < len(history):
        message = f"mistake_step is '{step}' and the run has the steps 0 to {len(history) - 1}."
        rows.doubt("step_out_of_range", message, column="mistake_step", excerpt=step)
        return reason
    actor = _actor(history[place])
    if actor != agent and not actor.startswith(f"{agent} ("):
        message = f"Step {place} is by {actor} while {agent} is blamed for it; both are kept."
        rows.doubt("agent_of_step", message, column="mistake_agent", excerpt=agent)
    return f"step {place} by {actor}: {reason or 'no reason given'}"


def _describe(rows: Gather, run: dict[str, Any], group: str, item_id: str) -> None:
    """Add the benchmark, the run, the item and the labeller."""
    level = text_or_none(run.get("level"))
    rows.add(
        "benchmarks",
        benchmark=BENCHMARK,
        title="Who&When",
        missing_policy="exclude",
        raw_means="0: the set holds failed runs alone",
        slice_name="level",
        headline="micro",
        note="Accuracy is 0 by construction. Agents are an open set of names, most of them used once.",
    )
    rows.add(
        "items",
        benchmark=BENCHMARK,
        item_id=item_id,
        capability=level.strip() if level else None,
        axis=group,
        media_type="text",
        answer_type="open",
        prompt=text_or_none(run.get("question")),
        reference=text_or_none(run.get("ground_truth")),
        reference_known=True,
    )
    rows.add("item_tags", benchmark=BENCHMARK, item_id=item_id, kind="scope", tag=group)
    rows.add(
        "runs",
        run_id=f"{BENCHMARK}/{group}",
        benchmark=BENCHMARK,
        model=group,
        kind="model",
        scope=group,
        complete=True,
    )
    rows.add("judges", judge_id=LABELLER, kind="person")


READER = Reader("who_and_when", "1", "Who&When failure labels", "file", FIELDS, claims, read, named_by_path=True)
