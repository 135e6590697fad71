"""The warehouse: bad input becomes an issue with a place, other sources still load, the served store stays."""

import json
import os
import shutil

import pytest

from analytics.errors import BadLog, BadStore
from analytics.store import Store, frame
from loaders.base import Batch, Field, Issue, Reader
from loaders.warehouse import build, locked
from tests.stores import TOY, toy_build, write_log

ITEMS = [{"item_id": f"i{k}", "capability": "c"} for k in range(3)]


def responses(*credits, run="r"):
    return [{"run_id": run, "item_id": f"i{k}", "credit": c} for k, c in enumerate(credits)]


def good(folder, name="good.json", run="r", **more):
    return write_log(folder / name, items=ITEMS, runs=[{"run_id": run}], responses=responses(1, 0, 1, run=run), **more)


def rules(report):
    return {(issue["rule"], issue["severity"]) for issue in report.issues}


def accounts(report):
    for source in report.sources:
        assert source["kept"] + source["refused"] == source["seen"], source
    return {source["path"]: (source["seen"], source["kept"], source["role"]) for source in report.sources}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"credit": 1.7}, "out_of_range"),
        ({"credit": "much"}, "wrong_type"),
        ({"status": "fine"}, "unknown_value"),
        ({"run_id": None}, "required"),
        ({"attempt": 0}, "out_of_range"),
        ({"evidence": "weakk"}, "unknown_value"),
    ],
)
def test_one_bad_row_is_named_and_the_others_are_kept(tmp_path, change, rule):
    rows = responses(1, 0, 1)
    rows[1] |= change
    if isinstance(change.get("credit"), str):
        rows = [row | {"credit": str(row["credit"])} for row in rows]
    report = toy_build(tmp_path, write_log(tmp_path / "l.json", items=ITEMS, runs=[{"run_id": "r"}], responses=rows))
    assert rule in {issue["rule"] for issue in report.issues}
    issue = next(issue for issue in report.issues if issue["rule"] == rule)
    assert "allowed" in issue["message"] or "required" in issue["message"]
    kept = 3 if rule == "wrong_type" else 2
    assert accounts(report)["l.json"] == (3, kept, "log")
    assert report.rows["responses"] == kept


def test_not_a_number_is_no_credit_and_not_zero(tmp_path):
    log = tmp_path / "nan.json"
    good(tmp_path, "nan.json")
    log.write_text(
        log.read_text().replace('"credit": 0', '"credit": NaN').replace('"credit": 1}', '"credit": Infinity}', 1)
    )
    report = toy_build(tmp_path, log)
    assert ("not_finite", "doubted") in rules(report)
    with Store(tmp_path / "store").cursor() as cursor:
        row = frame(cursor, "SELECT count(*) AS n, count(credit) AS judged, avg(credit) AS mean FROM responses").row(0)
    assert row[0] == 3
    assert row[1] < 3
    assert row[2] == 1.0


def test_duplicates_within_a_file_are_refused_and_counted(tmp_path):
    rows = responses(1, 0, 1) + responses(0)
    report = toy_build(tmp_path, write_log(tmp_path / "d.json", items=ITEMS, runs=[{"run_id": "r"}], responses=rows))
    assert accounts(report)["d.json"] == (4, 3, "log")
    assert all(issue["message"].startswith("responses has 2 rows for run_id r, item_id i0") for issue in report.issues)
    assert ("duplicate_key", "refused") in rules(report)


def test_the_same_bytes_twice_are_read_once(tmp_path):
    (tmp_path / "logs").mkdir()
    good(tmp_path / "logs", "a.json")
    shutil.copy(tmp_path / "logs" / "a.json", tmp_path / "logs" / "b.json")
    (tmp_path / "logs" / "c.json").symlink_to(tmp_path / "logs" / "a.json")
    report = build([str(tmp_path / "logs")], tmp_path / "store", add=False, known=[TOY])
    assert ("same_file_twice", "note") in rules(report)
    assert report.rows["responses"] == 3
    assert len(report.sources) == 2


