"""Association: what does the cause of a failure go with?"""

from __future__ import annotations

from analytics.ballots import LEVELS, WHOLE
from analytics.determined import COLUMN, mark, note
from analytics.failure_rows import BY, LABELLER, NEEDS, counts_of, failure_rows, notes_of
from analytics.numeric.association import cramers_v
from analytics.policy import Policy
from analytics.questions import LEVEL, Answer, Question, Result
from analytics.slices import Slice
from analytics.store import Connection
from analytics.tables import table_of

DIMENSIONS = (*(name for name in LEVELS if name != WHOLE), "run", "vendor", "access")


def association(cursor: Connection, chosen: Slice, policy: Policy, *, by: str, labeller: str, level: float) -> Answer:
    """Cramer's V of the cause (or family) of a failure with each dimension of items and runs.

    One row per benchmark version and dimension, over the labelled failures of main runs. `v` in [0, 1] is the plain
    coefficient, `v_corrected` without its bias in sparse tables; `low` and `high` bound the population V by a
    noncentral chi-square. Null, with a `reason`, where one cause or one level is all there is. Several runs fail on one
    item, so the `n` failures are not independent: intervals are too narrow and p values too small.
    Sources: Cramer 1946; interval Smithson 2003, chapter 4; correction Bergsma 2013, doi:10.1016/j.jkss.2012.10.002.
    Raises EmptySlice without labels, UnknownValue for a labeller that is not there.
    """
    rows, left_out = failure_rows(cursor, chosen, policy, labeller=labeller, main=True)
    found: list[dict[str, object]] = []
    for (benchmark,), part in rows.group_by(["benchmark"], maintain_order=True):
        for dimension in DIMENSIONS:
            result = cramers_v(counts_of(part, part[by], part[dimension])[2], level=level)
            found.append(
                {
                    "benchmark": benchmark,
                    "with": dimension,
                    "v": result.v,
                    "v_corrected": result.v_corrected,
                    "low": result.low,
                    "high": result.high,
                    "chi_square": result.chi_square,
                    "df": result.df,
                    "p": result.p,
                    "n": result.n,
                    "causes": result.rows,
                    "levels": result.columns,
                    "reason": result.reason.replace("row", "cause").replace("column", "level"),
                }
            )
    table = mark(cursor, table_of(found, COLUMNS[:-1]), chosen, question="association", column="v", options={})
    method = f"Cramer's V; {level:.0%} interval from the noncentral chi-square, failures taken as independent"
    return Answer(table, method, left_out, (*notes_of(rows), *note(table)))


COLUMNS = (
    Result("benchmark", "text", "benchmark version"),
    Result("with", "text", "dimension of items or runs"),
    Result("v", "number", "Cramer's V of cause and dimension"),
    Result("v_corrected", "number", "Cramer's V without its bias in sparse tables"),
    Result("low", "number", "lower end of the population V's interval"),
    Result("high", "number", "upper end of the population V's interval"),
    Result("chi_square", "number", "chi-square of independence"),
    Result("df", "count", "its degrees of freedom"),
    Result("p", "p", "its p value, failures taken as independent"),
    Result("n", "count", "labelled failures"),
    Result("causes", "count", "causes that occur"),
    Result("levels", "count", "levels of the dimension that occur"),
    Result("reason", "text", "why V is undefined; empty where it is defined"),
    COLUMN,
)

QUESTION = Question(
    name="association",
    title="What causes go with",
    asks="What does the cause of a failure go with?",
    source="Cramer 1946; Smithson 2003, Confidence Intervals, chapter 4; Bergsma 2013, doi:10.1016/j.jkss.2012.10.002",
    needs=NEEDS,
    options=(BY, LABELLER, LEVEL),
    columns=COLUMNS,
    ask=association,
)
