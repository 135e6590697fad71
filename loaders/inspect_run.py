"""The run behind an Inspect log: which benchmark version it is, which items it was meant for, how it was set up."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from loaders.inspect_parts import Sample, prompt_of, reference_of

SELECTING = (
    "subset", "subsets", "subject", "subjects", "split", "language", "languages", "lang", "category", "categories",
    "dataset", "dataset_name", "dataset_path", "domain", "variant", "difficulty", "level",
)  # fmt: skip
"""Task arguments that choose the items: runs that differ in one are not on the same benchmark version."""

MAKERS = frozenset(
    ("openai", "anthropic", "google", "mistral", "meta-llama", "qwen", "deepseek", "deepseek-ai", "grok", "cohere")
)
"""Parts of a model name that say who makes it; other first parts name a service that runs models of others."""

SETTINGS = ("created", "task_file", "task_args", "config", "model_generate_config", "scorers", "packages", "revision",
            "eval_id", "run_id", "task_id", "tags")  # fmt: skip

SORTED = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
"""The settings as text: one encoder for all runs."""


@dataclass(frozen=True, slots=True)
class Population:
    """Items that a run was meant for; `tag` names them when they are fewer than the dataset's, `doubt` when unsure."""

    ids: tuple[str, ...]
    tag: str | None
    doubt: str | None


def benchmark_of(spec: Mapping[str, Any], first: Sample | None) -> str:
    """Return the benchmark version: the task, and whatever else tells its item set from another of that name.

    A dataset of another name, a task version, and task arguments that choose items are added. An unnamed dataset is
    told by its first item's prompt and target, so that two tasks called 'task' stay apart.
    """
    task = str(spec.get("task") or "task")
    dataset = _part(spec, "dataset").get("name")
    name = task
    if not dataset:
        told = "" if first is None else f"{prompt_of(first)}\0{reference_of(first.target, choice=False)}"
        name += "#" + hashlib.sha256(told.encode()).hexdigest()[:6]
    elif _plain(str(dataset)) != _plain(task):
        name += f"@{dataset}"
    version = spec.get("task_version")
    if version not in (None, 0, "0"):
        name += f" v{version}"
    chosen = {key: value for key, value in _part(spec, "task_args").items() if key in SELECTING and value is not None}
    if chosen:
        name += f" [{_listed(chosen)}]"
    return name


def run_id_of(spec: Mapping[str, Any]) -> str | None:
    """Return the model and the id of the evaluation; None when the log has no id. Older logs have no `eval_id`."""
    ids = [spec.get("eval_id")] if spec.get("eval_id") else [spec.get("run_id"), spec.get("task_id")]
    if not all(ids):
        return None
    return f"{spec.get('model') or 'unknown'}/" + "-".join(str(part) for part in ids)


def population_of(spec: Mapping[str, Any], seen: Sequence[str], *, complete: bool) -> Population:
    """Return the items that the run was meant for: those declared, else those of a complete run."""
    dataset, config = _part(spec, "dataset"), _part(spec, "config")
    declared, total = dataset.get("sample_ids"), dataset.get("samples")
    limit, chosen = config.get("limit"), config.get("sample_id")
    partial = limit is not None or chosen is not None
    doubt = None
    if isinstance(declared, list) and declared:
        ids = tuple(dict.fromkeys(str(item) for item in declared))
    else:
        ids = tuple(dict.fromkeys(seen))
        if partial and not complete:
            doubt = (
                "The run was meant for a part of its dataset, was interrupted, and its log does not list the items: "
                "those it never reached are not counted as missing. Compare it on common items only."
            )
    full = len(ids) >= total if isinstance(total, int) else not partial
    if full or (not partial and not isinstance(declared, list)):
        return Population(ids, None, doubt)
    if limit == len(ids) and chosen is None and not dataset.get("shuffled"):
        return Population(ids, f"dataset:{len(ids)}", doubt)
    told = hashlib.sha256(json.dumps(sorted(ids)).encode()).hexdigest()[:6]
    return Population(ids, f"dataset:{len(ids)}-{told}", doubt)


def condition_of(spec: Mapping[str, Any]) -> str | None:
    """Return what the run's caller set: arguments that do not choose items, solver, reasoning effort."""
    given = spec.get("task_args_passed")
    given = given if isinstance(given, dict) else _part(spec, "task_args")
    settings = {key: value for key, value in given.items() if key not in SELECTING and value is not None}
    if spec.get("solver"):
        settings["solver"] = spec["solver"]
    effort = _part(spec, "model_generate_config").get("reasoning_effort")
    if effort is not None:
        settings["effort"] = effort
    return _listed(settings) if settings else None


def run_row(spec: Mapping[str, Any], benchmark: str, *, run_id: str, complete: bool) -> dict[str, object]:
    """Return the row of `runs`, without scope and parser."""
    model = str(spec.get("model") or "unknown")
    vendor = next((part for part in model.lower().split("/")[:-1] if part in MAKERS), None)
    settings = {key: spec[key] for key in SETTINGS if spec.get(key) not in (None, {}, [])}
    dataset = {key: value for key, value in _part(spec, "dataset").items() if key != "sample_ids"}
    return {
        "run_id": run_id,
        "benchmark": benchmark,
        "model": model,
        "vendor": vendor,
        "kind": "control" if model.startswith("mockllm/") else "model",
        "condition": condition_of(spec),
        "settings": SORTED(settings | {"dataset": dataset}),
        "complete": complete,
    }


def _part(spec: Mapping[str, Any], name: str) -> dict[str, Any]:
    part = spec.get(name)
    return part if isinstance(part, dict) else {}


def _plain(name: str) -> str:
    """Return the last part of a name without case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", re.split(r"[/\\]", name)[-1].lower().removesuffix(".json").removesuffix(".csv"))


def _listed(values: Mapping[str, object]) -> str:
    return ", ".join(
        f"{key}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for key, value in sorted(values.items())
    )