def test_the_same_system_in_another_file_is_another_run(tmp_path):
    other = write_log(tmp_path / "b.json", items=ITEMS, runs=[{"run_id": "r"}], responses=responses(0, 0, 1))
    report = toy_build(tmp_path, good(tmp_path, "a.json"), other)
    assert ("run_again", "note") in rules(report)
    with Store(tmp_path / "store").cursor() as cursor:
        assert frame(cursor, "SELECT run_id FROM runs ORDER BY 1")["run_id"].to_list() == ["r", "r~2"]
        assert frame(cursor, "SELECT count(*) AS n FROM responses")["n"].item() == 6


def test_responses_that_stand_in_two_files_word_for_word_are_kept_once(tmp_path):
    report = toy_build(tmp_path, good(tmp_path, "a.json"), good(tmp_path, "b.json", item_tags=[]))
    assert ("repeated_responses", "note") in rules(report)
    assert (report.rows["runs"], report.rows["responses"]) == (1, 3)


def test_equal_bytes_are_two_logs_where_the_path_names_the_run(tmp_path):
    by_path = Reader("toy", "1", "Toy", "file", TOY.fields, TOY.claims, TOY.read, named_by_path=True)
    logs = [str(good(tmp_path, name)) for name in ("a.json", "b.json")]
    report = build(logs, tmp_path / "store", add=False, known=[by_path])
    assert [source["role"] for source in report.sources] == ["log", "log"]


def test_a_run_that_comes_whole_is_the_same_run_when_it_comes_again(tmp_path):
    whole = Reader("toy", "1", "Toy", "file", TOY.fields, TOY.claims, TOY.read, whole_run=True)
    logs = [str(good(tmp_path, "a.json")), str(good(tmp_path, "b.json", item_tags=[]))]
    report = build(logs, tmp_path / "store", add=False, known=[whole])
    assert ("same_run_twice", "refused") in rules(report)
    assert report.rows["runs"] == 1
    assert accounts(report)["b.json"] == (3, 0, "refused")


def test_a_second_description_of_an_item_fills_gaps_and_never_overwrites(tmp_path):
    first = write_log(tmp_path / "a.json", items=[{"item_id": "i0", "prompt": "old"}], runs=[], responses=[])
    second = write_log(
        tmp_path / "b.json", items=[{"item_id": "i0", "prompt": "new", "reference": "A"}], runs=[], responses=[]
    )
    report = toy_build(tmp_path, first, second)
    assert ("item_conflict", "doubted") in rules(report)
    with Store(tmp_path / "store").cursor() as cursor:
        assert frame(cursor, "SELECT prompt, reference FROM items").row(0) == ("old", "A")


def test_a_response_to_an_unknown_item_is_refused(tmp_path):
    log = write_log(
        tmp_path / "o.json", items=ITEMS, runs=[{"run_id": "r"}],
        responses=[*responses(1), {"run_id": "r", "item_id": "elsewhere", "credit": 1.0}],
    )  # fmt: skip
    report = toy_build(tmp_path, log)
    assert ("unknown_item", "refused") in rules(report)
    assert accounts(report)["o.json"] == (2, 1, "log")


def test_bad_files_are_named_and_the_good_one_still_loads(tmp_path):
    logs = tmp_path / "logs"
    logs.mkdir()
    good(logs)
    (logs / "empty.json").write_bytes(b"")
    (logs / "utf16.json").write_bytes("{}".encode("utf-16"))
    (logs / "other.bin").write_bytes(bytes(range(256)))
    (logs / "half.json").write_text('{"toy-log": {"items": [')
    (logs / "locked.json").write_text("x")
    (logs / "locked.json").chmod(0)
    report = build([str(logs)], tmp_path / "store", add=False, known=[TOY])
    found = {(issue["rule"], issue["source_id"]) for issue in report.issues}
    assert {"empty_file", "unknown_format", "reader_failed"} <= {rule for rule, _ in found}
    if os.geteuid():  # root may read everything
        assert "unreadable" in {rule for rule, _ in found}
    assert any("UTF-16" in issue["message"] for issue in report.issues)
    assert report.rows["responses"] == 3
    assert report.idle == []


