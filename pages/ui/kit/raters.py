"""What raters say beyond their pairs: the whole panel, people, which judge scores higher, and whether it leans."""

from __future__ import annotations

import polars as pl
import streamlit as st

from analytics.questions import question
from pages.ui.kit import ask, illustration, section, show
from pages.ui.kit.asked import Asked


def options_of(asked: Asked, name: str, **given: object) -> dict[str, object]:
    """Return the page's values of a question's options."""
    own = {option.name for option in question(name).options}
    return {key: value for key, value in asked.options.items() if key in own} | given


def span(table: pl.DataFrame, column: str, written: str) -> str:
    """Return the least and greatest value of a column in words."""
    low, high = (format(end, written) for end in (table[column].min(), table[column].max()))
    return low if low == high else f"{low} to {high}"


def panel(asked: Asked, kinds: dict[str, int]) -> None:
    """Show the agreement of all raters together, and what people say of judges and runs."""
    section.intervals(
        asked, "agreement", options=options_of(asked, "agreement"), title="The whole panel", value="value",
        label=["condition", "coefficient"], axis="coefficient", scale=1, zero=False,
        tips={"observed": "seen", "expected": "by chance", "n": "units"},
    )  # fmt: skip
    if "reviewers" in kinds:
        section.intervals(
            asked, "endorsements", options=options_of(asked, "endorsements"), value="share",
            label=["judge", "reviewer"], title="Human review: how many verdicts do people endorse?",
            axis="share endorsed (%)", scale=100, zero=False, tips={"endorsed": "endorsed", "n": "decisions"},
        )  # fmt: skip
    if "preferences" in kinds:
        section.intervals(
            asked, "preferences", options=options_of(asked, "preferences"), value="win_rate",
            label=["judge", "run_a", "run_b"], title="Which run do judges prefer?",
            axis="win rate of the second run (%)", scale=100, zero=False, cases={"run": "run_b"},
            tips={"a_better": "first better", "b_better": "second better", "ties": "ties", "n": "verdicts"},
        )  # fmt: skip
    if asked.options["raters"] in ("judges", "preferences"):
        section.intervals(
            asked, "majority_agreement", options=options_of(asked, "majority_agreement"), value="agreement", quiet=True,
            label=["judge"], title="Against the majority of people", axis="agreement with the majority (%)", scale=100,
            zero=False, tips={"agree": "agree", "n": "units", "people": "people"},
        )  # fmt: skip


def levels(asked: Asked) -> None:
    """Show which judge scores higher, whether it favours its own, and whether judges rank runs alike."""
    on = asked.options["on"] if asked.options["on"] in ("usual", "met", "score") else "usual"
    section.intervals(
        asked, "leniency", options=options_of(asked, "leniency", on=on), title="Level: does a judge score higher?",
        value="leniency", label=["judge"], axis="score minus the other judges' (points)", scale=100, zero=True,
        tips={"mean": "mean score", "runs": "runs", "n": "units"},
    )  # fmt: skip
    section.intervals(
        asked, "self_preference", options=options_of(asked, "self_preference", on=on), value="residual",
        title="Self-preference: beyond that, does it favour its own vendor?", label=["judge", "model"],
        axis="residual (points)", scale=100, zero=True, cases={"run": "run"},
        groups=("relation", ["itself", "same vendor", "other vendor", "not stated"]),
        tips={"score": "score", "difference": "against the others", "n": "units"},
    )  # fmt: skip
    st.caption(
        "A residual above 0 for a judge's own vendor is what self-preference would look like: it is no proof of it."
    )
    options = options_of(asked, "rank_agreement", on=on)
    answer = ask.ask("rank_agreement", asked.chosen, asked.policy, options)
    if answer is not None and answer.table.height:
        st.subheader("Do judges rank the runs alike?", anchor=False)
        illustration.headline(answer.table)
        known = answer.table.filter(pl.col("spearman").is_not_null())
        if known.height:
            st.metric("Spearman's rho", span(known, "spearman", ".3f"), width="content",
                      help=f"{span(known, 'runs', ',d')} runs; with few runs it is rough")  # fmt: skip
        with show.fold("Table and method: rank agreement", key="ranks") as fold:
            if fold.open:
                show.table(answer, "rank_agreement", asked, key="ranks")
                show.proof(answer, "rank_agreement", asked, options)
