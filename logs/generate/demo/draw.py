"""Draw the pictures of the demo cases: ``python -m logs.generate.demo.draw``. The same bytes come out each time."""

from __future__ import annotations

import io

import vl_convert
from PIL import Image

from logs.generate.demo.make import FOLDER

INK, PAPER, WALL, WOOD, RED, BLUE, GREY = "#26323a", "#f6f1e7", "#e3ebef", "#b98a5a", "#c8553d", "#2f6f9f", "#9aa5ab"


def line(*points: float, width: float = 4, colour: str = INK) -> str:
    """Return an open line through points given as x, y, x, y ..."""
    pairs = " ".join(f"{x:g},{y:g}" for x, y in zip(points[::2], points[1::2], strict=True))
    return f'<polyline points="{pairs}" fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round"/>'


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """Return an outlined box."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="3" fill="{fill}" '
        f'stroke="{INK}" stroke-width="3"/>'
    )


def disc(x: float, y: float, radius: float, fill: str) -> str:
    """Return an outlined disc."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK}" stroke-width="3"/>'


def person(x: float, foot: float, height: float, *, coat: str = BLUE, lean: float = 0, look: float = 0) -> str:
    """Return a figure of a person; `lean` moves the head, `look` is the side that the face is turned to."""
    head, hip = foot - height, foot - 0.45 * height
    top = x + lean
    return (
        line(x, hip, x - 0.13 * height, foot) + line(x, hip, x + 0.13 * height, foot)
        + line(top, head + 0.2 * height, x, hip, width=0.16 * height, colour=coat)
        + line(top, head + 0.3 * height, top + 0.2 * height, hip - 0.02 * height)
        + disc(top, head + 0.11 * height, 0.11 * height, PAPER)
        + disc(top + look * 0.06 * height, head + 0.1 * height, 0.015 * height, INK)
    )  # fmt: skip


def steam(x: float, y: float) -> str:
    """Return three wisps of steam."""
    return "".join(
        f'<path d="M{x + k * 12:g} {y:g} q -8 -12 0 -24 t 0 -24" fill="none" stroke="{GREY}" stroke-width="4"/>'
        for k in (-1, 0, 1)
    )


def clock(x: float, y: float) -> str:
    """Return a wall clock that shows twenty past three."""
    return disc(x, y, 26, "white") + line(x, y, x + 13, y + 3) + line(x, y, x + 17, y + 10, width=3)


def words(x: float, y: float, text: str, size: int = 16) -> str:
    """Return a line of text."""
    return f'<text x="{x:g}" y="{y:g}" font-family="sans-serif" font-size="{size}" fill="{INK}">{text}</text>'


FLOOR = line(0, 200, 360, 200)
TABLE = box(40, 130, 280, 12, WOOD) + line(70, 142, 70, 200) + line(290, 142, 290, 200)


def cup(x: float, level: float) -> str:
    """Return a cup on the table with something in it."""
    return box(x, 90, 50, 40, "white") + box(x + 4, 126 - level, 42, level, WOOD) + disc(x + 58, 108, 8, PAPER)


PICTURES = {
    "two-cups": FLOOR + TABLE + cup(90, 32) + cup(210, 26) + steam(235, 84),
    "window": box(70, 20, 220, 160, WALL) + line(180, 20, 180, 180)
    + "".join(line(x, y, x - 6, y + 16, width=2, colour=BLUE) for x in range(90, 280, 24) for y in (34, 74, 114, 146))
    + line(72, 100, 288, 92, width=2) + box(105, 100, 34, 36, RED) + box(205, 96, 34, 36, BLUE),
    "bench": FLOOR + box(70, 140, 220, 10, WOOD) + line(90, 150, 90, 200) + line(270, 150, 270, 200)
    + person(110, 190, 110, coat=RED, lean=-8, look=-1) + person(250, 190, 110, lean=8, look=1)
    + box(166, 112, 30, 28, GREY),
    "bus-stop": FLOOR + box(20, 60, 180, 110, RED) + disc(60, 176, 18, GREY) + disc(160, 176, 18, GREY)
    + box(190, 120, 10, 14, "#ffd400") + box(150, 90, 30, 80, WALL) + box(34, 78, 96, 36, WALL)
    + person(300, 198, 96, lean=-10, look=-1) + line(248, 40, 248, 200) + box(236, 30, 24, 24, "#ffd400"),
    "stairs": "".join(box(180 + k * 34, 190 - k * 26, 180, 26, WALL) for k in range(5)) + FLOOR
    + person(70, 200, 110, look=1) + box(104, 140, 54, 34, BLUE) + disc(114, 186, 12, GREY) + disc(150, 186, 12, GREY)
    + line(84, 138, 106, 142),
    "table": FLOOR + TABLE + "".join(person(x, 128, 84, coat=c) for x, c in ((80, RED), (150, BLUE), (220, GREY)))
    + "".join(disc(x, 122, 12, "white") for x in (96, 166, 236)) + box(276, 80, 34, 48, WOOD),
    "note": box(120, 20, 130, 180, WOOD) + box(146, 62, 80, 44, "white") + words(154, 90, "back at 3")
    + disc(236, 118, 6, "#ffd400") + clock(310, 50) + FLOOR + person(60, 198, 100, look=1),
    "queue": FLOOR + box(10, 120, 60, 80, WOOD) + "".join(
        person(x, 198, 100, coat=c, look=look) for x, c, look in ((110, GREY, -1), (175, RED, -1), (240, BLUE, 1)))
    + clock(320, 50),
    "stove": FLOOR + box(170, 110, 150, 90, WALL) + disc(205, 160, 12, GREY) + disc(285, 160, 12, GREY)
    + box(180, 74, 70, 36, GREY) + line(180, 88, 118, 88, width=8) + steam(215, 66)
    + person(80, 198, 76, coat=RED, look=1) + line(90, 150, 122, 100),
    "ladder": FLOOR + line(150, 200, 200, 20) + line(250, 200, 210, 20)
    + "".join(line(150 + k * 9, 200 - k * 30, 250 - k * 7, 200 - k * 30) for k in range(1, 6))
    + box(184, 4, 36, 30, RED) + person(200, 200, 62, coat=BLUE),
}  # fmt: skip


def picture(name: str) -> bytes:
    """Return one picture as PNG."""
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="220" viewBox="0 0 360 220">'
        f'<rect width="360" height="220" fill="{PAPER}"/>{PICTURES[name]}</svg>'
    )
    drawn = Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=1.5))).convert("RGB").quantize(48)
    file = io.BytesIO()
    drawn.save(file, "PNG", optimize=True)
    return file.getvalue()


def main() -> int:
    """Write every picture."""
    media = FOLDER / "media"
    media.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        (media / f"{name}.png").write_bytes(picture(name))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
