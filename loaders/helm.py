"""HELM run folders: `run_spec.json`, `scenario_state.json`, `per_instance_stats.json`.

Written after the runner's public source (stanford-crfm/helm, src/helm/benchmark/runner.py, request_state.py,
metrics/statistic.py); no folder of another person's run was at hand. Item, perturbation and trial together are the
key. A perturbed item belongs to a benchmark version of its own. A metric without a row may have been NaN.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from analytics.errors import BadLog
from loaders.base import Field, Found, Issue, Reader, Source, shorten
from loaders.gather import Gather
from loaders.helm_parts import State, States, media_of, name_of, options_of, reference_of
from loaders.json_text import WHOLE_BYTES, count_or_none, decode, load, number_or_none, text_or_none

STATES, SPEC, STATS = "scenario_state.json", "run_spec.json", "per_instance_stats.json"
CREDITS = (
    "exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match", "exact_match_with_references",
    "math_equiv", "math_equiv_chain_of_thought", "final_number_exact_match", "pass", "f1_score",
)  # fmt: skip
"""Statistics that are the credit, the first found first."""

JUDGE = "helm/metrics"
FIELDS = (
    Field("items.item_id", ("scenario_state.json:instance.id",), "with perturbation and trial the key of a row"),
    Field("items.prompt", ("scenario_state.json:instance.input.text",)),
    Field("items.options", ("scenario_state.json:output_mapping",)),
    Field("items.reference", ("scenario_state.json:instance.references[].tags",), "those tagged 'correct'"),
    Field("items.capability", ("scenario_state.json:instance.sub_split",)),
    Field("responses.response", ("scenario_state.json:result.completions[0].text",)),
    Field("responses.rationale", ("scenario_state.json:result.completions[0].thinking.text",)),
    Field("responses.attempt", ("scenario_state.json:train_trial_index",)),
    Field("responses.status_note", ("scenario_state.json:result.error",)),
    Field("responses.credit", ("per_instance_stats.json:stats[].mean",), "helm.CREDITS, first found"),
    Field("verdicts.score", ("scenario_state.json:annotations.<annotator>.<name>_score",)),
    Field("runs.model", ("run_spec.json:adapter_spec.model",)),
)

Stats = dict[tuple[str, str, int], dict[str, float]]


def claims(path: Path, head: bytes) -> bool:
    """Tell a run folder by its spec with an adapter and its requests."""
    del head
    if not (path / STATES).is_file() or not (path / SPEC).is_file():
        return False
    with (path / SPEC).open("rb") as file:
        return b'"adapter_spec"' in file.read(1 << 20)


@dataclass(frozen=True, slots=True)
class _Run:
    """What the rows of a folder share; `separate`: each option was a request of its own."""

    name: str
    model: str
    suite: str
    separate: bool
    credit: str | None
    stats: Stats

    def ids(self, perturbation: str) -> tuple[str, str]:
        """Return benchmark and run of the plain or of the perturbed items."""
        benchmark = f"{self.name} [{perturbation}]" if perturbation else self.name
        return benchmark, f"helm/{benchmark}/{self.model}/{self.suite}"


def read(source: Source) -> Iterator[Found]:
    """Yield one response per item, perturbation and trial."""
    spec = load(source.path / SPEC, SPEC)
    adapter = spec.get("adapter_spec") if isinstance(spec, dict) else None
    if not isinstance(adapter, dict) or not isinstance(spec.get("name"), str):
        raise BadLog(f"{source.name}/{SPEC} must hold `name` and `adapter_spec`. Copy the folder again.")
    stats = _stats(source.path / STATS)
    known = {name for row in stats.values() for name in row}
    run = _Run(
        name=_benchmark(spec["name"]),
        model=str(adapter.get("model") or adapter.get("model_deployment") or "unknown"),
        suite=source.path.resolve().parent.name,
        separate="multiple_choice_separate" in str(adapter.get("method")),
        credit=next((name for name in CREDITS if name in known), None),
        stats=stats,
    )
    rows = Gather("responses")
    perturbations: dict[str, None] = {}
    groups: dict[tuple[str, str, int], list[tuple[int, State]]] = {}
    for line, state in _states(source.path / STATES, source.name):
        if isinstance(state, Issue):
            yield state
        elif state.request_mode != "calibration":
            groups.setdefault(state.key(), []).append((line, state))
    for key, group in groups.items():
        if len(group) > 1 and not run.separate:
            message = f"Item {key[0]} has {len(group)} requests in trial {key[2]}; the first is kept."
            yield Issue("duplicate_key", "refused", message, group[1][0], "instance.id", key[0], len(group) - 1)
        perturbations[key[1]] = None
        _take(rows, run, key, group)
        if rows.full():
            yield from rows.batches()
    if not groups:
        raise BadLog(f"{source.name}/{STATES} holds no request that can be read.")
    if run.credit is None:
        message = f"No statistic of {STATS} is a known credit: nobody judged these responses here."
        yield Issue("no_scores", "doubted", message, column=STATS)
    for perturbation in perturbations:
        _describe(rows, run, perturbation, spec)
    yield from rows.batches()
    yield from rows.issues()


def _benchmark(name: str) -> str:
    """Return a run's name without its model: what is left is scenario and arguments."""
    scenario, _, arguments = name.partition(":")
    kept = [part for part in arguments.split(",") if part and not re.match(r"model(_deployment)?=", part)]
    return f"helm/{scenario}" + (f":{','.join(kept)}" if kept else "")


