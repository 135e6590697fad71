"""A build killed at any moment leaves the served store answering: before, during and after."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from analytics.store import Store, frame
from tests.stores import toy_build, write_log

ROOT = Path(__file__).resolve().parent.parent.parent
CODE = """
import sys
from tests.stores import toy_build
from pathlib import Path
print("go", flush=True)
toy_build(Path(sys.argv[1]), Path(sys.argv[2]))
print("done", flush=True)
"""


def served(store):
    with store.cursor() as cursor:
        return frame(cursor, "SELECT count(*) AS n, sum(credit) AS s FROM responses").row(0)


def test_ten_kills_at_random_moments(tmp_path):
    items = [{"item_id": f"i{k:05d}", "capability": "c"} for k in range(3000)]
    small = write_log(
        tmp_path / "small.json", items=items[:2], runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "i00000", "credit": 1.0}],
    )  # fmt: skip
    large = write_log(
        tmp_path / "large.json",
        items=items,
        runs=[{"run_id": f"r{n}"} for n in range(5)],
        responses=[{"run_id": f"r{n}", "item_id": i["item_id"], "credit": 1.0} for n in range(5) for i in items],
    )
    toy_build(tmp_path, small)
    store = Store(tmp_path / "store")
    old, new = (1, 1.0), (15_000, 15_000.0)
    command = [sys.executable, "-c", CODE, str(tmp_path), str(large)]
    start = time.monotonic()
    subprocess.run(command, cwd=ROOT, check=True, timeout=120, capture_output=True)
    whole = time.monotonic() - start
    assert served(store) == new
    toy_build(tmp_path, small)
    rng, seen = random.Random(7), set()
    for k in range(10):
        child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
        child.stdout.readline()
        deadline = time.monotonic() + whole * 0.8 * (k + rng.random()) / 10
        while time.monotonic() < deadline:
            seen.add(served(store))
            time.sleep(0.01)
        os.kill(child.pid, signal.SIGKILL)
        child.wait(timeout=30)
        child.stdout.close()
        seen.add(served(store))
        assert served(Store(tmp_path / "store")) in {old, new}
    assert old in seen
    assert seen <= {old, new}
    toy_build(tmp_path, small)
    assert served(store) == old
    assert not list((tmp_path / "store").glob(".*.partial*"))
