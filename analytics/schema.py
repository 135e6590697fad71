"""The tables as data: DDL, validation and the data dictionary all come from here.

Keys are text in logs and in the native form (`run_id`, `item_id`); a build adds the integer keys
`run_idx` and `item_idx` and sorts by them. A column is NOT NULL unless it says otherwise.
"""

from __future__ import annotations

from analytics.columns import (
    ANSWER_TYPES,
    FAILED,
    PROVENANCES,
    RUN_KINDS,
    SEVERITIES,
    SQL_TYPE,
    STATUSES,
    Column,
    Table,
    integer,
    number,
    text,
)
from analytics.ledger import ISSUES, PROVENANCE, SOURCE, SOURCES

__all__ = [
    "ANSWER_TYPES",
    "FAILED",
    "ISSUES",
    "LOG_TABLES",
    "PROVENANCES",
    "RUN_KINDS",
    "SCHEMA_VERSION",
    "SEVERITIES",
    "SOURCES",
    "SQL_TYPE",
    "STATUSES",
    "STORE_VERSION",
    "TABLES",
    "Column",
    "Table",
]

SCHEMA_VERSION = 1
"""Version of the tables that logs in the native form hold."""

STORE_VERSION = 6
"""Version of a store: of all tables, and of what a build keeps of its sources."""

BENCHMARK = text("benchmark", "Benchmark version that the row belongs to, e.g. 'blink' or 'hss-judges'")
ITEM = text("item_id", "Item of the benchmark version, unique within it")
RUN = text("run_id", "One system under one setting, unique in the store")
ATTEMPT = integer("attempt", "Attempt at the item by this run, from 1", low=1)

BENCHMARKS = Table(
    "benchmarks",
    "benchmark version; its item list is the declared population",
    ("benchmark",),
    (
        BENCHMARK,
        text("title", "Name as its authors write it"),
        text("version", "Release or subset", null=True),
        text(
            "missing_policy",
            "Whether a missing or failed attempt counts as zero credit or is left out",
            allowed=("zero", "exclude"),
        ),
        text("raw_means", "What 'raw' is here, e.g. answer credit or pass@1"),
        text("verified_means", "What 'verified' is here; null when the log has no rationale labels", null=True),
        text("slice_name", "What `capability` is called here, e.g. task, domain, dimension"),
        text("headline", "The mean that its authors print first", allowed=("macro", "micro")),
        text("rubric", "Name of the rubric in logs/rubric.toml", null=True),
        text("note", "What a reader must know before using its numbers", null=True),
    ),
)

ITEMS = Table(
    "items",
    "benchmark item",
    ("benchmark", "item_id"),
    (
        BENCHMARK,
        ITEM,
        text("capability", "Primary slice of the benchmark", null=True),
        text("subcapability", "Finer level below capability", null=True),
        text("axis", "Second axis, crossing capability", null=True),
        text("media_type", "text, image, images, video, audio or a mix", null=True),
        text("answer_type", "How the item is answered", allowed=ANSWER_TYPES),
        text("tier", "Grounding or difficulty tier", null=True),
        text("cluster", "Episode, video or passage shared with other items", null=True),
        text("prompt", "What the system was asked", null=True),
        Column("options", "texts", "Answer options in their stored order: A, B, C ...", null=True),
        text("reference", "Correct answer: option letters, or text for open items", null=True),
        Column(
            "reference_known",
            "boolean",
            "False where the benchmark hides the answer: such items leave every denominator and are counted",
        ),
        text("media_path", "Image, video or audio, relative to the log", null=True),
        number("chance", "Credit that guessing earns on average", unit="proportion", low=0, high=1),
        PROVENANCE,
        SOURCE,
    ),
)

ITEM_TAGS = Table(
    "item_tags",
    "item x multi-valued label; totals over tags may exceed n",
    ("benchmark", "item_id", "kind", "tag"),
    (
        BENCHMARK,
        ITEM,
        text("kind", "What sort of label: skill, image_type ...; 'scope' names the population of a partial run"),
        text("tag", "The label"),
        SOURCE,
    ),
)