def _stats(path: Path) -> Stats:
    """Return the mean of every statistic by item, perturbation and trial; NaN is none."""
    if not path.is_file():
        return {}
    found: Stats = {}
    rows = load(path, STATS)
    for row in rows if isinstance(rows, list) else ():
        if not isinstance(row, dict) or not isinstance(row.get("stats"), list):
            continue
        trial = count_or_none(row.get("train_trial_index")) or 0
        key = (str(row.get("instance_id")), name_of(row.get("perturbation")), trial)
        for stat in row["stats"]:
            name = stat.get("name") if isinstance(stat, dict) else None
            mean = number_or_none(stat.get("mean")) if isinstance(stat, dict) else None
            if isinstance(name, dict) and mean is not None:
                found.setdefault(key, {})[str(name.get("name"))] = mean
    return found


def _states(path: Path, name: str) -> Iterator[tuple[int, State | Issue]]:
    """Yield (place, request); one that cannot be read is an issue."""
    if path.stat().st_size > WHOLE_BYTES:
        raise BadLog(f"{name}/{STATES} is larger than {WHOLE_BYTES:,} bytes. Split the run.")
    try:
        whole = decode(path.read_bytes(), States)
    except ValueError as error:
        raise BadLog(f"{name}/{STATES} is no complete JSON: {error}. Copy the folder again.") from error
    for place, raw in enumerate(whole.request_states, start=1):
        try:
            yield place, decode(bytes(raw), State)
        except ValueError as error:
            message = f"Request {place} cannot be read: {error}."
            yield place, Issue("broken_request", "refused", message, place, excerpt=shorten(bytes(raw)))


def _take(rows: Gather, run: _Run, key: tuple[str, str, int], group: Sequence[tuple[int, State]]) -> None:
    """Add the rows of one item, perturbation and trial; of separate requests the chosen one is the response."""
    benchmark, run_id = run.ids(key[1])
    stats = run.stats.get(key, {})
    line, state = _chosen(group, stats) if run.separate else group[0]
    options = options_of(state, separate=run.separate)
    reference = reference_of(state, options)
    kind = "open" if options is None else "multiple_choice" if "," in (reference or "") else "single_choice"
    media, path = media_of(state.instance.input)
    rows.add(
        "items",
        benchmark=benchmark,
        item_id=key[0],
        capability=state.instance.sub_split,
        media_type=media,
        media_path=path,
        answer_type=kind,
        prompt=state.instance.input.text or text_or_none(state.instance.input.messages),
        options=options,
        reference=reference,
        reference_known=True,
        chance=1 / len(options) if options and kind == "single_choice" else None,
    )
    completion = state.result.completions[0] if state.result and state.result.completions else None
    text = completion.text if completion else None
    answer = _answer(state, text, options, separate=run.separate)
    status, note = _status(state, answer, options)
    credit = stats.get(run.credit) if run.credit else None
    place = {"run_id": run_id, "item_id": key[0], "attempt": key[2] + 1}
    rows.add(
        "responses",
        **place,
        answer=answer,
        response=text,
        rationale=completion.thinking.text or None if completion and completion.thinking else None,
        credit=credit if credit is not None and 0 <= credit <= 1 else None,
        input_tokens=count_or_none(stats.get("num_prompt_tokens")),
        output_tokens=count_or_none(stats.get("num_completion_tokens", stats.get("num_output_tokens"))),
        seconds=state.result.request_time if state.result else None,
        status=status,
        status_note=note,
        line=line,
    )
    for name in CREDITS:
        if name in stats:
            met = stats[name] == 1 if stats[name] in (0, 1) else None
            rows.add(
                "verdicts",
                **place,
                judge_id=JUDGE,
                criterion=name,
                on_judge="",
                met=met,
                score=stats[name],
                status="ok",
            )
    _annotated(rows, place, state)


