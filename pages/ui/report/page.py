"""The whole report: which benchmarks, which documents, and the page that holds them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from analytics.audit.own import Own
from analytics.panel_runs import runs_of
from analytics.policy import Policy
from analytics.questions import ask, check_judge
from analytics.schema import RUN_KINDS
from analytics.slices import Slice, check, empty
from analytics.store import Store
from pages.ui.charts.palette import PROVENANCE
from pages.ui.report.claims import claims, claims_stated
from pages.ui.report.parts import Setting, check_options, plain
from pages.ui.report.sections import ASKED, Section, sections


@dataclass(frozen=True, slots=True)
class Chapter:
    """What the report says of one benchmark version."""

    name: str
    title: str
    note: str
    facts: str
    badges: tuple[tuple[str, str, str], ...]
    sections: tuple[Section, ...]


def report(store: Store, chosen: Slice, given: Mapping[str, str], *, source: str, stated: Own | None = None) -> str:
    """Return the report on a slice as one HTML page that fetches nothing and runs no script.

    One chapter per benchmark version of the slice that has runs, then the claims of its documents, or the tables and
    claims that are `stated` instead. `given` holds policy and options as spelled; each question takes those that it
    has. `source` ends each `ask` call, such as ' --store S'. Raises BadLog where nothing that is stated can be checked,
    UnknownName and UnknownValue for a slice or option that cannot be, EmptySlice where nothing is left.
    """
    rules = {f.name for f in fields(Policy)}
    policy = Policy.from_params({name: text for name, text in given.items() if name in rules})
    own = {name: text for name, text in given.items() if name not in rules}
    check_options(own, (*ASKED, "claims"))
    setting = Setting(store, policy, own, source)
    with store.cursor() as cursor:
        check(cursor, chosen)
        check_judge(cursor, policy)
    # what was stated first: where it is of no use, nobody waits for the chapters
    own_claims = None if stated is None else claims_stated(setting, stated)
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
            "claims": own_claims or claims(setting, [chapter.name for chapter in chapters]),
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


def render(values: Mapping[str, object]) -> str:
    """Return the page; every value is text, and is written as text."""
    import jinja2  # noqa: PLC0415 - for this line alone

    here = jinja2.FileSystemLoader(Path(__file__).resolve().parent)
    writer = jinja2.Environment(
        loader=here, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return writer.get_template("report.html").render(**values)
