"""What Humanity's Sixth Sense prints, as the plan needs it: cells, models, outcome types and their constraints."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import sqrt

from logs.generate.exact import integers, matches, measures, table, window
from logs.generate.solver import NoPlanError

Cell = tuple[str, str]  # subdomain, media type
MEDIA = ("image", "video")
DOMAINS = ("temporal", "physical", "social", "abstract")
ROWS = {row["subdomain"]: row for row in table("hss_composition")}
SUBDOMAINS = tuple(ROWS)
DOMAIN = {name: row["domain"] for name, row in ROWS.items()}
TASKS: dict[Cell, int] = {(name, media): int(row[media]) for name, row in ROWS.items() for media in MEDIA}
TASKS_IMAGE = {domain: sum(int(row["image"]) for row in ROWS.values() if row["domain"] == domain) for domain in DOMAINS}
CRITERIA = {name: int(row["criteria"]) for name, row in ROWS.items()}
N = sum(TASKS.values())

# outcome of a task over three attempts: passes, then + or - for the first attempt;
# h has two usable attempts and one pass, x has none
TYPES = ("3", "2+", "2-", "1+", "1-", "0", "h+", "h-", "x")
SIXTHS = {"3": 6, "2+": 4, "2-": 4, "1+": 2, "1-": 2, "0": 0, "h+": 3, "h-": 3, "x": 0}
FIRST = {"3": 1, "2+": 1, "2-": 0, "1+": 1, "1-": 0, "0": 0, "h+": 1, "h-": 0, "x": 0}
MIXED = ("2+", "2-", "1+", "1-")
MAJORITY = ("3", "2+", "2-")

BLIND, HUMAN, UNLABELLED = "GPT-6-astra [blind]", "Human baseline", "GPT-6.1-sol"
MODELS = tuple(row["model"] for row in table("hss_table1") if row["vendor"] not in {"Human", "Control"})
AGENT_MODELS = tuple(row["base_model"] for row in table("hss_table2_agentic"))
FRAMES_FIRST = {row["model"]: row["pass_at_1"] for row in table("hss_table11_frames") if row["frames"] == "500"}
FAILURES, IMAGE_FAILURES = int(measures("hss_prose")["labelled_failures"]), 4513

# smallest repairs of the five rows that no number of thirds can give: tasks without a usable attempt (x), tasks
# with two usable attempts of which one passed (h), by domain and media; passes in sixths
REPAIRS: dict[str, dict[str, dict[tuple[str, str], int]]] = {
    "Qwen3.8-Max": {"x": {("social", "video"): 6, ("abstract", "video"): 1}, "h": {("social", "video"): 1}},
    "Qwen3.8-flash": {
        "x": {("social", "video"): 5},
        "h": {("temporal", "image"): 1, ("social", "image"): 1, ("abstract", "video"): 1},
    },
    "Kimi-K3": {"x": {}, "h": {("physical", "video"): 1}},
    "MiMo-v2.6-flash": {"x": {("physical", "video"): 4, ("abstract", "video"): 2}, "h": {("physical", "image"): 1}},
    "MiMo-v2.6-pro": {"x": {("temporal", "video"): 2, ("physical", "video"): 4}, "h": {("abstract", "video"): 1}},
}
REPAIRED_SIXTHS = {
    "Qwen3.8-Max": (306, 372, 131, 210, 662, 357),
    "Qwen3.8-flash": (305, 308, 117, 227, 642, 315),
    "Kimi-K3": (266, 289, 102, 142, 502, 297),
    "MiMo-v2.6-flash": (242, 305, 80, 160, 505, 282),
    "MiMo-v2.6-pro": (224, 304, 96, 157, 526, 255),
}


@dataclass(frozen=True)
class Margins:
    """Passes of a run in sixths of a task by domain and by media, and its number of mixed tasks."""

    sixths: dict[str, int]  # four domains, image, video
    mixed: int


def size(part: str, model: str) -> int:
    """Return how many tasks of a domain or media type have a usable attempt in a run."""
    lost = REPAIRS.get(model, {}).get("x", {})
    whole = sum(n for (name, media), n in TASKS.items() if part in (DOMAIN[name], media, "all"))
    return whole - sum(k for (domain, media), k in lost.items() if part in (domain, media, "all"))


def _thirds(row: dict[str, str]) -> tuple[int, ...]:
    """Choose passes in thirds for the four domains and two media: the mix nearest to the printed centres."""
    parts = (*DOMAINS, *MEDIA)
    options = []
    for part in parts:
        low, high = window(row[part])
        n = size(part, "")
        options.append(integers(low * 3 * n / 100, high * 3 * n / 100, step=1))
    best: tuple[Fraction, tuple[int, ...]] | None = None
    for combo in product(*options):
        total = sum(combo[:4])
        if total != sum(combo[4:]) or not matches(Fraction(100 * total, 3 * N), row["pass_at_1"]):
            continue
        off = sum(
            (
                abs(Fraction(100 * k, 3 * size(part, "")) - Fraction(row[part]))
                for k, part in zip(combo, parts, strict=True)
            ),
            abs(Fraction(100 * total, 3 * N) - Fraction(row["pass_at_1"])),
        )
        if best is None or off < best[0]:
            best = (off, combo)
    if best is None:
        raise NoPlanError(f"{row['model']}: no thirds meet {row}")
    return best[1]


def _mixed(row: dict[str, str], sixths: int, n: int) -> int:
    """Return how many tasks must have a mixed outcome for the printed half-width of the 95 % interval.

    With T passes in thirds over n tasks, the sum of squared task means is Q = (3T - 2M) / 9.
    """
    half = float(row["ci_half_width"]) / 100
    mean = sixths / 6 / n
    squares = n * (half * sqrt(n) / 1.96) ** 2 + n * mean**2
    return round((3 * sixths / 2 - 9 * squares) / 2)


def margins() -> dict[str, Margins]:
    """Return the margins of the 25 models and of the blind control."""
    out: dict[str, Margins] = {}
    parts = (*DOMAINS, *MEDIA)
    for row in table("hss_table1"):
        model = row["model"]
        if model == HUMAN:
            continue
        sixths = REPAIRED_SIXTHS.get(model) or tuple(2 * k for k in _thirds(row))
        found = dict(zip(parts, sixths, strict=True))
        total = sum(sixths[:4])
        prose = measures("hss_prose")
        if model == BLIND:  # its counts of always and at least once fix the mixed tasks
            mixed = int(prose["blind_at_least_once"]) - int(prose["blind_all_attempts"])
        else:
            mixed = _mixed(row, total, size("all", model))
        out[model] = Margins(found, mixed)
    return out
