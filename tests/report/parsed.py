"""A report read back from its HTML: every element, every table with its numbers and its command."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "link", "img", "source"}


@dataclass
class Table:
    """One table: the question, the titles, the cells (unrounded numbers, texts as shown), and the command below it."""

    question: str
    heads: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    shown: list[list[str]] = field(default_factory=list)
    command: list[str] = field(default_factory=list)


@dataclass
class Parsed(HTMLParser):
    """The report's elements with their attributes, its texts, and its tables."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    _open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "table":
            self.tables.append(Table(given["data-question"]))
        elif tag == "tr" and "tbody" in self._open:
            self.tables[-1].rows.append([])
            self.tables[-1].shown.append([])
        elif tag == "th":
            self.tables[-1].heads.append("")
        elif tag == "td":
            self.tables[-1].rows[-1].append("")
            self.tables[-1].shown[-1].append("")
        elif tag == "data":
            self.tables[-1].rows[-1][-1] = given["value"]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        here = self._open[-1] if self._open else ""
        self.texts.append(data)
        if here == "th":
            self.tables[-1].heads[-1] += data
        elif here in ("td", "data"):
            self.tables[-1].shown[-1][-1] += data
            if here == "td":
                self.tables[-1].rows[-1][-1] += data
        elif here == "code":
            self.tables[-1].command = shlex.split(data)

    def text(self) -> str:
        return "".join(self.texts)


def parsed(html: str) -> Parsed:
    """Read a report; fails where an element is not closed in its place."""
    reader = Parsed()
    reader.feed(html)
    reader.close()
    assert reader._open == []
    return reader


def column(head: str) -> str:
    """Return the column of the answer that a title names."""
    return head.partition(" (")[0].replace(" ", "_")


def numbers(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table by column, numbers as numbers, as `scoreproof ask --format json` has them."""
    return [{column(head): value for head, value in zip(table.heads, row, strict=True)} for row in table.rows]
