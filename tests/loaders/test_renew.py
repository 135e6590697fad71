"""A store after adding, replacing and removing logs equals a fresh build of the logs that remain."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analytics.schema import TABLES
from analytics.store import Store
from loaders.changes import changed_since, changes
from loaders.places import places_of
from loaders.warehouse import build
from tests.stores import TOY, write_log

Tables = dict[str, list[tuple[object, ...]]]


def log(folder: Path, name: str, run: str, credits: list[float], **more: Any) -> Path:
    """Write a log of one run over items i0, i1 ..., whose items may say more than their ids."""
    said = more.pop("said", {})
    items = [{"item_id": f"i{k}", **said} for k in range(len(credits))]
    rows = [{"run_id": run, "item_id": f"i{k}", "credit": c} for k, c in enumerate(credits)]
    return write_log(folder / name, items=items, runs=[{"run_id": run}], responses=rows, **more)


def contents(folder: Path) -> Tables:
    """Return every row of every table of a store, the dimensions and the scores too."""
    found: Tables = {}
    with Store(folder).cursor() as cursor:
        for name in (*TABLES, "dimensions", "scores", "cube", "cube_levels"):
            rows = cursor.execute(f"SELECT * FROM {name} ORDER BY ALL").fetchall()
            columns = [column[0] for column in cursor.description or []]
            left = {"turn"} if name == "sources" else set()
            kept = [at for at, column in enumerate(columns) if column not in left]
            found[name] = [tuple(row[at] for at in kept) for row in rows]
    return found


def put(folder: Path, *logs: Path, add: bool, remove: list[str] | None = None) -> dict[str, str]:
    """Build and return the sources' ids by their names."""
    report = build([str(file) for file in logs], folder, add=add, remove=remove or [], known=[TOY])
    return {str(source["path"]): str(source["source_id"]) for source in report.sources}


@pytest.fixture
def three(tmp_path: Path) -> list[Path]:
    """Three logs of one benchmark that describe its items differently, the first with an item and a tag of its own."""
    tags = [{"item_id": "i0", "kind": "skill", "tag": "counting"}, {"item_id": "i3", "kind": "skill", "tag": "rare"}]
    return [
        log(tmp_path, "a.json", "a", [1, 0, 1, 1], said={"capability": "first", "prompt": "old"}, item_tags=tags),
        log(tmp_path, "b.json", "b", [0, 0, 1], said={"capability": "second", "reference": "A"}),
        log(tmp_path, "c.json", "c", [1, 1], said={"capability": "third", "prompt": "new"}),
    ]


def test_removing_the_source_that_described_the_items(tmp_path: Path, three: list[Path]) -> None:
    ids = put(tmp_path / "S", *three, add=False)
    put(tmp_path / "S", add=True, remove=[ids["a.json"]])
    put(tmp_path / "fresh", *three[1:], add=False)
    assert contents(tmp_path / "S") == contents(tmp_path / "fresh")
    assert len(contents(tmp_path / "S")["items"]) == 3
    assert contents(tmp_path / "S")["item_tags"] == []


def test_removing_any_one_of_them(tmp_path: Path, three: list[Path]) -> None:
    for gone in three:
        ids = put(tmp_path / "S", *three, add=False)
        put(tmp_path / "S", add=True, remove=[ids[gone.name]])
        put(tmp_path / "fresh", *[file for file in three if file != gone], add=False)
        assert contents(tmp_path / "S") == contents(tmp_path / "fresh"), gone.name


def test_replacing_a_source_keeps_its_turn(tmp_path: Path, three: list[Path]) -> None:
    put(tmp_path / "S", *three, add=False)
    log(tmp_path, "a.json", "a", [1, 0], said={"capability": "changed"})
    put(tmp_path / "S", three[0], add=True)
    put(tmp_path / "fresh", *three, add=False)
    assert contents(tmp_path / "S") == contents(tmp_path / "fresh")


def test_a_log_behind_a_link_is_replaced_and_not_read_beside_itself(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "x.json").symlink_to(log(tmp_path / "real", "x.json", "x", [0, 0]))
    put(tmp_path / "S", tmp_path / "linked", add=False)
    log(tmp_path / "real", "x.json", "x", [1, 1])
    put(tmp_path / "S", tmp_path / "linked", add=True)
    put(tmp_path / "fresh", tmp_path / "linked", add=False)
    assert contents(tmp_path / "S") == contents(tmp_path / "fresh")


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    with Store(folder).cursor() as cursor:
        return list(cursor.sql(f"SELECT * FROM {table}").pl().to_dicts())


