"""Files of shapes that no reader knows, read by profile: the numbers are those worked out by hand."""

import json

import polars as pl
import pytest

import cli
from loaders.mapping_profile import parse_profile
from loaders.mapping_try import try_profile
from loaders.warehouse import build
from tests.loaders.shapes import KEYED, NESTED, WIDE, keyed, nested, wide
from tests.loaders.test_large import opened

SHAPES = {"keyed": (keyed, KEYED), "nested": (nested, NESTED), "wide": (wide, WIDE)}


def ask(capfdbinary, *arguments):
    assert cli.main(["ask", *map(str, arguments), "--format", "json"]) == 0
    return json.loads(capfdbinary.readouterr()[0])


@pytest.fixture
def log(tmp_path):
    """Return a function that writes one of the shapes with its profile beside it, and gives the folder."""

    def written(name, profile=None):
        write, text = SHAPES[name]
        path = write(tmp_path / name)
        path.with_name("scoreproof.toml").write_text(profile or text)
        return path.parent

    return written


def test_keyed_by_id_is_scored_by_the_named_rule(log, capfdbinary):
    folder = log("keyed")
    (row,) = ask(capfdbinary, "leaderboard", "--logs", folder)
    assert (row["run"], row["model"], row["correct"], row["n"], row["raw"]) == ("pond/Otter-9B", "Otter-9B", 3, 6, 0.5)
    (row,) = ask(capfdbinary, "leaderboard", "--logs", folder, "--set", "missing=exclude")
    assert (row["correct"], row["n"], row["raw"]) == (3, 5, 0.6)
    found = {r["status"]: r["responses"] for r in ask(capfdbinary, "statuses", "--logs", folder)}
    assert (found["ok"], found["invalid_format"], found["missing"]) == (4, 1, 1)


def test_the_rule_is_recorded_as_the_judge(log, tmp_path):
    build([str(log("keyed"))], tmp_path / "S", add=False)
    with opened(tmp_path / "S") as con:
        judges = con.execute("SELECT judge_id, kind FROM judges").fetchall()
        verdicts = con.execute("SELECT judge_id, met, label FROM verdicts ORDER BY item_idx").fetchall()
    assert judges == [("scoreproof/exact_letter", "program")]
    # The last item has no answer, so that there is nothing to judge.
    assert [row[1:] for row in verdicts] == [
        (True, None), (True, None), (False, "invalid format"), (True, None), (False, None),
    ]  # fmt: skip
    assert {row[0] for row in verdicts} == {"scoreproof/exact_letter"}


def test_labels_of_one_cell_become_tags(log, tmp_path):
    build([str(log("keyed"))], tmp_path / "S", add=False)
    with opened(tmp_path / "S") as con:
        found = con.execute(
            "SELECT tag, count(*) FROM item_tags WHERE kind = 'skill' GROUP BY tag ORDER BY tag"
        ).fetchall()
    assert found == [("colour", 2), ("count", 3), ("shape", 3)]


def test_nested_by_video_and_dimension_on_a_stated_scale(log, capfdbinary):
    folder = log("nested")
    (row,) = ask(capfdbinary, "leaderboard", "--logs", folder)
    assert (row["run"], row["n"], row["raw"]) == ("cams/smoothcam", 12, 0.5625)
    assert "clusters" in row["interval"]
    rows = ask(capfdbinary, "profiles", "--logs", folder)
    rows = [r for r in rows if r["level_of"] == "capability"]
    assert {r["value"]: (r["n"], r["raw"]) for r in rows} == {"motion": (6, 0.625), "identity": (6, 0.5)}


def test_a_wide_spreadsheet_has_one_run_per_group_of_columns(log, capfdbinary):
    rows = ask(capfdbinary, "leaderboard", "--logs", log("wide"))
    found = {r["run"]: (r["kind"], r["raw"], r["n"]) for r in rows}
    assert found == {
        "survey/GPT-4o": ("model", 0.625, 4),
        "survey/Claude": ("model", 0.5, 4),
        "survey/Human": ("human", 1.0, 4),
    }


