"""The cube's SQL is portable: Spark can build the same tables from the same inputs."""

from pathlib import Path

import sqlglot

CUBE = Path(__file__).resolve().parent.parent.parent / "analytics" / "cube.sql"


def test_the_cube_transpiles_to_spark():
    text = ";".join(
        sqlglot.transpile(CUBE.read_text(), read="duckdb", write="spark", unsupported_level=sqlglot.ErrorLevel.RAISE)
    )
    made = [s for s in sqlglot.parse(text, read="spark") if isinstance(s, sqlglot.exp.Create)]
    tables = [statement.this.name for statement in made]
    assert tables == ["cube", "cube_levels", "cube_pairs"]


def test_the_cube_uses_no_function_of_one_engine():
    known = {"Count", "Sum", "Max", "Coalesce", "Round", "Cast", "Case", "If", "And", "Or"}
    for statement in sqlglot.parse(CUBE.read_text(), read="duckdb"):
        used = {type(node).__name__ for node in statement.find_all(sqlglot.exp.Func)}
        assert used <= known, used - known