def test_arguments_without_rows_are_named(tmp_path):
    (tmp_path / "nothing").mkdir()
    report = build([str(good(tmp_path)), str(tmp_path / "nothing")], tmp_path / "store", add=False, known=[TOY])
    assert report.idle == [str(tmp_path / "nothing")]
    with pytest.raises(BadLog, match="does not exist"):
        build([str(tmp_path / "missing")], tmp_path / "store", add=False, known=[TOY])


def test_two_readers_that_claim_one_file_are_named(tmp_path):
    rival = Reader("rival", "1", "Rival", "file", (), lambda path, head: True, TOY.read)
    report = build([str(good(tmp_path))], tmp_path / "store", add=False, known=[TOY, rival])
    issue = next(issue for issue in report.issues if issue["rule"] == "two_readers")
    assert "toy" in issue["message"]
    assert "rival" in issue["message"]


def test_a_reader_that_fails_half_way_leaves_nothing_of_its_file(tmp_path):
    def read(source):
        for found in TOY.read(source):
            yield found
            if isinstance(found, Batch) and found.table == "responses":
                raise RuntimeError("boom")

    broken = Reader("toy", "1", "Toy", "file", (Field("a.b", ("c",)),), TOY.claims, read)
    (tmp_path / "logs").mkdir()
    report = build([str(good(tmp_path / "logs"))], tmp_path / "store", add=False, known=[broken])
    assert ("reader_failed", "refused") in rules(report)
    assert report.rows["responses"] == report.rows["items"] == 0
    assert accounts(report)["good.json"] == (3, 0, "refused")


def test_refused_records_of_a_reader_are_counted(tmp_path):
    def read(source):
        yield Issue("half_line", "refused", "line 2 ends early", line=2, excerpt="{...")
        yield from TOY.read(source)

    reader = Reader("toy", "1", "Toy", "file", TOY.fields, TOY.claims, read)
    report = build([str(good(tmp_path))], tmp_path / "store", add=False, known=[reader])
    assert accounts(report)["good.json"] == (4, 3, "log")
    source = report.sources[0]
    assert "1 of 4 records were refused" in source["trust"]


def test_adding_keeps_replacing_replaces_and_removing_removes(tmp_path):
    a, b = good(tmp_path, "a.json", run="a"), good(tmp_path, "b.json", run="b")
    toy_build(tmp_path, a)
    toy_build(tmp_path, b, add=True)

    def runs():
        with Store(tmp_path / "store").cursor() as cursor:
            return dict(
                frame(
                    cursor, "SELECT run_id, sum(raw)::DOUBLE FROM scores JOIN runs USING (run_idx) GROUP BY 1"
                ).iter_rows()
            )

    assert runs() == {"a": 2.0, "b": 2.0}
    write_log(tmp_path / "a.json", items=ITEMS, runs=[{"run_id": "a"}], responses=responses(1, 1, 1, run="a"))
    report = toy_build(tmp_path, a, add=True)
    assert runs() == {"a": 3.0, "b": 2.0}
    assert len(report.sources) == 2
    gone = next(source["source_id"] for source in report.sources if source["path"] == "b.json")
    report = build([], tmp_path / "store", add=True, remove=[gone], known=[TOY])
    assert runs() == {"a": 3.0}
    with pytest.raises(BadLog, match="no source"):
        build([], tmp_path / "store", add=True, remove=["nonsense"], known=[TOY])
    assert runs() == {"a": 3.0}