def test_the_version_of_the_reader_tells_the_profile(log, tmp_path):
    folder = log("wide")
    first = build([str(folder)], tmp_path / "S", add=False)
    (source,) = [s for s in first.sources if s["role"] == "log"]
    assert source["loader"] == "mapping"
    (folder / "scoreproof.toml").write_text(WIDE.replace("[0, 100]", "[0, 200]"))
    second = build([str(folder)], tmp_path / "S", add=False)
    (again,) = [s for s in second.sources if s["role"] == "log"]
    assert again["sha256"] == source["sha256"]
    assert again["loader_version"] != source["loader_version"]


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "json", "parquet"])
def test_one_table_in_every_format_gives_the_same_rows(tmp_path, ending):
    rows = [{"n": f"i{k}", "who": "m", "gold": "A", "said": "AB"[k % 2], "tokens": 10 * k} for k in range(4)]
    frame, path = pl.DataFrame(rows), tmp_path / f"t.{ending}"
    match ending:
        case "csv":
            frame.write_csv(path)
        case "tsv":
            frame.write_csv(path, separator="\t")
        case "jsonl":
            frame.write_ndjson(path)
        case "json":
            path.write_text(json.dumps(rows))
        case _:
            frame.write_parquet(path)
    records = 'records = ["[]"]' if ending == "json" else ""
    profile = parse_profile(
        f"""layout = "long"
        file = {{ format = "{ending}", columns = ["said"]{", " if records else ""}{records} }}
        benchmark = {{ name = "b" }}
        fields = {{ item = "n", model = "who", reference = "gold", answer = "said", output_tokens = "tokens" }}
        constants = {{ answer_type = "single_choice" }}
        scoring = {{ rule = "exact_letter" }}
        """,
        "t.toml",
    )
    found = try_profile(profile, path)
    assert (found.seen, found.kept, found.refused, found.whole) == (4, 4, 0, True)
    assert found.preview["credit"].to_list() == [1.0, 0.0, 1.0, 0.0]
    assert found.runs["mean_credit"].to_list() == [0.5]


LONG = """
layout = "long"
file = { format = "csv", columns = ["id"] }
benchmark = { name = "b" }
fields = { item = "id", run = "run", credit = "score" }
constants = { answer_type = "open" }
"""


def tried(tmp_path, table, profile):
    path = tmp_path / "t.csv"
    path.write_text(table)
    return try_profile(parse_profile(profile, "t.scoreproof.toml"), path)


def test_a_word_that_no_map_names_is_refused_with_its_line(tmp_path):
    found = tried(tmp_path, "id,run,score\n1,a,yes\n2,a,no\n3,a,maybe\n", LONG + "[values.credit]\nYes = 1\nno = 0\n")
    assert (found.seen, found.kept, found.refused) == (3, 2, 1)
    (rule,) = found.rules.filter(pl.col("severity") == "refused").to_dicts()
    assert rule["rule"] == "unmapped_value"
    assert "'maybe'" in rule["example"]
    assert "[values.credit] in t.scoreproof.toml" in rule["example"]
    assert found.preview["credit"].to_list() == [1.0, 0.0]


def test_a_credit_beyond_its_scale_is_refused_and_not_clipped(tmp_path):
    found = tried(tmp_path, "id,run,score\n1,a,50\n2,a,101\n3,a,\n", LONG + "[scale]\ncredit = [0, 100]\n")
    assert (found.seen, found.kept, found.refused) == (3, 2, 1)
    assert found.preview.select("item", "status", "credit").rows() == [("1", "ok", 0.5), ("3", "missing", None)]
    assert found.rules.filter(pl.col("severity") == "refused")["rule"].to_list() == ["out_of_range"]


TWO_SCALES = """
layout = "wide"
file = { format = "csv", columns = ["id"] }
benchmark = { name = "b" }
fields = { item = "id" }
constants = { answer_type = "open" }
[[runs]]
run = "one"
credit = "one score"
[[runs]]
run = "other"
credit = "other score"
"""


