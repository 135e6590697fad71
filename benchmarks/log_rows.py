"""Made-up score-factor records of any size: the log that the benchmarks read."""

import shutil
from pathlib import Path

import duckdb

RUNS = 25
TEXT = ("run", "question", "capability", "media_type", "coverage", "evidence", "logic", "answer")
COLUMNS = dict.fromkeys(TEXT, "VARCHAR") | {"answer_credit": "DOUBLE"}
"""What DuckDB's own reader is told of the file, so that the floor has nothing to guess."""

RECORDS = """
SELECT 'model-' || lpad($run::VARCHAR, 2, '0') AS run, 'item-' || lpad(i::VARCHAR, 7, '0') AS question,
       ['grounding', 'need', 'timing', 'action', 'memory', 'risk', 'verbal_response'][1 + (hash(i) % 7)::INTEGER]
           AS capability,
       ['image', 'video', 'audio', 'text'][1 + (hash(i * 7) % 4)::INTEGER] AS media_type,
       CASE WHEN hash(i, $run, 1) % 100 < 25 + 2 * $run THEN 1.0 WHEN hash(i, $run, 1) % 100 < 50 + $run THEN 0.5
            ELSE 0.0 END AS answer_credit,
       ['present', 'absent'][1 + (hash(i, $run, 2) % 2)::INTEGER] AS coverage,
       ['supported', 'weak', 'contradicted'][1 + (hash(i, $run, 3) % 3)::INTEGER] AS evidence,
       ['sound', 'gap', 'broken'][1 + (hash(i, $run, 4) % 3)::INTEGER] AS logic,
       $answer
FROM range($items) t(i)
"""


TEXTS = """'answer ' || (hash(i, hash(i, $run, 9) % 6) % 1000000)::VARCHAR || ' the '
           || ['red', 'blue', 'green'][1 + (hash(i, $run, 5) % 3)::INTEGER] || ' object moves '
           || ['left', 'right', 'up', 'down'][1 + (hash(i, $run, 6) % 4)::INTEGER] AS answer"""

CHOICES = """'ABCDEF'[1 + (hash(i, hash(i, $run, 9) % 6) % 6)::INTEGER] AS answer, 'single_choice' AS answer_type,
       'ABCDEF'[1 + (hash(i, 11) % 6)::INTEGER] AS reference"""


def write_records(path: Path, rows: int, *, choices: bool) -> int:
    """Write `rows` records as JSON Lines, 25 runs one after the other over the same items; return their number.

    Answers are short texts, or with `choices` one of six options, so that they can be votes.
    """
    items = max(1, rows // RUNS)
    con = duckdb.connect()
    con.execute("SET enable_progress_bar = false")
    part = path.with_name(path.name + ".part")
    with path.open("wb") as whole:
        for run in range(RUNS):
            sql = (
                RECORDS.replace("$answer", CHOICES if choices else TEXTS)
                .replace("$run", str(run))
                .replace("$items", str(items))
            )
            target = str(part).replace("'", "''")  # COPY takes no bound target
            con.execute(f"COPY ({sql}) TO '{target}' (FORMAT json)")
            with part.open("rb") as one:
                shutil.copyfileobj(one, whole, 1 << 20)
    part.unlink()
    return items * RUNS
