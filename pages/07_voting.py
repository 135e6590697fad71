"""Voting · What would a panel of runs reach by vote, at best, and by its best member alone?"""

from functools import partial

import polars as pl
import streamlit as st

from analytics.errors import ScoreproofError
from analytics.panel_runs import ALL, SEPARATOR
from analytics.questions import Answer, Option, question
from pages.ui.charts.curves import curves
from pages.ui.charts.heatmap import PICKED as CELL
from pages.ui.charts.labels import spoken
from pages.ui.charts.marks import PICKED as ROW
from pages.ui.charts.marks import Spot, interval_marks
from pages.ui.charts.votes import WORDS, position_map, vote_marks, vote_steps
from pages.ui.kit import ask, first, illustration, links, page, pick, plain, show, switch
from pages.ui.kit.asked import Asked

VOTING, CURVE, ITEMS = question("voting"), question("voting_curve"), question("voting_items")
TIE_RULE, DEFER_TO = VOTING.option("tie_rule"), VOTING.option("defer_to")
LEVEL_OF = switch.renamed(VOTING.option("level_of"), "level_of", initial="capability")
WHICH = ITEMS.option("which")
LIMIT, SAMPLES = (switch.renamed(CURVE.option(name), name, initial=first) for name, first in
                  (("limit", 1000), ("samples", 200)))  # fmt: skip
RESAMPLING = ("level", "resamples", "seed")
VIEWS = {"vote": "The vote", "ties": "Ties", "size": "Size", "items": "Where it fails", "positions": "Position bias"}
VIEW = Option("view", "choice", "vote", "which part of the vote is shown", allowed=tuple(VIEWS))
OWN = (VIEW, VOTING.option("panel"), TIE_RULE, DEFER_TO, LEVEL_OF, WHICH, LIMIT, SAMPLES,
       *(VOTING.option(name) for name in RESAMPLING))  # fmt: skip
QUIET = ("view", "panel", "tie_rule", "defer_to", "level_of", "which")
MOST = 40

RULES = {"policy": "as the policy says", "share": "share the credit", "abstain": "no credit", "defer": "a run decides",
         "random": "drawn with the seed"}  # fmt: skip
KINDS = {"outvoted": "outvoted", "tied": "tied", "unsolved": "nobody right", "every": "every item"}
MAIN = (
    "level", "n", "plurality", "plurality_low", "plurality_high", "oracle", "oracle_low", "oracle_high", "best",
    "single", "single_low", "single_high", "gain", "gain_low", "gain_high", "tied", "outvoted", "no_ballot",
    "all_right", "members", "ballots", "tie_rule", "determined",
)  # fmt: skip
VOTES = (
    "item", "capability", "reference", "first", "first_votes", "right_votes", "shared_wrong", "shared_votes",
    "wrong_votes", "wrong_share", "tie_size", "right_runs", "media_type", "ballots", "members", "credit", "determined",
)  # fmt: skip


SHARED = ("level", "share", "shared", "wrong", "alone", "items", "ballots", "determined")
RULED = (
    "tie_rule", "plurality", "plurality_low", "plurality_high", "gain", "gain_low", "gain_high", "tied", "n",
    "determined",
)  # fmt: skip


def panel_of(asked: Asked) -> str:
    """Let the reader choose the panel and return it as the questions spell it."""
    here = ask.values(asked.benchmark)
    runs = here.get("run", [])
    offered = [ALL, *[value for value in here.get("access", []) if value != "none"]]
    current = asked.options["panel"]
    every = offered if current in offered else [*offered, current]
    members = [run for run in asked.many["members"] if run in runs]
    for run in asked.many["members"]:
        if run not in runs:
            plain.note(f"Left aside from the address: no run '{run}' is in this benchmark.", kind="warning")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(every) > 1:
            switch.choose("panel", every, current, default=ALL, title="Panel", width=180)
        switch.several("members", runs, members, default=[], title="or these runs", most=MOST)
    return SEPARATOR.join(members) if members else current


