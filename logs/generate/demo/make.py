"""Make the log of the demo cases from cases.toml: ``python -m logs.generate.demo.make``. The media stay as they are."""

from __future__ import annotations

import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from logs.generate.frames import Rows, write

SOURCE = Path(__file__).with_name("cases.toml")
FOLDER = Path(__file__).resolve().parents[2] / "demo-cases"
BENCHMARK = "demo-cases"

RUNS: dict[str, dict[str, str | None]] = {
    "lantern": {"model": "Lantern", "kind": "model", "vendor": "Demo Works"},
    "harbour": {"model": "Harbour", "kind": "model", "vendor": "Demo Yard"},
    "reader": {"model": "Reader", "kind": "human"},
    "blind": {
        "model": "Lantern, media removed",
        "kind": "control",
        "vendor": "Demo Works",
        "condition": "input=no_media",
    },
}
JUDGES = (
    {"judge_id": "Anvil", "kind": "model", "vendor": "Demo Works", "version": "demo"},
    {"judge_id": "Birch", "kind": "model", "vendor": "Demo Yard", "version": "demo"},
    {"judge_id": "Cedar", "kind": "person", "version": "demo"},
)
LABELLER = "Cedar"
MET = {"+": True, "-": False, "?": None, "!": None}
STATUS = {"+": "ok", "-": "ok", "?": "abstained", "!": "judge_failed"}


def credit_of(case: dict[str, Any], said: dict[str, Any]) -> float | None:
    """Return the credit of an answer: the exact option set, or for open cases 1, 0.5 or 0 by what most judges say.

    All criteria met by more judges than not give 1, some of them 0.5. None where nothing usable was answered or judged.
    """
    status = said.get("status", "ok")
    if status == "invalid_format":
        return 0.0
    if status not in ("ok", "guessed"):
        return None
    if case["kind"] != "open":
        return float(said["answer"] == case["reference"])
    votes = [[judge[k][0] for judge in said["said"]] for k in range(len(case["criteria"]))]
    met = [marks.count("+") > marks.count("-") for marks in votes]
    return 1.0 if all(met) else 0.5 if any(met) else 0.0


def rows() -> Rows:
    """Return the rows of every table of the demo log."""
    cases = tomllib.loads(SOURCE.read_text(encoding="utf-8"))["cases"]
    out: Rows = {
        "benchmarks": [
            {
                "benchmark": BENCHMARK,
                "title": "Demo: cases with pictures, a clip and three judges",
                "version": "1",
                "missing_policy": "zero",
                "raw_means": "answer credit",
                "verified_means": "reasoning-verified credit",
                "slice_name": "capability",
                "headline": "macro",
                "rubric": "rationale",
                "note": "Written and drawn for this release, so that a case can show everything: every status, three "
                "judges by criterion, a human and a control run. No real person, model or judge took part.",
            }
        ],
        "runs": [
            {"run_id": f"{BENCHMARK}/{name}", "benchmark": BENCHMARK, "complete": True, "provenance": "demo"} | run
            for name, run in RUNS.items()
        ],
        "judges": [dict(judge) for judge in JUDGES],
    }
    for case in cases:
        _item(out, case)
        for name in RUNS:
            _response(out, case, name, case[name])
    return out


def _add(out: Rows, table: str, **values: object) -> None:
    out.setdefault(table, []).append(values)


def _item(out: Rows, case: dict[str, Any]) -> None:
    key = {"benchmark": BENCHMARK, "item_id": case["id"]}
    media, options = case.get("media"), case.get("options")
    _add(
        out,
        "items",
        **key,
        capability=case["capability"],
        media_type=case.get("media_type", "image" if media else "text"),
        answer_type=case["kind"],
        cluster=case.get("cluster"),
        prompt=case["prompt"],
        options=options,
        reference=case["reference"],
        reference_known=True,
        media_path=f"media/{media}" if media else None,
        chance=1 / len(options) if case["kind"] == "single_choice" else None,
        provenance="demo",
    )
    for number, words in enumerate(case["criteria"], start=1):
        _add(out, "criteria", **key, criterion=str(number), description=words)
    for number, kind in enumerate(case.get("traps", ())):
        _add(out, "option_types", **key, option=chr(ord("A") + number), type=kind)
    for skill in case.get("skills", ()):
        _add(out, "item_tags", **key, kind="skill", tag=skill)


def _response(out: Rows, case: dict[str, Any], name: str, said: dict[str, Any]) -> None:
    key = {"run_id": f"{BENCHMARK}/{name}", "item_id": case["id"], "attempt": 1}
    labels = dict(zip(("coverage", "evidence", "logic"), said.get("labels", "").split(), strict=False))
    _add(
        out,
        "responses",
        **key,
        answer=said.get("answer"),
        response=said.get("response"),
        rationale=said.get("rationale"),
        credit=credit_of(case, said),
        order_shown=list(said["order"]) if "order" in said else None,
        confidence=said.get("confidence"),
        seconds=said.get("seconds"),
        status=said.get("status", "ok"),
        status_note=said.get("note"),
        **labels,
    )
    for judge, verdicts in zip(JUDGES, said.get("said", ()), strict=False):
        for number, words in enumerate(verdicts, start=1):
            _add(
                out,
                "verdicts",
                **key,
                judge_id=judge["judge_id"],
                criterion=str(number),
                on_judge="",
                met=MET[words[0]],
                justification=words[1:].strip() or None,
                status=STATUS[words[0]],
            )
    if "failure" in said:
        family, cause, note = said["failure"]
        _add(out, "failure_labels", **key, labeller=LABELLER, family=family, cause=cause, note=note)


def main() -> int:
    """Write the tables beside the media, which a native writer would replace with the folder."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER.parent) as name:
        counts = write(rows(), Path(name) / "log")
        for old in FOLDER.glob("*.parquet"):
            old.unlink()
        for file in (Path(name) / "log").iterdir():
            file.replace(FOLDER / file.name)
    sys.stdout.write(", ".join(f"{table} {n}" for table, n in counts.items()) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
