"""Tasks of Humanity's Sixth Sense: items with their rubric, in the words of the benchmark's taxonomy."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from analytics.errors import did_you_mean, listing
from loaders import hss_terms as terms
from loaders.base import Issue, shorten
from loaders.gather import Gather
from loaders.hss_survey import benchmark_of, rubric_of, task_of
from loaders.objects import Record, first_of, lacking, refuse
from loaders.records import plain

IMAGES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp"})
VIDEOS = frozenset({".mp4", ".webm", ".mov", ".mkv", ".avi"})
_QUOTES = re.compile('["\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}]')


def add_task(rows: Gather, described: set[tuple[str, str]], record: Record, line: int) -> Issue | None:
    """Add the item and the criteria of one task, or return why it is refused; `described` holds those before it."""
    fault = lacking(record, line, ("task_id", "task"), ("question",))
    task, benchmark, rubric = task_of(record) or "", benchmark_of(record), rubric_of(record)
    names = [name for name, _ in rubric]
    if fault is not None:
        return fault
    if not names:
        return refuse("no_rubric", "The task has no criterion; no answer to it can be graded.", line, "rubric", record)
    if len(set(names)) < len(names):
        return refuse("duplicate_key", "Two criteria have one id. Give each its own.", line, "rubric[].id", record)
    if (benchmark, task) in described:
        return refuse("duplicate_key", f"The task {task} came before; the first is kept.", line, "task_id", record)
    described.add((benchmark, task))
    path, media_type = _media(record)
    domain, subdomain = _taxonomy(rows, record, line)
    rows.add(
        "items",
        benchmark=benchmark,
        item_id=task,
        capability=domain,
        subcapability=subdomain,
        media_type=media_type,
        answer_type="open",
        cluster=first_of(record, "cluster"),
        prompt=first_of(record, "question"),
        reference=first_of(record, "reference", "reference_answer"),
        reference_known=True,  # what grades an answer is the rubric, whether or not the reference is in the log
        media_path=path,
    )
    for name, words in rubric:
        rows.add("criteria", benchmark=benchmark, item_id=task, criterion=name, description=words)
    return None


def _taxonomy(rows: Gather, record: Record, line: int) -> tuple[str | None, str | None]:
    """Return domain and subdomain in our spelling; words outside the taxonomy are kept and doubted."""
    said, finer = first_of(record, "domain"), first_of(record, "subdomain")
    spelled = {plain(word): key for key, words in terms.DOMAINS.items() for word in (key, *words)}
    below = {plain(word): key for key, (_, words) in terms.SUBDOMAINS.items() for word in (key, words)}
    subdomain = None if finer is None else below.get(plain(_QUOTES.sub("", finer)), finer)
    domain = None if said is None else spelled.get(plain(said), said)
    if domain is None and subdomain in terms.SUBDOMAINS:
        domain = terms.SUBDOMAINS[subdomain][0]
    for column, word, known in (("domain", domain, terms.DOMAINS), ("subdomain", subdomain, terms.SUBDOMAINS)):
        if word is not None and word not in known:
            message = f"'{shorten(word, most=60)}' is no {column} of the benchmark and was kept as written; known: "
            message += listing(known, most=20) + "." + did_you_mean(word, known)
            rows.doubt("unknown_value", message, line=line, column=column, excerpt=word)
    return domain, subdomain


def _media(record: Record) -> tuple[str | None, str | None]:
    """Return path and type of a task's media; the type is told by the name's ending where it is not given."""
    media = record.get("media")
    inner = media if isinstance(media, dict) else {}
    path = first_of(inner, "path", "file", "url") or first_of(record, "media")
    kind = first_of(record, "media_type") or first_of(inner, "type")
    if kind is None and path is not None:
        ending = PurePosixPath(path).suffix.lower()
        kind = "image" if ending in IMAGES else "video" if ending in VIDEOS else None
    return path, kind.lower() if kind else None
