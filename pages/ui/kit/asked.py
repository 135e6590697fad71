"""What an address asks for: slice, policy and the page's own options, with a sentence for all that was ignored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlencode

import polars as pl

from analytics.errors import ScoreproofError, UnknownName, did_you_mean
from analytics.policy import Policy
from analytics.questions import Option, check_judge
from analytics.slices import KEYS, Slice, check
from pages.ui.kit import ask, state

POLICY_FIELDS = tuple(f.name for f in fields(Policy))


@dataclass(frozen=True, slots=True)
class Asked:
    """What one page is asked for. `chosen` holds the benchmark even where the address leaves it to the default."""

    chosen: Slice
    policy: Policy
    options: dict[str, Any]
    many: dict[str, tuple[str, ...]]
    ignored: tuple[str, ...]
    benchmark: str | None
    explicit: Slice

    def carried(self) -> state.Params:
        """Return the parameters that a link to another page carries: the slice as written, and the policy."""
        policy = {name: [value] for name, value in self.policy.to_params().items()}
        return self.explicit.to_params() | policy

    def address(self) -> state.Params:
        """Return every parameter of this view, the benchmark included, so that it means the same on any day."""
        policy = {name: [value] for name, value in self.policy.to_params().items()}
        own = {name: state.params()[name] for name in [*self.options, *self.many] if name in state.params()}
        return self.chosen.to_params() | policy | own

    def query(self) -> str:
        """Return `address` as the text after the question mark."""
        return urlencode(self.address(), doseq=True)

    def view(self) -> str:
        """Return the same without the selected rows: what decides which rows and figures a page has."""
        return urlencode({name: held for name, held in self.address().items() if name != state.ROW}, doseq=True)


def read(
    own: Sequence[Option],
    many: Sequence[str],
    *,
    one_benchmark: bool,
    first: Callable[[], str | None] | None = None,
) -> Asked:
    """Return what the address asks for.

    `own` are the page's options, `many` its multi-valued ones. Parameters and values that nothing knows are left aside,
    each with a sentence. With `one_benchmark`, an address without a benchmark means the first one of the store,
    or what `first` returns where it returns one.
    """
    ignored: list[str] = []
    known = ask.values(None)
    slices: dict[str, list[str]] = {}
    policy: dict[str, str] = {}
    options: dict[str, Any] = {option.name: option.initial for option in own}
    lists: dict[str, tuple[str, ...]] = dict.fromkeys((*many, state.ROW), ())
    by_name = {option.name: option for option in own}
    for name, given in state.params().items():
        try:
            if name in KEYS:
                slices[name] = [value for value in given if _known(name, value, known, ignored)]
            elif name in by_name:
                options[name] = by_name[name].read(given[-1])
            elif name in lists:
                lists[name] = tuple(given)
            elif name in POLICY_FIELDS:
                policy = _with(policy, name, given[-1])
            else:
                every = [*KEYS, *POLICY_FIELDS, *by_name, *lists]
                raise UnknownName(f"This page has no '{name}'.{did_you_mean(name, every)}")
        except ScoreproofError as error:
            ignored.append(str(error))
    if one_benchmark and len(slices.get("benchmark", [])) > 1:
        ignored.append(f"This page shows one benchmark at a time: {slices['benchmark'][0]}.")
        slices["benchmark"] = slices["benchmark"][:1]
    explicit = Slice.of(**slices)
    benchmark = next(iter(slices.get("benchmark", [])), None)
    if benchmark is None and one_benchmark:
        benchmark = (first() if first is not None else None) or first_benchmark(known)
    chosen = explicit if benchmark is None or not one_benchmark else explicit.with_choice("benchmark", [benchmark])
    return Asked(chosen, Policy.from_params(policy), options, lists, tuple(ignored), benchmark, explicit)


def first_benchmark(known: dict[str, list[str]]) -> str | None:
    """Return the benchmark version that an address without one means: the one with most runs, a demo last."""
    loaded = ask.answer("benchmarks", Slice(), Policy()).table
    order = loaded.sort(loaded["provenance"] == "demo", -loaded["runs"].cast(pl.Int64), "benchmark", nulls_last=True)
    return next(iter([*order["benchmark"].to_list(), *known.get("benchmark", [])]), None)


def _known(name: str, value: str, known: dict[str, list[str]], ignored: list[str]) -> bool:
    """Whether the store has a value; else note the sentence that says so."""
    if value in known.get(name, []):
        return True
    try:
        with ask.store().cursor() as cursor:
            check(cursor, Slice.of(**{name: value}))
    except ScoreproofError as error:
        ignored.append(str(error))
        return False
    return True


def _with(policy: dict[str, str], name: str, value: str) -> dict[str, str]:
    """Return the policy's parameters with one more; raises what Policy and the store say against it."""
    fuller = policy | {name: value}
    read_so_far = Policy.from_params(fuller)
    with ask.store().cursor() as cursor:
        check_judge(cursor, read_so_far)
    return fuller
