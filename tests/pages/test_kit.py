"""Parts of the kit that can be told apart from Streamlit."""

from __future__ import annotations

from pathlib import Path

from pages.ui.kit import media, plain


def test_a_label_escapes_markdown_and_stays_on_one_line() -> None:
    label = plain.label("![x](http://evil.invalid/i.png) $a$\n:red[b]")
    assert "\n" not in label
    for sign in ("!\\[", "http:/", "$a$", ":red["):
        assert sign.replace("\\", "") not in label
    assert plain.label("x" * 200).count("x") == 79
    assert plain.label("   ") == "\N{EM DASH}"


def test_media_stay_inside_their_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (log / "images").mkdir(parents=True)
    (log / "images" / "a.png").write_bytes(b"png")
    (tmp_path / "secret.png").write_bytes(b"png")
    (log / "link.png").symlink_to(tmp_path / "secret.png")
    assert media.find("images/a.png", [str(log)]) == (log / "images" / "a.png").resolve()
    for path in (
        "../secret.png",
        str(tmp_path / "secret.png"),
        "link.png",
        "http://evil.invalid/x.png",
        "\0",
        "images",
    ):
        assert media.find(path, [str(log)]) is None
