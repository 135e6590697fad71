"""The quick roads of a build give what the careful ones give: parts, scores without grouping, pairs by products."""

import itertools
import json

import duckdb
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analytics.schema import STATUSES
from loaders import finish, parts
from loaders.finish import CUBE
from loaders.psycheme_described import Distinct
from loaders.psycheme_rows import LETTERS, MAYBE_LETTERS, letter_set
from loaders.scores import MACRO
from loaders.warehouse import build
from tests.stores import toy_build, write_log

CREDITS = (0.0, 0.5, 1.0, None)


def opened(store):
    (path,) = store.glob("build-*.duckdb")
    return duckdb.connect(str(path), read_only=True)


def tables(store):
    """Every table of the newest build, without what differs between two builds of one log."""
    with opened(store) as con:
        names = [row[0] for row in con.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()]
        return {
            name: con.execute(f"SELECT * EXCLUDE ({'modified'}) FROM {name} ORDER BY ALL").fetchall()
            if name == "sources"
            else con.execute(f"SELECT * FROM {name} ORDER BY ALL").fetchall()
            for name in names
        }


def score_rows(path, runs, items, *, skip=(), twice=(), shift=0):
    """Write score-factor records, one per run and item; `twice` are line numbers whose record is written again."""
    lines = []
    for run, item in itertools.product(runs, range(items)):
        credit = CREDITS[(item + shift) % 3]
        record = {
            "run": run, "question": f"q{item:03d}", "capability": "timing", "answer": "ABCD"[item % 4],
            "answer_credit": credit, "coverage": "present", "evidence": "weak", "logic": ("sound", "gap")[item % 2],
            "judge": "panel",
        }  # fmt: skip
        if (run, item) not in skip:
            lines.append(json.dumps(record))
    for number in twice:
        lines.append(lines[number - 1])
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def both(tmp_path, monkeypatch):
    """Build the same logs with every table through `incoming` and with tables of 10 rows as parts."""

    def run(*logs, steps=None):
        found = []
        for limit in (10**9, 10):
            monkeypatch.setattr(parts, "LARGE_ROWS", limit)
            store = tmp_path / f"store-{limit}"
            for arguments, add in steps or [(logs, False)]:
                for old in store.glob("build-*"):
                    if not add:
                        old.unlink()
                build([str(log) for log in arguments], store, add=add)
            for old in sorted(store.glob("build-*"))[:-1]:
                old.unlink()
            found.append(tables(store))
            assert not list(store.glob(".*.partial*"))
        assert found[0] == found[1]
        return found[0]

    return run


def test_parts_give_the_same_build(tmp_path, both):
    log = score_rows(tmp_path / "a.jsonl", ("r1", "r2"), 30)
    assert len(both(log)["responses"]) == len(both(log)["verdicts"]) == 60


def test_a_key_twice_in_a_large_source_is_refused_with_its_line(tmp_path, both):
    log = score_rows(tmp_path / "a.jsonl", ("r1", "r2"), 30, twice=(7, 33))
    found = both(log)
    assert len(found["responses"]) == 60
    lines = sorted(row[2] for row in found["issues"] if row[4] == "duplicate_key" and row[2] is not None)
    assert lines == [61, 62]


def test_a_run_that_two_large_sources_have_is_renamed_where_they_overlap(tmp_path, both):
    one = score_rows(tmp_path / "a.jsonl", ("r1", "r2"), 30)
    two = score_rows(tmp_path / "b.jsonl", ("r2", "r3"), 29, shift=1)
    found = both(one, two)
    assert len(found["runs"]) == 4
    assert len(found["responses"]) == 60 + 58


def test_a_large_run_goes_on_in_a_second_source(tmp_path, both):
    half = {("r1", item) for item in range(15)}
    one = score_rows(tmp_path / "a.jsonl", ("r1",), 30, skip=half)
    rest = {("r1", item) for item in range(15, 30)}
    two = score_rows(tmp_path / "b.jsonl", ("r1",), 30, skip=rest)
    found = both(one, two)
    assert len(found["runs"]) == 1
    assert len(found["responses"]) == 30


