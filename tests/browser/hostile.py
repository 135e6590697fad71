"""A store whose every text tries to be markup, a formula, a command or a request."""

from __future__ import annotations

from pathlib import Path

from tests.stores import toy_build, write_log

EVIL = (
    'a < b & c <b>bold</b> <img src="http://evil.invalid/x.png" onerror="window.PWN=1"><script>window.PWN=2</script> '
    "$x^2$ costs $5 and $6 [l](javascript:alert(1)) ![i](http://evil.invalid/y.png) :red[red] :smile: :material/home: "
    "`code` *em* # h http://auto.invalid www.auto.invalid a@b.invalid"
)
"""What a model may well answer."""

ODD = (
    "\u202e\u2066right to left\u2069\u202c \u200b\ufeff \x07\x1b[31m \t =1+1 +cmd|' /C calc'!A0 @SUM(1) -2+3 "
    "\\u0041 %s {0}"
)
"""Characters that turn text around, are not seen, or are run by a spreadsheet or a terminal."""


def endless_store(folder: Path, *, characters: int) -> Path:
    """Build a store whose texts are as long as given, and return its folder."""
    text = "many words " * (characters // 11)
    answered = {"answer": text, "response": text, "rationale": text, "status_note": text}
    log = write_log(
        folder / "endless.json",
        items=[{"item_id": "i", "capability": "c", "prompt": text, "options": [text, "no"], "reference": "A"}],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "i", "credit": 1.0} | answered],
    )
    toy_build(folder, log)
    return folder / "store"


def hostile_store(folder: Path) -> Path:
    """Build the store and return its folder."""
    items = [
        {
            "item_id": f"{EVIL} {k}",
            "capability": f"{EVIL} {k % 2}",
            "media_type": EVIL,
            "prompt": EVIL,
            "options": [EVIL, "no"],
            "reference": "A",
            "media_path": f"http://evil.invalid/{k}.png",
            "cluster": EVIL,
            "tier": EVIL,
        }
        for k in range(3)
    ]
    runs = [
        {"run_id": f"run {k} {EVIL}", "model": f"{k} {EVIL}", "vendor": EVIL, "regime": f"{EVIL}{k}"} for k in (1, 2)
    ]
    responses = [
        {
            "run_id": run["run_id"],
            "item_id": item["item_id"],
            "answer": EVIL,
            "response": f"{EVIL} {ODD}",
            "rationale": EVIL,
            "status_note": EVIL,
            "credit": float(k == 1),
        }
        for k, run in enumerate(runs)
        for item in items
    ]
    judges = [{"judge_id": f"judge {EVIL}", "vendor": EVIL}]
    verdicts = [
        {
            "run_id": runs[0]["run_id"],
            "item_id": items[0]["item_id"],
            "judge_id": judges[0]["judge_id"],
            "met": True,
            "label": EVIL,
            "justification": EVIL,
        }
    ]
    tags = [{"item_id": items[0]["item_id"], "kind": "skill", "tag": EVIL}]
    benchmarks = [{"benchmark": f"toy {EVIL}", "title": EVIL, "slice_name": EVIL, "note": EVIL, "raw_means": EVIL}]
    for row in (*items, *runs, *tags):
        row["benchmark"] = benchmarks[0]["benchmark"]
    log = write_log(
        folder / "log.json",
        benchmarks=benchmarks,
        items=items,
        runs=runs,
        responses=responses,
        judges=judges,
        verdicts=verdicts,
        item_tags=tags,
    )
    toy_build(folder, log)
    return folder / "store"
