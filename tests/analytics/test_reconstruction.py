"""The account of the reconstruction as questions: counts are those of the figures, and only where rows are rebuilt."""

from collections import Counter

import pytest

from analytics.errors import EmptySlice
from analytics.reconstruction import STATUSES
from tests.asking import asked, rows
from tests.stores import toy_store

ITEM = {"item_id": "i0"}


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory):
    item = ITEM | {"provenance": "reconstructed"}
    return toy_store(tmp_path_factory.mktemp("rebuilt"), items=[item], runs=[{"run_id": "r"}], responses=[])


def test_counts_by_table_add_up_to_the_figures(rebuilt):
    tables = rows(rebuilt, "reconstruction")
    figures = rows(rebuilt, "reconstruction_figures", status="all")
    found = Counter((figure["file"], figure["status"]) for figure in figures)
    assert len(figures) == sum(table["figures"] for table in tables) > 2000
    for table in tables:
        assert [table[status] for status in STATUSES] == [found[table["file"], status] for status in STATUSES]
        assert table["checked"] + table["outside"] == table["figures"] == sum(table[status] for status in STATUSES)


def test_an_exception_says_why(rebuilt):
    exceptions = rows(rebuilt, "reconstruction_figures")
    assert {figure["status"] for figure in exceptions} == {"assumption", "unreachable"}
    assert all(figure["reason"] for figure in exceptions)
    outside = rows(rebuilt, "reconstruction_figures", status="outside")
    assert all(figure["reached"] is None for figure in outside)
    replayed = [f for f in exceptions if f["row"] == "replayed_table_values"]
    assert [(f["printed"], f["status"]) for f in replayed] == [("190", "unreachable")]


def test_what_is_free_has_its_rule(rebuilt):
    free = rows(rebuilt, "reconstruction_free")
    assert {"psycheme", "hss", "srb"} <= {entry["benchmark"] for entry in free}
    assert all(entry["what"] and entry["rule"] for entry in free)


@pytest.mark.parametrize("name", ["reconstruction", "reconstruction_figures", "reconstruction_free"])
def test_a_store_without_rebuilt_rows_has_no_such_account(name, tmp_path):
    store = toy_store(tmp_path, items=[ITEM], runs=[{"run_id": "r"}], responses=[])
    with pytest.raises(EmptySlice, match="reconstructed rows"):
        asked(store, name)
