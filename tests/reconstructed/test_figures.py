"""Every printed figure against the committed rows: all match but those on the committed lists."""

import json
import tomllib
from collections import Counter
from dataclasses import fields

import duckdb
import pytest

from analytics.policy import Policy
from analytics.questions import questions
from logs.generate.checks import listed
from logs.generate.exact import ROOT, table, window
from logs.generate.report import all_checks, as_csv, render

FOUND = all_checks(ROOT)
LISTED = listed()


def test_no_printed_figure_is_missed_without_being_listed():
    assert [check for check in FOUND if check.status == "mismatch"] == []
    assert Counter(check.status for check in FOUND)["matched"] > 1500


def test_report_is_the_one_committed():
    assert render(FOUND) == (ROOT / "REPORT.md").read_text(encoding="utf-8")
    assert as_csv(FOUND) == (ROOT / "report.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("entry", LISTED, ids=lambda entry: f"{entry.file} {entry.row} {entry.column}")
def test_every_listed_exception_is_needed_and_says_what_is_reached(entry):
    mine = [check for check in FOUND if entry.covers(check.file, check.row, check.column)]
    assert any(check.reason == entry.reason for check in mine), "no figure needs this entry"
    if entry.status == "unreachable":
        assert entry.printed == mine[0].printed
        assert entry.reached in {None, mine[0].text}
        assert mine[0].status == "unreachable"
    if entry.status == "outside":
        assert all(check.reached is None for check in mine if check.status == "outside")


def _sql(query):
    with duckdb.connect() as connection:
        return connection.sql(query.format(root=ROOT)).fetchall()


def test_table_2_of_psycheme_counted_again_in_sql():
    rows = _sql(
        """
        WITH worth AS (
            SELECT u.model, i.capability,
                   r.credit * CASE coverage WHEN 'absent' THEN 0.5 ELSE 1 END
                   * CASE evidence WHEN 'supported' THEN 1.2 WHEN 'weak' THEN 1.0 ELSE 0.5 END
                   * CASE logic WHEN 'sound' THEN 1.2 WHEN 'gap' THEN 1.0 ELSE 0.5 END / 1.44 AS verified
            FROM '{root}/psycheme/responses.parquet' r
            JOIN '{root}/psycheme/runs.parquet' u USING (run_id) JOIN '{root}/psycheme/items.parquet' i USING (item_id)
            WHERE u.condition IS NULL AND u.kind = 'model'
        )
        SELECT model, capability, 100 * avg(verified) FROM worth GROUP BY ALL
        """
    )
    printed = {row["model"]: row for row in table("psycheme_table2")}
    assert len(rows) == 17 * 8
    for model, capability, value in rows:
        low, high = window(printed[model][capability])
        assert float(low) < float(value) < float(high)


def test_table_1_of_hss_counted_again_in_sql():
    rows = _sql(
        """
        WITH tasks AS (
            SELECT u.model, i.item_id, i.capability, i.media_type, avg(r.credit) AS share
            FROM '{root}/hss/responses.parquet' r
            JOIN '{root}/hss/runs.parquet' u USING (run_id) JOIN '{root}/hss/items.parquet' i USING (item_id)
            WHERE u.condition IS NULL AND u.kind = 'model' AND r.credit IS NOT NULL GROUP BY ALL
        )
        SELECT model, capability, media_type, 100 * avg(share) FROM tasks
        GROUP BY GROUPING SETS ((model), (model, capability), (model, media_type))
        """
    )
    printed = {row["model"]: row for row in table("hss_table1")}
    assert len(rows) == 25 * 7
    for model, domain, media, value in rows:
        low, high = window(printed[model][domain or media or "pass_at_1"])
        assert float(low) < value < float(high)


def test_a_pass_meets_every_criterion_and_a_failure_misses_one():
    bad = _sql(
        """
        SELECT count(*) FROM (
            SELECT run_id, item_id, attempt, r.credit, bool_and(v.met) AS every
            FROM '{root}/hss/responses.parquet' r
            JOIN '{root}/hss/verdicts.parquet' v USING (run_id, item_id, attempt) GROUP BY ALL
        ) WHERE every <> (credit = 1)
        """
    )
    assert bad == [(0,)]


def test_tokens_written_have_the_sum_of_the_printed_means():
    means = dict(
        _sql(
            """
            SELECT u.model, avg(r.output_tokens) FROM '{root}/hss/responses.parquet' r
            JOIN '{root}/hss/runs.parquet' u USING (run_id) WHERE u.condition IS NULL AND u.kind = 'model' GROUP BY ALL
            """
        )
    )
    for row in table("hss_table1"):
        if row["model"] in means:
            assert means[row["model"]] == int(row["thinking_tokens"]) + int(row["answer_tokens"])


def test_lost_attempts_are_errors_and_never_zeros():
    rows = dict(
        _sql(
            """
            SELECT u.model, count(*) FROM '{root}/hss/responses.parquet' r
            JOIN '{root}/hss/runs.parquet' u USING (run_id)
            WHERE r.status = 'error' AND r.credit IS NULL GROUP BY ALL
            """
        )
    )
    assert rows == {
        "Qwen3.8-Max": 22,
        "Qwen3.8-flash": 18,
        "Kimi-K3": 1,
        "MiMo-v2.6-flash": 19,
        "MiMo-v2.6-pro": 19,
    }
    assert _sql("SELECT count(*) FROM '{root}/hss/responses.parquet' WHERE credit IS NULL AND status <> 'error'") == [
        (0,)
    ]


def test_provenance_and_population_of_every_run():
    for folder in ("psycheme", "hss", "hss-judges", "srb"):
        origin = f"SELECT DISTINCT provenance FROM '{{root}}/{folder}/runs.parquet'"
        assert _sql(origin) == [("reconstructed",)]
        tags = f"'{{root}}/{folder}/item_tags.parquet'" if (ROOT / folder / "item_tags.parquet").exists() else None
        scoped = f"SELECT run_id, scope FROM '{{root}}/{folder}/runs.parquet' WHERE scope IS NOT NULL"
        for run, scope in _sql(scoped):
            answered = _sql(
                f"SELECT count(DISTINCT item_id) FROM '{{root}}/{folder}/responses.parquet' WHERE run_id = '{run}'"
            )
            assert answered == _sql(f"SELECT count(*) FROM {tags} WHERE kind = 'scope' AND tag = '{scope}'")


def test_determined_answers_name_printed_figures_and_runs_that_exist():
    pins = tomllib.loads((ROOT / "determined.toml").read_text(encoding="utf-8"))["pin"]
    conditions = {
        folder: {name or "none" for (name,) in _sql(f"SELECT DISTINCT condition FROM '{{root}}/{folder}/runs.parquet'")}
        for folder in ("psycheme", "hss", "hss-judges", "srb")
    }
    for pin in pins:
        assert (ROOT.parent / "published" / pin["file"]).is_file()
        assert pin["columns"]
        if pin["question"] in questions():
            assert set(pin["columns"]) <= {column.name for column in questions()[pin["question"]].columns}
            names = {option.name for option in questions()[pin["question"]].options}
            assert set(pin.get("options", {})) <= names | {field.name for field in fields(Policy)}
        assert set(pin.get("rows", {}).get("condition", [])) <= conditions[pin["benchmark"]]
        within = dict(pin.get("within", {}))
        assert set(within.pop("condition", [])) <= conditions[pin["benchmark"]]
        for key, values in within.items():
            known = {v for (v,) in _sql(f"SELECT DISTINCT {key} FROM '{{root}}/{pin['benchmark']}/items.parquet'")}
            assert set(values) <= known


def test_everything_reconstructed_stays_small():
    size = sum(path.stat().st_size for path in ROOT.rglob("*") if path.is_file())
    assert size < 10_000_000


def test_manifests_count_their_rows():
    for folder in ("psycheme", "hss", "hss-judges", "srb"):
        manifest = json.loads((ROOT / folder / "manifest.json").read_text(encoding="utf-8"))
        for name, entry in manifest["tables"].items():
            assert _sql(f"SELECT count(*) FROM '{{root}}/{folder}/{name}.parquet'") == [(entry["rows"],)]