def ties(asked: Asked, runs: list[str]) -> dict[str, object]:
    """Let the reader choose what happens to ties, and return the options that say so."""
    switch.switch(TIE_RULE, words=RULES)
    decider = asked.options["defer_to"]
    if asked.options["tie_rule"] == "defer" and runs:
        decider = decider if decider in runs else runs[0]
        switch.choose("defer_to", runs, decider, default=runs[0], title="Run that decides ties")
    return {"tie_rule": asked.options["tie_rule"], "defer_to": decider}


def headline(whole: pl.DataFrame) -> None:
    """Show what the panel reaches on all items of the slice."""
    row = whole.row(0, named=True)
    best = str(row["best"]).split(SEPARATOR)
    name = plain.label(best[0], most=40) + (f" and {len(best) - 1} more" if len(best) > 1 else "")
    illustration.headline(whole)
    with st.container(horizontal=True, gap="medium"):
        show.share("Oracle", row["oracle"],
                  help=f"{row['oracle_items']} items that any member solves")  # fmt: skip
        show.share("Plurality", row["plurality"],
                  help=f"credit {row['plurality_credit']:g}, ties: {RULES[row['tie_rule']]}")  # fmt: skip
        show.share(f"Best single: {name}", row["single"],
                  help=f"{row['single_items']} items; chosen on the same items, so optimistic")  # fmt: skip
        st.metric("Vote minus best (points)", None if row["gain"] is None else row["gain"] * 100, format="%.2f",
                  width="content", help="paired by item")  # fmt: skip
        st.metric("Outvoted", row["outvoted"], format="localized", width="content",
                  help="items on which a member is right and the right answer is not first")  # fmt: skip
        st.metric("Items", row["n"], format="localized", width="content", help=f"{row['members']} members")


def by_level(asked: Asked, whole: Answer, panel: str, options: dict[str, object]) -> None:
    """Draw the three measures on the whole and by slice, with the table and its exports."""
    here = ask.values(asked.benchmark)
    offered = [key for key in LEVEL_OF.allowed if key == "whole" or len(here.get(key, [])) > 1]
    level_of = asked.options["level_of"] if asked.options["level_of"] in offered else "whole"
    rows, answer, split_by = whole.table, whole, "whole"
    if len(offered) > 1:
        switch.switch(LEVEL_OF, offered=offered)
    if level_of != "whole":
        split = ask.ask("voting", asked.chosen, asked.policy, options | {"panel": panel, "level_of": level_of})
        if split is not None and split.table.height > 1:
            answer, split_by = split, level_of
            rows = pl.concat([whole.table, split.table.sort("n", "level", descending=[True, False])])
    order = rows["level"].to_list()
    draw = illustration.marked(partial(vote_marks, rows, order=order, title="share of items (%)"), rows)
    words = f"Oracle, plurality and best single run with intervals, {len(order)} rows: {', '.join(map(spoken, order))}."
    hit = pick.chart(draw, rows, asked, picked=ROW, fields=["level"], key="votes",
                     alt_text=illustration.spoken(words, rows))  # fmt: skip
    st.caption(
        f"Line: {asked.options['level']:.0%} interval. Oracle: any member right; best single: chosen within each row."
    )
    chosen = show.table(answer, "voting", asked, rows=rows, columns=MAIN, select="multi", key="votes")
    both = pl.concat([hit, chosen], how="diagonal_relaxed").filter(pl.col("level") != "whole")
    show.to_cases(both, asked, {} if level_of == "whole" else {level_of: "level"})
    if split_by != "whole":
        st.caption(f"Exports hold the rows by {spoken(split_by)}; those of the level whole hold the first row.")
    show.foot(answer, "voting", asked, options | {"panel": panel, "level_of": split_by}, figure=draw)


