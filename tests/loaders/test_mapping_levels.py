"""Chance levels from the options of a mapped file, and runs of a long one that lie on two scales."""

import pytest

from loaders.mapping_profile import parse_profile
from loaders.mapping_try import try_profile
from loaders.warehouse import build
from tests.loaders.test_large import opened
from tests.loaders.test_mapping import ask

CHANCE = """layout = "long"
[file]
format = "csv"
names = ["quiz.csv"]
[benchmark]
name = "quiz"
[fields]
item = "item"
model = "model"
credit = "credit"
capability = "part"
answer_type = "kind"
options = {options}
"""


@pytest.mark.parametrize(
    ("options", "head", "cells"),
    [
        ('["A", "B", "C", "D"]', "A,B,C,D", ("w,x,y,z", "w,x,,", "w,,y,", ",,,", "w,x,y,z", "w,x,y,")),
        (
            '"given"',
            "given",
            [
                '"[{}]"'.format(",".join(f'""{part}""' for part in parts))
                for parts in ("wxyz", ("w", "x", "", ""), ("w", "", "y"), "", "wxyz", "wxy")
            ],
        ),
        ('"given"', "given", ("w|x|y|z", "w|x", "w||y", "", "w|x|y|z", "w|x|y")),
    ],
)
def test_a_guess_at_a_single_choice_earns_one_over_its_options(tmp_path, capfdbinary, options, head, cells):
    kinds = ["single_choice"] * 4 + ["multiple_choice", "open"]
    parts = ["p", "p", "q", "q", "r", "r"]
    log = tmp_path / "quiz.csv"
    rows = [f"i{n},M,1,{parts[n]},{kinds[n]},{cell}" for n, cell in enumerate(cells)]
    log.write_text("\n".join([f"item,model,credit,part,kind,{head}", *rows]) + "\n")
    profile = CHANCE.format(options=options)
    (tmp_path / "quiz.scoreproof.toml").write_text(profile)
    build([str(log)], tmp_path / "S", add=False)
    with opened(tmp_path / "S") as con:
        found = con.execute("SELECT chance FROM items ORDER BY item_id").fetchall()
    # four and two options; an empty one between two keeps its letter; none; not a single choice
    assert [row[0] for row in found] == pytest.approx([1 / 4, 1 / 2, 1 / 3, None, None, None])
    shown = try_profile(parse_profile(profile, "p.toml"), log).preview
    assert shown["chance"].to_list() == pytest.approx([1 / 4, 1 / 2, 1 / 3, None, None, None])
    means = {row["value"]: row["chance"] for row in ask(capfdbinary, "profiles", "--store", tmp_path / "S")}
    assert means == {"p": pytest.approx(3 / 8), "q": None, "r": None}


def test_a_chance_that_is_mapped_stands(tmp_path):
    log = tmp_path / "quiz.csv"
    rows = ["i0,0.25,open,", "i1,0.4,single_choice,w|x|y|z", "i2,,single_choice,w|x|y|z", "i3,none,open,"]
    log.write_text("item,guess,kind,given,model,credit,part\n" + "".join(f"{row},M,1,p\n" for row in rows))
    profile = CHANCE.format(options='"given"') + 'chance = "guess"\n'
    (tmp_path / "quiz.scoreproof.toml").write_text(profile)
    report = build([str(log)], tmp_path / "S", add=False)
    with opened(tmp_path / "S") as con:
        found = dict(con.execute("SELECT item_id, chance FROM items ORDER BY item_id").fetchall())
    assert {name: found[name] for name in ("i0", "i1", "i2")} == {"i0": 0.25, "i1": 0.4, "i2": 0.25}
    assert found.get("i3") is None
    assert any("none" in str(issue["message"]) + str(issue["excerpt"]) for issue in report.issues)


@pytest.mark.parametrize(
    ("rows", "scale", "doubted"),
    [
        ({"M": (0.5, 1, 0), "N": (50, 100, 0)}, "[0, 100]", {"quiz/M": 3}),
        ({"M": (0.5, 1, 0), "N": (50, 100, 0), "Z": (0, 0)}, "[0, 100]", {"quiz/M": 3}),
        ({"M": (5, 1, 0), "N": (50, 100, 0)}, "[0, 100]", {}),
        ({"M": (0.5, 1), "N": (0.2, 0.9)}, "[0, 100]", {}),
        ({"M": (0.5, 1), "N": (0.2, 0)}, "[0, 1]", {}),
        ({"M": (1, 2), "N": (1, 1)}, "[1, 5]", {}),
    ],
)
def test_runs_of_a_long_file_on_two_scales_are_doubted(tmp_path, rows, scale, doubted):
    log = tmp_path / "quiz.csv"
    lines = [f"i{n},{model},{credit}" for model, credits in rows.items() for n, credit in enumerate(credits)]
    log.write_text("\n".join(["item,model,credit", *lines]) + "\n")
    profile = (
        'layout = "long"\n[file]\nformat = "csv"\nnames = ["quiz.csv"]\n[benchmark]\nname = "quiz"\n[fields]\n'
        'item = "item"\nmodel = "model"\ncredit = "credit"\n[constants]\nanswer_type = "open"\n'
        f"[scale]\ncredit = {scale}\n"
    )
    (tmp_path / "quiz.scoreproof.toml").write_text(profile)
    report = build([str(log)], tmp_path / "S", add=False)
    found = [issue for issue in report.issues if issue["rule"] == "scale_of_run"]
    assert {str(i["message"]).split()[3]: i["records"] for i in found} == doubted
    assert all(i["severity"] == "doubted" for i in found)
    assert report.sources[0]["kept"] == len(lines), "a doubt keeps the rows"
    assert try_profile(parse_profile(profile, "p.toml"), log).doubted == sum(doubted.values())
