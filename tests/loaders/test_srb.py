"""SocialReasonBench: data units, and letters that mean an option only through the order in which it was shown."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from analytics.store import Store
from loaders.srb import READER
from loaders.warehouse import build
from tests.asking import one, rows
from tests.reading import claimed, read_all

SAMPLES = Path(__file__).parent / "samples" / "srb"
LINES = SAMPLES / "good" / "lines"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("srb")
    assert build([str(LINES)], folder, add=False).issues == []
    return Store(folder)


def test_data_units_keep_axes_tier_options_and_traps():
    read = read_all(READER, [LINES / "units.jsonl"])
    assert read["items"].select("item_id", "capability", "axis", "tier", "media_type", "answer_type").rows() == [
        ("k1", "intent_recognition", "prosocial", "A", "video", "single_choice"),
        ("k2", "causal_antecedent", "strategic", "C", "video", "single_choice"),
        ("k3", "counterfactual_reasoning", "normative", "B", "video", "single_choice"),
        ("k4", "emotional_empathy", "adversarial", "AB", "video", "single_choice"),
    ]
    first = read["items"].row(0, named=True)
    assert first["prompt"] == "Two people share a kitchen in k1.\n\nWhat does she want?"
    assert first["options"][:2] == ["k1 right", "k1 seen"]
    assert (first["reference"], first["chance"], first["media_path"]) == ("A", 1 / 6, "clips/k1.mp4")
    assert read["option_types"].filter(item_id="k1").select("option", "type").rows() == [
        ("A", "correct"), ("B", "visual_trap"), ("C", "logic_trap"), ("D", "interpretation_trap"),
        ("E", "knowledge_trap"), ("F", "attribution_trap"),
    ]  # fmt: skip
    assert read["item_tags"]["tag"][0] == "00:01:00 to 00:02:00"


def test_letters_are_mapped_back_to_the_recorded_option():
    read = read_all(READER, [LINES / "predictions.jsonl"])
    found = {(run, item): rest for run, item, *rest in read["responses"].select(
        "run_id", "item_id", "answer", "credit", "status", "response").rows()}  # fmt: skip
    assert found == {
        ("srb/alpha", "k1"): ["A", 1.0, "ok", None],  # C of C F A B D E
        ("srb/alpha", "k2"): ["B", 0.0, "ok", None],  # A of B A C D E F: the letter of the right option, and wrong
        ("srb/alpha", "k3"): ["A", 1.0, "ok", None],
        ("srb/alpha", "k4"): ["A", 1.0, "ok", None],  # "(f)" of C D E F B A
        ("srb/beta", "k1"): ["C", 0.0, "ok", None],
        ("srb/beta", "k2"): ["B", 0.0, "ok", None],
        ("srb/beta", "k3"): [None, 0.0, "invalid_format", "Q"],
        ("srb/beta", "k4"): [None, 0.0, "invalid_format", "I cannot say."],
        ("srb/person", "k1"): ["A", 1.0, "ok", None],  # by the option's id
        ("srb/person", "k2"): [None, None, "skipped", None],
        ("srb/person", "k3"): ["A", 1.0, "ok", None],
        ("srb/person", "k4"): ["D", 0.0, "ok", None],
        ("srb/second", "k1"): ["A", 1.0, "ok", None],
    }
    assert read["responses"]["order_shown"][0].to_list() == ["C", "F", "A", "B", "D", "E"]
    assert read["runs"].select("run_id", "kind", "regime", "scope").rows() == [
        ("srb/alpha", "model", "video", None),
        ("srb/beta", "model", "32_frames", None),
        ("srb/person", "human", "video", None),
        ("srb/second", "human", "video", "overlap"),
    ]


def test_leaderboard_by_hand(store):
    found = rows(store, "leaderboard", {"benchmark": "srb"})
    assert {run: (r["raw"], r["n"], r["declared"]) for run in ("alpha", "beta", "person", "second")
            for r in [one(found, run=f"srb/{run}")]} == {
        "alpha": (0.75, 4, 4), "beta": (0.0, 4, 4), "person": (2 / 3, 3, 4), "second": (1.0, 1, 1),
    }  # fmt: skip
    assert one(found, run="srb/person")["failed"] == 1  # the skipped question, left out of the denominator


def test_traps_by_hand(store):
    """alpha has one wrong choice, a visual trap; beta two, a visual and a logic trap, beside two invalid answers."""
    found = rows(store, "traps", {"benchmark": "srb"})
    rate = {(r["run"], r["trap"]): (r["fallen"], r["wrong"], r["invalid"]) for r in found if r["fallen"]}
    assert rate == {
        ("srb/alpha", "visual_trap"): (1, 1, 0),
        ("srb/beta", "visual_trap"): (1, 2, 2),
        ("srb/beta", "logic_trap"): (1, 2, 2),
        ("srb/person", "interpretation_trap"): (1, 1, 1),
    }


def test_levels_are_the_two_axes_and_the_tiers(store):
    axis = rows(store, "leaderboard", {"benchmark": "srb", "axis": "strategic"})
    assert one(axis, run="srb/alpha")["raw"] == 0.0
    tier = rows(store, "leaderboard", {"benchmark": "srb", "tier": ["A", "B", "AB"]})
    assert (one(tier, run="srb/alpha")["raw"], one(tier, run="srb/alpha")["n"]) == (1.0, 3)


def test_a_unit_printed_over_many_lines_is_one_record_and_may_lie_beside_a_table():
    unit = SAMPLES / "good" / "one" / "unit.json"
    read = read_all(READER, [unit])
    assert claimed(READER, unit)
    assert (read.seen, read["items"]["item_id"].to_list()) == (1, ["one"])
    table = read_all(READER, [SAMPLES / "good" / "table" / "predictions.csv"])
    assert table["responses"].select("answer", "credit").rows() == [("A", 1.0)]
    assert table.rules() == {}


def test_predictions_without_their_units_go_by_the_fixed_ids_and_say_so(tmp_path):
    shutil.copy(LINES / "predictions.jsonl", tmp_path)
    read = read_all(READER, [tmp_path / "predictions.jsonl"])
    assert read["responses"].filter(run_id="srb/alpha")["credit"].to_list() == [1.0, 0.0, 1.0, 1.0]
    assert read.rules() == {"unit_not_at_hand": 4}


def test_an_option_id_that_is_none_is_refused_and_not_taken_for_a_missing_answer(tmp_path):
    (tmp_path / "units.jsonl").write_bytes((LINES / "units.jsonl").read_bytes())
    records = [{"instance_id": "k1", "run": "r", "option_id": 2}, {"instance_id": "k2", "run": "r", "option_id": "O_B"},
               {"instance_id": "k3", "run": "r", "option_id": "-", "status": "skipped"}]  # fmt: skip
    path = tmp_path / "predictions.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    read = read_all(READER, [path])
    assert read["responses"].select("item_id", "answer", "status").rows() == [
        ("k2", "B", "ok"), ("k3", None, "skipped"),
    ]  # fmt: skip
    (issue,) = [issue for issue in read.issues if issue.severity == "refused"]
    assert (issue.rule, issue.line, issue.column) == ("wrong_type", 1, "option_id")


def test_the_right_option_is_the_one_that_the_unit_says(tmp_path):
    units = [json.loads(line) for line in (LINES / "units.jsonl").read_text().splitlines()]
    options = units[1]["evaluation_engine"]["options"]
    options[0]["type"], options[1]["type"] = options[1]["type"], options[0]["type"]
    (tmp_path / "units.jsonl").write_text("".join(json.dumps(unit) + "\n" for unit in units))
    shutil.copy(LINES / "predictions.jsonl", tmp_path)
    read = read_all(READER, [tmp_path / "predictions.jsonl"])
    assert read["responses"].filter(run_id="srb/alpha")["credit"].to_list() == [1.0, 1.0, 1.0, 1.0]


def test_what_is_wrong_is_refused_or_doubted_in_its_place():
    broken = SAMPLES / "broken"
    read = read_all(READER, [broken / "units.jsonl", broken / "predictions.jsonl"])
    assert read.kept + read.refused == read.seen
    place = {(i.rule, i.line, i.column): i for i in read.issues}
    for expected in (
        ("duplicate_key", 2, "metadata.instance_id"), ("bad_options", 3, "evaluation_engine.options"),
        ("not_six_options", 4, "evaluation_engine.options"),
        ("unknown_value", 4, "evaluation_engine.options[].type"), ("unknown_value", 4, "metadata.coordinate.cognitive"),
        ("unknown_value", 4, "metadata.coordinate.interpersonal"),
        ("unknown_value", 4, "evaluation_engine.grounding_trace.anchor_type"),
        ("required", 5, "metadata.instance_id"), ("broken_json", 6, None),
        ("no_order_shown", 1, "order_shown"), ("bad_order", 2, "order_shown"), ("wrong_type", 3, "output_tokens"),
        ("duplicate_key", 4, "instance_id"), ("required", 5, "run"), ("wrong_type", 6, "attempt"),
        ("unit_not_at_hand", None, "instance_id"), ("unknown_record", 10, None),
    ):  # fmt: skip
        assert expected in place, expected
    kept = read["responses"].filter(item_id="b3").select("attempt", "answer", "status").rows()
    assert kept == [(1, "A", "ok"), (2, None, "missing")]
    abbreviated = read["items"].filter(item_id="b3").row(0, named=True)
    assert [bool(words) for words in abbreviated["options"]] == [True, True, False, False, True]  # letters keep places
    assert abbreviated["chance"] == 1 / 3
