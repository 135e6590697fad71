"""Attempts of which a judge left a criterion open: what became of them, in words for beside a ranking."""

from __future__ import annotations

from analytics.policy import JUDGE_RULES, Policy
from analytics.slices import Slice
from analytics.store import Connection, frame

# attempts of the slice that a judge left open: with another criterion not met, for which they count as 0, and without.
# `logged`: the credit is the log's own, which is 0 for the first kind
SQL = """
SELECT count(DISTINCT CASE WHEN o.unmet AND (NOT $logged OR a.credit = 0) THEN o.place END) AS zero,
       count(DISTINCT CASE WHEN NOT o.unmet THEN o.place END) AS open,
       count(DISTINCT CASE WHEN NOT o.unmet AND a.credit IS NOT NULL THEN o.place END) AS credited
FROM (SELECT *, (run_idx, item_idx, attempt) AS place FROM open_attempts) o
JOIN responses a USING (run_idx, item_idx, attempt)
JOIN item_dims i USING (item_idx)
JOIN run_dims r USING (run_idx)
WHERE ($judge = '' OR o.judge_id = $judge) AND ($attempts = 'mean' OR o.attempt = 1)
  AND (a.status IN ('ok', 'invalid_format') OR a.status = 'guessed' AND $guessed = 'as_logged')
  AND i.reference_known AND {where}
"""


def left_open(cursor: Connection, chosen: Slice, policy: Policy) -> list[str]:
    """Return the sentences on attempts with a criterion that a judge left open, where the slice has such attempts.

    One unmet criterion settles an attempt (equation 2 of arXiv:2610.08966). Else it has no credit under `judge=NAME`;
    the log's own credit, and a rule over several judges, may rest on another judge, so that nothing is said of those.
    """
    one = policy.judge not in JUDGE_RULES
    if not one and policy.judge != "logged":
        return []
    where, params = chosen.where()
    bound = {
        "judge": policy.judge if one else "",
        "logged": not one,
        "attempts": policy.attempts,
        "guessed": policy.guessed,
    }
    found = frame(cursor, SQL.format(where=where), params | bound).row(0, named=True)
    said = []
    if found["zero"]:
        sentence = (
            "Attempts that count as 0 because a judge found one criterion not met, while it gave no verdict on "
            f"another: {found['zero']:,}."
        )
        if one or not found["credited"]:  # a log may have credited those with all others met, by a rule of its own
            sentence += (
                " Those with all other criteria met are left out instead, so that the mean can only be lower than "
                "without such gaps (question criteria counts the items)."
            )
        said.append(sentence)
    if one and found["open"]:
        said.append(
            f"Attempts left out as unjudged because judge {policy.judge} has no verdict on one of the criteria, and "
            f"finds none of the others unmet: {found['open']:,}."
        )
    return said
