"""Claims in the report: those of the documents on its benchmarks, or tables and claims that the reader names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import polars as pl

from analytics import export
from analytics.audit.own import Own, digest
from analytics.audit.report import cells_frame, claims_frame
from analytics.claims import METHOD, chosen_rows
from analytics.errors import BadLog
from analytics.policy import Policy
from analytics.questions import Answer, ask, question
from analytics.slices import Slice
from pages.ui.charts.statuses import status_bars
from pages.ui.report.figures import Drawn
from pages.ui.report.parts import Part, Setting, laid, options_of, part, plain
from pages.ui.report.sections import Section

CLAIMS = ("id", "document", "status", "printed", "recomputed", "low", "high", "unit", "statement", "place", "n", "why")
CELLS = ("file", "row", "column", "status", "printed", "recomputed", "low", "high", "check", "kind", "place", "why")
CHOSEN = ("document", "status")
"""Options of both questions that choose among checks."""

ORDER = ("contradicted", "conditional", "not_checkable", "consistent", "reproduced")


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


def claims_stated(setting: Setting, stated: Own) -> Section:
    """Return the claims and the recomputed cells of the reader's own files; slice and policy do not apply to them.

    Cells of tables are shown where a folder was named. An option of the questions holds here too, such as `status`.
    Raises BadLog where the files declare nothing to check, as the audit does.
    """
    with setting.store.cursor() as cursor:
        found = stated.checked(cursor)
    if idle := stated.idle(found):
        raise BadLog(idle)
    left = dict(found.left_out) | dict.fromkeys(found.folder.faults, 1)
    parts = []
    if found.claims:
        parts.append(_stated(setting, stated, CLAIMS, Answer(claims_frame(found), METHOD, left)))
    if stated.folder is not None and found.cells:
        targets = cells_frame(found).filter(pl.col("role") == "target")
        parts.append(_stated(setting, stated, CELLS, Answer(targets, METHOD, left)))
    return Section("Claims", tuple(parts))


def _stated(setting: Setting, stated: Own, columns: Sequence[str], answer: Answer) -> Part:
    """Return the part on one kind of checks, stamped with the files and the `audit` call that makes them again."""
    name, title = ("claims", "Your claims") if columns is CLAIMS else ("table_checks", "Your tables")
    asked = question(name)
    chosen = {option: value for option, value in options_of(setting, asked, {}).items() if option in CHOSEN}
    kept, unchosen = chosen_rows(answer.table, **chosen)
    if kept.is_empty():
        why = f"None of {answer.table.height} is left by {', '.join(f'{k}={v}' for k, v in chosen.items() if v)}."
        return Part(name, title, asked.asks, lacking=plain(why))
    answer = Answer(kept, answer.method, dict(answer.left_out) | unchosen)
    texts = stated.texts()
    said = export.stamp(
        asked, answer, Slice(), Policy(), options=chosen, data_hash=f"{digest(texts.items())} of the files"
    )
    for of_rows in ("slice", "policy"):
        said.pop(of_rows)
    said |= {
        "files": " ".join(", ".join(sorted(texts)).split()),
        "rows of the store": setting.store.pointer.data_hash,
        "ask": f"scoreproof audit{stated.flags()}{setting.source}",
    }
    what = "claims" if columns is CLAIMS else "recomputed cells"
    return laid(
        asked, answer, said, title=title, columns=columns, draw=partial(draw_claims, what=what), order=worst_first
    )


def worst_first(table: pl.DataFrame) -> pl.DataFrame:
    """Return claims by status, what fails first."""
    place = {status: at for at, status in enumerate(ORDER)}
    return table.sort(pl.col("status").replace_strict(place, return_dtype=pl.Int64), maintain_order=True)


def draw_claims(table: pl.DataFrame, *, what: str = "claims") -> tuple[Drawn, str] | None:
    """Return the share of each status by document."""
    counts = table.group_by("document", maintain_order=True).agg(
        pl.len().alias("n"), *[(pl.col("status") == status).sum().alias(f"k_{status}") for status in ORDER]
    )
    rows = counts.with_columns((pl.col(f"k_{status}") / pl.col("n")).alias(status) for status in ORDER)
    words = {status: status.replace("_", " ") for status in ORDER}
    said = ", ".join(f"{counts[f'k_{status}'].sum()} {word}" for status, word in words.items())
    return status_bars(rows, parts=words, label="document"), f"Stacked bars of {table.height} {what}: {said}."
