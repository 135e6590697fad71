"""Humanity's Sixth Sense: tasks, attempts and judge output, in one file or in several; numbers worked out by hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from analytics.schema import PROVENANCES
from analytics.store import Store
from loaders.base import readers
from loaders.discover import discover
from loaders.hss import READER
from loaders.warehouse import build
from tests.asking import asked, one, rows
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples"
THREE = SAMPLES / "hss" / "good" / "three"
FILES = ("tasks.jsonl", "attempts.jsonl", "judges.jsonl")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hss")
    report = build([str(THREE)], folder, add=False)
    assert [issue["rule"] for issue in report.issues] == ["primary_judge_failed", "several_judges", "judge_failed"]
    return Store(folder)


def test_tasks_in_the_words_of_the_taxonomy():
    read = read_all(READER, [THREE / "tasks.jsonl"])
    assert read["items"].select("item_id", "capability", "subcapability", "media_type", "media_path").rows() == [
        ("t1", "temporal", "extrapolation", "image", "pictures/kettle.png"),
        ("t2", "social", "theory_of_mind", "video", "clips/door.webm"),
        ("t3", "physical", "alien_viewpoint", "image", "pictures/bench.jpg"),
    ]
    assert read["criteria"].select("item_id", "criterion", "description").row(1) == (
        "t1", "c2", "Names the steam as the cause."
    )  # fmt: skip
    assert read["criteria"]["criterion"].to_list() == ["c1", "c2", "1", "1"]
    assert read["benchmarks"]["missing_policy"].to_list() == ["exclude"]


def test_an_attempt_is_right_when_the_primary_judge_finds_every_criterion_met():
    read = read_all(READER, [THREE / "attempts.jsonl"])
    credit = {(run, item, n): (value, status) for run, item, n, value, status in read["responses"].select(
        "run_id", "item_id", "attempt", "credit", "status").rows()}  # fmt: skip
    assert credit == {
        ("hss/alpha", "t1", 1): (1.0, "ok"),
        ("hss/alpha", "t1", 2): (0.0, "ok"),  # the other judge finds both criteria met
        ("hss/alpha", "t1", 3): (None, "error"),
        ("hss/alpha", "t2", 1): (1.0, "ok"),
        ("hss/alpha", "t3", 1): (None, "ok"),  # a grading failure of the primary judge alone
        ("hss/beta", "t1", 1): (0.0, "ok"),
        ("hss/beta", "t2", 1): (0.0, "ok"),
        ("hss/beta", "t3", 1): (1.0, "ok"),
    }
    first = read["responses"].row(0, named=True)
    assert (first["input_tokens"], first["output_tokens"], first["steps"], first["seconds"]) == (900, 40, 2, 1.5)
    assert read["runs"].select("run_id", "model", "vendor", "settings").rows() == [
        ("hss/alpha", "Alpha", "A Works", '{"effort": "high"}'),
        ("hss/beta", "Beta", None, None),
    ]
    assert read["failure_labels"].select("labeller", "family", "cause").rows() == [
        ("labeller-1", "latent", "missed_cue")
    ]


def test_judge_output_keeps_every_field_of_its_schema():
    read = read_all(READER, [THREE / "judges.jsonl"])
    strict = read["verdicts"].filter(judge_id="strict", run_id="hss/alpha")
    assert strict.select("item_id", "attempt", "criterion", "met", "status").rows() == [
        ("t1", 1, "c1", True, "ok"),
        ("t1", 1, "c2", True, "ok"),
        ("t1", 2, "c1", True, "ok"),
        ("t1", 2, "c2", False, "ok"),
        ("t2", 1, "1", True, "ok"),
        ("t3", 1, "1", None, "judge_failed"),
    ]
    # the overall comment, spelled either way, follows the last criterion
    assert strict["justification"].to_list() == [
        "It says so.", "Steam is named.\n[overall comment] Right.", "It says so.",
        "No cause.\n[overall comment] Half.", "It says so.\n[overall comment] Right.", None,
    ]  # fmt: skip
    assert read["judges"].select("judge_id", "kind", "vendor").rows() == [
        ("strict", "model", "S Works"), ("kind", "model", None),
    ]  # fmt: skip
    assert "responses" not in read.tables  # the attempts lie beside


def test_leaderboard_by_hand(store):
    """alpha: (1/2 + 1)/2 over two tasks, the third has a grading failure alone; beta: 1/3."""
    found = rows(store, "leaderboard", {"benchmark": "hss"})
    alpha, beta = one(found, run="hss/alpha"), one(found, run="hss/beta")
    assert (alpha["raw"], alpha["n"], alpha["unjudged"], alpha["declared"]) == (0.75, 2, 1, 3)
    assert (beta["raw"], beta["n"], beta["unjudged"]) == (1 / 3, 3, 0)
    lenient = one(rows(store, "leaderboard", {"benchmark": "hss"}, judge="kind"), run="hss/alpha")
    assert (lenient["raw"], lenient["n"]) == (1.0, 3)


def test_judges_by_hand(store):
    """Of nine criteria both judged they agree on seven: 7/9, expected 43/81, kappa 20/38; of six responses on five."""
    pair = one(rows(store, "judges", {"benchmark": "hss"}, resamples=200), rater_a="kind")
    assert (pair["n"], pair["agreement"], pair["missing_b"]) == (9, 7 / 9, 1)
    assert pair["expected"] == pytest.approx(43 / 81, abs=1e-15)
    assert pair["kappa"] == pytest.approx(20 / 38, abs=1e-12)
    item = one(rows(store, "judges", {"benchmark": "hss"}, resamples=200, unit="item"), rater_a="kind")
    assert (item["n"], item["agreement"]) == (6, 5 / 6)


def test_attempts_by_hand(store):
    """alpha has two usable attempts at t1, one right, and one at t2: one of two is right on every task at most."""
    found = rows(store, "passk", {"benchmark": "hss"}, resamples=200)
    alpha = one(found, run="hss/alpha", k=1)
    assert (alpha["pass_at_k"], alpha["n"], alpha["most_attempts"], alpha["without"]) == (0.75, 2, 2, 1)
    assert one(found, run="hss/alpha", k=2)["n"] == 1


@pytest.mark.parametrize("order", [FILES, FILES[::-1], ("attempts.jsonl", "judges.jsonl", "tasks.jsonl")])
def test_the_order_of_the_files_does_not_matter(order, tmp_path, store):
    logs = tmp_path / "logs"
    logs.mkdir()
    for number, name in enumerate(order):
        shutil.copy(THREE / name, logs / f"{number}-{name}")
    build([str(logs)], tmp_path / "store", add=False)
    other = Store(tmp_path / "store")
    wanted = asked(store, "leaderboard", {"benchmark": "hss"}).table
    assert asked(other, "leaderboard", {"benchmark": "hss"}).table.equals(wanted)
    told = ("item", "capability", "prompt")
    mine, theirs = (asked(one_of, "cases", {"benchmark": "hss"}).table.select(told).rows() for one_of in (store, other))
    assert mine == theirs


def test_judge_output_alone_gives_the_numbers_without_the_texts(tmp_path):
    shutil.copy(THREE / "judges.jsonl", tmp_path / "judges.jsonl")
    read = read_all(READER, [tmp_path / "judges.jsonl"])
    assert read["responses"].select("run_id", "item_id", "attempt", "credit").rows()[:3] == [
        ("hss/alpha", "t1", 1, 1.0), ("hss/alpha", "t1", 2, 0.0), ("hss/alpha", "t2", 1, 1.0),
    ]  # fmt: skip
    assert read.rules() == {"judge_failed": 1, "no_attempt": 7, "unknown_task": 3, "several_judges": 0}
    assert read["items"]["prompt"].null_count() == 3


def test_the_judge_marked_primary_gives_the_credit_else_who_judged_most(tmp_path):
    marked = [json.loads(line) for line in (THREE / "judges.jsonl").read_text().splitlines()]
    for record in marked:
        record["primary"] = record["judge"] == "kind"
    (tmp_path / "judges.jsonl").write_text("".join(json.dumps(record) + "\n" for record in marked))
    shutil.copy(THREE / "attempts.jsonl", tmp_path)
    shutil.copy(THREE / "tasks.jsonl", tmp_path)
    read = read_all(READER, [tmp_path / "attempts.jsonl"])
    assert read["responses"].filter(run_id="hss/alpha")["credit"].to_list() == [1.0, 1.0, None, 1.0, 1.0]
    assert "kind (marked primary)" in next(i.message for i in read.issues if i.rule == "several_judges")


@pytest.mark.parametrize(
    ("met", "credit", "status"),
    [((False, None), 0.0, "ok"), ((None, False), 0.0, "ok"), ((True, None), None, "judge_failed"),
     ((None, None), None, "judge_failed"), ((True, True), 1.0, "ok")],
)  # fmt: skip
def test_one_criterion_that_is_not_met_settles_an_attempt(tmp_path, met, credit, status):
    """Passed means that all verdicts are 1 (equation 2 of the paper): with one at 0 the others cannot change it."""
    given = [
        {"id": str(n), "met": value, "justification": "why"} for n, value in enumerate(met, 1) if value is not None
    ]
    records = [
        {"task_id": "t", "question": "q", "rubric": ["one", "two"]},
        {"task_id": "t", "run": "alpha", "attempt": 1, "answer": "so"},
        {"task_id": "t", "run": "alpha", "attempt": 1, "judge": "j", "criteria": given, "overall_comment": "fine"},
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert read_all(READER, [path])["responses"].select("credit", "status").rows() == [(credit, status)]
    path.write_text("".join(json.dumps(record) + "\n" for record in (records[0], records[2])))
    assert read_all(READER, [path])["responses"].select("credit", "status").rows() == [(credit, status)]
    build([str(path)], tmp_path / "store", add=False)
    for judge in ("logged", "j", "any", "all", "majority"):  # the policy's rule says the same as the reader
        found = one(rows(Store(tmp_path / "store"), "leaderboard", {"benchmark": "hss"}, judge=judge), run="hss/alpha")
        assert (found["raw"], found["n"]) == (credit, int(credit is not None)), judge


def test_each_benchmark_has_a_primary_judge_of_its_own(tmp_path):
    known = [json.loads(line) for name in FILES for line in (THREE / name).read_text().splitlines()]
    other = [
        {"benchmark": "other", "task_id": "o1", "question": "q", "rubric": ["says so"]},
        {"benchmark": "other", "task_id": "o1", "run": "alpha", "attempt": 1, "answer": "so"},
        {"benchmark": "other", "task_id": "o1", "run": "alpha", "attempt": 1, "judge": "elsewhere",
         "criteria": [{"id": "1", "met": True, "justification": "it does"}], "overall_comment": "fine"},
    ]  # fmt: skip
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in [*known, *other]))
    read = read_all(READER, [path])
    assert read["responses"].filter(run_id="other/alpha").select("credit", "status").rows() == [(1.0, "ok")]
    assert "no_verdict" not in {issue.rule for issue in read.issues}
    assert [issue.rule for issue in read.issues].count("several_judges") == 1


def test_tables_and_one_document_hold_the_same_kinds_of_records():
    table = SAMPLES / "hss" / "good" / "table"
    read = read_all(READER, [table / "tasks.csv", table / "attempts.csv", table / "verdicts.csv"])
    assert read["criteria"]["description"].to_list() == ["Says cake.", "Says that it is whole.", "Says no."]
    assert read["responses"].select("item_id", "credit", "status").rows() == [
        ("v1", 1.0, "ok"),
        ("v2", None, "refused"),
    ]
    assert read["verdicts"]["justification"].to_list()[1] == "Whole is said.\n[overall comment] Right."
    whole = read_all(READER, [SAMPLES / "hss" / "good" / "one" / "log.json"])
    assert whole["responses"].select("item_id", "credit").rows() == [("u1", 1.0)]
    assert (whole.seen, whole.kept) == (3, 3)


def test_what_is_wrong_is_refused_or_doubted_in_its_place():
    broken = SAMPLES / "hss" / "broken" / "three"
    read = read_all(READER, [broken / name for name in FILES])
    place = {(i.rule, i.line, i.column): i for i in read.issues}
    assert read.kept + read.refused == read.seen
    for expected in (
        ("duplicate_key", 2, "task_id"), ("no_rubric", 3, "rubric"), ("required", 4, "question"),
        ("duplicate_key", 5, "rubric[].id"), ("broken_json", 7, None), ("not_an_object", 8, None),
        ("duplicate_key", 2, "attempt"), ("wrong_type", 3, "attempt"), ("unknown_record", 4, None),
        ("unknown_value", 5, "responses.status"), ("wrong_type", 1, "output_tokens"), ("no_verdict", 5, None),
        ("credit_of_failed_attempt", 9, "status"), ("duplicate_key", 2, "judge"),
        ("wrong_type", 3, "criteria[].met"), ("unknown_criterion", 3, "criteria[].id"),
        ("criterion_not_judged", 3, "criteria[].id"), ("unknown_field", 4, "criteria[].score"),
        ("missing_field", 5, "overall_comment"), ("unknown_field", 6, "grade"), ("wrong_type", 6, "criteria[]"),
        ("required", 7, "run"), ("missing_field", 1, "criteria[].justification"),
    ):  # fmt: skip
        assert expected in place, expected
    assert "Did you mean 'physical'?" in place["unknown_value", 6, "domain"].message
    credit = read["responses"].filter(item_id="t5").select("attempt", "credit", "status").rows()
    assert (1, None, "judge_failed") in credit  # one criterion has no usable verdict: no zero
    assert (3, None, "error") in credit


def test_neither_reader_claims_a_file_of_another_format():
    theirs = {"hss", "srb"}
    for reader in readers():
        if reader.name in theirs:
            continue
        for candidate in discover(str(SAMPLES / reader.name)):
            assert candidate.reader is None or candidate.reader.name not in theirs, candidate.source.name
            assert candidate.issue is None or candidate.issue.rule != "two_readers", candidate.issue
    for name in theirs:
        for candidate in discover(str(SAMPLES / name)):
            assert candidate.reader is not None
            assert candidate.reader.name == name
    assert not claimed(READER, SAMPLES / "psycheme" / "good" / "prediction.jsonl")


def test_logged_rows_beside_reconstructed_ones_of_the_same_name_are_doubted(tmp_path):
    """A log under the name of a reconstructed benchmark would widen its population without a word."""
    assert "reconstructed" in PROVENANCES
    shipped = Path(__file__).parents[2] / "logs" / "reconstructed" / "hss-judges"
    renamed = tmp_path / "logs"
    renamed.mkdir()
    for name in FILES:
        text = (THREE / name).read_text(encoding="utf-8").replace('{"task_id"', '{"benchmark": "hss-judges", "task_id"')
        (renamed / name).write_text(
            text.replace('"output": {"benchmark": "hss-judges", ', '"output": {'), encoding="utf-8"
        )
    report = build([str(shipped), str(renamed)], tmp_path / "store", add=False)
    mixed = [issue for issue in report.issues if issue["rule"] == "mixed_provenance"]
    assert len(mixed) == 1
    assert "524 reconstructed" in mixed[0]["message"]
    assert "3 imported" in mixed[0]["message"]
