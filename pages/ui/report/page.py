"""The whole report: which benchmarks, which documents, and the page that holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import polars as pl

from analytics.panel_runs import runs_of
from analytics.policy import Policy
from analytics.questions import ask, check_judge, question
from analytics.schema import RUN_KINDS
from analytics.slices import Slice, check, empty
from analytics.store import Store
from pages.ui.charts.palette import PROVENANCE
from pages.ui.charts.statuses import status_bars
from pages.ui.report.figures import Drawn
from pages.ui.report.parts import Part, Setting, check_options, part, plain
from pages.ui.report.sections import ASKED, Section, sections

CLAIMS = ("id", "document", "status", "printed", "recomputed", "low", "high", "unit", "statement", "place", "n", "why")
ORDER = ("contradicted", "conditional", "not_checkable", "consistent", "reproduced")


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the report says of one benchmark version."""

    name: str
    title: str
    note: str
    facts: str
    badges: tuple[tuple[str, str, str], ...]
    sections: tuple[Section, ...]


def report(store: Store, chosen: Slice, given: Mapping[str, str], *, source: str) -> str:
    """Return the report on a slice as one HTML page that fetches nothing and runs no script.

    One chapter per benchmark version of the slice that has runs, then the claims of its documents. `given` holds policy
    and options as spelled; each question takes those that it has. `source` ends each `ask` call, such as ' --store S'.
    Raises UnknownName and UnknownValue for a slice or option that cannot be, EmptySlice where nothing is left.
    """
    rules = {f.name for f in fields(Policy)}
    policy = Policy.from_params({name: text for name, text in given.items() if name in rules})
    own = {name: text for name, text in given.items() if name not in rules}
    check_options(own, (*ASKED, "claims"))
    setting = Setting(store, policy, own, source)
    with store.cursor() as cursor:
        check(cursor, chosen)
        check_judge(cursor, policy)
    chapters, left = chapters_of(setting, chosen)
    if not chapters:
        raise empty(chosen, needs="a run")
    return render(
        {
            "slice": plain(chosen.sentence()),
            "policy": plain(policy.sentence()),
            "data_hash": store.pointer.data_hash,
            "build": store.build_id,
            "chapters": chapters,
            "left": ", ".join(plain(name) for name in left),
            "claims": claims(setting, [chapter.name for chapter in chapters]),
            "published": PROVENANCE["published"],
        }
    )


def chapters_of(setting: Setting, chosen: Slice) -> tuple[list[Chapter], list[str]]:
    """Return a chapter for each benchmark version of the slice, and the names of those without a run in it."""
    table = ask(setting.store, "benchmarks", chosen, setting.policy, {}).table
    chapters, left = [], []
    for row in table.iter_rows(named=True):
        here = chosen.with_choice("benchmark", [row["benchmark"]])
        found = provenances(setting, here) if row["runs"] else []
        if found:
            chapters.append(chapter(setting, here, row, found))
        else:
            left.append(str(row["benchmark"]))
    return chapters, left


def provenances(setting: Setting, here: Slice) -> list[str]:
    """Return where the runs of a slice come from; nothing where it has no run."""
    runs = ask(setting.store, "statuses", here, setting.policy, {}).table["run"].unique().to_list()
    if not runs:
        return []
    with setting.store.cursor() as cursor:
        rows = runs_of(cursor, here.with_choice("run", runs), kinds=RUN_KINDS)
    return rows["provenance"].unique().sort().to_list()


def chapter(setting: Setting, here: Slice, row: Mapping[str, object], found: Sequence[str]) -> Chapter:
    """Return what the report says of one benchmark version."""
    facts = [f"{row['items']:,} items", f"{row['runs']:,} runs", f"{row['responses']:,} responses"]
    facts += [f"raw is {row['raw_means']}"]
    facts += [f"verified is {row['verified_means']}"] if row["verified_means"] else ["no verified credit"]
    facts += [f"{row['hidden']:,} answers hidden"] if row["hidden"] else []
    name = str(row["benchmark"])
    return Chapter(
        name=plain(name),
        title=plain(str(row["title"])),
        note=plain(str(row["note"] or "")),
        facts=plain("; ".join(facts)),
        badges=tuple((word, *PROVENANCE[word]) for word in found),
        sections=sections(setting, here, name),
    )


def claims(setting: Setting, names: Sequence[str]) -> Section:
    """Return what the documents on these benchmarks claim, recomputed."""
    figures = ask(setting.store, "figures", Slice(), Policy(), {"document": "", "file": ""}).table
    held = figures["document"].unique(maintain_order=True).to_list()
    about = [document for document in held if document in {name.partition("-")[0] for name in names}]
    asked = question("claims")
    if not about:
        why = "No published document is about these benchmarks. It needs a folder of published tables and claims."
        return Section("Claims", (Part(asked.name, asked.title, asked.asks, lacking=why),))
    return Section("Claims", tuple(claims_of(setting, document) for document in about))


def claims_of(setting: Setting, document: str) -> Part:
    """Return the claims of one document; slice and policy do not apply to them."""
    bare = Setting(setting.store, Policy(), setting.given, setting.source)
    return part(
        bare, "claims", Slice(), columns=CLAIMS, draw=draw_claims, order=worst_first, options={"document": document},
        title=f"Claims of {document}",
    )[0]  # fmt: skip


def worst_first(table: pl.DataFrame) -> pl.DataFrame:
    """Return claims by status, what fails first."""
    place = {status: at for at, status in enumerate(ORDER)}
    return table.sort(pl.col("status").replace_strict(place, return_dtype=pl.Int64), maintain_order=True)


def draw_claims(table: pl.DataFrame) -> tuple[Drawn, str] | None:
    """Return the share of each status by document."""
    counts = table.group_by("document", maintain_order=True).agg(
        pl.len().alias("n"), *[(pl.col("status") == status).sum().alias(f"k_{status}") for status in ORDER]
    )
    rows = counts.with_columns((pl.col(f"k_{status}") / pl.col("n")).alias(status) for status in ORDER)
    words = {status: status.replace("_", " ") for status in ORDER}
    said = ", ".join(f"{counts[f'k_{status}'].sum()} {word}" for status, word in words.items())
    return status_bars(rows, parts=words, label="document"), f"Stacked bars of {table.height} claims: {said}."


def render(values: Mapping[str, object]) -> str:
    """Return the page; every value is text, and is written as text."""
    import jinja2  # noqa: PLC0415 - for this line alone

    here = jinja2.FileSystemLoader(Path(__file__).resolve().parent)
    writer = jinja2.Environment(
        loader=here, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return writer.get_template("report.html").render(**values)
