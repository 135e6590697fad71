"""Suggestions come with a reason; what could be two things is a question, and an open question stops a build."""

import json

import pytest

import cli
from analytics.errors import BadLog
from loaders.mapping_draft import draft
from loaders.mapping_facts import facts, sample
from loaders.mapping_look import tag_kinds
from loaders.mapping_profile import parse_profile
from loaders.mapping_suggest import suggest
from tests.loaders.shapes import keyed, nested, wide


def suggested(tmp_path, table):
    path = tmp_path / "t.csv"
    path.write_text(table)
    frame, _ = sample(path, path.name, "csv", records=None, sheet=None)
    return suggest(facts(frame))


def drafted(tmp_path, table):
    path = tmp_path / "t.csv"
    path.write_text(table)
    return draft(path)


def test_names_that_say_one_thing_are_suggested_with_what_they_hold(tmp_path):
    found = suggested(tmp_path, "question_id,modelName,is_correct,Category\n1,m,1,a\n2,m,0,a\n3,m,1,b\n")
    assert {name: s.column for name, s in found.items() if s.column} == {
        "item": "question_id",
        "model": "modelName",
        "credit": "is_correct",
        "capability": "Category",
    }
    assert found["credit"].reason == "called 'is_correct'; 0 and 1 alone: a credit, or a label of two classes"
    assert all(s.question is None for s in found.values())


ANSWERS = {
    # columns -> what is suggested for reference and for answer; None is a question
    ("answer",): (None, None),
    ("answer", "gold"): ("gold", "answer"),
    ("answer", "prediction"): ("answer", "prediction"),
    ("answer", "prediction", "gold"): (None, None),
    ("label", "prediction"): ("label", "prediction"),
    ("gold", "prediction"): ("gold", "prediction"),
    ("gold", "target", "prediction"): (None, "prediction"),
}


@pytest.mark.parametrize("columns", ANSWERS, ids=" ".join)
def test_a_name_of_two_fields_goes_to_the_one_that_has_no_other_column(tmp_path, columns):
    head = ",".join(columns)
    rows = "".join(f"{k}," + ",".join("AB"[(k + n) % 2] for n in range(len(columns))) + "\n" for k in range(4))
    found = suggested(tmp_path, f"id,{head}\n{rows}")
    assert (found["reference"].column, found["answer"].column) == ANSWERS[columns]
    for name in ("reference", "answer"):
        assert (found[name].question is None) == (found[name].column is not None)


def test_a_column_of_0_and_1_called_label_may_be_credit_answer_or_reference(tmp_path):
    made = drafted(tmp_path, "id,model,label\n1,m,0\n2,m,1\n")
    for name in ("credit", "answer", "reference"):
        assert made.raw["fields"][name] == "?"
        assert "0 and 1 alone: a credit, or a label of two classes" in made.questions[f"fields.{name}"]
    with pytest.raises(BadLog, match=r"fields.reference is still open"):
        parse_profile(made.text(), "t.scoreproof.toml")


def test_two_columns_for_one_field_are_a_question(tmp_path):
    made = drafted(tmp_path, "id,index,model,correct\n1,5,m,1\n2,6,m,0\n")
    assert made.raw["fields"]["item"] == "?"
    assert made.questions["fields.item"].startswith("'id' and 'index' are all called so")


def test_a_scale_is_asked_for_and_never_taken_from_the_values(tmp_path):
    made = drafted(tmp_path, "id,model,score\n1,m,0\n2,m,87\n3,m,100\n")
    assert made.raw["fields"]["credit"] == "score"
    assert made.raw["scale"] == {"credit": "?"}
    assert "go from 0 to 100" in made.questions["scale.credit"]
    within = drafted(tmp_path, "id,model,score\n1,m,0\n2,m,0.5\n")
    assert "scale" not in within.raw


def test_shares_beside_points_are_asked_for_run_by_run(tmp_path):
    made = drafted(tmp_path, "id,gold,A1 answer,A1 score,B2 answer,B2 score\n1,A,A,1,A,100\n2,B,A,0.5,B,40\n")
    assert "scale" not in made.raw
    assert [run.get("scale") for run in made.raw["runs"]] == [None, {"credit": "?"}]
    assert "'B2 score' go from 40 to 100" in made.questions["runs[2].scale"]
    text = made.text().replace('{ credit = "?" }', "{ credit = [0, 100] }").replace('layout = "?"', 'layout = "wide"')
    assert parse_profile(text, "p").runs[1].scale == {"credit": (0.0, 100.0)}


def test_two_columns_of_labels_with_one_last_name_are_two_kinds(tmp_path):
    path = tmp_path / "t.jsonl"
    rows = [{"id": k, "model": "m", "correct": 1, "a": {"tags": ["x", "y"]}, "b": {"tags": ["z", "w"]}} for k in (1, 2)]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    made = draft(path)
    assert {kind: entry["column"] for kind, entry in made.raw["tags"].items()} == {
        "a.tags": "a.tags",
        "b.tags": "b.tags",
    }
    text = made.text().replace('answer_type = "?"', 'answer_type = "open"')
    assert set(parse_profile(text, "p").tags) == {"a.tags", "b.tags"}
    assert tag_kinds(["A.tags", "a.tags", "Skills"]) == {"A.tags": "A.tags", "a.tags": "a.tags", "Skills": "skill"}