def sensitivity(asked: Asked, whole: Answer, panel: str, options: dict[str, object]) -> None:
    """Show what the plurality would be under every rule for ties."""
    row = whole.table.row(0, named=True)
    st.subheader("If ties were settled otherwise", anchor=False)
    if not row["tied"]:
        st.caption("No item has a tie for first place: every rule gives the same.")
        return
    given = {name: options[name] for name in (*RESAMPLING, "defer_to")} | {"panel": panel}
    answer = ask.ask("tie_rules", asked.chosen, asked.policy, given)
    if answer is None:
        return
    rows = answer.table.with_columns(rule=pl.col("tie_rule").replace_strict(RULES))
    spot = Spot("plurality", "plurality_low", "plurality_high", "plurality (%)", "percent")
    draw = illustration.marked(
        partial(interval_marks, rows, spot=spot, label="rule", order=rows["rule"].to_list(), series=None,
                series_order=[], fields=["rule"], n=("n", "items"), zero=False), rows)  # fmt: skip
    words = f"Plurality under {rows.height} rules for ties; {row['tied']} of {row['n']} items are tied."
    show.chart(draw, alt_text=illustration.spoken(words, rows), key="rules", asked=asked)
    st.caption(f"{row['tied']} of {row['n']} items have a tie for first place.")
    plain.text(next((said for said in answer.notes if said.startswith("Where a run decides")), ""))
    with show.fold("Table of rules, exports, how computed", key="rules") as fold:
        if fold.open:
            show.table(answer, "tie_rules", asked, rows=rows, columns=RULED, key="rules")
            show.proof(answer, "tie_rules", asked, given, figure=draw)


def curve(asked: Asked, panel: str) -> None:
    """Draw what panels of every size reach."""
    rule = asked.options["tie_rule"] if asked.options["tie_rule"] in ("policy", "share", "abstain") else "share"
    options = {"panel": panel, "tie_rule": rule} | {name: asked.options[name] for name in ("limit", "samples", "seed")}
    st.subheader("By size of the panel", anchor=False)
    answer = ask.ask("voting_curve", asked.chosen, asked.policy, options)
    if answer is None:
        return
    rows = vote_steps(answer.table)
    draw = illustration.marked(
        partial(curves, rows, step="size", steps=[str(k) for k in answer.table["k"]], value="rate", series="measure",
                series_order=[WORDS["oracle"], WORDS["plurality"]], titles=("runs in the panel", "share of items (%)"),
                fields=["size", "measure"], best=None), rows)  # fmt: skip
    illustration.headline(rows)
    words = f"Two curves over panels of 1 to {answer.table.height} runs: oracle and plurality."
    show.chart(draw, alt_text=illustration.spoken(words, rows), key="curve", asked=asked)
    st.caption("Band: lowest and highest panel of that size; no interval over items.")
    with show.fold("Table of sizes", key="sizes") as fold:
        if fold.open:
            show.table(answer, "voting_curve", asked, key="curve")
            show.proof(answer, "voting_curve", asked, options, figure=draw)


def items(asked: Asked, panel: str) -> None:
    """List the items on which the vote fails, and the wrong answer that its losers share."""
    st.subheader("Where the vote goes wrong", anchor=False)
    switch.switch(WHICH, words=KINDS)
    options = {"panel": panel, "which": asked.options["which"]}
    answer = ask.ask("voting_items", asked.chosen, asked.policy, options)
    if answer is None:
        return
    table = answer.table
    if table.is_empty():
        plain.note(f"No item is here: {KINDS[asked.options['which']]}.", kind="info")
        return
    illustration.headline(table)
    wrong, shared = int(table["wrong_votes"].sum()), int(table["shared_votes"].sum())
    with st.container(horizontal=True, gap="medium"):
        st.metric("Items", table.height, format="localized", width="content")
        if wrong:
            show.share("Wrong ballots on one answer", shared / wrong,
                      help=f"{shared} of {wrong} wrong ballots are for the wrong answer that most share")  # fmt: skip
    st.caption("Near 100 %, those who err make the same mistake, which no vote mends. Select a row to open its case.")
    chosen = show.table(answer, "voting_items", asked, columns=VOTES, select="single", key="vote items")
    if chosen.height:
        params = asked.carried() | {"benchmark": [str(asked.benchmark)], "item": [chosen["item"][0]]}
        right = [run for run in str(chosen["right_runs"][0] or "").split(SEPARATOR) if run]
        links.link("cases", "Open the case", params | ({"beside": right[:2]} if right else {}))
    with show.fold("How the votes were counted", key="votes") as fold:
        if fold.open:
            show.proof(answer, "voting_items", asked, options)
    common(asked, options)


