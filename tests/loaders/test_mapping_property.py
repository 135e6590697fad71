"""For any table and any mapping of it: kept + refused = seen, and every stored value stands in the table."""

import csv
import re
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from loaders.mapping_apply import own_source, reader_of
from loaders.mapping_profile import parse_profile
from loaders.mapping_scoring import letters
from loaders.mapping_toml import to_toml
from loaders.stage import open_stage, take

CELLS = st.sampled_from(["", "a", "b ", "A", "B", "0", "1", "0.5", "7", "nan", "yes", "no", " ", "é", "A,B", "x|y"])
COLUMNS = ("c0", "c1", "c2", "c3", "c4")
TEXTS = ("answer", "response", "rationale", "reference", "prompt", "capability", "tier", "cluster", "status_note")


@st.composite
def cases(draw):
    """A table of five columns, and a profile that maps some of them."""
    rows = draw(st.lists(st.tuples(*[CELLS] * len(COLUMNS)), max_size=12))
    column = st.sampled_from(COLUMNS)
    raw = {"layout": draw(st.sampled_from(["long", "wide"])), "file": {"format": "csv", "columns": ["c0"]}}
    raw["benchmark"] = {"name": "b"}
    fields = {"item": draw(column)} | {name: draw(column) for name in draw(st.sets(st.sampled_from(TEXTS), max_size=4))}
    result = draw(st.sampled_from(["credit", "answer"]))
    of_run = {name: fields.pop(name) for name in ("answer", "response", "rationale", "status_note") if name in fields}
    of_run[result] = draw(column)
    if raw["layout"] == "wide":
        raw["runs"] = [{"run": f"r{k}"} | of_run for k in range(draw(st.integers(1, 3)))]
    else:
        fields |= {"run": draw(column), **of_run}
    if result == "credit" and draw(st.booleans()):
        raw["values"] = {"credit": {"yes": 1, "no": 0}}
    if result == "credit" and draw(st.booleans()):
        raw["scale"] = {"credit": [0, 7]}
    if result == "answer" and "reference" in fields and draw(st.booleans()):
        raw["scoring"] = {"rule": draw(st.sampled_from(["exact_letter", "exact_text"]))}
    raw |= {"fields": fields, "constants": {"answer_type": draw(st.sampled_from(["open", "single_choice"]))}}
    return rows, raw


@settings(max_examples=60, deadline=None)
@given(cases())
def test_nothing_is_lost_and_nothing_is_invented(case):
    rows, raw = case
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, quoting=csv.QUOTE_ALL).writerows([COLUMNS, *rows])
        profile = parse_profile(to_toml(raw, {}), "t.scoreproof.toml")
        con = open_stage(":memory:")
        try:
            tally = take(
                con, reader_of(profile), own_source(path), source_id="s", provenance="imported",
                on_rows=lambda _: None,
            )  # fmt: skip
            stored = con.sql("SELECT * FROM log.responses").pl()
            items = con.sql("SELECT * FROM log.items").pl()
        finally:
            con.close()
    runs = max(1, len(raw.get("runs", [])))
    assert not [issue for issue in tally.issues if issue.rule == "reader_failed"]
    assert tally.seen == len(rows) * runs or not rows
    assert tally.kept + tally.refused == tally.seen
    assert stored.height == tally.kept
    cells = {cell.strip() for row in rows for cell in row} | {cell for row in rows for cell in row}
    for frame, names in ((stored, ("item_id", "response", "rationale", "status_note")), (items, ("prompt", "tier"))):
        for name in names:
            assert set(frame[name].drop_nulls()) <= cells, name
    # An answer is a cell, or the letters that a cell is; a credit is a cell's number, on the scale, or the rule's.
    spelt = {letters(cell, None) for cell in cells} | {",".join(sorted(set(re.findall("[A-Z]", c)))) for c in cells}
    assert set(stored["answer"].drop_nulls()) <= cells | spelt
    numbers = {0.0, 1.0, *(float(cell) for cell in cells if re.fullmatch(r"[0-9.]+", cell))}
    assert set(stored["credit"].drop_nulls()) <= numbers | {number / 7 for number in numbers}
    lines = stored["line"].to_list()
    assert all(2 <= line <= len(rows) + 1 for line in lines)
