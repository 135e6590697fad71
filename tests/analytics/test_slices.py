"""Slices: predicate with bound values, sentence, URL parameters, errors with the nearest spelling."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.errors import UnknownName, UnknownValue
from analytics.slices import KEYS, Slice, check, dimensions
from tests.stores import toy_store

CHOICES = st.dictionaries(st.sampled_from(sorted(KEYS)), st.lists(st.text(min_size=1), min_size=1, max_size=4))


@given(CHOICES)
def test_the_url_round_trips_and_spelling_does_not_matter(choices):
    chosen = Slice.of(**choices)
    assert Slice.from_params(chosen.to_params()) == chosen
    turned = Slice.of(**{k: list(reversed(v)) + v for k, v in reversed(list(choices.items()))})
    assert turned == chosen
    assert hash(turned) == hash(chosen)
    assert turned.digest() == chosen.digest()


@given(CHOICES)
def test_values_never_enter_the_predicate(choices):
    where, params = Slice.of(**choices).where()
    plain, _ = Slice.of(**{name: ["x"] for name in choices}).where()
    assert where == plain
    assert sorted(params) == sorted(f"where_{name}" for name in choices)


def test_sentences():
    assert Slice().sentence() == "every item and every run"
    chosen = Slice.of(capability=["b", "a", "c"], media_type="image", condition="none")
    assert chosen.sentence() == ("capability is a, b or c; condition is not stated (none); media type is image")


def test_unknown_key_names_the_nearest():
    with pytest.raises(UnknownName, match="Did you mean 'capability'"):
        Slice.of(capabillity="x")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return toy_store(
        tmp_path_factory.mktemp("slices"),
        items=[
            {"item_id": "i0", "capability": "Counting", "media_type": "image"},
            {"item_id": "i1", "capability": None, "media_type": "video"},
            {"item_id": "i2", "capability": "O'Brien; DROP TABLE items", "media_type": "video"},
        ],
        item_tags=[
            {"item_id": "i0", "kind": "skill", "tag": "colour"},
            {"item_id": "i0", "kind": "skill", "tag": "shape"},
            {"item_id": "i2", "kind": "skill", "tag": "colour"},
        ],
        runs=[{"run_id": "r", "vendor": "v"}],
        responses=[{"run_id": "r", "item_id": f"i{k}", "credit": 1.0} for k in range(3)],
    )


def rows(store, **choices):
    where, params = Slice.of(**choices).where()
    with store.cursor() as cursor:
        joined = "scores JOIN item_dims USING (item_idx) JOIN run_dims USING (run_idx)"
        sql = f"SELECT item_id FROM {joined} WHERE {where} ORDER BY 1"
        return [row[0] for row in cursor.execute(sql, params or None).fetchall()]


def test_predicates_select_what_they_say(store):
    assert rows(store) == ["i0", "i1", "i2"]
    assert rows(store, capability="none") == ["i1"]
    assert rows(store, capability=["Counting", "none"]) == ["i0", "i1"]
    assert rows(store, capability="O'Brien; DROP TABLE items") == ["i2"]
    assert rows(store, media_type="video", vendor="v") == ["i1", "i2"]
    assert rows(store, vendor="other") == []


def test_tags_do_not_multiply_rows(store):
    assert rows(store, tag=["colour", "shape"]) == ["i0", "i2"]


def test_values_are_checked_against_the_store(store):
    with store.cursor() as cursor:
        check(cursor, Slice.of(capability="Counting", tag="shape", kind="model"))
        with pytest.raises(UnknownValue, match="Did you mean 'Counting'"):
            check(cursor, Slice.of(capability="Countin"))
        with pytest.raises(UnknownValue, match="The store has: image, video"):
            check(cursor, Slice.of(media_type="hologram"))


def test_every_key_has_its_values(store):
    with store.cursor() as cursor:
        table = dimensions(cursor, benchmarks=None)
        none = dimensions(cursor, benchmarks=["elsewhere"])
    assert set(table["key"]) == set(KEYS)
    assert none.height == 0
    tags = {row["value"]: row["items"] for row in table.to_dicts() if row["key"] == "tag"}
    assert tags == {"colour": 2, "shape": 1}
