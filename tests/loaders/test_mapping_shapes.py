"""Tables below a title, and elements of lists within records: suggested, read, and refused with what to write."""

import json

import polars as pl
import pytest

from analytics.errors import BadLog
from benchmarks.fuzzing.samples import SAMPLES, samples
from loaders.discover import discover
from loaders.located import Located
from loaders.mapping_draft import draft
from loaders.mapping_header import header_row
from loaders.mapping_open import blocks, open_file
from loaders.mapping_profile import parse_profile
from loaders.mapping_try import try_profile
from loaders.warehouse import build
from tests.loaders import shapes
from tests.loaders.test_vlmevalkit import workbook

TABLE = [["id", "run", "score"], ["1", "a", "1"], ["2", "a", "0"], ["3", "a", "1"]]
LONG = shapes.LONG.replace('columns = ["id", "score"]', 'names = ["t.*"]')


def titled(folder, kind, above=(["Results of spring"], [])):
    """Write the table below some rows of a title."""
    rows = [*above, *TABLE]
    if kind == "xlsx":
        return workbook(folder / "t.xlsx", rows)
    mark = "\t" if kind == "tsv" else ","
    path = folder / f"t.{kind}"
    path.write_text("".join(mark.join(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("kind", ["csv", "tsv", "xlsx"])
@pytest.mark.parametrize("above", [(["Results of spring"], []), (["Results", "", ""],)], ids=["two rows", "padded"])
def test_a_table_below_a_title_is_suggested_with_its_row(tmp_path, kind, above):
    path = titled(tmp_path, kind, above)
    made = draft(path)
    assert made.raw["file"]["header_row"] == len(above) + 1
    profile = parse_profile(made.text().replace('answer_type = "?"', 'answer_type = "open"'), "t.scoreproof.toml")
    found = try_profile(profile, path)
    assert (found.seen, found.kept) == (3, 3)
    assert found.preview.select("item", "credit", "line").rows() == [
        (str(n), credit, len(above) + 1 + n) for n, credit in ((1, 1.0), (2, 0.0), (3, 1.0))
    ]
    (tmp_path / "t.scoreproof.toml").write_text(made.text().replace('answer_type = "?"', 'answer_type = "open"'))
    assert [each.reader.name for each in discover(str(path))] == ["mapping"]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_profile_that_does_not_say_the_row_is_refused_with_it(tmp_path, kind):
    profile = parse_profile(LONG.replace('"csv"', f'"{kind}"'), "t.scoreproof.toml")
    found = try_profile(profile, titled(tmp_path, kind))
    (rule,) = found.rules.filter(severity="refused").to_dicts()
    assert rule["rule"] == "unreadable"
    assert "begins with a title ('Results of spring')" in rule["example"]
    assert "Write header_row = 3 into [file]" in rule["example"]
    first = parse_profile(LONG.replace('"csv"', f'"{kind}"\nheader_row = 1'), "t.scoreproof.toml")
    (rule, *_) = try_profile(first, titled(tmp_path, kind)).rules.filter(rule="unreadable").to_dicts()
    assert "has no column 'id'" in rule["example"]


def test_a_quoted_title_of_two_lines_counts_as_two(tmp_path):
    path = titled(tmp_path, "csv", (['"Results of\nspring, all"'],))
    (rule,) = try_profile(parse_profile(LONG, "p"), path).rules.filter(severity="refused").to_dicts()
    assert "begins with a title ('Results of spring, all')" in rule["example"]
    assert "Write header_row = 3 into [file]" in rule["example"]
    found = try_profile(parse_profile(LONG.replace('"csv"', '"csv"\nheader_row = 3'), "p"), path)
    assert found.preview["line"].to_list() == [4, 5, 6]
    assert draft(path).raw["file"]["header_row"] == 3


@pytest.mark.parametrize("kind", ["csv", "tsv", "xlsx"])
def test_a_first_column_without_a_name_is_no_title(tmp_path, kind):
    """An index that was written with the table has no name; beside it one column may stand alone."""
    rows = [["", "gpt"], ["1", "0.5"], ["2", "1"]]
    path = tmp_path / f"t.{kind}"
    if kind == "xlsx":
        workbook(path, rows)
    else:
        path.write_text("".join(("\t" if kind == "tsv" else ",").join(row) + "\n" for row in rows))
    opened = open_file(path, path.name)
    assert (opened.format, opened.header(None)) == (kind, 1)
    found = list(blocks(path, path.name, kind, Located(), records=None, sheet=None))
    assert [frame["gpt"].to_list() for frame, _ in found] == [["0.5", "1"]]


def test_a_row_below_the_last_is_said(tmp_path):
    path = titled(tmp_path, "csv")
    profile = parse_profile(LONG.replace('"csv"', '"csv"\nheader_row = 30'), "t.scoreproof.toml")
    (rule,) = try_profile(profile, path).rules.filter(severity="refused").to_dicts()
    assert "no names of columns in row 30" in rule["example"]


@pytest.mark.parametrize(
    ("filled", "row"),
    [([3, 3], 1), ([1, 3, 3], 2), ([0, 1, 0, 3, 3], 4), ([1, 1, 1], 1), ([1, 3], 1), ([], 1), ([0], 1)],
)  # fmt: skip
def test_a_title_fills_one_cell_of_its_row(filled, row):
    assert header_row(filled) == row


RECORDS = [
    {"id": 1, "model": "m", "gold": "B", "answers": [{"text": "B", "sure": [0.5, 0.75]}], "score": [1]},
    {"id": 2, "model": "m", "gold": "A", "answers": [{"text": "C", "sure": []}], "score": [0]},
    {"id": 3, "model": "m", "gold": "A", "answers": [], "score": [1]},
]
LISTS = """
layout = "long"
[file]
format = "FORMAT"
columns = ["id", "answers[0].text"]
[benchmark]
name = "b"
[fields]
item = "id"
model = "model"
reference = "gold"
answer = "answers[0].text"
confidence = "answers[0].sure[1]"
credit = "score"
[constants]
answer_type = "single_choice"
"""


def written(folder, kind, records=None):
    records = RECORDS if records is None else records
    path = folder / f"l.{kind}"
    if kind == "parquet":
        pl.DataFrame(records).write_parquet(path)
    elif kind == "csv":
        cells = [{k: json.dumps(v) if isinstance(v, list) else v for k, v in record.items()} for record in records]
        pl.DataFrame(cells).write_csv(path)
    else:
        lines = [json.dumps(record) for record in records]
        path.write_text("\n".join(lines) if kind == "jsonl" else f"[{', '.join(lines)}]")
    return path


@pytest.mark.parametrize("kind", ["json", "jsonl", "parquet", "csv"])
def test_an_element_of_a_list_is_a_column(tmp_path, kind):
    path = written(tmp_path, kind)
    text = LISTS.replace("FORMAT", kind) if kind != "json" else LISTS.replace('"FORMAT"', '"json"\nrecords = ["[]"]')
    text = text if kind != "csv" else text.replace('credit = "score"', 'credit = "score[0]"')
    (tmp_path / "l.scoreproof.toml").write_text(text)
    (candidate,) = discover(str(path))  # `columns` may name elements too
    assert candidate.reader is not None
    found = try_profile(parse_profile(text, "l.scoreproof.toml"), path)
    assert found.preview.select("item", "answer", "credit").rows() == [
        ("1", "B", 1.0),
        ("2", "C", 0.0),
        ("3", None, 1.0),
    ]
    assert found.refused == 0


OPEN = """
layout = "long"
[file]
format = "FORMAT"
names = ["l.*"]
[benchmark]
name = "b"
[fields]
item = "id"
model = "model"
reference = "gold"
answer = "said"
confidence = "sure"
[constants]
answer_type = "open"
[scoring]
rule = "exact_text"
"""


@pytest.mark.parametrize("kind", ["jsonl", "csv"])
def test_a_text_in_brackets_is_what_it_says(tmp_path, kind):
    said = [("4", "5", "[5]"), ("[4]", "[7]", "[7]"), ("6", "[1]", "1"), ("[null]", "a", "[null]")]
    records = [{"id": item, "model": "m", "gold": gold, "said": answer, "sure": 1} for item, gold, answer in said]
    found = try_profile(parse_profile(OPEN.replace("FORMAT", kind), "p"), written(tmp_path, kind, records))
    assert found.preview.select("item", "answer", "credit").rows() == [
        ("4", "[5]", 0.0), ("[4]", "[7]", 1.0), ("6", "1", 0.0), ("[null]", "[null]", 0.0),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_list_of_no_value_is_no_text(tmp_path, kind):
    """A list of one text is that text, as any list column is; one of nothing is an answer that is not there."""
    records = [
        {"id": str(k), "model": "m", "gold": "B", "said": said, "sure": sure}
        for k, (said, sure) in enumerate([(["B"], [0.5]), ([], [None]), (None, [])])
    ]
    profile = parse_profile(OPEN.replace("FORMAT", kind), "p")
    found = try_profile(profile, written(tmp_path, kind, records))
    assert found.preview["answer"].to_list() == ["B", None, None]


def test_a_list_in_a_cell_of_a_table_is_no_number(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,run,score\n1,a,[1]\n2,a,0\n")
    found = try_profile(parse_profile(LONG, "p"), path)
    (rule,) = found.rules.filter(severity="refused").to_dicts()
    assert "credit is '[1]', which is no number" in rule["example"]


def test_the_rest_of_a_list_is_noted(tmp_path):
    more = [RECORDS[0] | {"answers": [{"text": "B", "sure": [0, 1]}, {"text": "D", "sure": [0, 1]}]}, *RECORDS[1:]]
    path = written(tmp_path, "jsonl", more)
    found = try_profile(parse_profile(LISTS.replace("FORMAT", "jsonl"), "p"), path)
    (rule,) = found.rules.filter(rule="list_not_whole").to_dicts()
    assert (rule["severity"], rule["records"]) == ("note", 1)
    assert "In 1 records answers has more elements than answers[0]" in rule["example"]


@pytest.mark.parametrize("kind", ["json", "jsonl"])
def test_a_list_of_one_record_is_suggested_by_its_fields(tmp_path, kind):
    records = [record | {"outputs": [{"prediction": "B", "note": "x"}]} for record in RECORDS]
    made = draft(written(tmp_path, kind, records))
    assert "runs" not in made.raw
    assert made.raw["fields"]["answer"] == "outputs[0].prediction"


def test_a_field_of_a_list_is_refused_with_what_to_write(tmp_path):
    text = (
        LISTS.replace("FORMAT", "jsonl").replace("answers[0].text", "answers.text").replace("answers[0].sure[1]", "id")
    )
    found = try_profile(parse_profile(text, "p"), written(tmp_path, "jsonl"))
    (rule,) = found.rules.filter(rule="unreadable").to_dicts()
    assert "has no column 'answers.text'" in rule["example"]
    assert "its first has 'answers[0].text'" in rule["example"]


def test_a_column_that_is_called_like_an_element_stays_what_it_is(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text('id,run,score,score[0]\n1,a,"[0.5]",1\n')
    text = LONG.replace('credit = "score"', 'credit = "score[0]"').replace("t.*", "c.*")
    assert try_profile(parse_profile(text, "p"), path).preview["credit"].to_list() == [1.0]
    with pytest.raises(BadLog, match="header_row"):
        parse_profile(text.replace('"csv"', '"csv"\nheader_row = "2"'), "p")


@pytest.mark.parametrize("sample", samples("mapping"), ids=lambda sample: next(iter(sample.tree)))
def test_the_good_samples_are_read_without_loss(tmp_path, sample):
    for name, raw in sample.tree.items():
        (tmp_path / name).write_bytes(raw)
    report = build([str(tmp_path)], tmp_path / "S", add=False)
    (source,) = [each for each in report.sources if each["role"] == "log"]
    assert (source["loader"], source["refused"], source["doubted"]) == ("mapping", 0, 0)
    assert source["kept"] == source["seen"] > 0
    assert all(each["role"] != "refused" for each in report.sources)


def test_the_broken_samples_are_refused_by_their_rules(tmp_path):
    broken = SAMPLES / "mapping" / "broken"
    report = build([str(broken / "rows")], tmp_path / "rows", add=False)
    rules = {(issue["rule"], issue["line"]) for issue in report.issues if issue["severity"] == "refused"}
    assert rules == {("duplicate_key", 3), ("required", 4), ("unmapped_value", 5), ("ragged_row", 6)}
    report = build([str(broken / "profile")], tmp_path / "profile", add=False)
    assert {issue["rule"] for issue in report.issues} == {"bad_profile"}
    assert report.rows["responses"] == 0