def sources(folder: Path) -> list[dict[str, Any]]:
    return [row for row in rows(folder, "sources") if row["role"] != "companion"]


SAMPLES = Path(__file__).parent / "samples"
TABLE = "some_model_Toy_Bench"


@pytest.mark.parametrize(
    ("good", "names"),
    [("hss/good/three", ["attempts.jsonl", "tasks.jsonl", "judges.jsonl"]),
     ("srb/good/lines", ["predictions.jsonl", "units.jsonl"]),
     ("pandalm/good", ["critic-2-dishes-v1.json", "dishes-v1.json"])],
)  # fmt: skip
def test_files_that_look_beside_them_are_read_again_when_a_neighbour_comes(
    tmp_path: Path, good: str, names: list[str]
) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    for name in names:
        text = (SAMPLES / good / name).read_text()
        # the units make another option the right one than predictions without them take
        (folder / name).write_text(text.replace('"O_A"', '"O_?"').replace('"O_B"', '"O_A"').replace('"O_?"', '"O_B"')
                                   if name == "units.jsonl" else text)  # fmt: skip
        build([str(folder / name)], tmp_path / "S", add=name != names[0])
    build([str(folder / name) for name in names], tmp_path / "fresh", add=False)
    assert contents(tmp_path / "S") == contents(tmp_path / "fresh")


@pytest.mark.parametrize(
    ("good", "name", "results"),
    [("lm_eval/good/maker__some-model", "samples_sums_2026-01-02T03-04-05.678901.jsonl",
      "results_2026-01-02T03-04-05.678901.json"),
     ("lmms_eval/good/maker__seer", "20260102_030405_samples_looks.jsonl", "20260102_030405_results.json")],
)  # fmt: skip
def test_a_results_file_that_comes_later_names_the_model(tmp_path: Path, good: str, name: str, results: str) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / name).write_bytes((SAMPLES / good / name).read_bytes())
    build([str(folder / name)], tmp_path / "S", add=False)
    assert changes(sources(tmp_path / "S")) == []
    (folder / results).write_text('{"results": {}, "model_name": "Sender-7B"}')
    (found,) = changes(sources(tmp_path / "S"))
    assert (found.name, found.what) == (name, "changed")
    assert name in changed_since(tmp_path / "S")
    build([str(folder / results)], tmp_path / "S", add=True)  # the results file alone: its samples are read again
    assert {row["model"] for row in rows(tmp_path / "S", "runs")} == {"Sender-7B"}
    assert changes(sources(tmp_path / "S")) == []
    build([found.argument], tmp_path / "T", add=True)
    assert {row["model"] for row in rows(tmp_path / "T", "runs")} == {"Sender-7B"}
    (folder / results).unlink()
    assert [change.what for change in changes(sources(tmp_path / "S"))] == ["changed"]


def test_a_profile_that_was_edited_is_a_change_of_what_it_maps(tmp_path: Path) -> None:
    profile = tmp_path / "my own.scoreproof.toml"
    text = (
        'layout = "long"\nfile = { format = "csv", columns = ["id"] }\nbenchmark = { name = "b" }\n'
        'fields = { item = "id", run = "run", credit = "score" }\nconstants = { answer_type = "open" }\n'
    )
    profile.write_text(text)
    (tmp_path / "t.csv").write_text("id,run,score\n1,a,1\n")
    build([str(tmp_path / "t.csv")], tmp_path / "S", add=False)
    assert changes(sources(tmp_path / "S")) == []
    profile.write_text(text + "[scale]\ncredit = [0, 10]\n")
    assert [change.name for change in changes(sources(tmp_path / "S"))] == ["t.csv"]
    build([str(profile)], tmp_path / "S", add=True)
    assert [row["credit"] for row in rows(tmp_path / "S", "responses")] == [0.1]


def test_a_table_of_answers_gives_way_to_its_judged_copy_that_comes_later(tmp_path: Path) -> None:
    folder = tmp_path / "some_model"
    folder.mkdir()
    for name in (f"{TABLE}.csv", f"{TABLE}_openai_result.csv"):
        (folder / name).write_bytes((SAMPLES / "vlmevalkit" / "good" / "some_model" / name).read_bytes())
        build([str(folder)], tmp_path / "S", add=name != f"{TABLE}.csv")
    build([str(folder)], tmp_path / "fresh", add=False)
    assert contents(tmp_path / "S")["runs"] == contents(tmp_path / "fresh")["runs"]
    assert contents(tmp_path / "S")["scores"] == contents(tmp_path / "fresh")["scores"]


