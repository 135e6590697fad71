"""Folders and records typed out in a test."""

from analytics.audit.check import checks_of, claim_check
from analytics.audit.tables import Folder

FIGURES = """
[[table]]
file = "t.csv"
document = "doc"
place = "Table 1"
keys = ["name"]
{columns}
"""


def folder(table, units, base=None):
    """A folder with one table; `units` maps column to unit."""
    columns = "\n".join(f'columns.{name} = {{ unit = "{unit}" }}' for name, unit in units.items())
    return Folder({"t.csv": table, "figures.toml": FIGURES.format(columns=columns)}, base, "doc")


def check(record, where):
    """The verdict of an identity with one check."""
    (made,) = checks_of({"id": "i", "file": "t.csv", **record}, where, asker=None, others=None)
    return made.verdict


def claim(kind, number, inputs=None, **rest):
    """The verdict of a claim on numbers alone; inputs are exact numbers or texts as printed."""
    record = {"id": "c", "kind": kind, "number": number, "inputs": inputs or {}, "unit": "percent", **rest}
    return claim_check(record, Folder({}, None, "none"), asker=None, others=None).verdict
