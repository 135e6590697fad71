"""The questions of a mapping, one control each: suggested columns with the reason, nothing set where it is open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from loaders.mapping_check import OPEN
from loaders.mapping_draft import Draft
from loaders.mapping_facts import Facts
from loaders.mapping_fields import BY_NAME, TARGETS
from loaders.mapping_look import (
    Look,
    answer_type,
    beyond,
    mixed,
    option_columns,
    scoring_rule,
    tag_columns,
    tag_kinds,
    value_map,
)
from loaders.mapping_profile import FILE, RULES
from loaders.mapping_toml import Raw
from loaders.mapping_wide import RunGuess
from pages.ui.kit import plain

NOTHING = "not in this file"
UNJUDGED = "leave them unjudged"
FIRST = ("item", "run", "model", "prompt", "reference", "answer", "response", "credit", "capability")
RULE_WORDS = {"exact_letter": "exact letter", "exact_text": "exact text", "numeric_tolerance": "numeric tolerance"}
RULE_HELP = (
    "exact letter: the answer is the reference's option letter, or the text of that option. exact text: the same text, "
    "runs of blanks folded. numeric tolerance: a number near enough. What a rule cannot read is an invalid format."
)


@dataclass(frozen=True, slots=True)
class Form:
    """One form: the look at the file, its suggested profile, the layout, and what its controls are keyed by."""

    seen: Look
    suggested: Draft
    layout: str
    key: str


def fill(form: Form) -> Draft:
    """Show the controls and return the profile that they make; what nobody has answered is among its questions."""
    made = Draft({"layout": form.layout, "file": {}, "benchmark": {}, "fields": {}, "constants": {}})
    runs = _runs(form, made) if form.layout == "wide" else []
    fields = _fields(form, made)
    constants = _constants(form, made, fields)
    credits = [str(fields["credit"])] if "credit" in fields else [str(r["credit"]) for r in runs if "credit" in r]
    with st.container(border=True):
        st.markdown("**What a result is worth**")
        _worth(form, made, fields, runs, [c for c in credits if c != OPEN])
    made.raw |= {"fields": fields, "constants": constants, "runs": runs}
    made.raw["file"] = _file(form, made)
    made.raw = {key: value for key, value in made.raw.items() if value or key in ("file", "fields")}
    return made


def _pick(
    label: str, options: Sequence[str], start: str | None, *, key: str, note: str, meaning: str | None = None,
    words: Mapping[str, str] | None = None,
) -> str | None:  # fmt: skip
    """Show one choice with its reason below; None while nothing is chosen."""
    index = options.index(start) if start in options else None
    named = words or {}
    chosen: str | None = st.selectbox(
        label, options, index=index, key=key, placeholder="Choose", help=meaning,
        format_func=lambda option: named.get(option, option),
    )  # fmt: skip
    if note:
        st.caption(plain.label(note, most=260))
    return chosen


def _fields(form: Form, made: Draft) -> Raw:
    """Show a choice of column for each field; the rarer ones without a suggestion stand in a fold."""
    fields: Raw = {}
    names = [t.name for t in TARGETS if t.name != "options" and not (_per_run(form, t.name))]
    told = form.seen.fields
    first = [n for n in names if n in FIRST or told[n].column is not None or told[n].question is not None]
    with st.container(border=True):
        st.markdown("**Which column holds what**")
        _grid(form, made, first, fields)
        _options(form, fields)
        _tags(form, made)
    with st.expander("Further fields"):
        _grid(form, made, [name for name in names if name not in first], fields)
    return fields


def _per_run(form: Form, name: str) -> bool:
    return form.layout == "wide" and BY_NAME[name].of_run and name != "item"


def _grid(form: Form, made: Draft, names: Sequence[str], fields: Raw) -> None:
    columns = list(form.seen.known)
    for start in range(0, len(names), 3):
        for place, name in zip(st.columns(3), names[start : start + 3], strict=False):
            told = form.seen.fields[name]
            open_ = told.column is None and told.question is not None
            offered = [*told.others, *(c for c in columns if c not in told.others)] if open_ else columns
            note = told.question or (told.reason if told.column else "")
            note += f" Or: {', '.join(told.others)}" if told.column and told.others else ""
            if open_:
                known = form.seen.known
                note += "".join(f" '{c}': {known[c].said()}." for c in told.others[:3] if c in known)
            title = name.replace("_", " ").capitalize()
            with place:
                chosen = _pick(
                    title, [NOTHING, *offered] if name != "item" else offered,
                    None if open_ or (name == "item" and told.column is None) else told.column or NOTHING,
                    key=f"{form.key} field {name}", note=note, meaning=plain.label(BY_NAME[name].schema().meaning),
                )  # fmt: skip
            if chosen is None:
                fields[name] = made.ask(f"fields.{name}", f"{title}: {told.question or 'choose a column.'}")
            elif chosen != NOTHING:
                fields[name] = chosen
                made.note(f"fields.{name}", told.reason if chosen == told.column else "chosen by hand")


def _options(form: Form, fields: Raw) -> None:
    told = form.seen.fields["options"].column
    letters = option_columns(form.seen.known)
    chosen = st.multiselect(
        "Options", list(form.seen.known), default=letters or ([told] if told else []), key=f"{form.key} options",
        placeholder=NOTHING,
        help="one column with a list, or one column per option in their order",
    )  # fmt: skip
    if chosen:
        fields["options"] = chosen


def _runs(form: Form, made: Draft) -> list[Raw]:
    """Ask which of the names are runs; none is set beforehand. Without guesses every column may be one."""
    guesses = {run.run: run for run in form.seen.runs}
    if not guesses:
        guesses = {name: RunGuess(name, {OPEN: name}, f"column '{name}'") for name in form.seen.known}
    with st.container(border=True):
        st.markdown("**Which columns are runs**")
        chosen = st.multiselect("Runs", list(guesses), key=f"{form.key} runs", placeholder="Choose the runs")
        if not chosen:
            made.ask("runs", f"Which are runs: {', '.join(list(guesses)[:8])}?")
            return []
        role = None
        if any(OPEN in guesses[name].columns for name in chosen):
            role = _pick(
                "What do columns called by a run alone hold?", ["answer", "credit", "response"], None,
                key=f"{form.key} role", note=guesses[chosen[0]].reason,
            )  # fmt: skip
            if role is None:
                made.ask("runs role", "Columns called by a run alone: answers, credits or responses?")
        people = st.multiselect(
            "Which of them are people?", chosen, default=[n for n in chosen if n.lower().startswith("human")],
            key=f"{form.key} people {chosen}", help="people are shown beside the models and never ranked among them",
        )  # fmt: skip
        runs: list[Raw] = []
        for name in chosen:
            columns = {role or "answer" if r == OPEN else r: column for r, column in guesses[name].columns.items()}
            runs.append({"run": name, **({"kind": "human"} if name in people else {}), **columns})
        st.dataframe(runs, hide_index=True, key=f"{form.key} run table", alt="Columns of each run")
        return runs


def _constants(form: Form, made: Draft, fields: Raw) -> Raw:
    """Ask for what no column says: the run, how items are answered, what judges."""
    constants: Raw = {}
    with st.container(border=True):
        st.markdown("**What no column says**")
        made.raw["benchmark"] = _benchmark(form, made)
        places = iter(st.columns(3))
        if "answer_type" not in fields:
            kind, why = answer_type(form.seen)
            allowed = list(BY_NAME["answer_type"].schema().allowed or ())
            with next(places):
                chosen = _pick("Answer type", allowed, kind, key=f"{form.key} answer type", note=why)
            constants["answer_type"] = chosen or made.ask(
                "constants.answer_type", "Answer type: how are items answered?"
            )
        if form.layout == "long" and not {"run", "model"} & set(fields):
            with next(places):
                name = st.text_input("Name of the run", key=f"{form.key} run", help=f"{FILE} takes the file's name")
                st.caption("No column names the system that answered.")
            constants["run"] = name.strip() or made.ask("constants.run", "Name of the run: what is the system called?")
        if "judge" in fields and "judge_kind" not in fields:
            allowed = list(BY_NAME["judge_kind"].schema().allowed or ())
            with next(places):
                judge = _pick("Judge", allowed, None, key=f"{form.key} judge kind", note="The file names a judge.")
            constants["judge_kind"] = judge or made.ask("constants.judge_kind", "Judge: a person, a model, a program?")
    return constants


def _worth(form: Form, made: Draft, fields: Raw, runs: list[Raw], credits: Sequence[str]) -> None:
    """Ask what the words or numbers of the credit are worth, or by which rule an answer is scored."""
    known = [form.seen.known[column] for column in credits if column in form.seen.known]
    if known:
        _words(form, made, value_map(known))
        low = min((each.low for each in known if each.low is not None), default=0.0)
        high = max((each.high for each in known if each.high is not None), default=1.0)
        if runs and mixed(known):
            for place, facts in beyond(runs, form.seen.known):
                said = f"The values of '{facts.name}', beside others that go to 1,"
                key = f"runs[{place + 1}].scale"
                runs[place]["scale"] = {"credit": _scale(form, made, facts, said, key)}
        elif low < 0 or high > 1:
            whole = replace(known[0], low=low, high=high)
            made.raw["scale"] = {"credit": _scale(form, made, whole, "The credit's values", "scale.credit")}
        elif not value_map(known):
            zero_one = any(each.zero_one for each in known)
            note = " 0 and 1 alone could also be a label of two classes: look at the preview." if zero_one else ""
            st.caption(f"The credit goes from {low:g} to {high:g} and is taken as it is.{note}")
        return
    if form.layout == "wide" and not runs:
        st.caption("Choose the runs first: their columns say what is asked here.")
        return
    answered = {"answer", "response"} & {*fields, *(name for run in runs for name in run)}
    if "reference" not in fields or not answered:
        st.caption("The file has neither a credit nor an answer with a reference: its responses stay unjudged.")
        return
    _rule(form, made)


def _words(form: Form, made: Draft, words: Mapping[str, str | None]) -> None:
    if not words:
        return
    table: Raw = {}
    st.caption("What each word of the credit is worth, from 0 to 1")
    for start in range(0, len(words), 3):
        for place, (word, worth) in zip(st.columns(3), list(words.items())[start : start + 3], strict=False):
            with place:
                value: float | None = st.number_input(
                    plain.label(word), 0.0, 1.0, None if worth is None else float(worth), 0.1,
                    key=f"{form.key} word {word}", placeholder="from 0 to 1",
                )  # fmt: skip
            table[word] = value if value is not None else made.ask(f"values.credit.{word}", f"What is '{word}' worth?")
    made.raw["values"] = {"credit": table}


def _scale(form: Form, made: Draft, facts: Facts, said: str, key: str) -> object:
    """Ask for the ends of one scale, which are never taken from the values; return them, or the open question."""
    low, high = facts.low or 0.0, facts.high or 0.0
    st.caption(plain.label(f"{said} go from {low:g} to {high:g}. Say the scale; it is never taken from the values."))
    one, two, _ = st.columns(3)
    of = "" if key == "scale.credit" else f" of {plain.label(facts.name, most=60)}"
    with one:
        least: float | None = st.number_input(
            f"Lowest possible{of}", value=None, key=f"{form.key} low{key}", placeholder="e.g. 0"
        )
    with two:
        most: float | None = st.number_input(
            f"Highest possible{of}", value=None, key=f"{form.key} high{key}", placeholder="e.g. 100"
        )
    if least is None or most is None:
        return made.ask(key, f"The scale of the credit{of}, whose values go to {high:g}.")
    return [least, most]


def _rule(form: Form, made: Draft) -> None:
    """Ask for the rule; only option letters suggest one."""
    rule, why = scoring_rule(form.seen)
    one, two, three = st.columns(3)
    with one:
        chosen = _pick(
            "Score the answers by",
            [*RULES, UNJUDGED],
            rule,
            key=f"{form.key} rule",
            note=why,
            words=RULE_WORDS,
            meaning=RULE_HELP,
        )
    if chosen is None:
        made.raw["scoring"] = {"rule": made.ask("scoring.rule", "By which rule are the answers scored?")}
    elif chosen == "numeric_tolerance":
        with two:
            near: float | None = st.number_input("Tolerance", 0.0, value=None, key=f"{form.key} near", format="%.6g")
        with three:
            relative = st.checkbox("as a share of the reference", key=f"{form.key} relative")
        tolerance = near if near is not None else made.ask("scoring.tolerance", "Tolerance: how near is near enough?")
        made.raw["scoring"] = {"rule": chosen, "tolerance": tolerance, "relative": relative}
    elif chosen == "exact_text":
        with two:
            made.raw["scoring"] = {"rule": chosen, "ignore_case": st.checkbox("ignore case", key=f"{form.key} case")}
    elif chosen != UNJUDGED:
        made.raw["scoring"] = {"rule": chosen}


def _tags(form: Form, made: Draft) -> None:
    """Ask which columns hold several labels in one cell, and what separates them."""
    suggested = tag_columns(form.seen.known)
    chosen = st.multiselect(
        "Columns with several labels in one cell", list(form.seen.known), default=list(suggested),
        key=f"{form.key} tags", placeholder=NOTHING,
        help="each label becomes a tag of the item; totals over tags may exceed n",
    )  # fmt: skip
    tags: Raw = {}
    kinds = tag_kinds(chosen)
    for column in chosen:
        entry: Raw = {"column": column}
        if not form.seen.known[column].is_list:
            mark = form.seen.known[column].separator or ","
            entry["separator"] = st.text_input(
                f"Separator in {plain.label(column)}", mark, key=f"{form.key} mark {column}", width=240
            )
        tags[kinds[column]] = entry
    if tags:
        made.raw["tags"] = tags


def _benchmark(form: Form, made: Draft) -> Raw:
    """Ask for the benchmark's name, and for the rules of its means, which every page can switch."""
    about: Any = form.suggested.raw["benchmark"]
    one, two, three = st.columns(3)
    with one:
        name = st.text_input(
            "Benchmark", about["name"], key=f"{form.key} benchmark", help="name of the benchmark version"
        )
    with two:
        missing = st.selectbox(
            "Missing or failed responses", ["zero", "exclude"], key=f"{form.key} missing",
            format_func=lambda rule: {"zero": "earn nothing", "exclude": "are left out"}[rule],
        )  # fmt: skip
    with three:
        headline = st.selectbox("Mean shown first", ["micro", "macro"], key=f"{form.key} headline")
    if not name.strip():
        made.ask("benchmark.name", "Benchmark: what is it called?")
    return {"name": name.strip() or OPEN, "missing_policy": missing, "headline": headline}


def _file(form: Form, made: Draft) -> Raw:
    """Return what the profile recognises the file by: its format, and columns that it maps."""
    file: Raw = {"format": form.seen.opened.format}
    fields: Any = made.raw["fields"]
    runs: Any = made.raw.get("runs", [])
    used = [column for value in fields.values() for column in (value if isinstance(value, list) else [value])]
    used += [column for run in runs for name, column in run.items() if name not in ("run", "kind", "scale")]
    columns = [c for c in dict.fromkeys(used) if c != OPEN and not c.startswith(("key ", "outer."))][:8]
    file |= {"columns": columns} if columns else {"names": [form.seen.opened.path.name]}
    file |= {} if form.seen.records is None else {"records": list(form.seen.records)}
    file |= {} if form.seen.header_row is None else {"header_row": form.seen.header_row}
    if len(form.seen.opened.sheets) > 1 and form.seen.sheet is not None:
        file["sheet"] = form.seen.sheet
    return file