def test_a_run_that_was_renamed_for_another_gets_its_name_back(tmp_path: Path) -> None:
    one, two = log(tmp_path, "a.json", "r", [1, 0]), log(tmp_path, "b.json", "r", [0, 0])
    ids = put(tmp_path / "S", one, two, add=False)
    assert [row[1] for row in contents(tmp_path / "S")["runs"]] == ["r", "r~2"]
    put(tmp_path / "S", add=True, remove=[ids["a.json"]])
    put(tmp_path / "fresh", two, add=False)
    assert contents(tmp_path / "S") == contents(tmp_path / "fresh")


def test_a_copy_that_was_not_loaded_twice_is_loaded_when_the_first_leaves(tmp_path: Path) -> None:
    one = log(tmp_path, "a.json", "r", [1, 0])
    two = tmp_path / "b.json"
    two.write_bytes(one.read_bytes())
    ids = put(tmp_path / "S", one, two, add=False)
    put(tmp_path / "S", add=True, remove=[ids["a.json"]])
    put(tmp_path / "fresh", two, add=False)
    assert contents(tmp_path / "S") == contents(tmp_path / "fresh")
    assert len(contents(tmp_path / "S")["responses"]) == 2


def test_responses_that_lacked_their_items_come_in_with_them(tmp_path: Path) -> None:
    rows = [{"run_id": "r", "item_id": f"i{k}", "credit": 1.0} for k in range(2)]
    lone = write_log(tmp_path / "a.json", items=[{"item_id": "i0"}], runs=[{"run_id": "r"}], responses=rows)
    items = log(tmp_path, "b.json", "s", [1, 1])
    put(tmp_path / "S", lone, add=False)
    assert len(contents(tmp_path / "S")["responses"]) == 1
    put(tmp_path / "S", items, add=True)
    put(tmp_path / "fresh", lone, items, add=False)
    assert contents(tmp_path / "S") == contents(tmp_path / "fresh")
    assert len(contents(tmp_path / "S")["responses"]) == 4


def test_sources_of_other_benchmarks_are_left_alone(tmp_path: Path, three: list[Path]) -> None:
    other = write_log(
        tmp_path / "other.json",
        benchmarks=[{"benchmark": "other"}],
        items=[{"item_id": "z", "benchmark": "other"}],
        runs=[{"run_id": "o", "benchmark": "other"}],
        responses=[{"run_id": "o", "item_id": "z", "credit": 1.0}],
    )
    ids = put(tmp_path / "S", *three, other, add=False)
    other.unlink()  # it is not read again, so that it need not be there
    put(tmp_path / "S", add=True, remove=[ids["b.json"]])
    held = contents(tmp_path / "S")
    assert "not_read_again" not in {row[4] for row in held["issues"]}
    assert {row[1] for row in held["runs"]} == {"a", "c", "o"}


def test_a_source_that_is_gone_from_disk_keeps_its_rows_and_says_so(tmp_path: Path, three: list[Path]) -> None:
    ids = put(tmp_path / "S", *three, add=False)
    three[1].unlink()
    put(tmp_path / "S", add=True, remove=[ids["a.json"]])
    held = contents(tmp_path / "S")
    assert {row[1] for row in held["runs"]} == {"b", "c"}
    (issue,) = [row for row in held["issues"] if row[4] == "not_read_again"]
    assert issue[1] == ids["b.json"]
    assert "merged with those of the other" in str(issue[7])


def test_what_a_place_counts_is_told_by_content(tmp_path: Path) -> None:
    for name, content, word in (
        ("a.json", b'[{"x": 1},\n {"x": 2}]', "record"),
        ("b.json", b'{"x": 1}\n{"x": 2}\n', "line"),
        ("c.json", b'{\n "x": 1\n}\n', "record"),
        ("d.jsonl", b'{"x": 1}\n', "line"),
        ("e.csv", b"x\n1\n", "line"),
        ("f.parquet", b"PAR1....", "row"),
        ("g.xlsx", b"PK\x03\x04", "row"),
        ("h.eval", b"PK\x03\x04", "record"),
    ):
        (tmp_path / name).write_bytes(content)
        assert places_of(tmp_path / name) == word, name
    assert places_of(tmp_path) == "record"


def test_a_folder_that_is_one_log_is_replaced_when_it_is_added_again(tmp_path: Path) -> None:
    native = Path(__file__).parent / "samples" / "native" / "good" / "toy"
    for add in (False, True):
        report = build([str(native)], tmp_path / "S", add=add)
    assert [source["role"] for source in report.sources] == ["log"]
    assert report.issues == []