def test_words_of_a_verdict_get_their_usual_credit_and_others_are_asked_for(tmp_path):
    made = drafted(tmp_path, "id,model,correct\n1,m,Yes\n2,m,no\n3,m,partly\n")
    assert made.raw["values"] == {"credit": {"Yes": 1.0, "no": 0.0, "partly": "?"}}
    assert list(made.questions) == ["constants.answer_type", "values.credit.partly"]


def test_without_a_column_for_the_system_its_name_is_asked_for(tmp_path):
    made = drafted(tmp_path, "id,gold,prediction\n1,A,A\n2,B,A\n")
    assert made.raw["constants"] == {"run": "?", "answer_type": "single_choice"}
    assert made.raw["scoring"] == {"rule": "exact_letter"}
    assert list(made.questions) == ["constants.run"]


def test_numbers_and_texts_to_score_ask_for_the_rule(tmp_path):
    for values in ("1.5,1.4", "a dog,the dog"):
        made = drafted(tmp_path, f"id,model,gold,prediction\n1,m,{values}\n2,m,{values}\n")
        assert made.raw["scoring"] == {"rule": "?"}
        assert "exact_text" in made.questions["scoring.rule"]


def test_a_cell_with_several_labels_is_a_tag_and_asks_whether_it_is_a_capability(tmp_path):
    made = drafted(tmp_path, "id,model,correct,category\n1,m,1,a;b\n2,m,0,a\n3,m,1,b;a\n4,m,1,b\n")
    assert made.raw["tags"] == {"category": {"column": "category", "separator": ";"}}
    assert made.raw["fields"]["capability"] == "?"


def test_columns_named_by_models_are_wide_only_when_a_person_says_so(tmp_path):
    made = drafted(tmp_path, "id,answer,gpt-4o,qwen2-vl\n1,A,A,B\n2,B,B,B\n")
    assert made.raw["layout"] == "?"
    assert [run["run"] for run in made.raw["runs"]] == ["gpt-4o", "qwen2-vl"]
    assert made.raw["fields"]["reference"] == "answer"
    numbers = drafted(tmp_path, "id,gpt-4o,qwen2-vl\n1,1,0\n2,0,0\n")
    assert [run["answer"] for run in numbers.raw["runs"]] == ["?", "?"]
    assert "credits, or answers of two classes" in numbers.text()


def test_pairs_of_columns_make_runs_with_both(tmp_path):
    made = draft(wide(tmp_path))
    assert made.raw["runs"][0] == {"run": "GPT-4o", "answer": "GPT-4o answer", "credit": "GPT-4o score"}
    assert made.raw["runs"][2]["kind"] == "human"
    assert list(made.questions) == ["layout", "scale.credit"]


def test_names_of_one_system_are_no_runs(tmp_path):
    made = drafted(tmp_path, "id,model_answer,gold_answer,judge_score,final_score\n1,A,A,1,1\n2,B,A,0,0\n")
    assert "runs" not in made.raw


def test_a_document_keyed_by_id_needs_no_answer_and_reads_as_it_is(tmp_path):
    made = draft(keyed(tmp_path))
    assert made.questions == {}
    assert made.raw["file"]["records"] == ["results", "*"]
    assert parse_profile(made.text(), "p").fields["options"] == ("options.A", "options.B", "options.C")


def test_a_document_grouped_twice_asks_what_the_groups_are(tmp_path):
    made = draft(nested(tmp_path))
    assert made.raw["file"]["records"] == ["*", "*", "[]"]
    assert list(made.questions) == ["fields.capability", "constants.run", "constants.answer_type", "scale.credit"]


def test_scores_grouped_twice_may_lie_at_two_places(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(json.dumps({"clip1": {"motion": 0.5, "look": 1}, "clip2": {"motion": 0.25, "look": 0}}))
    made = draft(path)
    assert made.raw["file"]["records"] == "?"
    assert "['*']: 2 records" in made.text()
    assert "['*', '*']: 4 records" in made.text()


def test_the_command_prints_the_profile_and_lists_what_is_open(tmp_path, capfd):
    path = tmp_path / "t.csv"
    path.write_text("id,model,score\n1,m,0\n2,m,87\n")
    assert cli.main(["build", str(path), "--suggest"]) == 0
    out, err = capfd.readouterr()
    assert 'credit = "score"' in out
    assert "open: scale.credit: its values go from 0 to 87" in err
    assert cli.main(["build", str(tmp_path), "--suggest"]) == 2
    assert "--suggest takes one file" in capfd.readouterr().err
    assert cli.main(["build", str(path)]) == 2
    assert "build needs --store DIR" in capfd.readouterr().err