CRITERIA = Table(
    "criteria",
    "item x criterion of its rubric",
    ("benchmark", "item_id", "criterion"),
    (
        BENCHMARK,
        ITEM,
        text("criterion", "Name or number of the criterion"),
        text("description", "What must hold for it to be met", null=True),
        number("weight", "Weight within the item; equal when null"),
        SOURCE,
    ),
)

OPTION_TYPES = Table(
    "option_types",
    "item x option",
    ("benchmark", "item_id", "option"),
    (
        BENCHMARK,
        ITEM,
        text("option", "Letter of the option in stored order"),
        text("type", "'correct' or the type of trap"),
        SOURCE,
    ),
)

RUNS = Table(
    "runs",
    "one system under one setting on one benchmark version",
    ("run_id",),
    (
        RUN,
        BENCHMARK,
        text("model", "Name of the system as its log writes it"),
        text("vendor", "Who makes it", null=True),
        text("access", "proprietary, open-weight ...", null=True),
        text("kind", "What answered", allowed=RUN_KINDS),
        text(
            "regime",
            "Input regime, e.g. video or 32 frames; runs of two regimes are not ranked together",
            null=True,
        ),
        text("condition", "Setting that was varied, as key=value; null for the main run", null=True),
        text("scope", "Item tag of kind 'scope' that is the declared population; null is every item", null=True),
        Column("settings", "json", "Everything else that the log tells of the setting", null=True),
        text("parser", "How the answer was read from the response, where the log says", null=True),
        Column("complete", "boolean", "False for an interrupted run"),
        PROVENANCE,
        SOURCE,
    ),
)

CREDIT = number("credit", "Raw credit as logged; null when nobody judged", unit="proportion", low=0, high=1)

RESPONSES = Table(
    "responses",
    "run x item x attempt",
    ("run_id", "item_id", "attempt"),
    (
        RUN,
        ITEM,
        ATTEMPT,
        text("answer", "Answer as parsed: option letters, or text", null=True),
        text("response", "Whole response", null=True),
        text("rationale", "Reasoning given with the answer", null=True),
        CREDIT,
        number("verified", "Verified credit as logged, where the log has it", unit="proportion", low=0, high=1),
        text("coverage", "Rationale coverage", null=True, allowed=("present", "absent")),
        text("evidence", "Evidence support", null=True, allowed=("supported", "weak", "contradicted")),
        text("logic", "Logical integrity", null=True, allowed=("sound", "gap", "broken")),
        number("coverage_factor", "Numeric factor of the log, used instead of the rubric's", low=0),
        number("evidence_factor", "Numeric factor of the log, used instead of the rubric's", low=0),
        number("logic_factor", "Numeric factor of the log, used instead of the rubric's", low=0),
        Column("order_shown", "texts", "Stored letters of the options in the order shown", null=True),
        number("confidence", "Confidence as stated", low=0, high=1),
        integer("input_tokens", "Tokens read", unit="tokens", low=0, null=True),
        integer("output_tokens", "Tokens written, reasoning included", unit="tokens", low=0, null=True),
        integer("steps", "Calls or turns taken", low=0, null=True),
        number("seconds", "Wall time of the attempt", unit="s", low=0),
        text("status", "What became of the attempt; never folded into credit", allowed=STATUSES),
        text("status_note", "The log's own words for the status", null=True),
        SOURCE,
        integer("line", "Line, row or member of the source", low=0, null=True),
    ),
)

JUDGES = Table(
    "judges",
    "judge",
    ("judge_id",),
    (
        text("judge_id", "Judge, unique in the store"),
        text("kind", "What judges", allowed=("person", "model", "program")),
        text("vendor", "Who makes it", null=True),
        text("version", "Version or rule", null=True),
        SOURCE,
    ),
)