def test_a_failing_build_leaves_the_served_store(tmp_path):
    toy_build(tmp_path, good(tmp_path))
    before = json.loads((tmp_path / "store" / "current.json").read_text())
    with pytest.raises(BadLog):
        build([str(tmp_path / "missing")], tmp_path / "store", add=True, known=[TOY])
    assert json.loads((tmp_path / "store" / "current.json").read_text()) == before
    assert not list((tmp_path / "store").glob(".*.partial*"))


def test_two_builds_do_not_write_one_store(tmp_path):
    with locked(tmp_path / "store"), pytest.raises(BadStore, match="Another build"):
        toy_build(tmp_path, good(tmp_path))


def test_reading_twice_gives_the_same_rows_and_digest(tmp_path):
    log = good(tmp_path)
    toy_build(tmp_path, log)
    first = Store(tmp_path / "store").pointer
    toy_build(tmp_path, log)
    second = Store(tmp_path / "store").pointer
    assert (first.data_hash, first.rows) == (second.data_hash, second.rows)
    assert first.build_id != second.build_id


def test_provenance_is_the_logs_own_or_the_one_given(tmp_path):
    report = toy_build(tmp_path, good(tmp_path), provenance="released")
    assert report.sources[0]["provenance"] == "released"
    with pytest.raises(BadLog, match="no provenance"):
        toy_build(tmp_path, good(tmp_path), provenance="invented")


def test_a_companion_named_by_itself_is_no_failure(tmp_path):
    (tmp_path / "README.md").write_text("about the log")
    report = build([str(good(tmp_path)), str(tmp_path / "README.md")], tmp_path / "store", add=False, known=[TOY])
    assert report.idle == []


def test_a_rubric_without_weights_gives_no_verified_credit_and_says_so(tmp_path):
    """Otherwise wrong answers alone would have one: 0 under any weights."""
    benchmark = {"benchmark": "toy", "title": "t", "missing_policy": "zero", "raw_means": "r", "verified_means": "v",
                 "slice_name": "c", "headline": "micro", "rubric": "elsewhere"}  # fmt: skip
    report = toy_build(tmp_path, good(tmp_path, benchmarks=[benchmark]))
    assert ("unknown_rubric", "doubted") in rules(report)
    with Store(tmp_path / "store").cursor() as cursor:
        assert frame(cursor, "SELECT count(verified) AS n FROM scores")["n"].item() == 0


def test_a_replacement_that_cannot_be_read_leaves_the_rows_read_before(tmp_path):
    log = good(tmp_path, "a.json")
    toy_build(tmp_path, log)
    log.write_text(log.read_text()[:80])
    report = toy_build(tmp_path, log, add=True)
    assert ("replacement_unreadable", "refused") in rules(report)
    assert report.rows["responses"] == 3
    assert report.idle == [str(log)]


def test_relative_arguments_that_spell_alike_are_different_logs(tmp_path, monkeypatch):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        good(tmp_path / name, "results.json", run=name)
        monkeypatch.chdir(tmp_path / name)
        report = build(["results.json"], tmp_path / "store", add=True, known=[TOY])
    assert report.rows["runs"] == 2


def test_one_file_under_two_arguments_is_one_source(tmp_path):
    (tmp_path / "logs").mkdir()
    log = good(tmp_path / "logs", "a.json")
    build([str(tmp_path / "logs")], tmp_path / "store", add=False, known=[TOY])
    report = build([str(log)], tmp_path / "store", add=True, known=[TOY])
    assert len(report.sources) == 1
    assert report.rows["responses"] == 3


def test_a_fraction_where_a_whole_number_belongs_is_no_whole_number(tmp_path):
    rows = [row | {"steps": 1.5} for row in responses(1, 0)]
    report = toy_build(tmp_path, write_log(tmp_path / "l.json", items=ITEMS, runs=[{"run_id": "r"}], responses=rows))
    assert ("wrong_type", "doubted") in rules(report)
    with Store(tmp_path / "store").cursor() as cursor:
        assert frame(cursor, "SELECT count(steps) AS n FROM responses")["n"].item() == 0
