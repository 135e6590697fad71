"""Three logs of shapes that no reader knows, as other projects write them, with the profiles that read them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.loaders.test_vlmevalkit import workbook

LONG = """
layout = "long"
[file]
format = "csv"
columns = ["id", "score"]
[benchmark]
name = "b"
[fields]
item = "id"
run = "run"
credit = "score"
[constants]
answer_type = "open"
"""
"""A profile of the plainest shape: one row per answer, a credit in a column."""

POND = [
    # reference, what the model wrote, topic, skills; exact letter: 1, 1, invalid, 1, 0, missing
    ("B", "B", "birds", "count;colour"),
    ("A", "(A)", "birds", "colour"),
    ("C", "I would say it is a coot, but", "birds", "count"),
    ("A", "heron", "plants", "shape"),
    ("B", "C", "plants", "shape;count"),
    ("C", "", "plants", "shape"),
]


def keyed(folder: Path) -> Path:
    """Answers of one model, keyed by item; the model stands beside them, a verdict nowhere."""
    results = {
        f"pond-{number:02d}": {
            "prompt": f"Which bird is shown in picture {number}?",
            "options": {"A": "heron", "B": "duck", "C": "coot"},
            "gold": gold,
            "model_output": said,
            "topic": topic,
            "skills": skills,
        }
        for number, (gold, said, topic, skills) in enumerate(POND, start=1)
    }
    path = folder / "pond.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"model": "Otter-9B", "suite": "PondQA", "results": results}, indent=1))
    return path


KEYED = """
layout = "long"
[file]
format = "json"
columns = ["gold", "model_output"]
records = ["results", "*"]
[benchmark]
name = "pond"
[fields]
item = "key 1"
model = "outer.model"
prompt = "prompt"
options = ["options.A", "options.B", "options.C"]
reference = "gold"
response = "model_output"
capability = "topic"
[constants]
answer_type = "single_choice"
[tags.skill]
column = "skills"
separator = ";"
[scoring]
rule = "exact_letter"
"""

RATINGS = {
    # on a scale from 1 to 5: motion 0, 1, .25, 1, .5, 1 = 3.75 of 6; identity .5, .25, .5, .5, .5, .75 = 3 of 6
    "clip_1": {"motion": [1, 5], "identity": [3, 2]},
    "clip_2": {"motion": [2, 5], "identity": [3, 3]},
    "clip_3": {"motion": [3, 5], "identity": [3, 4]},
}


def nested(folder: Path) -> Path:
    """Ratings of one generator, grouped by video and by dimension; the file is named after the generator."""
    groups = {
        clip: {
            dimension: [
                {"qid": f"{clip}-{dimension}-{k}", "ask": f"How good is part {k}?", "rating": rating}
                for k, rating in enumerate(ratings)
            ]
            for dimension, ratings in dimensions.items()
        }
        for clip, dimensions in RATINGS.items()
    }
    path = folder / "smoothcam.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(groups))
    return path


NESTED = """
layout = "long"
[file]
format = "json"
columns = ["qid", "rating"]
records = ["*", "*", "[]"]
[benchmark]
name = "cams"
[fields]
item = "qid"
prompt = "ask"
cluster = "key 1"
capability = "key 2"
credit = "rating"
[constants]
run = "{file}"
answer_type = "open"
[scale]
credit = [1, 5]
"""

SURVEY = [
    ["No.", "Question text", "Topic", "Gold", "GPT-4o answer", "GPT-4o score", "Claude answer", "Claude score",
     "Human answer", "Human score"],
    ["s1", "2 + 2?", "sums", "B", "B", 100, "A", 0, "B", 100],
    ["s2", "3 + 3?", "sums", "C", "C", 100, "C", 100, "C", 100],
    ["s3", "Odd one?", "words", "A", "D", 0, "A", 100, "A", 100],
    ["s4", "Even one?", "words", "D", "D", 50, None, None, "D", 100],
]  # fmt: skip


def wide(folder: Path) -> Path:
    """A spreadsheet with one row per item and an answer and a score for each of two models and a person."""
    return workbook(folder / "survey.xlsx", SURVEY)


WIDE = """
layout = "wide"
[file]
format = "xlsx"
columns = ["No.", "Gold"]
[benchmark]
name = "survey"
[fields]
item = "No."
prompt = "Question text"
capability = "Topic"
reference = "Gold"
[constants]
answer_type = "single_choice"
[scale]
credit = [0, 100]
[[runs]]
run = "GPT-4o"
answer = "GPT-4o answer"
credit = "GPT-4o score"
[[runs]]
run = "Claude"
answer = "Claude answer"
credit = "Claude score"
[[runs]]
run = "Human"
kind = "human"
answer = "Human answer"
credit = "Human score"
"""
