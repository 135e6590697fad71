"""Curves over ordered points, pooled as whole counts: how many are highest at the last point."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.cells import as_list
from analytics.audit.kind import FAILS, Case, Kind, Verdict, every_group, settle
from analytics.audit.kinds.grim import whole_counts
from analytics.audit.numbers import Interval, short

Span = tuple[Fraction, Fraction]


def curves(case: Case) -> dict[tuple[str, ...], dict[int, list[Span]]] | str:
    """Return the counts and sizes of each curve's points, or the percentage that no whole count gives."""
    ((_, inputs),) = every_group(case)
    pool = case.record["pool"]
    grouping = {row[pool["by"]]: row[pool["column"]] for row in case.folder.table(pool["file"]).rows}
    sizes = {str((c.row or {}).get(pool["by"])): c.interval.low for c in inputs["n"]}
    found: dict[tuple[str, ...], dict[int, list[Span]]] = {}
    for cell in inputs["percent"]:
        row = cell.row or {}
        member = row[pool["by"]]
        span = whole_counts(cell.interval, sizes[member])
        if not len(span):
            return f"no whole count of {short(sizes[member])} prints as {cell.text}."
        key = (*(row[c] for c in as_list(case.record["by"])), grouping[member])
        found.setdefault(key, {}).setdefault(int(row[case.record["order"]]), []).append(
            (Fraction(span[0]), Fraction(span[-1]))
        )
    return found


def best_at_last(case: Case) -> Verdict:
    """Count the curves whose highest pooled count stands at the last point, ties included."""
    found = curves(case)
    if isinstance(found, str):
        return Verdict(FAILS, found)
    sure, possible, named = 0, 0, []
    for name, points in found.items():
        sums = {at: (sum(low for low, _ in spans), sum(high for _, high in spans)) for at, spans in points.items()}
        last = sums.pop(max(sums))
        sure += all(last[0] >= high for _, high in sums.values())
        is_possible = all(last[1] >= low for low, _ in sums.values())
        possible += is_possible
        named += [" / ".join(name)] if is_possible else []
    number = Interval(Fraction(sure), Fraction(possible), Fraction(sure) if sure == possible else None)
    return settle(number, case, note=f"Highest at the last point: {'; '.join(named)}; of {len(found)}.")


KINDS = (
    Kind(
        "best_at_last",
        "curves that are highest at the last point",
        roles=("percent", "n"),
        whole=True,
        judge=best_at_last,
    ),
)
