"""A profile that does not fit is refused with its file, the key, what is allowed and the nearest spelling."""

import tomllib

import pytest

from analytics.errors import BadLog
from loaders.mapping_profile import parse_profile
from loaders.mapping_toml import to_toml
from tests.loaders.shapes import KEYED, LONG, NESTED, WIDE

FAULTS = {
    "half a file": ('layout = "lo', "is no whole TOML"),
    "unknown key": (LONG + "[scorings]\n", "scorings is no key; allowed: file, layout, .* Did you mean 'scoring'"),
    "unknown field": (LONG.replace("credit =", "credits ="), "fields.credits is no key; .*Did you mean 'credit'"),
    "unknown format": (LONG.replace('"csv"', '"cvs"'), "file.format is 'cvs'; allowed: csv.*Did you mean 'csv'"),
    "no layout": (LONG.replace('layout = "long"', ""), "layout is missing; allowed: long, wide"),
    "no file": ('layout = "long"\n[fields]\nitem = "id"\n', "file is missing; write a table"),
    "header of lines": (LONG.replace('"csv"', '"jsonl"\nheader_row = 2'), "only csv, tsv and xlsx have rows"),
    "header nowhere": (LONG.replace('"csv"', '"csv"\nheader_row = 0'), "file.header_row is 0; write the row's number"),
    "no recognition": (LONG.replace('columns = ["id", "score"]', ""), "file.columns is missing"),
    "no item": (LONG.replace('item = "id"', ""), "fields.item is missing"),
    "no run": (LONG.replace('run = "run"', ""), "fields.run is missing"),
    "no result": (LONG.replace('credit = "score"', ""), "fields.answer is missing"),
    "no answer type": (LONG.replace('answer_type = "open"', ""), "constants.answer_type is missing"),
    "no benchmark": (LONG.replace('name = "b"', ""), "benchmark.name is missing"),
    "open": (LONG.replace('"score"\n[constants', '"?"\n[constants'), r"fields.credit is still open \('\?'\)"),
    "open scale": (LONG + '[scale]\ncredit = "?"\n', "scale.credit is still open"),
    "turned scale": (LONG + "[scale]\ncredit = [100, 0]\n", r"scale.credit is \[100, 0\]; write \[lowest, highest\]"),
    "turned scale of a run": (
        WIDE + "scale = { credit = [1, 1] }\n", r"runs\[3\].scale.credit is \[1, 1\]; write \[lowest"
    ),
    "scale of nothing in a run": (WIDE + "scale = { verified = [0, 9] }\n", r"runs\[3\].scale.verified speaks of"),
    "scale of nothing": (LONG + "[scale]\nconfidence = [0, 100]\n", "scale.confidence speaks of a field that nothing"),
    "words of nothing": (LONG + "[values.status]\na = 'ok'\n", "values.status speaks of a field that nothing"),
    "bad policy": (LONG.replace('name = "b"', 'name = "b"\nmissing_policy = "ignore"'), "allowed: zero, exclude"),
    "both": (LONG + 'credit = "1"\n', "constants.credit is also in"),
    "runs in long": (LONG + '[[runs]]\nrun = "a"\ncredit = "c"\n', "runs is given"),
    "wide without runs": (
        LONG.replace('"long"', '"wide"').replace('run = "run"\ncredit = "score"', ""), "runs is empty"
    ),
    "run field in wide": (WIDE.replace('capability = "Topic"', 'answer = "x"'), r"write it into \[\[runs\]\]"),
    "run twice": (WIDE.replace('run = "Claude"', 'run = "GPT-4o"'), "runs has 'GPT-4o' twice"),
    "run without column": (WIDE + '[[runs]]\nrun = "x"\n', r"runs\[4\] names no column"),
    "no records": (KEYED.replace('records = ["results", "*"]', ""), "file.records is missing"),
    "unknown rule": (KEYED.replace("exact_letter", "exact_leter"), "Did you mean 'exact_letter'"),
    "no tolerance": (KEYED.replace('"exact_letter"', '"numeric_tolerance"'), "scoring.tolerance is missing"),
    "tolerance of letters": (KEYED + "tolerance = 1\n", "scoring.tolerance does not belong to exact_letter"),
    "endless tolerance": (KEYED.replace('"exact_letter"', '"numeric_tolerance"\ntolerance = inf'), "is inf"),
    "case of letters": (KEYED + "ignore_case = true\n", "scoring.ignore_case is True beside exact_letter"),
    "rule and credit": (LONG.replace('run = "run"', 'run = "run"\nanswer = "a"\nreference = "g"')
                        + '[scoring]\nrule = "exact_text"\n', "keep the log's credit or the rule, not both"),
    "rule without reference": (KEYED.replace('reference = "gold"', ""), "fields.reference is missing"),
    "score without judge": (
        LONG.replace('"score"\n[cons', '"score"\nscore = "s"\n[cons'), "fields.score needs a judge"
    ),
    "judge of no kind": (
        LONG.replace('"score"\n[cons', '"score"\njudge = "j"\n[cons'), "constants.judge_kind is missing"
    ),
    "column as number": (LONG.replace('"score"\n[constants', "3\n[constants"), "fields.credit is 3; write a text"),
    "tag without column": (LONG + "[tags.skill]\nseparator = ';'\n", "tags.skill.column is missing"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_file_and_key(fault):
    text, said = FAULTS[fault]
    with pytest.raises(BadLog, match=said) as raised:
        parse_profile(text, "mine.scoreproof.toml")
    assert str(raised.value).startswith("mine.scoreproof.toml")


@pytest.mark.parametrize("text", [LONG, KEYED, NESTED, WIDE], ids=["long", "keyed", "nested", "wide"])
def test_a_profile_written_again_says_the_same(text):
    raw = tomllib.loads(text)
    again = to_toml(raw, {"": ["above all"], "fields.item": ["why\nthis one"], "runs[1].run": ["the first"]})
    assert tomllib.loads(again) == raw
    first, second = parse_profile(text, "p"), parse_profile(again, "p")
    assert (first.fields, first.runs, first.scoring) == (second.fields, second.runs, second.scoring)


def test_any_name_of_a_column_can_be_written():
    raw = {"fields": {"item": 'a "b" \\ \x7f \n \N{GRINNING FACE}', "x.y z": ["[", "]"]}}
    assert tomllib.loads(to_toml(raw, {"fields.item": ["# \x7f odd"]})) == raw


def test_a_rule_with_another_setting_is_another_judge():
    rule = KEYED.replace('"exact_letter"', '"numeric_tolerance"\ntolerance = 0.1')
    one, other = parse_profile(rule, "p"), parse_profile(rule.replace("0.1", "0.2\nrelative = true"), "p")
    assert one.scoring.judge_id == "scoreproof/numeric_tolerance absolute 0.1"
    assert other.scoring.judge_id == "scoreproof/numeric_tolerance relative 0.2"
