"""Folders of tables: declared, served by the embedded declarations, or guessed; selectors and their errors."""

from fractions import Fraction

import pytest

from analytics.audit.cells import groups, select
from analytics.audit.check import checks_of
from analytics.audit.numbers import ROUNDED
from analytics.audit.records import claims_of, identities_of, needs_rows
from analytics.audit.run import audit, summary
from analytics.audit.tables import Folder, embedded, folder_of
from analytics.errors import BadLog, NoStore, UnknownName
from tests.audit.records import check, folder

EMBEDDED = embedded()
STRANGE = "model,a,b,total\nx,10.0,20.0,30.0\ny,11.5,22.5,33.8\n"
SUMS = """
[[identity]]
id = "sums"
kind = "sum"
file = "results.csv"
each = "row"
target = "total"
inputs.parts = { column = ["a", "b"] }
"""


def values(selector, where, group=(), file="t.csv"):
    return [c.interval.value for c in select(where, selector, file, group, reading=ROUNDED)]


def test_a_table_and_two_lines_are_enough():
    """A table typed into a CSV and one identity beside it: no figures.toml."""
    found = audit(Folder({"results.csv": STRANGE, "identities.toml": SUMS}, EMBEDDED, "mine"), claims=None, cursor=None)
    by_row = {(c.place.row, c.place.column): c for c in found.cells}
    assert by_row["x", "total"].status == "reproduced"
    assert by_row["y", "total"].status == "contradicted"
    assert "results.csv: y: a, b" in by_row["y", "total"].why
    assert summary(found)["contradictions"] == 1
    assert found.claims == ()


def test_guessed_units():
    text = "model,n,acc,share,k\nx,12,50,0.250,3\ny,13,51,0.750,4\n"
    table = Folder({"t.csv": text}, None, "d").table("t.csv")
    assert table.keys == ("model",)
    assert {name: told["unit"] for name, told in table.columns.items()} == {
        "n": "count",
        "acc": "percent",
        "share": "proportion",
        "k": "count",
    }


def test_embedded_declarations_serve_a_table_of_the_same_name_and_columns():
    text = EMBEDDED.texts["psycheme_table2.csv"]
    theirs = Folder({"psycheme_table2.csv": text}, EMBEDDED, "copy")
    assert theirs.table("psycheme_table2.csv").served == "embedded"
    ids = {record["id"] for record in identities_of(theirs)[0]}
    assert "psycheme_table2.macro" in ids
    assert "psycheme_table2.raw_selected" not in ids  # needs a table that is not there
    assert identities_of(theirs)[1] != {}
    other = Folder({"psycheme_table2.csv": "model,x\na,1.5\n"}, EMBEDDED, "other")
    assert other.table("psycheme_table2.csv").served == "guessed"
    assert identities_of(other)[0] == []
    assert claims_of(other)[0] == []


def test_embedded_claims_come_with_the_tables_that_they_need():
    theirs = Folder({"psycheme_table2.csv": EMBEDDED.texts["psycheme_table2.csv"]}, EMBEDDED, "copy")
    ids = {claim["id"] for claim in claims_of(theirs)[0]}
    assert {"P01", "P02", "P03"} <= ids
    assert "P12" not in ids
    assert needs_rows(EMBEDDED, None)
    assert not needs_rows(Folder({"results.csv": STRANGE, "identities.toml": SUMS}, EMBEDDED, "mine"), None)


def test_keys_name_rows_and_text_columns_are_no_numbers():
    where = folder("name,a,b\nx,1.5,\ny,2.5,7\n", {"a": "percent", "b": "count"})
    assert values("a", where, (where.table("t.csv").rows[1],)) == [Fraction("2.5")]
    assert values({"row": "y", "column": ["a", "b"]}, where) == [Fraction("2.5"), 7]
    assert values({"column": "b"}, where) == [7]  # an empty cell is not printed, which is not zero
    assert values({"column": "a", "agg": "mean"}, where) == [2]
    assert values({"column": "a", "times": 0.2}, where) == [Fraction("0.3"), Fraction("0.5")]
    assert values({"column": "a", "without": {"name": "x"}}, where) == [Fraction("2.5")]
    assert values({"printed": "59.50"}, where) == [Fraction("59.5")]


@pytest.mark.parametrize(
    ("selector", "says"),
    [
        ({"file": "u.csv", "column": "a"}, "no table u.csv"),
        ({"column": "aa"}, "no column 'aa'"),
        ({"row": "z", "column": "a"}, "no row 'z'"),
        ({"column": "a", "where": {"nam": "x"}}, "no column 'nam'.*Did you mean 'name'"),
        ({"column": "a", "where": {"name": "$nam"}}, "no column of the row at hand"),
        ({"where": {}}, "names no column"),
    ],
)
def test_selectors_that_point_at_nothing_say_so(selector, says):
    where = folder("name,a\nx,1.5\n", {"a": "percent"})
    with pytest.raises(UnknownName, match=says):
        values(selector, where)
    assert (
        check({"kind": "sum", "target": {"column": "a"}, "inputs": {"parts": selector}}, where).status
        == "not_checkable"
    )


def test_an_unprinted_target_or_input_makes_no_accusation():
    where = folder("name,a,b\nx,,3\ny,1,\n", {"a": "count", "b": "count"})
    statuses = [
        c.verdict.status
        for c in checks_of(
            {"id": "i", "kind": "sum", "file": "t.csv", "each": "row", "target": "a", "inputs": {"parts": "b"}},
            where,
            asker=None,
            others=None,
        )
    ]
    assert statuses == ["not_checkable", "not_checkable"]


def test_groups_of_rows():
    where = folder("name,a\nx,1\nx,2\ny,3\n", {"a": "count"})
    assert [len(rows) for rows in groups(where, {"file": "t.csv", "each": ["name"]})] == [2, 1]
    assert len(groups(where, {"file": "t.csv", "each": "row", "skip": {"name": "x"}})) == 1
    assert groups(where, {"file": "t.csv"}) == [()]


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(NoStore, match="no folder"):
        folder_of(tmp_path / "none", base=None)
    (tmp_path / "t.csv").write_bytes(b"name,a\nx,\xff\n")
    with pytest.raises(BadLog, match=r"t\.csv is not UTF-8 at byte 9"):
        folder_of(tmp_path, base=None)
    with pytest.raises(BadLog, match="cannot be read as TOML"):
        Folder({"identities.toml": "[[identity]"}, None, "d").toml("identities.toml", "identity")
    with pytest.raises(BadLog, match="more cells"):
        Folder({"t.csv": "a,b\n1,2,3\n"}, None, "d").tables  # noqa: B018
    missing = Folder(
        {"t.csv": "name,a\nx,1\n", "figures.toml": '[[table]]\nfile = "t.csv"\nkeys = ["nom"]\n'}, None, "d"
    )
    assert missing.table("t.csv").keys == ("name",)
    assert "no column nom" in missing.faults[0]