VERDICTS = Table(
    "verdicts",
    "response x judge x criterion (x judge assessed)",
    ("run_id", "item_id", "attempt", "judge_id", "criterion", "on_judge"),
    (
        RUN,
        ITEM,
        ATTEMPT,
        text("judge_id", "Who judged"),
        text("criterion", "Criterion judged; 'answer' for the response as a whole"),
        text("on_judge", "Judge whose verdict is assessed, for an endorsement; empty otherwise"),
        Column("met", "boolean", "Whether the criterion is met; null when abstained or failed", null=True),
        text("label", "Verdict in words", null=True),
        number("score", "Verdict as a number on the judge's own scale"),
        text("justification", "Why", null=True),
        text("status", "Whether a verdict came out", allowed=("ok", "abstained", "judge_failed")),
        SOURCE,
    ),
)

COMPARISONS = Table(
    "comparisons",
    "item x run A x run B x judge x attempt of the judge",
    ("benchmark", "item_id", "run_a", "run_b", "judge_id", "attempt"),
    (
        BENCHMARK,
        ITEM,
        text("run_a", "First run compared"),
        text("run_b", "Second run compared"),
        text("judge_id", "Who judged"),
        ATTEMPT,
        text(
            "label",
            "Which is better; null when the judge failed",
            null=True,
            allowed=("A", "B", "tie", "none"),
        ),
        number("score", "Preference on the judge's own scale"),
        text("justification", "Why", null=True),
        text("order_shown", "Which run was shown first", null=True, allowed=("AB", "BA")),
        SOURCE,
    ),
)

FAILURE_LABELS = Table(
    "failure_labels",
    "response x labeller",
    ("run_id", "item_id", "attempt", "labeller"),
    (
        RUN,
        ITEM,
        ATTEMPT,
        text("labeller", "Who named the cause"),
        text("family", "Family of causes", null=True),
        text("cause", "Cause of the failure"),
        text("note", "Why, or where in the response", null=True),
        SOURCE,
    ),
)

FIGURES = Table(
    "figures",
    "published figure: one printed cell",
    ("document", "file", "row_key", "column_name"),
    (
        text("document", "psycheme, hss, srb, or the document that a user names"),
        text("file", "CSV that holds the table"),
        text("place", "Table or figure of the document"),
        text("row_key", "Key columns of the row, joined with ' / '"),
        text("column_name", "Column of the CSV"),
        text("printed", "Text as printed, trailing zeros included"),
        number("value", "The number printed; null for text such as '<1e-4'"),
        integer("decimals", "Digits printed after the point", low=0, null=True),
        text("unit", "percent, proportion, points, count ...", null=True),
        integer("n", "Number of items or cases behind the figure, where known", low=0, null=True),
        text("meaning", "What is measured", null=True),
        PROVENANCE,
        SOURCE,
    ),
)

CLAIMS = Table(
    "claims",
    "published statement that can be checked",
    ("claim_id",),
    (
        text("claim_id", "Short name of the claim"),
        text("document", "Document that makes it"),
        text("place", "Where in the document"),
        text("statement", "What is said, in our words"),
        text("printed", "The number or numbers as printed"),
        text("unit", "Unit of the printed number", null=True),
        integer("n", "Number of items or cases, where printed", null=True),
        text("kind", "Kind of check", null=True),
        Column("recipe", "json", "Inputs of the check", null=True),
        SOURCE,
    ),
)

LOG_TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        BENCHMARKS,
        ITEMS,
        ITEM_TAGS,
        CRITERIA,
        OPTION_TYPES,
        RUNS,
        RESPONSES,
        JUDGES,
        VERDICTS,
        COMPARISONS,
        FAILURE_LABELS,
        FIGURES,
        CLAIMS,
    )
}
"""Tables that readers fill and that the native form stores."""

TABLES: dict[str, Table] = LOG_TABLES | {table.name: table for table in (SOURCES, ISSUES)}