def test_a_small_source_of_a_run_kept_in_parts(tmp_path, both):
    one = score_rows(tmp_path / "a.jsonl", ("r1", "r2"), 30, skip={("r1", 3)})
    two = score_rows(tmp_path / "b.jsonl", ("r1",), 4, shift=1)
    assert len(both(one, two)["runs"]) == 3
    same = score_rows(tmp_path / "c.jsonl", ("r1",), 4)
    assert len(both(one, same)["responses"]) == 60


def test_the_same_large_file_given_twice_and_added_again(tmp_path, both):
    log = score_rows(tmp_path / "a.jsonl", ("r1", "r2"), 30)
    other = score_rows(tmp_path / "b.jsonl", ("r3",), 30)
    found = both(steps=[((log, log), False), ((other, log), True)])
    assert len(found["responses"]) == 90


def test_a_reader_that_fails_late_leaves_no_part(tmp_path, both):
    good = score_rows(tmp_path / "a.jsonl", ("r1",), 30)
    seeds = tmp_path / "b.jsonl"
    record = {"run": "s", "question": "q", "answer_credit": 1.0, "coverage": "present"}
    seeds.write_text("\n".join(json.dumps(record | {"seed": k}) for k in range(100)))
    found = both(good, seeds)
    assert len(found["responses"]) == 30
    assert [row[4] for row in found["issues"] if row[5] == "refused"] == ["unreadable"]


def test_unsorted_tables_hold_the_same_rows(tmp_path, monkeypatch):
    log = score_rows(tmp_path / "a.jsonl", ("r2", "r1"), 30)
    build([str(log)], tmp_path / "sorted", add=False)
    monkeypatch.setattr(finish, "SORTED_ROWS", 10)
    build([str(log)], tmp_path / "as-read", add=False)
    assert tables(tmp_path / "sorted") == tables(tmp_path / "as-read")


def response(run, item, attempt, credit, status, extra):
    return {"run_id": run, "item_id": item, "attempt": attempt, "credit": credit, "status": status, **extra}


@st.composite
def logs(draw):
    """Small logs with several attempts, gaps, hidden references, scopes, labels, own verified credits, tokens."""
    items = [f"i{k}" for k in range(draw(st.integers(1, 4)))]
    runs = [f"r{k}" for k in range(draw(st.integers(1, 3)))]
    extras = st.fixed_dictionaries(
        {},
        optional={
            "answer": st.sampled_from(["A", "B"]),
            "coverage": st.sampled_from(["present", "absent"]),
            "evidence": st.sampled_from(["supported", "weak", "contradicted"]),
            "logic": st.sampled_from(["sound", "gap"]),
            "verified": st.sampled_from([0.0, 0.25, 1.0]),
            "output_tokens": st.integers(0, 9),
        },
    )
    single = draw(st.sets(st.sampled_from(runs)))
    rows = []
    for run, item in itertools.product(runs, items):
        attempts = [draw(st.sampled_from([1, 2]))] if run in single else draw(st.sets(st.integers(1, 3)))
        if run in single and draw(st.integers(0, 3)) == 0:
            attempts = []
        rows += [
            response(run, item, n, draw(st.sampled_from(CREDITS)), draw(st.sampled_from(STATUSES)), draw(extras))
            for n in sorted(attempts)
        ]
    hidden = draw(st.sets(st.sampled_from(items)))
    scoped = draw(st.sets(st.sampled_from(runs)))
    return {
        "benchmarks": [{"benchmark": "toy", "rubric": "rationale", "verified_means": "verified credit"}],
        "items": [{"item_id": item, "reference_known": item not in hidden} for item in items],
        "item_tags": [{"item_id": item, "kind": "scope", "tag": "part"} for item in items[:2]],
        "runs": [{"run_id": run, "scope": "part" if run in scoped else None} for run in runs],
        "responses": rows or [response(runs[0], items[0], 1, 1.0, "ok", {})],
    }


