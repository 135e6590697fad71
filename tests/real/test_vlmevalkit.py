"""VLMEvalKit tables against the reference results beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from loaders.discover import discover
from loaders.vlmevalkit import READER
from tests.reading import Reading, found_by, read_all

pytestmark = pytest.mark.real
RUNS = ("vila_8b", "vila_13b", "mPLUG-Owl3")


@pytest.fixture(scope="module")
def tables(logs: Path) -> dict[str, Reading]:
    paths = found_by(READER, logs / "vlmevalkit")
    assert len(paths) == 13
    return {path.stem: read_all(READER, [path]) for path in paths}


def scored(tables: dict[str, Reading], stem: str) -> pl.DataFrame:
    reading = tables[stem]
    return reading["responses"].join(reading["items"], on="item_id")


def sums(frame: pl.DataFrame, by: str) -> dict[str, tuple[float, int]]:
    rows = frame.group_by(by).agg(pl.col("credit").sum().alias("correct"), pl.col("credit").count().alias("n")).rows()
    return {name: (correct, n) for name, correct, n in rows}


def cells(want: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {name: (cell["correct"], cell["n"]) for name, cell in want.items()}


def test_every_file_is_a_log_or_a_companion(logs: Path) -> None:
    found = [c for c in discover(str(logs / "vlmevalkit"), known=[READER]) if c.source.path.name != "expected.json"]
    assert [c.source.name for c in found if c.reader is None and not c.companion] == []
    assert sum(c.companion for c in found) == 14 + 1


def test_every_row_is_kept(tables: dict[str, Reading]) -> None:
    assert sum(reading.kept for reading in tables.values()) == 15_215
    assert all(reading.seen == reading.kept for reading in tables.values())


@pytest.mark.parametrize("model", ["vila_8b", "vila_13b"])
def test_mmstar(tables: dict[str, Reading], expected: Any, model: str) -> None:
    want = expected("vlmevalkit")["MMStar"][model]
    rows = scored(tables, f"{model}_MMStar_openai_result")
    assert (rows["credit"].sum(), rows.height) == (want["overall"]["correct"], want["overall"]["n"])
    assert sums(rows, "capability") == cells(want["by_category"])
    assert sums(rows, "subcapability") == cells(want["by_l2"])
    reading = tables[f"{model}_MMStar_openai_result"]
    assert reading.rules()["empty_gold_option"] == 2
    options = dict(reading["items"].select("item_id", "options").rows())
    assert options["268"] == ["", "Two", "One", "Cannot be determined"]


def test_realworldqa(tables: dict[str, Reading], expected: Any) -> None:
    want = expected("vlmevalkit")["RealWorldQA"]
    frames = []
    for model in RUNS:
        reading = tables[f"{model}_RealWorldQA_openai_result"]
        rows = scored(tables, f"{model}_RealWorldQA_openai_result")
        cell = want["overall"][model]
        assert (rows["credit"].sum(), rows.height) == (cell["correct"], cell["n"])
        # item 631 of vila_8b is a refusal, 'A traffic light is a device ... cannot be determined': no letter A here
        refusals = {"vila_8b": ["631"]}.get(model, [])
        silent = rows.filter(pl.col("answer").is_null())["item_id"].to_list()
        assert len(silent) == want["no_letter"][model] + len(refusals)
        assert set(refusals) <= set(silent)
        contradicted = reading.rules().get("verdict_against_answer", 0)
        without = rows.filter(pl.col("answer").is_null() & (pl.col("credit") == 1)).height
        assert contradicted + without == want["letter_vs_hit_mismatch"][model]
        frames.append(rows.with_columns(model=pl.lit(model)))
    together = pl.concat(frames)
    best = together.group_by("item_id").agg(pl.col("credit").max())["credit"].sum()
    assert best == want["oracle_by_hit"]["items"]
    votes = together.drop_nulls("answer").group_by("item_id", "reference", "answer").len()
    top = votes.filter(pl.col("len") == pl.col("len").max().over("item_id"))
    credit = top.group_by("item_id").agg((pl.col("answer") == pl.col("reference")).sum() / pl.len())["answer"].sum()
    assert credit == pytest.approx(want["vote_on_letters"]["plurality_credit_sum"], abs=1e-9)
    right = votes.filter(pl.col("answer") == pl.col("reference"))
    assert right.height == want["vote_on_letters"]["oracle_items"]
    assert right.filter(len=3).height == want["vote_on_letters"]["all_correct_items"]
    assert (
        top.group_by("item_id").len().filter(pl.col("len") > 1).height == want["vote_on_letters"]["items_with_tied_top"]
    )


def test_rotations_are_four_runs_on_one_item_set(tables: dict[str, Reading], expected: Any) -> None:
    want = expected("vlmevalkit")["tdbench_gpt-4.1"]
    frames = []
    for name in ("rot0", "rot90", "rot180", "rot270"):
        stem = f"gpt-4.1-2025-04-14_tdbench_{name}_openai_result"
        rows = scored(tables, stem)
        assert (rows["credit"].sum(), rows.height) == (want[name]["overall"]["correct"], want[name]["overall"]["n"])
        assert sums(rows, "capability") == cells(want[name]["by_category"])
        run = tables[stem]["runs"].to_dicts()[0]
        assert (run["benchmark"], run["condition"]) == ("tdbench", f"rotation={name.removeprefix('rot')}")
        assert rows["answer"].null_count() == rows["reference"].null_count() == 1800
        frames.append(rows)
    together = pl.concat(frames)
    by_item = together.group_by("item_id").agg(
        pl.col("credit").min().alias("low"), pl.col("credit").max().alias("high")
    )
    across = want["across_rotations"]
    assert by_item.height == across["shared_indices"]
    assert (by_item["low"].sum(), by_item["high"].sum()) == (across["all_four_correct"], across["at_least_one"])
    same = together.group_by("item_id").agg(pl.col("prompt").n_unique()).filter(prompt=1).height
    assert same == across["same_question_text"]


def test_two_criteria_per_item(tables: dict[str, Reading], expected: Any) -> None:
    want = expected("vlmevalkit")["VGRPBench_gpt-4.1"]
    reading = tables["gpt-4.1-2025-04-14_VGRPBench_openai_result"]
    wide = reading["verdicts"].pivot("criterion", index="item_id", values="met")
    assert (wide["perception"].sum(), wide["answer"].sum(), wide.height) == (
        want["perception"]["correct"],
        want["answer"]["correct"],
        want["n"],
    )
    crossed = wide.group_by("perception", "answer").len().rows()
    found = {f"perception={p},answer={a}": n for p, a, n in crossed}
    assert found == {key: n for key, n in want["crosstab"].items() if n}
    assert reading["items"]["capability"].n_unique() == want["categories"]
    assert reading["responses"]["credit"].sum() == want["answer"]["correct"]


@pytest.mark.parametrize("model", ["vila_8b", "vila_13b"])
def test_hallusionbench(tables: dict[str, Reading], expected: Any, model: str) -> None:
    want = expected("vlmevalkit")["HallusionBench"][model]
    rows = scored(tables, f"{model}_HallusionBench_auxmatch")
    assert (rows["credit"].sum(), rows.height) == (want["overall"]["correct"], want["overall"]["n"])
    assert sums(rows, "capability") == cells(want["by_category"])
    assert sums(rows, "subcapability") == cells(want["by_l2"])
    answers = dict(rows.group_by("answer").len().rows())
    assert answers == {
        "Yes": want["extracted"]["Yes"],
        "No": want["extracted"]["No"],
        None: want["extracted"]["Unknown"],
    }
    assert rows.filter(status="invalid_format").height == want["extracted"]["Unknown"]


def test_graded_credit_and_skills(tables: dict[str, Reading]) -> None:
    reading = tables["instructblip_7b_MMVet_gpt4"]
    assert reading["responses"].height == 218
    assert reading["responses"]["credit"].sum() == pytest.approx(48 + 0.9 + 3.5 + 3.6 + 4.5 + 1.2 + 1 + 3.2 + 0.6)
    assert reading.rules()["empty_response"] == 3
    assert set(reading["item_tags"]["tag"]) == {"rec", "ocr", "know", "gen", "spat", "math"}
    assert reading["item_tags"].filter(tag="ocr").height == 96
