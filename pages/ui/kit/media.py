"""Media of an item: shown only from inside the folder of the log that names them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from pages.ui.kit import plain

VIDEO_WIDTH = 640
"""Pixels of a video at most: small clips blown up to the page's width are a blur."""

_video = partial(st.video, width=VIDEO_WIDTH)
SHOWN = {
    ".png": st.image, ".jpg": st.image, ".jpeg": st.image, ".webp": st.image, ".gif": st.image,
    ".mp4": _video, ".webm": _video, ".wav": st.audio, ".mp3": st.audio, ".ogg": st.audio,
}  # fmt: skip
"""How a file is shown by its ending; SVG is not among them, it can carry scripts."""


def find(path: str, roots: Sequence[str]) -> Path | None:
    """Return the file that a log's relative path means under one of the log folders; None when it is in none of them.

    A path that leads out of its folder is not followed.
    """
    for root in roots:
        base = Path(root).resolve()
        base = base if base.is_dir() else base.parent
        try:
            file = (base / path).resolve()
            if file.is_relative_to(base) and file.is_file():
                return file
        except (OSError, ValueError):
            continue
    return None


def media(path: str, roots: Sequence[str]) -> None:
    """Show a picture, a video or a sound, or say where the log puts it and that it is not here."""
    file = find(path, roots)
    if file is None or file.suffix.lower() not in SHOWN:
        plain.text(f"Media: {path} (not among the loaded folders, or of a kind that is not shown)")
        return
    SHOWN[file.suffix.lower()](str(file))
    plain.text(path)
