"""McNemar's test from discordant counts, and gains against wins less losses."""

from __future__ import annotations

from fractions import Fraction

from analytics.audit.kind import FAILS, Case, Kind, Verdict, answer, settle
from analytics.audit.numbers import Interval, exactly, short
from analytics.numeric.paired import mcnemar


def p_value(case: Case) -> Verdict:
    """Compare with the exact two-sided p of b against c."""
    b, c = case.count("b"), case.count("c")
    if b + c == 0:
        return Verdict("not_checkable", "missing: discordant cases; without one, McNemar's test is undefined.")
    found = Fraction(float(mcnemar(b, c, alternative="two-sided")))
    return settle(exactly(found), case, note=f"Exact, two-sided, from {b} and {c}.")


def net_wins(case: Case) -> Verdict:
    """Compare a printed gain with 100 (win - loss) / n."""
    win, loss, n = case.one("win"), case.one("loss"), case.one("n")
    found = (win - loss).over(n).times(Fraction(100))
    goal = case.one("target")
    ends = found
    name = " / ".join(list(case.here[0].values())[:2]) if case.here else ""
    said = (
        f"{name}: {short(win.low)} wins less {short(loss.low)} losses of {short(n.low)} give {short(found.low)}, "
        f"the gain is {case.inputs['target'][0].text}"
    )
    if found.meets(goal):
        return answer("reproduced" if found.exact else "consistent", f"{said}.", number=ends)
    off = found.apart(goal)
    return answer(FAILS, f"{said}, off by {short(off)}.", off=off, number=ends)


def other_attempts(case: Case) -> str | None:
    """How many tasks the verdicts of one attempt and the mean of several would differ by."""
    win, loss, n = case.one("win"), case.one("loss"), case.one("n")
    found = (win - loss).over(n).times(Fraction(100))
    goal = case.one("target")
    tasks = found.apart(goal) * n.low / 100
    nearest = Interval(goal.low, goal.high, None)
    return (
        f"the one verdict per task that wins and losses need passes {short(tasks)} tasks more or fewer "
        f"than the mean of the attempts (net {short(nearest.low * n.low / 100)} to "
        f"{short(nearest.high * n.low / 100)} tasks)"
    )


KINDS = (
    Kind("mcnemar", "exact two-sided McNemar p", roles=("b", "c"), judge=p_value),
    Kind(
        "net_wins",
        "100 (win - loss) / n",
        roles=("win", "loss", "n", "target"),
        target=False,
        judge=net_wins,
        departures={"other_attempts": other_attempts},
    ),
)