def test_one_scale_for_a_column_of_shares_and_one_of_points_is_refused(tmp_path):
    table = "id,one score,other score\n1,0.5,40\n2,1,100\n"
    found = tried(tmp_path, table, TWO_SCALES + "[scale]\ncredit = [0, 100]\n")
    (rule,) = found.rules.filter(pl.col("severity") == "refused").to_dicts()
    assert (rule["rule"], found.kept) == ("unreadable", 0)
    assert "'one score' from 0.5 to 1 and 'other score' from 40 to 100" in rule["example"]
    own = TWO_SCALES + "scale = { credit = [0, 100] }\n"
    found = tried(tmp_path, table, own)
    assert found.runs.select("run", "mean_credit").rows() == [("b/one", 0.75), ("b/other", 0.7)]
    whole = TWO_SCALES.replace('"one score"', '"one score"\nscale = { credit = [0, 1] }')
    assert tried(tmp_path, table, whole + "[scale]\ncredit = [0, 100]\n").runs["mean_credit"].to_list() == [0.75, 0.7]


def test_a_run_that_has_nothing_right_fits_every_scale(tmp_path):
    found = tried(tmp_path, "id,one score,other score\n1,0,40\n", TWO_SCALES + "[scale]\ncredit = [0, 100]\n")
    assert found.runs["mean_credit"].to_list() == [0.0, 0.4]


def test_a_word_is_worth_what_its_map_says_whatever_the_scale(tmp_path):
    profile = LONG + '[values.credit]\npass = 1\nhalf = 0.5\n"0.5" = 0.25\n[scale]\ncredit = [0, 100]\n'
    found = tried(tmp_path, "id,run,score\n1,a,80\n2,a,pass\n3,a,half\n4,a,50\n5,a,0.5\n", profile)
    assert found.preview["credit"].to_list() == [0.8, 1.0, 0.5, 0.5, 0.25]


def test_rows_without_item_or_with_a_key_twice_are_refused(tmp_path):
    found = tried(tmp_path, "id,run,score\n1,a,1\n,a,1\n1,a,0\n2,,1\n", LONG)
    assert (found.seen, found.kept, found.refused) == (4, 1, 3)
    assert sorted(found.rules["rule"].to_list()) == ["duplicate_key", "required"]


def test_options_stand_in_one_cell_or_in_one_column_each(tmp_path):
    profile = LONG.replace('credit = "score"', 'credit = "score", options = "choices"')
    table = 'id,run,score,choices\n1,a,1,x|y\n2,a,1,"[""x"", ""y""]"\n3,a,1,"[\'x\', \'y\']"\n4,a,1,x and y\n5,a,1,\n'
    found = tried(tmp_path, table, profile)
    assert found.preview["options"].to_list() == [["x", "y"]] * 3 + [None, None]
    (rule,) = found.rules.filter(pl.col("severity") == "doubted").to_dicts()
    assert (rule["rule"], rule["records"], found.kept) == ("options_not_split", 1, 5)
    assert "'x and y'" in rule["example"]
    profile = LONG.replace('credit = "score"', 'credit = "score", options = ["A", "B", "C"]')
    found = tried(tmp_path, "id,run,score,A,B,C\n1,a,1,x,y,\n2,a,1,x,,z\n3,a,1,,,\n", profile)
    assert found.preview["options"].to_list() == [["x", "y"], ["x", "", "z"], None]


def test_an_empty_option_between_bars_keeps_its_letter(tmp_path):
    profile = LONG.replace('run = "run"', 'run = "run", options = "options"')
    found = tried(tmp_path, "id,run,score,options\n1,a,1,x||z\n2,a,1,| x | y |\n3,a,1,x|\n", profile)
    assert [each if each is None else list(each) for each in found.preview["options"]] == [
        ["x", "", "z"], ["x", "y"], None,
    ]  # fmt: skip


def test_labels_of_an_item_stay_where_one_run_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,skills,a,b\n1,x;y,maybe,1\n")
    path.with_name("scoreproof.toml").write_text(
        """
        layout = "wide"
        file = { format = "csv", columns = ["id"] }
        benchmark = { name = "b" }
        fields = { item = "id" }
        constants = { answer_type = "open" }
        tags.skill = { column = "skills", separator = ";" }
        runs = [{ run = "a", credit = "a" }, { run = "b", credit = "b" }]
        """
    )
    report = build([str(path)], tmp_path / "S", add=False)
    assert [(i["rule"], i["severity"]) for i in report.issues] == [("unmapped_value", "refused")]
    with opened(tmp_path / "S") as con:
        assert con.execute("SELECT tag FROM item_tags ORDER BY tag").fetchall() == [("x",), ("y",)]


