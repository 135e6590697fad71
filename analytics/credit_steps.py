"""Credit steps: how one response's credit goes from raw to verified, factor by factor."""

from __future__ import annotations

import numpy as np
import polars as pl

from analytics.errors import UnknownValue, did_you_mean
from analytics.numeric.credit import attributed_losses, credit_stages, ordered_losses
from analytics.policy import Policy
from analytics.questions import Answer, Option, Question, Result
from analytics.rubric import LABELS, Weights, rubric, rubrics
from analytics.slices import Slice
from analytics.store import Connection


def credit_steps(
    cursor: Connection,
    chosen: Slice,
    policy: Policy,
    *,
    weights_of: str,
    raw: float,
    coverage: str,
    evidence: str,
    logic: str,
) -> Answer:
    """Evaluate v = a x c x e x l / (e_max x l_max) for one response, step by step.

    One row per stage: raw, coverage, evidence, logic. `factor` is the weight of the label (or the number given in its
    place), `best` the best weight of its kind (1 for coverage), `share` their ratio and `credit` what is left after the
    stage, in [0, 1]; the last is the verified credit. `lost` is lost at the stage in this order, `due_to` the same
    averaged over the six orders of the three checks (Shapley value); both add up to raw minus verified. A response
    without raw credit has none to verify: its factors do not matter. The policy's rubric replaces `weights_of`; slice
    and store do not apply.

    Sources: PsycheMME, scoring contract; Shapley 1953, doi:10.1515/9781400881970-018. Raises UnknownValue for a label
    that the rubric does not have and for a factor outside 0 to the best of its kind.
    """
    del cursor, chosen
    own = policy.weights()
    weights = own or rubric(weights_of).weights
    given = {"coverage": coverage, "evidence": evidence, "logic": logic}
    factors = {kind: _factor(kind, text, weights) for kind, text in given.items()}
    best = {kind: _best(kind, weights) for kind in given}
    for kind, factor in factors.items():
        if not 0 <= factor <= best[kind]:
            raise UnknownValue(
                f"The {kind} factor is {factor:g}; allowed: 0 to {best[kind]:g}, the best of its kind. "
                "Above it, verified credit would exceed raw credit."
            )
    bests = {"best_evidence": best["evidence"], "best_logic": best["logic"]}
    after = credit_stages(raw, *factors.values(), **bests)
    lost = ordered_losses(after)
    due = attributed_losses(raw, *factors.values(), **bests)
    assumed = () if own else rubric(weights_of).assumed
    table = pl.DataFrame(
        {
            "stage": ["raw", *given],
            "label": [None, *given.values()],
            "factor": [None, *factors.values()],
            "best": [None, *best.values()],
            "share": [None, *(factors[kind] / best[kind] for kind in given)],
            "credit": np.asarray(after, dtype=np.float64),
            "lost": [None, *np.asarray(lost).tolist()],
            "due_to": [None, *np.asarray(due).tolist()],
            "assumed": [False, *(f"{kind}.{label}" in assumed for kind, label in given.items())],
        },
        schema={column.name: _TYPES.get(column.unit, pl.Float64()) for column in COLUMNS},
    )
    product = best["evidence"] * best["logic"]
    notes = [f"Divisor: {product:g}, the best evidence weight times the best logic weight."]
    used = [f"{kind}.{given[kind]} = {factors[kind]:g}" for kind in given if f"{kind}.{given[kind]}" in assumed]
    if used:
        notes.append(f"Assumed weights, stated in no document: {', '.join(used)}.")
    if own:
        notes.append("Weights are the reader's own, not the declared rubric's.")
    return Answer(table, "v = a x c x e x l / (e_max x l_max)", {}, tuple(notes))


def _factor(kind: str, text: str, weights: Weights) -> float:
    """Return the weight of a label, or the number that stands in its place."""
    if text in LABELS[kind]:
        return weights.as_dict()[text]
    try:
        return float(text)
    except ValueError as error:
        near = did_you_mean(text, LABELS[kind])
        raise UnknownValue(
            f"'{text}' is no label of {kind}.{near} Allowed: {', '.join(LABELS[kind])}, or a number."
        ) from error


def _best(kind: str, weights: Weights) -> float:
    """Return the best weight of a kind of label; coverage is not divided by its best, so its best is 1."""
    return 1.0 if kind == "coverage" else max(weights.as_dict()[label] for label in LABELS[kind])


_TYPES: dict[str, pl.DataType] = {"text": pl.String(), "boolean": pl.Boolean()}

COLUMNS = (
    Result("stage", "text", "raw, then each check in order"),
    Result("label", "text", "label of the rationale, or a number in its place"),
    Result("factor", "number", "weight of the label"),
    Result("best", "number", "best weight of its kind; 1 for coverage"),
    Result("share", "number", "factor over best: what the check leaves"),
    Result("credit", "proportion", "credit after the stage"),
    Result("lost", "points", "credit lost at the stage, in this order"),
    Result("due_to", "points", "credit lost to the stage, averaged over the orders of the checks"),
    Result("assumed", "boolean", "true where no document states the weight"),
)

QUESTION = Question(
    name="credit_steps",
    title="Credit, step by step",
    asks="How does one response's credit go from raw to verified?",
    source="PsycheMME, scoring contract; Shapley 1953, doi:10.1515/9781400881970-018",
    needs="nothing",
    options=(
        Option("weights_of", "choice", next(iter(rubrics())), "rubric whose weights hold", allowed=tuple(rubrics())),
        Option("raw", "number", 1.0, "answer credit", low=0, high=1),
        Option("coverage", "text", LABELS["coverage"][0], f"label ({', '.join(LABELS['coverage'])}) or number"),
        Option("evidence", "text", LABELS["evidence"][0], f"label ({', '.join(LABELS['evidence'])}) or number"),
        Option("logic", "text", LABELS["logic"][0], f"label ({', '.join(LABELS['logic'])}) or number"),
    ),
    columns=COLUMNS,
    ask=credit_steps,
)
