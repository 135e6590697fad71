"""Documents are kept true: their examples run, and every reader, question, page and command is described."""

import json
import re
import textwrap
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import cli
from analytics.policy import Policy
from analytics.questions import questions
from analytics.schema import TABLES
from analytics.slices import Slice
from analytics.store import Store
from loaders.base import readers
from loaders.warehouse import build
from pages.ui.kit import links
from tests.stores import toy_store

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def example(heading):
    """Return the code block under one heading of the guide."""
    section = GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]


def run(code):
    space = {"__name__": "example"}
    exec(compile(code, "CONTRIBUTING.md", "exec"), space)
    return space


def test_the_readmes_check_of_a_table_finds_what_it_says(tmp_path, capsys):
    section = README.split("\n## Check a paper's table\n")[1].split("\n## ")[0]
    for name, kind in (("results.csv", "csv"), ("identities.toml", "toml")):
        block = re.search(rf"```{kind}\n(.*?)```", section, re.DOTALL)[1]
        (tmp_path / name).write_text(textwrap.dedent(block))
    assert cli.main(["audit", "--published", str(tmp_path), "--json"]) == 0
    targets = [cell for cell in json.loads(capsys.readouterr().out)["cells"] if cell["column"] == "accuracy"]
    assert {cell["row"]: cell["status"] for cell in targets} == {"A": "reproduced", "B": "contradicted"}
    assert "48 of 72 are 66.67" in section
    assert "66.67" in targets[1]["why"]


def test_the_guides_question_runs(tmp_path):
    store = toy_store(
        tmp_path,
        items=[{"item_id": "i0"}, {"item_id": "i1"}],
        runs=[{"run_id": "r"}],
        responses=[{"run_id": "r", "item_id": "i0", "credit": 1.0}],
    )
    question = run(example("A question"))["QUESTION"]
    with store.cursor() as cursor:
        answer = question.ask(cursor, Slice(), Policy())
    assert answer.table.to_dicts() == [{"run": "r", "n": 1}]
    assert answer.table.columns == [column.name for column in question.columns]


def test_the_guides_reader_runs(tmp_path):
    reader = run(example("A reader"))["READER"]
    (tmp_path / "t.json").write_text(json.dumps({"tally-of-run": "r", "right": {"a": True, "b": False}}))
    report = build([str(tmp_path / "t.json")], tmp_path / "S", add=False, known=[reader])
    assert not report.issues
    with Store(tmp_path / "S").cursor() as cursor:
        assert cursor.execute("SELECT sum(raw)::DOUBLE, count(raw) FROM scores").fetchall() == [(1.0, 2)]


def test_the_guides_page_runs(tmp_path, monkeypatch):
    log = {
        "items": [{"item_id": "i0"}],
        "runs": [{"run_id": "r"}],
        "responses": [{"run_id": "r", "item_id": "i0", "credit": 1.0}],
    }
    monkeypatch.setenv("SCOREPROOF_STORE", str(toy_store(tmp_path, **log).folder))
    page = tmp_path / "pages" / "99_statuses.py"
    page.parent.mkdir()
    page.write_text(example("A page"), encoding="utf-8")
    # The file stands outside the project, where links to it cannot lead.
    known = links.Page("pages/01_leaderboard.py", 1, "Statuses", "What became of the attempts of each run?")
    monkeypatch.setattr(links, "this", lambda file: known)
    monkeypatch.setattr("streamlit.page_link", lambda *args, **kwargs: None)
    app = AppTest.from_file(str(page), default_timeout=60).run()
    assert not app.exception
    assert app.metric[0].value == "1"
    assert app.dataframe[0].value["responses"].to_list() == [1]


@pytest.mark.parametrize("reader", readers(), ids=lambda reader: reader.name)
def test_every_reader_is_in_the_readme(reader):
    assert f"`{reader.name}`" in README
    assert reader.title
    assert reader.fields


@pytest.mark.parametrize("question", questions().values(), ids=lambda question: question.name)
def test_every_question_says_what_it_is(question):
    assert question.asks.endswith("?")
    assert question.source
    assert question.needs
    doc = question.ask.__doc__ or ""
    assert re.search(r"one (row|item|number)", doc, re.IGNORECASE), f"{question.name}: say what one row is"
    names = [column.name for column in question.columns]
    assert len(names) == len(set(names))
    assert all(column.meaning for column in question.columns)
    assert all(option.meaning for option in question.options)


@pytest.mark.parametrize("path", sorted((ROOT / "pages").glob("*.py")), ids=lambda path: path.stem)
def test_every_page_says_its_question(path):
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert re.fullmatch(r'"""[^·]+ · .+(\.|\?)"{0,3}', first), first


def test_every_table_says_its_grain():
    for table in TABLES.values():
        assert table.grain
        assert set(table.key) <= set(table.names())
        assert all(column.meaning for column in table.columns)


def test_every_command_is_in_the_readme():
    actions = [a for a in cli.parser()._actions if a.dest == "command"]
    for command in actions[0].choices:
        assert f"scoreproof {command}" in README, command


def test_the_readmes_commands_are_targets_of_the_makefile():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"make ([a-z]+)", README)) <= targets
