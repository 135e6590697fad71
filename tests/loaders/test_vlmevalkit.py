"""VLMEvalKit tables: letters and refusals, guesses, circular copies, several judges, spreadsheets."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from analytics.errors import BadLog
from loaders.base import Source
from loaders.discover import discover
from loaders.vlm_names import named
from loaders.vlm_rows import answer_of, asked
from loaders.vlmevalkit import READER
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "vlmevalkit"
GOOD = SAMPLES / "good" / "some_model"
TOY = GOOD / "some_model_Toy_Bench_openai_result.csv"


def workbook(path: Path, rows: list[list[Any]]) -> Path:
    """Write a minimal spreadsheet with inline strings."""
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = [
            f'<c r="{chr(65 + k)}{number}" t="inlineStr"><is><t>{escape(str(v))}</t></is></c>'
            for k, v in enumerate(row)
            if v is not None
        ]
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{kinds}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{"".join(lines)}</sheetData></worksheet>',
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, text in parts.items():
            file.writestr(name, text)
    return path


def test_letters_guesses_and_failures() -> None:
    reading = read_all(READER, [TOY])
    assert reading["responses"].select("item_id", "answer", "credit", "status").rows() == [
        ("0", "A", 1.0, "ok"),
        ("1", "B", 0.0, "ok"),
        ("2", None, 1.0, "guessed"),
        ("3", None, 0.0, "ok"),
        ("4", "A,B", 1.0, "ok"),
        ("5", None, 1.0, "ok"),
        ("6", None, 0.0, "error"),
    ]
    assert reading.rules() == {"verdict_against_answer": 1, "empty_gold_option": 1, "hidden_options": 1}
    items = {row["item_id"]: row for row in reading["items"].to_dicts()}
    assert items["0"]["options"] == ["apple", "None", "sky"]
    assert items["1"]["options"] == ["3", "1"]
    assert items["3"]["options"] == ["rain", "", "sun"]
    assert [items[k]["answer_type"] for k in "045"] == ["single_choice", "multiple_choice", "open"]
    assert items["5"]["options"] is None
    assert items["0"]["chance"] == pytest.approx(1 / 3)
    run = reading["runs"].to_dicts()[0]
    assert (run["model"], run["benchmark"]) == ("some_model", "Toy_Bench")
    assert reading["judges"].select("judge_id", "kind").rows() == [("vlmevalkit/openai", "model")]


def test_files_and_companions() -> None:
    found = {c.source.path.name: c for c in discover(str(SAMPLES / "good"), known=[READER])}
    logs = sorted(name for name, c in found.items() if c.reader is not None)
    assert logs == [
        "some_model_Circle.csv", "some_model_Open_gpt-4-turbo.json", "some_model_Toy_Bench_openai_result.csv",
        "some_model_YesNo_auxmatch.tsv",
    ]  # fmt: skip
    assert sorted(name for name, c in found.items() if c.companion) == [
        "some_model_Toy_Bench.csv",
        "some_model_Toy_Bench_acc.csv",
    ]


def test_predictions_without_a_judge_are_unjudged(tmp_path: Path) -> None:
    path = tmp_path / "some_model" / "some_model_Toy_Bench.csv"
    path.parent.mkdir()
    shutil.copy(GOOD / path.name, path)
    assert claimed(READER, path)
    reading = read_all(READER, [path])
    assert reading["responses"]["credit"].null_count() == reading.kept == 7
    assert "verdicts" not in reading.tables


def test_a_second_judge_adds_its_verdicts(tmp_path: Path) -> None:
    folder = tmp_path / "some_model"
    folder.mkdir()
    first, second = folder / "some_model_Toy_Bench_exact_matching_result.csv", folder / TOY.name
    shutil.copy(TOY, first)
    shutil.copy(TOY, second)
    both = [read_all(READER, [path]) for path in (first, second)]
    assert "responses" in both[0].tables
    assert sorted(both[1].tables) == ["judges", "verdicts"]
    assert both[1].seen == both[1].kept == 7
    assert both[0]["judges"]["kind"].to_list() + both[1]["judges"]["kind"].to_list() == ["program", "model"]


def test_yes_no_tables_in_a_dated_folder() -> None:
    reading = read_all(READER, [GOOD / "T20260101_Gab12cd34" / "some_model_YesNo_auxmatch.tsv"])
    assert reading["responses"].select("answer", "credit", "status").rows() == [
        ("Yes", 1.0, "ok"),
        (None, 0.0, "invalid_format"),
        ("Yes", 0.0, "ok"),
    ]
    assert reading["items"]["cluster"].to_list() == ["a.png", "a.png", None]
    assert reading["runs"]["run_id"].to_list() == ["vlmevalkit/some_model/YesNo/T20260101_Gab12cd34"]


def test_graded_scores_and_skills() -> None:
    reading = read_all(READER, [GOOD / "some_model_Open_gpt-4-turbo.json"])
    assert reading["responses"].select("credit", "status").rows() == [
        (0.9, "ok"),
        (0.0, "invalid_format"),
        (None, "judge_failed"),
    ]
    assert reading["item_tags"].filter(item_id="1")["tag"].to_list() == ["ocr", "rec"]
    assert reading["verdicts"]["status"].to_list() == ["ok", "ok", "judge_failed"]


def test_circular_copies_count_once() -> None:
    reading = read_all(READER, [GOOD / "some_model_Circle.csv"])
    assert reading["responses"].select("item_id", "credit").rows() == [("7", 0.0), ("8", 1.0)]
    assert reading["verdicts"].filter(item_id="7").select("criterion", "met").rows() == [
        ("answer of copy 1", True),
        ("answer of copy 2", False),
    ]
    assert reading.rules() == {"circular_copies": 2}
    assert reading["items"]["chance"].null_count() == 2


def test_copies_are_told_by_their_index_too(tmp_path: Path) -> None:
    path = tmp_path / "m" / "m_Set.csv"
    path.parent.mkdir()
    rows = ["index,question,A,B,answer,prediction,hit", "1000003,q,b,a,B,B,1", "3,q,a,b,A,A,1", "4,q,a,b,A,B,0"]
    path.write_text("\n".join(rows))
    assert read_all(READER, [path])["responses"].select("item_id", "credit").rows() == [("3", 1.0), ("4", 0.0)]


def test_a_scale_above_one_gives_no_credit(tmp_path: Path) -> None:
    path = tmp_path / "m" / "m_Video_gpt-4.csv"
    path.parent.mkdir()
    path.write_text("index,question,answer,prediction,score\n1,q,a,b,3\n2,q,a,b,1\n")
    reading = read_all(READER, [path])
    assert reading["responses"]["credit"].null_count() == 2
    assert reading["responses"]["status"].to_list() == ["ok", "ok"]
    assert reading["verdicts"].select("score", "met").rows() == [(3.0, None), (1.0, None)]
    assert reading.rules() == {"score_off_scale": 2}


def test_spreadsheets(tmp_path: Path) -> None:
    head = ["index", "question", "A", "B", "answer", "prediction", "hit"]
    rows = [[1, "q", "NA", "TRUE", "A", "A", 1], [2, "q", "a", "b", "A", None, 0]]
    path = workbook(tmp_path / "m" / "m_Set_openai_result.xlsx", [head, *rows])
    assert claimed(READER, path)
    reading = read_all(READER, [path])
    assert reading["items"]["options"].to_list() == [["NA", "TRUE"], ["a", "b"]]
    assert reading["responses"].select("credit", "status").rows() == [(1.0, "ok"), (0.0, "invalid_format")]
    assert reading.rules() == {"empty_response": 1}
    half = path.with_name("m_Half.xlsx")
    half.write_bytes(path.read_bytes()[:700])
    with pytest.raises(BadLog, match="no whole spreadsheet"):
        list(READER.read(Source(half, half.name, "")))


def test_refused_rows_have_a_place() -> None:
    reading = read_all(READER, [SAMPLES / "broken" / "some_model" / TOY.name])
    assert (reading.seen, reading.kept, reading.refused) == (5, 1, 4)
    assert [(i.rule, i.line, i.column) for i in reading.issues if i.severity == "refused"] == [
        ("required", 4, "index"),
        ("wrong_type", 5, "hit"),
        ("ragged_row", 6, None),
        ("duplicate_key", 3, "index"),
    ]


def test_the_model_is_the_folder_and_nothing_else(tmp_path: Path) -> None:
    assert named(GOOD / "some_model_Toy_Bench_openai_result.csv").dataset == "Toy_Bench"
    turned = named(tmp_path / "m" / "m_scenes_rot90_openai_result.xlsx")
    assert (turned.dataset, turned.condition, turned.judge) == ("scenes", "rotation=90", "openai")
    with pytest.raises(BadLog, match="folder named after the model"):
        named(tmp_path / "downloads" / "some_model_Toy.csv")


def test_a_link_is_the_file_that_it_leads_to(tmp_path: Path) -> None:
    real = tmp_path / "m" / "T20260101_Gab12cd34" / "m_Set.csv"
    real.parent.mkdir(parents=True)
    real.write_text("index,question,answer,prediction,hit\n1,q,a,a,1\n")
    link = tmp_path / "m" / "m_Set.csv"
    link.symlink_to(real)
    assert len([c for c in discover(str(tmp_path), known=[READER]) if c.reader]) == 1
    assert named(link) == named(real)


@pytest.mark.parametrize(
    ("prediction", "answer"),
    [
        ("B", "B"),
        ("(C) sky", "C"),
        ("['A']", "A"),
        ("The correct answer is:\nB. grass", "B"),
        ("A", "A"),
        ("A apple", "A"),
        ("A man stands there.", None),
        ("I cannot see it.", None),
        ("E. none", None),
        ("", None),
    ],
)
def test_letters_of_predictions(prediction: str, answer: str | None) -> None:
    row = {"A": "apple", "B": "grass", "C": "sky", "answer": "A", "prediction": prediction or None}
    assert answer_of(row, asked(row))[0] == answer
