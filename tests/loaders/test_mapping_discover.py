"""Which profile reads which file: beside it, after the readers unless it names the file, and never two."""

import pytest

from loaders.discover import discover
from loaders.mapping_find import profile_path, save_profile
from tests.browser.served import ROOT

PROFILE = """
layout = "long"
file = { format = "csv", columns = ["id", "who"] }
benchmark = { name = "b" }
fields = { item = "id", model = "who", credit = "ok" }
constants = { answer_type = "open" }
"""
TABLE = "id,who,ok\n1,m,1\n2,m,0\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    return tmp_path


def found(path):
    return {c.source.path.name: c for c in discover(str(path))}


def test_a_file_and_its_folder_find_the_profile_beside_it(folder):
    (folder / "any.scoreproof.toml").write_text(PROFILE)
    for argument in (folder, folder / "t.csv"):
        candidate = found(argument)["t.csv"]
        assert candidate.reader is not None
        assert candidate.reader.name == "mapping"
        assert candidate.reader.version.startswith("1 any.scoreproof.toml ")
    assert found(folder)["any.scoreproof.toml"].companion


def test_a_profile_is_not_for_other_columns_formats_or_folders(folder):
    (folder / "scoreproof.toml").write_text(PROFILE)
    (folder / "u.csv").write_text("id,what\n1,m\n")
    (folder / "v.tsv").write_text(TABLE.replace(",", "\t"))
    (folder / "deep").mkdir()
    (folder / "deep" / "w.csv").write_text(TABLE)
    rules = {name: c.issue.rule for name, c in found(folder).items() if c.issue}
    assert rules == dict.fromkeys(("u.csv", "v.tsv", "w.csv"), "unknown_format")


def test_a_reader_wins_unless_the_profile_names_the_file(folder):
    demo = (ROOT / "logs" / "demo" / "eight.jsonl").read_text()
    (folder / "eight.jsonl").write_text(demo)
    text = PROFILE.replace('"csv", columns = ["id", "who"]', '"jsonl", columns = ["item_id"]')
    (folder / "scoreproof.toml").write_text(text)
    assert found(folder)["eight.jsonl"].reader.name == "psycheme"
    (folder / "scoreproof.toml").write_text(text.replace('columns = ["item_id"]', 'names = ["eight.*"]'))
    assert found(folder)["eight.jsonl"].reader.name == "mapping"


def test_two_profiles_for_one_file_are_named(folder):
    (folder / "a.scoreproof.toml").write_text(PROFILE)
    (folder / "b.scoreproof.toml").write_text(PROFILE)
    issue = found(folder)["t.csv"].issue
    assert issue.rule == "two_profiles"
    assert "a.scoreproof.toml and b.scoreproof.toml" in issue.message
    (folder / "b.scoreproof.toml").write_text(PROFILE.replace('columns = ["id", "who"]', 'names = ["t.csv"]'))
    assert found(folder)["t.csv"].reader.version.startswith("1 b.scoreproof.toml ")


def test_a_broken_profile_is_said_of_itself_and_of_the_file(folder):
    (folder / "a.scoreproof.toml").write_text(PROFILE.replace('"ok"', '"?"'))
    for name in ("a.scoreproof.toml", "t.csv"):
        issue = found(folder)[name].issue
        assert issue.rule == "bad_profile"
        assert "a.scoreproof.toml: fields.credit is still open" in issue.message
    assert found(folder / "t.csv")["t.csv"].issue.rule == "bad_profile"


def test_an_unknown_file_is_told_the_closest_reader_and_what_it_lacks(folder):
    (folder / "u.csv").write_text("item_id,model,coverage,evidence,logic,gold\n1,m,present,weak,sound,A\n")
    message = found(folder)["u.csv"].issue.message
    assert "Closest: psycheme, of whose columns it has" in message
    assert "lacks a column for" in message
    assert "responses.credit (answer_credit, credit, raw_credit and 5 more)" in message
    assert "scoreproof build FILE --suggest" in message
    assert "u.scoreproof.toml" in message


def test_a_saved_profile_never_overwrites_another(folder):
    first = save_profile(folder / "t.csv", PROFILE)
    assert first == folder / "t.scoreproof.toml"
    assert profile_path(folder / "t.csv") == folder / "t-2.scoreproof.toml"
    assert save_profile(folder / "t.csv", "x") == folder / "t-2.scoreproof.toml"
    assert first.read_text() == PROFILE