@settings(max_examples=25, deadline=None)
@given(log=logs())
def test_scores_are_the_rows_of_the_macro(tmp_path_factory, log):
    folder = tmp_path_factory.mktemp("scores")
    toy_build(folder, write_log(folder / "log.json", **log))
    with opened(folder / "store") as con:
        stored = con.sql("SELECT * FROM scores").pl()
        macro = con.sql(f"SELECT * FROM {MACRO} ORDER BY run_idx, item_idx").pl()
    assert stored.schema == macro.schema
    assert stored.rows() == macro.rows()


def test_pairs_are_the_rows_of_the_portable_statement(tmp_path):
    rng = np.random.default_rng(7)
    items = [{"item_id": f"i{k:05d}", "capability": "abc"[k % 3] if k else "alone"} for k in range(10_002)]
    credit = rng.choice([0.0, 0.3, 1.0], size=(4, len(items)))
    rows = [
        {"run_id": f"r{n}", "item_id": item["item_id"], "credit": float(credit[n, k]), "coverage": "present"}
        | ({"evidence": "weak", "logic": "gap"} if n % 2 or k % 5 else {})
        for n in range(4)
        for k, item in enumerate(items)
        if rng.random() < 0.9
    ]
    log = write_log(
        tmp_path / "log.json",
        benchmarks=[{"benchmark": "toy", "rubric": "rationale", "verified_means": "verified credit"}],
        items=items,
        runs=[{"run_id": f"r{n}"} for n in range(4)],
        responses=rows,
    )
    toy_build(tmp_path, log)
    statement = CUBE.read_text().partition("CREATE TABLE cube_pairs AS")[2].rstrip().removesuffix(";")
    with opened(tmp_path / "store") as con:
        ours = con.sql("SELECT * FROM cube_pairs ORDER BY ALL").pl()
        theirs = con.sql(f"SELECT * FROM ({statement}) ORDER BY ALL").pl()
    assert ours.schema == theirs.schema
    assert ours.height >= 6 * 3
    for name in ours.columns:
        assert ours[name].is_null().to_list() == theirs[name].is_null().to_list()
        np.testing.assert_allclose(ours[name].cast(pl.Float64), theirs[name].cast(pl.Float64), rtol=1e-12)


@settings(deadline=None)
@given(st.text(alphabet=" \t\x1c\x1f\u00a0\u2003,;/|ABZaé", max_size=6))
def test_every_text_of_letters_is_looked_at(text):
    series = pl.Series([text])
    expected = ",".join(sorted({c for c in text if c.isupper()})) if LETTERS.fullmatch(text) else text
    assert letter_set(series).to_list() == [expected]
    assert not LETTERS.fullmatch(text) or series.str.contains(MAYBE_LETTERS)[0]


ROWS = st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["x", "y", None])), max_size=8)


@settings(deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=5))
def test_distinct_keeps_the_first_of_each_row_in_order(blocks):
    schema = {"one": pl.String, "two": pl.String}
    found = Distinct(pl.DataFrame(schema=schema))
    for block in blocks:
        found.add(pl.DataFrame(block, schema=schema, orient="row"))
    assert found.rows.rows() == list(dict.fromkeys(itertools.chain.from_iterable(blocks)))


def test_distinct_compares_rows_and_not_their_hashes_alone():
    one, other = pl.DataFrame({"one": ["a"]}), pl.DataFrame({"one": ["b"]})
    found = Distinct(one.clear())
    found.add(one)
    found.hashes[:] = other.hash_rows().to_numpy()
    found.add(other)
    assert found.rows["one"].to_list() == ["a", "b"]
