"""Score-factor rows and prediction/judge records in every container, good and broken."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders import jsonlines
from loaders.base import HEAD_BYTES
from loaders.located import EXAMPLES, Located
from loaders.psycheme import READER
from tests.loaders.reading import read_sample

SAMPLES = Path(__file__).parent / "samples" / "psycheme"
FACTORS = ("credit", "coverage", "evidence", "logic", "coverage_factor", "evidence_factor", "logic_factor", "status")


def claims(path: Path) -> bool:
    return READER.claims(path, path.read_bytes()[:HEAD_BYTES])


def test_aliases_words_numbers_and_failures():
    read = read_sample(READER, SAMPLES / "good" / "factors.csv")
    rows = read.tables["responses"].sort("line")
    assert rows.select("run_id", "item_id", "line").rows()[:2] == [
        ("psycheme/Alpha", "q1", 2),
        ("psycheme/Alpha", "q2", 3),
    ]
    assert rows.select(FACTORS).rows() == [
        (1.0, "present", "supported", "sound", None, None, None, "ok"),
        (0.5, "present", "weak", "gap", None, None, None, "ok"),
        (None, None, None, None, None, None, None, "error"),  # the words of the log are kept beside the status
        (0.0, "absent", None, None, None, None, None, "invalid_format"),  # an invalid format has credit 0 by rule
        (0.0, "present", "contradicted", "broken", None, None, None, "ok"),
        (1.0, "present", None, None, None, 1.2, 1.0, "ok"),
    ]
    assert rows["status_note"].to_list() == [None, "Success", "timeout", "invalid", None, None]
    items = read.tables["items"].select("item_id", "capability", "cluster", "answer_type", "media_type").sort("item_id")
    assert items.rows() == [
        ("q1", "grounding", "ep1", "single_choice", "video"),
        ("q2", "timing", "ep1", "open", "video"),
        ("q3", "verbal_response", "ep2", "multiple_choice", "video"),
        ("q4", "risk", "ep3", "single_choice", "video"),
    ]
    benchmark = read.tables["benchmarks"].row(0, named=True)
    assert benchmark["missing_policy"] == "zero"
    assert (benchmark["headline"], benchmark["raw_means"]) == ("macro", "answer credit")
    assert (benchmark["verified_means"], benchmark["rubric"]) == ("reasoning-verified credit", "rationale")
    assert read.tables["runs"]["provenance"].to_list() == ["imported", "imported"]
    assert read.issues == []


RECORD = {"model": "m", "answer_credit": 1, "capability": "timing", "reference": "C", "answer": "C"}


@pytest.mark.parametrize(
    "options",
    [
        {"A": "x", "C": "z"}, {"A": "x", "B": None, "C": "z"}, {"a": "x", "b": " ", "c": "z"}, ["x", None, "z"],
        ["x", "", "z", None], "x||z", "| x | | z |", '{"C": "z", "A": "x"}', '["x", null, "z"]',
        {"1": "x", "2": "", "10": "z"},
    ],
)  # fmt: skip
def test_an_empty_option_keeps_its_letter(tmp_path, options):
    records = [RECORD | {"question_id": "q1", "options": options}, RECORD | {"question_id": "q2", "options": options}]
    (tmp_path / "l.jsonl").write_text("\n".join(json.dumps(record) for record in records))
    read = read_sample(READER, tmp_path / "l.jsonl")
    assert read.tables["items"]["options"].to_list() == [["x", "", "z"]] * 2
    assert read.tables["items"]["chance"].to_list() == [1 / 3] * 2


def test_no_option_comes_after_the_last_of_an_item(tmp_path):
    table = "model,question_id,answer_credit,reference,options.A,options.B,options.D\nm,q,1,D,x,,z\nm,r,1,A,x,y,\n"
    (tmp_path / "l.csv").write_text(table + "m,s,1,A,,,\n")
    read = read_sample(READER, tmp_path / "l.csv")
    assert read.tables["items"]["options"].to_list() == [["x", "", "", "z"], ["x", "y"], None]
    lines = json.dumps(RECORD | {"question_id": "q", "options": "x\n\ny"})
    (tmp_path / "m.jsonl").write_text(lines)
    assert read_sample(READER, tmp_path / "m.jsonl").tables["items"]["options"].to_list() == [["x", "y"]]


def test_prediction_and_judge_records():
    read = read_sample(READER, SAMPLES / "good" / "prediction.jsonl")
    run = read.tables["runs"].row(0, named=True)
    assert (run["run_id"], run["model"]) == ("other-bench/Gamma/video/effort=high", "Gamma")
    assert (run["regime"], run["condition"]) == ("video", "effort=high")
    item = read.tables["items"].row(0, named=True)
    assert item["options"] == ["The guest", "The host", "Both"]
    assert (item["reference"], item["answer_type"], item["prompt"]) == ("A,C", "multiple_choice", "Who waits?")
    assert (item["item_id"], item["capability"], item["media_type"]) == ("7", "memory", None)
    rows = read.tables["responses"].sort("attempt")
    assert rows.select("attempt", "answer", "response", "rationale", "credit", "coverage").rows() == [
        (1, "A,C", "A and C wait.", "Both look at the door.", 1.0, "present"),
        (2, "B", "The host.", None, 0.0, "absent"),
    ]
    verdicts = read.tables["verdicts"].sort("attempt")
    assert verdicts.select("judge_id", "criterion", "met", "label", "score", "justification", "status").rows() == [
        ("Judge-1", "answer", True, "full", 1.0, "Complete set.", "ok"),
        ("Judge-1", "answer", False, "none", 0.0, "Wrong.", "ok"),
    ]
    assert read.tables["judges"].select("judge_id", "kind").rows() == [("Judge-1", "model")]
    assert [(i.rule, i.severity) for i in read.issues] == [("unused_columns", "note")]
    assert "mood" in read.issues[0].message


def test_list_with_credits_as_truth_values():
    read = read_sample(READER, SAMPLES / "good" / "list.json")
    rows = read.tables["responses"].sort("line")
    assert rows.select("run_id", "item_id", "credit", "verified", "line").rows() == [
        ("psycheme/delta", "q9", 1.0, 0.694, 1),
        ("psycheme/delta", "q10", 0.0, 0.0, 2),
    ]
    assert read.tables["items"].sort("item_id")["capability"].to_list() == ["memory", "action"]
    assert set(read.tables["items"]["provenance"]) == {"released"}


def test_tab_separated_numeric_factors_and_attempts():
    rows = read_sample(READER, SAMPLES / "good" / "factors.tsv").tables["responses"]
    assert rows.select("attempt", "credit", "coverage_factor", "evidence_factor", "logic_factor").sort(
        "attempt"
    ).rows() == [
        (1, 1.0, 1.0, 1.2, 1.0),
        (2, 0.0, 1.0, 0.5, 0.5),
    ]


def test_parquet_gives_what_csv_gives(tmp_path):
    source = SAMPLES / "good" / "factors.csv"
    path = tmp_path / "factors.parquet"
    pl.read_csv(source, infer_schema=False).with_columns(pl.col("answer credit").cast(pl.Float64)).write_parquet(path)
    assert claims(path)
    one, other = (read_sample(READER, p).tables for p in (source, path))
    drop = ("line",)
    for name in ("items", "runs", "benchmarks", "responses"):
        left, right = one[name].drop(drop, strict=False), other[name].drop(drop, strict=False)
        assert left.sort(left.columns[:2]).equals(right.sort(right.columns[:2])), name


def test_a_fault_has_rule_severity_line_and_column():
    read = read_sample(READER, SAMPLES / "broken" / "lines.jsonl")
    assert read.places() == [
        ("broken_json", "refused", 3, None),
        ("credit_of_failed_attempt", "doubted", 11, "responses.credit"),
        ("doubled_json_key", "refused", 5, "answer_credit"),
        ("no_credit", "doubted", 4, "responses.credit"),
        ("not_a_record", "refused", 9, None),
        ("not_finite", "doubted", 4, "answer_credit"),
        ("not_finite", "doubted", 12, "answer_credit"),
        ("not_utf8", "refused", 13, None),
        ("out_of_range", "refused", 2, "responses.credit"),
        ("required", "refused", 10, "responses.item_id"),
        ("unknown_capability", "doubted", 2, "items.capability"),
        ("unknown_capability", "doubted", 11, "items.capability"),
        ("unknown_value", "refused", 8, "responses.evidence"),
        ("wrong_type", "doubted", 6, "responses.credit"),
    ]
    assert (read.seen, read.refused, read.kept) == (12, 7, 5)
    kept = read.tables["responses"].sort("line")
    assert kept.select("item_id", "credit", "status").rows() == [
        ("q1", 1.0, "ok"),
        ("q4", None, "ok"),
        ("q6", None, "ok"),
        ("q9", None, "error"),
        ("q10", None, "refused"),
    ]
    near = [i.message for i in read.issues if i.rule == "unknown_capability"]
    assert near[0].endswith("Did you mean 'timing'?")
    assert "Did you mean" not in near[1]


def test_broken_rows_of_csv():
    read = read_sample(READER, SAMPLES / "broken" / "rows.csv")
    assert read.places() == [
        ("broken_row", "refused", 6, None),
        ("credit_of_invalid_format", "doubted", 4, "responses.credit"),
        ("not_finite", "doubted", 7, "responses.credit"),
        ("not_utf8", "refused", 8, None),
        ("ragged_row", "refused", 3, None),
        ("unknown_value", "refused", 9, "responses.coverage"),
    ]
    assert (read.seen, read.refused) == (7, 4)


def test_list_that_breaks_off_keeps_what_came_before():
    read = read_sample(READER, SAMPLES / "broken" / "list.json")
    assert [i[:3] for i in read.places()] == [
        ("broken_json", "refused", 3),
        ("no_credit", "doubted", 2),
        ("not_finite", "doubted", 2),
    ]
    assert (read.seen, read.kept) == (3, 2)


def test_a_missing_record_is_kept_as_missing_where_the_log_has_answers(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [
        {"run": "r", "item": "1", "credit": 1, "evidence": "weak", "answer": "B"},
        {"run": "r", "item": "2", "credit": None, "evidence": None, "answer": None},
        {"run": "r", "item": "3", "credit": None, "evidence": None, "answer": "C"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    read = read_sample(READER, path)
    assert read.tables["responses"].sort("item_id")["status"].to_list() == ["ok", "missing", "ok"]
    assert read.places() == [("no_credit", "doubted", 3, "responses.credit")]


def test_items_that_records_describe_differently_are_doubted(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("run,item,capability,credit,logic\nr,1,G,1,gap\ns,1,W,1,gap\nt,1,,0,gap\n")
    read = read_sample(READER, path)
    assert read.tables["items"]["capability"].to_list() == ["grounding"]
    assert read.places() == [("conflicting_rows", "doubted", None, "items.capability")]


def test_seeds_of_single_requests_are_no_attempts(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("run,item,credit,logic,seed\n" + "".join(f"r,{n},1,gap,{n}\n" for n in range(80)))
    read = read_sample(READER, path)
    assert [i.rule for i in read.issues] == ["unreadable"]
    assert "attempt" in read.issues[0].message
    assert read.tables == {}


def test_many_faults_of_one_rule_become_few_issues(tmp_path):
    path = tmp_path / "a.jsonl"
    good = '{"run": "r", "item": "1", "credit": 1, "logic": "gap"}\n'
    path.write_text(good + "{half\n" * 100)
    read = read_sample(READER, path)
    assert len(read.issues) == EXAMPLES + 1
    assert sum(i.records for i in read.issues) == 100
    assert (read.seen, read.kept) == (101, 1)


def test_recognised_by_content_not_by_name(tmp_path):
    odd = tmp_path / "notes.md"
    shutil.copy(SAMPLES / "good" / "factors.csv", odd)
    assert claims(odd)
    named = tmp_path / "psycheme.csv"
    named.write_text("model,overall\nA,1\n")
    assert not claims(named)
    native = tmp_path / "responses.parquet"
    shutil.copy(SAMPLES.parent / "native" / "good" / "toy" / "responses.parquet", native)
    assert not claims(native), "a table of the native form is read with its folder"


WHOLE = st.integers(-5, 5) | st.sampled_from([2**53 + 1, 2**63, -(2**63)])
VALUES = st.one_of(st.none(), st.booleans(), WHOLE, st.floats(allow_nan=False), st.text(max_size=8))
ROWS = st.lists(st.dictionaries(st.sampled_from(["a", "b", "c d", "e"]), VALUES, min_size=1), min_size=1, max_size=12)


@given(rows=ROWS)
def test_the_fast_road_gives_what_the_slow_one_gives(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    fast = [block for block in jsonlines.read_lines(path, Located()) if isinstance(block, tuple)]
    lines = path.read_bytes().removesuffix(b"\n").split(b"\n")
    slow = [b for b in jsonlines._one_by_one(lines, range(1, len(lines) + 1), Located()) if isinstance(b, tuple)]
    (frame, places), (other, others) = fast[0], slow[0]
    assert places.to_list() == others.to_list() == list(range(1, len(rows) + 1))
    assert set(frame.columns) == set(other.columns)
    for name in frame.columns:
        assert frame[name].to_list() == other[name].to_list(), name


def test_blocks_keep_the_line_numbers(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonlines, "BLOCK_BYTES", 200)
    path = tmp_path / "a.jsonl"
    row = '{"run": "r", "item": "%d", "credit": 1, "logic": "gap"}\n'
    path.write_text("".join(row % n for n in range(1, 31)).replace(row % 17, "{half\n") + "\n" + row.strip() % 40)
    read = read_sample(READER, path)
    lines = read.tables["responses"].sort("line").select("item_id", "line").rows()
    assert [(int(item), line) for item, line in lines if int(item) != line] == [(40, 32)]
    assert [(i.rule, i.line) for i in read.issues] == [("broken_json", 17)]
    assert (read.seen, read.kept) == (31, 30)


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_endings_and_byte_order_mark(tmp_path, ending, mark):
    for name, text in (
        ("a.csv", "run,item,credit,logic\nr,1,1,gap\nr,2,0,gap\n"),
        (
            "b.jsonl",
            '{"run":"r","item":"1","credit":1,"logic":"gap"}\n{"run":"r","item":"2","credit":0,"logic":"gap"}\n',
        ),
        (
            "c.json",
            '[{"run":"r","item":"1","credit":1,"logic":"gap"},\n{"run":"r","item":"2","credit":0,"logic":"gap"}]\n',
        ),
    ):
        path = tmp_path / name
        path.write_bytes((mark + text.replace("\n", ending)).encode())
        assert claims(path), name
        read = read_sample(READER, path)
        assert read.issues == []
        assert read.tables["responses"].sort("item_id")["credit"].to_list() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("best", "says"),
    [("1.0", "no response can reach more than 69.4%"), ("1.2", None), ("1.5", "would exceed raw credit")],
)
def test_factors_on_another_scale_than_the_rubrics_are_doubted(tmp_path, best, says):
    path = tmp_path / "factors.tsv"
    head = "model\titem\tcredit\tcoverage_factor\tevidence_factor\tlogic_factor\n"
    path.write_text(f"{head}Eps\tq1\t1\t1\t{best}\t1\nEps\tq2\t1\t1\t0.5\t0.9\n")
    doubts = [issue.message for issue in read_sample(READER, path).issues if issue.rule == "factor_scale"]
    assert len(doubts) == (says is not None)
    assert says is None or says in doubts[0]


@pytest.mark.parametrize(
    "records",
    [
        '{"run":"r","item":"q","credit":1,"capability ":["G"]}',
        '{"run":"r","item":"q","credit":1,"capability ":["G"]},{"run":"r","item":"s","credit":1,"capability":"G"}',
        '{"item":"q","credit":1,"logic":"gap","seed":1}',
        '{"run":"r","item":"q","credit":1,"logic":"gap","seed":["a"]}',
        '{"run":"r","item":"q","credit":1,"logic":"gap","seed":{"a":1}}',
    ],
)
def test_odd_values_of_a_name_are_read_or_refused(tmp_path, records):
    """Found by fuzzing: one name with a list and with a text; seeds without any run."""
    path = tmp_path / "list.json"
    path.write_text(f"[{records}]")
    read = read_sample(READER, path)
    kept = read.tables["responses"].height if "responses" in read.tables else 0
    assert kept + sum(issue.records for issue in read.issues if issue.severity == "refused") == records.count("credit")
