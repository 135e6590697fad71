"""The demo that ships: eight items, and a run that scores exactly Raw 75.00 % and Verified 71.18 %."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pytest

from loaders.warehouse import build

DEMO = Path(__file__).parents[2] / "logs" / "demo"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    store = tmp_path_factory.mktemp("demo")
    report = build([str(DEMO)], store, add=False)
    assert report.issues == []
    con = duckdb.connect(str(store / json.loads((store / "current.json").read_text())["file"]), read_only=True)
    yield con
    con.close()


def test_eight_items_one_of_each_capability(demo):
    rows = demo.sql("SELECT capability, prompt, reference, provenance FROM items").fetchall()
    assert len(rows) == len({row[0] for row in rows}) == 8
    assert all(row[1] and row[2] and row[3] == "demo" for row in rows)


def test_the_golden_run_under_both_means(demo):
    micro = demo.sql(
        "SELECT avg(raw), avg(verified) FROM scores JOIN run_dims USING (run_idx) WHERE run_id = 'demo/careful'"
    ).fetchall()
    macro = demo.sql(
        "SELECT avg(raw), avg(verified) FROM (SELECT capability, avg(raw) AS raw, avg(verified) AS verified "
        "FROM scores JOIN run_dims USING (run_idx) JOIN item_dims USING (item_idx) "
        "WHERE run_id = 'demo/careful' GROUP BY capability)"
    ).fetchall()
    assert micro[0] == pytest.approx((0.75, (5 + 1 / 1.44) / 8), abs=1e-15)
    assert macro[0] == pytest.approx(micro[0], abs=1e-15)
    assert [f"{100 * value:.2f}" for value in macro[0]] == ["75.00", "71.18"]


def test_failures_keep_their_status_and_nobody_else_scores_the_same(demo):
    status = demo.sql("SELECT status, count(*) FROM log_responses GROUP BY status ORDER BY status").fetchall()
    assert status == [("invalid_format", 1), ("missing", 1), ("ok", 21), ("refused", 1)]
    means = demo.sql("SELECT run_idx, sum(raw) FROM scores GROUP BY run_idx ORDER BY run_idx").fetchall()
    assert [raw for _, raw in means] == [3.0, 6.0, 3.5]


def test_every_judged_answer_has_its_verdict_in_words(demo):
    verdicts = demo.sql("SELECT count(*), count(justification), count(met) FROM verdicts").fetchall()
    judged = demo.sql("SELECT count(*) FROM responses WHERE status = 'ok'").fetchall()
    assert verdicts[0] == (judged[0][0],) * 3
