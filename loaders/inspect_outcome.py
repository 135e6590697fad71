"""What became of one sample of an Inspect log: its answer, its status, its tokens."""

from __future__ import annotations

import re

from loaders.base import shorten
from loaders.inspect_parts import TWO_WAY, Sample
from loaders.inspect_scores import NO_ANSWER, Value
from loaders.json_text import count_or_none, text_or_none

CUT_OFF = ("max_tokens", "model_length")


def answer_in(score: object, *, choice: bool, reference: str | None) -> tuple[str | None, bool, bool]:
    """Return the answer that a scorer read, whether it looked for one in vain, and whether it read no option.

    On a choice only an option can be an answer: anything else that the scorer noted casts no vote.
    """
    given = score.get("answer") if isinstance(score, dict) else None
    if not isinstance(given, str):
        return None, False, False
    text = given.strip()
    if not choice or not text:
        return text or None, choice and not text, False
    if reference is not None and reference in TWO_WAY.values():
        answer = TWO_WAY.get(text.lower())
    else:
        letters = re.fullmatch(r"\(?([A-Z](?:[\s,]*[A-Z])*)\)?\.?", text)
        answer = ",".join(sorted(set(re.findall(r"[A-Z]", letters.group(1))))) if letters else None
    return answer, False, answer is None


def status_of(
    sample: Sample, value: Value | None, *, unparsed: bool, response: str | None, stop: str | None
) -> tuple[str, str | None]:
    """Return what became of the attempt. A limit or a stop that still led to a score is a note, not a failure."""
    if sample.error:
        told = sample.error.get("message") if isinstance(sample.error, dict) else sample.error
        return "error", shorten(text_or_none(told) or "error")
    note = None
    if sample.limit:
        kind = sample.limit.get("type") if isinstance(sample.limit, dict) else sample.limit
        note = f"limit: {text_or_none(kind)}"
    elif stop not in (None, "stop", "tool_calls"):
        note = f"stopped: {stop}"
    if value is not None and value.failed:
        return "judge_failed", note or "the scorer gave no value"
    if value is not None:
        return ("invalid_format" if unparsed or value.label == NO_ANSWER else "ok"), note
    return _unscored(sample, response, stop), note


def _unscored(sample: Sample, response: str | None, stop: str | None) -> str:
    """Return the status of an attempt that no scorer of a single value has looked at."""
    if sample.scores:
        return "ok"
    if sample.limit or stop in CUT_OFF:
        return "truncated"
    if stop == "content_filter":
        return "refused"
    return "missing" if response is None else "ok"


def tokens_of(sample: Sample, model: object, steps: int | None) -> tuple[int | None, int | None]:
    """Return tokens read and written by the evaluated model; thinking is part of what is written.

    One turn: the usage of its output. More: all that the model used in the sample, its own grading included.
    """
    usage = sample.output.get("usage") if isinstance(sample.output, dict) and (steps or 1) == 1 else None
    if not isinstance(usage, dict):
        usage = (sample.model_usage or {}).get(str(model))
    if not isinstance(usage, dict):
        return None, None
    read, written = count_or_none(usage.get("input_tokens")), count_or_none(usage.get("output_tokens"))
    cached = sum(count_or_none(usage.get(f"input_tokens_cache_{side}")) or 0 for side in ("read", "write"))
    thought, total = count_or_none(usage.get("reasoning_tokens")), count_or_none(usage.get("total_tokens"))
    if read is not None and written is not None and thought and total and total >= read + written + thought:
        written += thought  # this provider states thinking beside the output, not within it
    return None if read is None else read + cached, written
