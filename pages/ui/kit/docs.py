"""Docstrings on screen: plain paragraphs, whatever width the screen has."""

from __future__ import annotations

import inspect
import re

from pages.ui.kit import plain


def paragraphs(documented: object) -> list[str]:
    """Return the paragraphs of an object's docstring, each on one line, without the marks of code."""
    text = inspect.getdoc(documented) or ""
    return [" ".join(part.split()).replace("`", "") for part in re.split(r"\n\s*\n", text) if part.strip()]


def definition(documented: object) -> None:
    """Show an object's docstring as plain text."""
    for words in paragraphs(documented):
        plain.text(words)
