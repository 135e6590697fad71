"""The only way that text of a log reaches the screen: as text.

Streamlit renders markdown in labels, captions, metrics, tables, tabs and messages: a picture in a model's answer would
be fetched from its address, and `$5 and $6` would turn into a formula.
"""

from __future__ import annotations

import re
from typing import Literal

import streamlit as st

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!$:<>~|&=^\"'/@])")
_ZERO_WIDTH = "\N{WORD JOINER}"
_SPACES = re.compile(r"\s+")


PASSAGE = 100_000
"""Characters of one text that a page shows: megabytes in one element freeze a browser."""


def text(words: str) -> None:
    """Show words of a log as running text."""
    st.text(cut(words))


def block(words: str, *, height: int | None = None) -> None:
    """Show a longer passage of a log: fixed pitch, wrapped, with a copy button; scrolls past `height` pixels."""
    st.code(cut(words), language=None, wrap_lines=True, height=height or "content")


def cut(words: str, *, most: int = PASSAGE) -> str:
    """Return the start of a text that would freeze the page, with a sentence that says how long it is."""
    if len(words) <= most:
        return words
    said = f"... (the first {most:,} of {len(words):,} characters; `scoreproof ask` and exports give all)"
    return f"{words[:most]}\n{said}"


def note(sentence: str, *, kind: Literal["info", "warning", "error"]) -> None:
    """Show a sentence that may quote a log or an address: a bordered box with plain text."""
    sign = {"info": "\N{INFORMATION SOURCE}", "warning": "\N{WARNING SIGN}", "error": "\N{CROSS MARK}"}[kind]
    with st.container(border=True):
        st.text(f"{sign}  {cut(sentence, most=4_000)}")


def label(words: str, *, most: int = 80) -> str:
    """Return words of a log as a label: markdown's signs escaped, one line, at most `most` characters.

    A word joiner after each sign keeps addresses, shortcodes and mail addresses from being found in the unescaped text.
    """
    line = _SPACES.sub(" ", words[: 20 * most]).strip()
    short = line if len(line) <= most else line[: most - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
    escaped = _MARKS.sub(r"\\\1", short)
    return re.sub(r"(\\[:@./])", rf"\1{_ZERO_WIDTH}", escaped) or "\N{EM DASH}"