def test_a_table_without_a_row_says_so(tmp_path):
    found = tried(tmp_path, "id,run,score\n", LONG)
    assert (found.seen, found.kept, found.rules["rule"].to_list()) == (0, 0, ["no_records"])


def test_a_broken_row_is_counted(tmp_path):
    found = tried(tmp_path, "id,run,score\n1,a,1\n2,a\n", LONG)
    assert (found.seen, found.kept, found.refused) == (2, 1, 1)
    assert found.rules["rule"].to_list() == ["ragged_row"]


def test_a_column_that_the_file_lacks_is_named_with_the_nearest(tmp_path):
    found = tried(tmp_path, "id,run,scores\n1,a,1\n", LONG)
    assert found.kept == 0
    (message,) = found.rules["example"].to_list()
    assert "no column 'score'" in message
    assert "Did you mean 'scores'?" in message


def test_an_item_without_a_reference_is_hidden_unless_somebody_judged_it(tmp_path):
    profile = LONG.replace('credit = "score"', 'credit = "score", reference = "gold"')
    path = tmp_path / "t.csv"
    path.write_text("id,run,score,gold\n1,a,1,\n2,a,,\n3,a,,B\n")
    path.with_name("scoreproof.toml").write_text(profile)
    build([str(path)], tmp_path / "S", add=False)
    with opened(tmp_path / "S") as con:
        found = con.execute("SELECT item_id, reference_known FROM items ORDER BY item_id").fetchall()
    assert found == [("1", True), ("2", False), ("3", True)]


def test_the_logs_own_judge_keeps_its_verdicts(tmp_path, capfdbinary):
    path = tmp_path / "t.csv"
    path.write_text("id,run,score,grader,points,why\n1,a,1,G-5,9,fine\n2,a,0,G-5,2,poor\n3,a,,G-5,,\n")
    path.with_name("t.scoreproof.toml").write_text(
        LONG.replace('credit = "score"', 'credit = "score", judge = "grader", score = "points", justification = "why"')
        .replace('answer_type = "open"', 'answer_type = "open", judge_kind = "model"')
    )  # fmt: skip
    build([str(path)], tmp_path / "S", add=False)
    with opened(tmp_path / "S") as con:
        rows = con.execute(
            "SELECT judge_id, met, score, justification, status FROM verdicts ORDER BY item_idx"
        ).fetchall()
    assert rows == [
        ("G-5", True, 9.0, "fine", "ok"),
        ("G-5", False, 2.0, "poor", "ok"),
        ("G-5", None, None, None, "abstained"),
    ]


def test_what_a_rule_finds_is_no_verdict_of_the_logs_own_judge(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,run,answer,gold,grader,said\n1,a,B,B,G-5,bad\n2,a,C,B,G-5,\n")
    path.with_name("t.scoreproof.toml").write_text(
        LONG.replace('credit = "score"', 'answer = "answer", reference = "gold", judge = "grader", verdict = "said"')
        .replace('answer_type = "open"', 'answer_type = "single_choice", judge_kind = "model"')
        + '[scoring]\nrule = "exact_letter"\n'
    )  # fmt: skip
    build([str(path)], tmp_path / "S", add=False)
    with opened(tmp_path / "S") as con:
        rows = con.execute("SELECT judge_id, met, label, status FROM verdicts ORDER BY judge_id, item_idx").fetchall()
    assert rows == [
        ("G-5", None, "bad", "ok"),
        ("G-5", None, None, "abstained"),
        ("scoreproof/exact_letter", True, None, "ok"),
        ("scoreproof/exact_letter", False, None, "ok"),
    ]


def test_a_trial_reads_no_further_than_it_says(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,run,score\n" + "".join(f"{k},a,1\n" for k in range(500)))
    found = try_profile(parse_profile(LONG, "t.toml"), path, rows=100)
    assert (found.seen, found.kept, found.whole) == (100, 100, False)
    assert found.preview.height == 10


def test_the_shapes_are_unknown_to_every_reader(tmp_path):
    for write in (keyed, nested, wide):
        report = build([str(write(tmp_path / write.__name__))], tmp_path / "S", add=False)
        assert [issue["rule"] for issue in report.issues] == ["unknown_format"], write
