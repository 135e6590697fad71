"""Spellings: values of one key that are spelled so nearly alike that they may be meant as one."""

from __future__ import annotations

from analytics.policy import Policy
from analytics.questions import Answer, Question, Result
from analytics.slices import Slice
from analytics.store import Connection, frame

KEYS = ("capability", "subcapability", "axis", "media_type", "tier", "tag", "vendor", "access", "regime")
"""Keys whose values are categories; models, runs and conditions often differ in one letter and are meant to."""

MOST = 1500
"""Values of one key of a benchmark that are compared with each other; more are counted as left out."""

SHORTEST = 5
"""Characters from which one letter more, less or other is suspicious; from twice as many, two."""

SQL = """
WITH held AS (
    SELECT benchmark, key, value, items + runs AS n, count(*) OVER (PARTITION BY benchmark, key) AS size,
           trim(regexp_replace(lower(value), '[^\\p{{L}}\\p{{N}}]+', ' ', 'g')) AS folded,
           regexp_replace(value, '[^0-9]+', ' ', 'g') AS digits
    FROM dimensions WHERE key = ANY($keys) AND value <> 'none' AND {where}
),
pairs AS (
    SELECT a.benchmark, a.key, a.value AS a, b.value AS b, a.n AS n_a, b.n AS n_b, a.folded = b.folded AS alike,
           a.digits = b.digits AS same_digits, least(length(a.folded), length(b.folded)) AS shortest,
           CASE WHEN abs(length(a.folded) - length(b.folded)) <= 2
                THEN damerau_levenshtein(a.folded, b.folded) END AS distance
    FROM held a JOIN held b ON b.benchmark = a.benchmark AND b.key = a.key AND b.value > a.value
    WHERE a.size <= $most
)
SELECT benchmark, key, a, n_a::BIGINT AS n_a, b, n_b::BIGINT AS n_b, distance::BIGINT AS distance,
       CASE WHEN alike AND lower(a) = lower(b) THEN 'differ in case alone'
            WHEN alike THEN 'differ in spaces, signs or case alone'
            ELSE 'differ in ' || distance || ' letter' || CASE WHEN distance > 1 THEN 's' ELSE '' END END AS why
FROM pairs
WHERE alike OR (same_digits AND (distance = 1 AND shortest >= $shortest
                                 OR distance = 2 AND shortest >= 2 * $shortest))
ORDER BY benchmark, key, alike DESC, distance, a, b
"""

SKIPPED = """
SELECT coalesce(sum(size), 0)::BIGINT AS n FROM (
    SELECT count(*) AS size FROM dimensions WHERE key = ANY($keys) AND value <> 'none' AND {where}
    GROUP BY benchmark, key HAVING count(*) > $most)
"""


def spellings(cursor: Connection, chosen: Slice, policy: Policy) -> Answer:
    """Find values of a slice key that are spelled nearly alike within one benchmark version.

    One row per pair of values. They are never merged: a row is a question to the log's author. Two values are alike
    where case, spaces and signs alone tell them apart, or one letter (two in long words); values that differ in a digit
    are meant to. `n_*` counts items, or runs for keys of runs. Of the slice only the benchmark counts. Distance:
    Damerau 1964, doi:10.1145/363958.363994.
    """
    del policy
    names = list(chosen.values("benchmark"))
    where = "benchmark = ANY($names)" if names else "TRUE"
    bound = {"keys": list(KEYS), "most": MOST, "shortest": SHORTEST, "names": names}
    table = frame(cursor, SQL.format(where=where), bound)
    skipped = int(frame(cursor, SKIPPED.format(where=where), bound)["n"].item())
    return Answer(
        table, "equal but for case, spaces and signs, or by Damerau-Levenshtein distance",
        {f"values of keys with more than {MOST}": skipped},
    )  # fmt: skip


QUESTION = Question(
    name="spellings",
    title="Values spelled nearly alike",
    asks="Which values of a key may be meant as one?",
    source="Damerau 1964, doi:10.1145/363958.363994",
    needs="items with a capability or another key",
    options=(),
    columns=(
        Result("benchmark", "text", "benchmark version"),
        Result("key", "text", "slice key"),
        Result("a", "text", "one value"),
        Result("n_a", "count", "items or runs that have it"),
        Result("b", "text", "the other value"),
        Result("n_b", "count", "items or runs that have it"),
        Result("distance", "count", "letters to change, without case, spaces and signs"),
        Result("why", "text", "what tells them apart"),
    ),
    ask=spellings,
)
