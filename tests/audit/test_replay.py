"""The replay: printed table values from rows that count as released; reconstructed rows never reproduce anything."""

from pathlib import Path

import polars as pl
import pytest

from analytics.audit.report import closing
from analytics.audit.run import audit, summary
from analytics.audit.tables import embedded
from analytics.store import Store
from loaders.native_write import write_native
from loaders.warehouse import build

LOG = Path(__file__).resolve().parents[2] / "logs" / "reconstructed" / "psycheme"
MODEL, CAPABILITY = "Claude Opus 5", "need"


def frames():
    return {path.stem: pl.read_parquet(path) for path in sorted(LOG.glob("*.parquet"))}


def audited(folder, tables, *, claims=()):
    write_native(tables, folder / "log")
    build([str(folder / "log")], folder / "store", add=False)
    with Store(folder / "store").cursor() as cursor:
        return audit(embedded(), claims=list(claims), cursor=cursor)


def marked(tables, provenance):
    return tables | {"runs": tables["runs"].with_columns(provenance=pl.lit(provenance))}


def asked(found):
    return [check for check in found.checks if check.record["kind"] == "ask"]


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    claims = [record for record in embedded().toml("claims.toml", "claim") if record["kind"] == "ask"]
    return audited(tmp_path_factory.mktemp("released"), marked(frames(), "released"), claims=claims)


def test_released_rows_reproduce_every_printed_value(released):
    checks = asked(released)
    assert len(checks) == 17 * 10 + 2 * 2
    assert {check.verdict.status for check in checks} == {"reproduced"}
    assert closing(summary(released)) == "PASS: 174 of 174 printed table values recomputed from rows."


def test_released_rows_reproduce_claims_and_other_documents_stay_uncheckable(released):
    statuses = {claim.record["id"]: claim.verdict for claim in released.claims}
    assert statuses["P06"].status == "reproduced"
    assert statuses["P06"].recomputed == pytest.approx(100 * 41.5 / 72)
    assert statuses["P10"].status == "reproduced"
    assert statuses["P30"].status == "reproduced"
    assert statuses["H39"].status == "not_checkable"
    assert "No rows of hss are loaded" in statuses["H39"].why


def test_one_changed_row_turns_the_values_that_it_feeds(tmp_path, released):
    del released
    tables = marked(frames(), "released")
    items = tables["items"].filter(pl.col("capability") == CAPABILITY)["item_id"]
    own = (pl.col("run_id") == "psycheme/claude-opus-5") & pl.col("item_id").is_in(items.implode())
    right = tables["responses"].filter(own & (pl.col("credit") == 1.0))["item_id"][0]
    spoilt = pl.when(own & (pl.col("item_id") == right)).then(0.0).otherwise(pl.col("credit"))
    found = audited(tmp_path, tables | {"responses": tables["responses"].with_columns(credit=spoilt)})
    turned = {
        (check.row, check.target[0].places[0].column)
        for check in asked(found)
        if check.verdict.status == "contradicted"
    }
    assert turned == {(MODEL, "raw_macro"), (MODEL, "verified_macro"), (MODEL, CAPABILITY)}
    assert closing(summary(found)).startswith("FAIL: 171 of 174")
    reasons = [check.verdict.why for check in asked(found) if check.verdict.status == "contradicted"]
    assert all("From rows of provenance released" in why for why in reasons)


def test_a_missing_run_fails_the_replay(tmp_path):
    tables = {
        name: table.filter(pl.col("run_id") != "psycheme/claude-opus-5") if "run_id" in table.columns else table
        for name, table in marked(frames(), "released").items()
    }
    found = audited(tmp_path, tables)
    assert closing(summary(found)).startswith("FAIL: 164 of 174")


def test_reconstructed_rows_agree_by_construction_and_contradict_nobody(tmp_path):
    tables = frames()
    own = pl.col("run_id") == "psycheme/claude-opus-5"
    worse = tables["responses"].with_columns(credit=pl.when(own).then(0.0).otherwise(pl.col("credit")))
    found = audited(tmp_path, tables | {"responses": worse})
    statuses = {check.row: check.verdict for check in asked(found) if check.record["id"].endswith("rows_raw_macro")}
    assert statuses[MODEL].status == "not_checkable"
    assert "prove nothing" in statuses[MODEL].why
    assert statuses["GLM-5V-Turbo"].status == "consistent"
    assert "by construction" in statuses["GLM-5V-Turbo"].why


def test_without_rows_nothing_is_replayed():
    found = audit(embedded(), claims=[], cursor=None)
    assert {check.verdict.status for check in asked(found)} == {"not_checkable"}
    assert closing(summary(found)).startswith("NO REPLAY")
