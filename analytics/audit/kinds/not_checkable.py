"""Statements that nothing at hand can check, with what is missing."""

from __future__ import annotations

from analytics.audit.kind import Case, Kind, Verdict


def missing(case: Case) -> Verdict:
    """Say what would be needed."""
    return Verdict("not_checkable", f"missing: {case.record.get('missing', 'a check of this statement')}.")


KINDS = (Kind("not_checkable", "nothing at hand checks it", target=False, judge=missing),)