def common(asked: Asked, given: dict[str, object]) -> None:
    """Show in which capabilities those who err choose the same wrong answer."""
    options = given | {"level_of": "capability"}
    answer = ask.ask("shared_wrong", asked.chosen, asked.policy, options)
    if answer is None or answer.table.height < 2:
        return
    chosen = answer.table.clear()
    with show.fold("The same wrong answer, by capability", key="shared") as fold:
        if fold.open:
            chosen = show.table(answer, "shared_wrong", asked, columns=SHARED, select="multi", key="shared wrong")
            show.proof(answer, "shared_wrong", asked, options)
    if chosen.height:
        show.to_cases(chosen, asked, {"capability": "level"})


def positions(asked: Asked, panel: str) -> None:
    """Draw which positions each run chooses more often than they are right."""
    st.subheader("Position bias", anchor=False)
    options = {"panel": panel, "level": asked.options["level"]}
    answer = ask.ask("position_bias", asked.chosen, asked.policy, options)
    if answer is None:
        return
    twice = answer.table.select("run", "model").unique()["model"].is_duplicated().any()
    rows = answer.table.with_columns(name=pl.col("run") if twice else pl.col("model"))
    order = rows.sort("chi_square", descending=True, nulls_last=True)["name"].unique(maintain_order=True).to_list()
    draw = illustration.marked(partial(position_map, rows, runs=order), rows)
    illustration.headline(rows)
    words = f"Heat map of {len(order)} runs by position: share chosen minus share right, in points."
    hit = pick.chart(draw, rows.with_columns(value="position"), asked, picked=CELL, fields=["run", "value"],
                     key="positions", alt_text=illustration.spoken(words, rows))  # fmt: skip
    st.caption("Runs whose choices fit the right positions least stand first; p values are not adjusted.")
    chosen = rows.clear()
    with show.fold("Table of positions", key="positions") as fold:
        if fold.open:
            chosen = show.table(answer, "position_bias", asked, rows=rows, select="multi", key="positions")
            show.proof(answer, "position_bias", asked, options, figure=draw)
    show.to_cases(pl.concat([hit, chosen], how="diagonal_relaxed"), asked, {"run": "run"})


def lacking(error: ScoreproofError) -> None:
    """Say why there is no vote, and what log has one."""
    plain.note(str(error), kind="info")
    st.markdown(
        "This page needs single- or multiple-choice items with a known reference, and the answers that runs chose: the "
        "columns `options` and `reference` of `items`, and `answer` of `responses`. Open answers do not vote. The data "
        "dictionary on the Data page describes them."
    )
    first.elsewhere(asked, "voting", first.with_choices())
    links.link("data", "Data dictionary on the Data page", {"view": ["dictionary"]})
    links.link("leaderboard", "Each run alone on the Leaderboard", asked.carried())


asked = page.begin(__file__, own=OWN, quiet=QUIET, many=("members",), one_benchmark=True, first=first.with_choices)
if asked.benchmark is None:
    page.nothing("choice items, their references, and answers of several runs")
panel = panel_of(asked)
base = {name: asked.options[name] for name in RESAMPLING}
try:
    members = ask.answer("voting_items", asked.chosen, asked.policy, {"panel": panel, "which": "every"}).table
    runs = sorted({run for text in members["right_runs"].drop_nulls() for run in text.split(SEPARATOR) if run})
    options = base | ties(asked, runs)
    whole = ask.answer("voting", asked.chosen, asked.policy, options | {"panel": panel, "level_of": "whole"})
except ScoreproofError as error:
    lacking(error)
    st.stop()
if whole.table.is_empty():
    plain.note("No panel of this slice has the run that decides ties.", kind="info")
    st.stop()
headline(whole.table)
switch.switch(VIEW, words=VIEWS)
view = asked.options["view"]
if view == "ties":
    sensitivity(asked, whole, panel, options)
elif view == "size":
    curve(asked, panel)
elif view == "items":
    items(asked, panel)
elif view == "positions":
    positions(asked, panel)
else:
    by_level(asked, whole, panel, options)