def _chosen(group: Sequence[tuple[int, State]], stats: dict[str, float]) -> tuple[int, State]:
    """Return the request of the option that the model prefers: as the log says, else by log probability."""
    index = stats.get("predicted_index")
    for each in group:
        if index is not None and each[1].reference_index == int(index):
            return each

    def likely(each: tuple[int, State]) -> float:
        result = each[1].result
        return result.completions[0].logprob if result and result.completions else float("-inf")

    return max(group, key=likely)


def _answer(state: State, text: str | None, options: list[str] | None, *, separate: bool) -> str | None:
    if separate:
        index = state.reference_index
        return ascii_uppercase[index] if index is not None and index < len(ascii_uppercase) else None
    if text is None:
        return None
    if options is not None:
        letter = text.strip().rstrip(".")
        return letter if letter in (state.output_mapping or {}) else None
    return text.strip() or None


def _status(state: State, answer: str | None, options: list[str] | None) -> tuple[str, str | None]:
    if state.result is None:
        return "missing", "the request has no result"
    if not state.result.success:
        return "error", shorten(state.result.error or "the request failed")
    if options is not None and answer is None:
        return "invalid_format", "the completion is none of the letters"
    return "ok", None


def _annotated(rows: Gather, place: dict[str, object], state: State) -> None:
    """Add what annotators said: numbers called score, with the reasoning of the same name."""
    for annotator, said in (state.annotations or {}).items():
        for name, value in said.items() if isinstance(said, dict) else ():
            score = number_or_none(value)
            if score is None or not (name == "score" or name.endswith("_score")):
                continue
            who = name.removesuffix("score").rstrip("_")
            why = said.get(f"{who}_reasoning" if who else "reasoning")
            judge = f"helm/{annotator}/{who}" if who else f"helm/{annotator}"
            rows.add("judges", judge_id=judge, kind="model")
            rows.add(
                "verdicts", **place, judge_id=judge, criterion="answer", on_judge="", score=score,
                justification=text_or_none(why), status="ok",
            )  # fmt: skip


def _describe(rows: Gather, run: _Run, perturbation: str, spec: dict[str, Any]) -> None:
    benchmark, run_id = run.ids(perturbation)
    rows.add(
        "benchmarks",
        benchmark=benchmark,
        title=benchmark.removeprefix("helm/"),
        missing_policy="zero",
        raw_means=f"statistic {run.credit}" if run.credit else "not judged",
        slice_name="sub split",
        headline="micro",
        note="The format was read after its writer's source; check the first numbers against stats.json.",
    )
    rows.add(
        "runs",
        run_id=run_id,
        benchmark=benchmark,
        model=run.model,
        vendor=run.model.split("/")[0] if "/" in run.model else None,
        kind="model",
        settings=json.dumps(spec.get("adapter_spec"), ensure_ascii=False, sort_keys=True, default=str),
        parser=run.credit,
        complete=True,
    )
    rows.add("judges", judge_id=JUDGE, kind="program")


READER = Reader("helm", "1", "HELM run folder", "folder", FIELDS, claims, read, whole_run=True)
