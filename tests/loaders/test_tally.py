"""Records that were kept with a doubt are counted, not the doubts themselves."""

from array import array

import polars as pl
import pytest

from loaders.base import Issue
from loaders.located import EXAMPLES
from loaders.mapping_profile import parse_profile
from loaders.mapping_try import try_profile
from loaders.tally import Tally
from loaders.validate import validate

LONG = """
layout = "long"
file = { format = "csv", columns = ["id"] }
benchmark = { name = "b" }
fields = { item = "id", run = "run", credit = "score", confidence = "sure", seconds = "time" }
constants = { answer_type = "open" }
"""


@pytest.mark.parametrize("rows", [3, EXAMPLES + 15])
def test_a_record_with_two_doubts_counts_once(tmp_path, rows):
    path = tmp_path / "t.csv"
    lines = [f"{k},a,1,{'high' if k else '0.5'},long" for k in range(rows)]
    path.write_text("\n".join(["id,run,score,sure,time", *lines, "last,a,1,0.5,3"]))
    found = try_profile(parse_profile(LONG, "t.scoreproof.toml"), path)
    assert found.rules.filter(severity="doubted")["records"].sum() == 2 * rows - 1
    assert (found.kept, found.doubted) == (rows + 1, rows)


def test_the_places_of_many_broken_rows_are_kept_in_eight_bytes_each():
    frame = pl.DataFrame({"run_id": "a", "item_id": [str(k) for k in range(EXAMPLES + 15)], "credit": 7.0})
    _, issues = validate("responses", frame.with_columns(line=pl.int_range(2, frame.height + 2, dtype=pl.Int32)))
    rest = next(issue for issue in issues if issue.records > 1)
    assert rest.lines == array("q", range(EXAMPLES + 2, EXAMPLES + 17))
    _, unplaced = validate("responses", frame)
    assert [issue.lines for issue in unplaced if issue.records > 1] == [None]


def test_records_that_share_a_line_are_told_by_their_number_alone():
    tally = Tally(seen=10)
    for line in (3, 3, 4):
        tally.add(Issue("not_finite", "doubted", "NaN.", line), counts=False)
    assert tally.doubted == 2
    tally.add(Issue("item_conflict", "doubted", "Differs.", records=2), counts=False)
    assert tally.doubted == 4
    tally.shared_lines = True
    assert tally.doubted == 5
    tally.add(Issue("item_conflict", "doubted", "Differs.", records=99), counts=False)
    assert tally.doubted == tally.kept == 10
