"""Re-aggregate the judge study of Humanity's Sixth Sense: Table 12, Figure 6 and Appendix I."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt
from pathlib import Path

import polars as pl

from logs.generate.checks import Values, read
from logs.generate.exact import percent

JUDGES = ("Claude-Opus-5", "GPT-5.6-terra", "Gemini-3.6-flash")
PRINTED_PAIRS = (("GPT-5.6-terra", "Gemini-3.6-flash"), ("Claude-Opus-5", "Gemini-3.6-flash"), JUDGES[:2])


def _wide(verdicts: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    """Return one row per unit with a column of 0/1 per judge; a task is met when all its criteria are."""
    met = verdicts.group_by(*keys, "judge_id").agg(pl.col("met").all().cast(pl.Int64))
    return met.pivot(on="judge_id", index=keys, values="met")


def _kappa(one: pl.Series, two: pl.Series) -> Fraction:
    """Return Cohen's (1960) kappa of two binary raters."""
    n, a, b = len(one), int(one.sum()), int(two.sum())
    agreed = Fraction(int((one == two).sum()), n)
    chance = Fraction(a * b + (n - a) * (n - b), n * n)
    return (agreed - chance) / (1 - chance)


def _correlation(x: list[float], y: list[float]) -> float:
    mx, my = sum(x) / len(x), sum(y) / len(y)
    top = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    return top / sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))


def _levels(share: dict[tuple[str, str], Fraction], models: list[str]) -> Values:
    """Return Table 12 with spreads, means, leniency and same-vendor residuals."""
    out: Values = {("hss_table12_judges", f"{m} / {j}", "pass_at_1"): v for (m, j), v in share.items()}

    def above(model: str, judge: str) -> Fraction:
        return share[model, judge] - sum((share[model, other] for other in JUDGES if other != judge), Fraction()) / 2

    for model in models:
        scores = [share[model, judge] for judge in JUDGES]
        out["hss_table12_spread", model, "spread"] = max(scores) - min(scores)
    lenient = {judge: sum((above(model, judge) for model in models), Fraction()) / len(models) for judge in JUDGES}
    for judge in JUDGES:
        out["hss_judge_levels", judge, "leniency"] = lenient[judge]
        mean = sum((share[model, judge] for model in models), Fraction()) / len(models)
        out["hss_judge_levels", judge, "mean_pass_at_1"] = mean
        for model in models:
            out["hss_judge_residuals", f"{judge} / {model}", "residual"] = above(model, judge) - lenient[judge]
    ranks = {j: sorted(models, key=lambda m: share[m, j]) for j in JUDGES}
    least = min(
        _correlation([float(share[m, a]) for m in models], [float(share[m, b]) for m in models])
        for a, b in combinations(JUDGES, 2)
    )
    out["hss_prose", "score_correlation", "value"] = Fraction(least)
    same = all(order == ranks[JUDGES[0]] for order in ranks.values())
    if same:  # without ties equal orders are Spearman's rho of 1
        out["hss_prose", "rank_correlation", "value"] = Fraction(1)
    return out


def judge_values(root: Path) -> Values:
    """Return every figure about the judge study."""
    folder = root / "hss-judges"
    runs = read(folder, "runs").select("run_id", "model")
    verdicts = read(folder, "verdicts").join(runs, on="run_id")
    units = {
        "item": _wide(verdicts, ["model", "item_id"]),
        "criterion": _wide(verdicts, ["model", "item_id", "criterion"]),
    }
    models = sorted(runs["model"].to_list())
    item = units["item"]
    share = {
        (str(model), judge): percent(int(part[judge].sum()), part.height)
        for (model,), part in item.group_by("model")
        for judge in JUDGES
    }
    out = _levels(share, models)
    agreed: dict[str, list[Fraction]] = {}
    kappas: list[Fraction] = []
    for one, two in PRINTED_PAIRS:
        for unit, wide in units.items():
            key = ("hss_figure6_judge_agreement", f"{one} / {two} / {unit}")
            rate = percent(int((wide[one] == wide[two]).sum()), wide.height)
            out[*key, "n"], out[*key, "agreement_pct"] = Fraction(wide.height), rate
            agreed.setdefault(unit, []).append(rate)
            kappas.append(_kappa(wide[one], wide[two]))
    same = item.filter((pl.col(JUDGES[0]) == pl.col(JUDGES[1])) & (pl.col(JUDGES[1]) == pl.col(JUDGES[2]))).height
    prose = {
        "judge_items": Fraction(item.height),
        "judge_criteria": Fraction(units["criterion"].height),
        "judge_models": Fraction(len(models)),
        "kappa_low": min(kappas),
        "kappa_high": max(kappas),
        "kappa_main_text": min(kappas),
        "criterion_agreement_low": min(agreed["criterion"]),
        "criterion_agreement_high": max(agreed["criterion"]),
        "item_agreement_low": min(agreed["item"]),
        "item_agreement_high": max(agreed["item"]),
        "unanimous_items_share": percent(same, item.height),
    }
    return out | {("hss_prose", key, "value"): value for key, value in prose.items()}
