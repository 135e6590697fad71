"""Re-aggregate the failure labels of Humanity's Sixth Sense: Table 6, Figure 3 and Appendix D."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from statistics import median

import polars as pl

from logs.generate.checks import Values, read
from logs.generate.exact import percent


def _labelled(root: Path, rows: pl.DataFrame) -> pl.DataFrame:
    """Return the labels of failed first attempts of the main runs, with the task's subdomain and media type."""
    labels = read(root / "hss", "failure_labels")
    main = rows.filter(pl.col("condition").is_null() & (pl.col("kind") == "model") & (pl.col("attempt") == 1))
    return labels.join(main, on=["run_id", "item_id", "attempt"])


def _shares(labels: pl.DataFrame) -> Values:
    """Return Table 6, Figure 3 and the family shares of the text."""
    out: Values = {}
    n = labels.height
    media = {name: labels.filter(pl.col("media_type") == name) for name in ("image", "video")}
    for (family, cause), part in labels.group_by("family", "cause"):
        key = ("hss_table6_failure_causes", f"{family} / {cause}")
        out[*key, "count"], out[*key, "share"] = Fraction(part.height), percent(part.height, n)
        for name, whole in media.items():
            inside = part.filter(pl.col("media_type") == name).height
            out[*key, f"{name}_share"] = percent(inside, whole.height)
        out["hss_figure3_causes_by_subdomain", f"all / {cause}", "share"] = percent(part.height, n)
        for (name,), whole in labels.group_by("subcapability"):
            inside = part.filter(pl.col("subcapability") == name).height
            out["hss_figure3_causes_by_subdomain", f"{name} / {cause}", "share"] = percent(inside, whole.height)
    families = {str(f): part.height for (f,), part in labels.group_by("family")}

    def within(frame: pl.DataFrame, family: str) -> Fraction:
        return percent(frame.filter(pl.col("family") == family).height, frame.height)

    prose = {
        "perception_share": percent(families["perception"], n),
        "latent_share": percent(families["latent"], n),
        "reasoning_share": percent(families["reasoning"], n),
        "perception_and_latent_share": percent(families["perception"] + families["latent"], n),
        "image_perception_share": within(media["image"], "perception"),
        "video_latent_share": within(media["video"], "latent"),
        "labelled_failures": Fraction(n),
        "labelled_models": Fraction(labels["model"].n_unique()),
    }
    return out | {("hss_prose", key, "value"): value for key, value in prose.items()}


def cause_values(root: Path, rows: pl.DataFrame) -> Values:
    """Return every figure about the causes of failure."""
    labels = _labelled(root, rows)
    out = _shares(labels)
    tasks = labels.group_by("item_id").len().filter(pl.col("len") >= 5)
    out["hss_prose", "tasks_failed_by_five", "value"] = Fraction(tasks.height)
    for column, name in (("cause", "same_cause_median"), ("family", "same_family_median")):
        most = labels.group_by("item_id", column).len("n").group_by("item_id").agg(pl.col("n").max())
        both = tasks.join(most, on="item_id")
        shares = [percent(n, whole) for n, whole in both.select("n", "len").iter_rows()]
        out["hss_prose", name, "value"] = median(shares)
    failed = rows.filter(
        pl.col("condition").is_null()
        & (pl.col("kind") == "model")
        & (pl.col("attempt") == 1)
        & (pl.col("credit") == 0)
        & pl.col("model").is_in(labels["model"].unique().to_list())
    )
    if failed.height != labels.height:
        raise ValueError(f"{failed.height} failed first attempts have {labels.height} labels")
    return out
