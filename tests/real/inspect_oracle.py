"""What inspect_ai's own reader says of log files, as JSON: run by a Python that has inspect_ai, ours or another.

    python inspect_oracle.py REPEATS FILE ...

By file: the run's status, the least processor time of REPEATS readings, and per sample id, epoch, whether it ended in
an error, the name of every scorer, and the first scorer's value as inspect_ai turns it into a number.
"""

import json
import math
import sys
import time

from inspect_ai.log import read_eval_log
from inspect_ai.scorer import value_to_float


def number(value: object) -> float | None:
    """Return a score as a number; None for one that has none, such as a dictionary."""
    if isinstance(value, (dict, list)) or value is None:
        return None
    found = value_to_float()(value)
    return None if math.isnan(found) else found


def read(path: str, repeats: int) -> dict[str, object]:
    """Read one file several times and return what it holds."""
    taken = []
    for _ in range(repeats):
        start = time.process_time()
        log = read_eval_log(path)
        taken.append(time.process_time() - start)
    samples = []
    for sample in log.samples or []:
        scores = sample.scores or {}
        first = next(iter(scores.values()), None)
        samples.append(
            {
                "id": str(sample.id),
                "epoch": sample.epoch,
                "error": sample.error is not None,
                "scorers": list(scores),
                "credit": None if first is None else number(first.value),
            }
        )
    return {"status": log.status, "model": log.eval.model, "seconds": min(taken), "samples": samples}


if __name__ == "__main__":
    repeats, *files = sys.argv[1:]
    print(json.dumps({path: read(path, int(repeats)) for path in files}))  # noqa: T201
