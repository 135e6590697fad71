"""Stores in which several judges rate the same responses, written out unit by unit."""

from tests.stores import toy_store


def verdicts(*, runs=("r",), criteria=("answer",), **by_judge):
    """Verdicts by judge: one value per unit in the order run, item, criterion; None abstains, '-' is no row."""
    items = len(next(iter(by_judge.values()))) // (len(runs) * len(criteria))
    units = [(run, f"i{k}", c) for run in runs for k in range(items) for c in criteria]
    return [
        {"run_id": run, "item_id": item, "criterion": c, "judge_id": judge, "met": value,
         "status": "ok" if value is not None else "judge_failed"}
        for judge, values in by_judge.items()
        for (run, item, c), value in zip(units, values, strict=True)
        if value != "-"
    ]  # fmt: skip


def judged(folder, *, runs=("r",), criteria=("answer",), kinds=None, **by_judge):
    items = len(next(iter(by_judge.values()))) // (len(runs) * len(criteria))
    return toy_store(
        folder,
        items=[{"item_id": f"i{k}", "answer_type": "open", "capability": "ab"[k % 2]} for k in range(items)],
        runs=[{"run_id": run} for run in runs],
        responses=[{"run_id": run, "item_id": f"i{k}", "credit": 1.0} for run in runs for k in range(items)],
        judges=[{"judge_id": j, "kind": (kinds or {}).get(j, "model")} for j in by_judge],
        verdicts=verdicts(runs=runs, criteria=criteria, **by_judge),
    )
