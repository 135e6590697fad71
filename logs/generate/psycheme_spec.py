"""What the PsycheMME page prints, as the plan needs it, and the choices where it prints nothing."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from logs.generate.exact import measures, table

UNIT = 576  # a full verified credit: 1.2 x 1.2 x 400, so that every product of the assumed factors is an integer
EVIDENCE = {"supported": Fraction(12, 10), "weak": Fraction(1), "contradicted": Fraction(1, 2)}
LOGIC = {"sound": Fraction(12, 10), "gap": Fraction(1), "broken": Fraction(1, 2)}
COVERAGE = {"present": Fraction(1), "absent": Fraction(1, 2)}
CREDIT = {"full": Fraction(1), "half": Fraction(1, 2)}
OPTIONS = "ABCD"

CAPABILITIES: dict[str, int] = {row["capability"]: int(row["n_questions"]) for row in table("psycheme_capabilities")}
OPEN: dict[str, int] = {"need": 35, "verbal_response": 30, "psychological_understanding": 25, "action": 20}

# Choices among what the printed figures admit; each is verified against them before a row is placed.
# A sample of 300 and its correct answers out of five per question that print both human accuracies:
HUMAN_ITEMS: dict[str, int] = dict(zip(CAPABILITIES, (56, 96, 29, 22, 29, 28, 18, 22), strict=True))
HUMAN_CORRECT: dict[str, int] = dict(zip(CAPABILITIES, (200, 455, 105, 104, 101, 133, 80, 101), strict=True))
NEED_FULL = {"Gemini 3.6 Flash": 10, "Claude Opus 5": 24}
# Correct Timing answers of the 17 runs in table order, and how many are weak or contradicted: 282 of 567, one of the
# few pooled counts that print 49.74, with the best single run at 48 and the verified score lowest for every run:
TIMING_CORRECT = (48, 46, 37, 45, 44, 47, 39, 37, 32, 33, 15, 18, 28, 23, 24, 25, 26)
TIMING_WEAK = (22, 23, 18, 24, 22, 23, 19, 18, 16, 16, 8, 9, 14, 12, 12, 13, 13)
EPISODES, MEMORY_EPISODES, MEMORY_ITEMS = 630, 24, 40
JUDGE = "Qwen3.8-27B"
JUDGE_REVIEW = {"cases": 300, "experts": 5, "endorsed": 1352}
GAINS = {"question_only": "question_only_gain_", "visual_only": "asr_gain_"}
# Correct answers of all, and verified sums in 1/576, of the Memory intervention:
MEMORY_RAW = {"no_history": (17, 40), "mismatched_history": (54, 120), "matched_history": (33, 40)}
MEMORY_VERIFIED = {"no_history": 5824, "mismatched_history": 16500, "matched_history": 17176}


@dataclass(frozen=True)
class Target:
    """One planned run over the 1,000 questions: its key and the printed texts that it has to meet."""

    key: str
    model: str
    access: str
    condition: str
    raw: str
    verified: str
    cells: dict[str, str]  # printed verified score by capability; empty where none is printed
    gain: str | None = None  # printed raw gain of the full input over this one


def closed(capability: str) -> int:
    """Return how many choice questions a capability has."""
    return CAPABILITIES[capability] - OPEN.get(capability, 0)


def targets() -> list[Target]:
    """Return the 27 planned runs: 17 frozen models, two adapted checkpoints, four further inputs of two models."""
    findings = measures("psycheme_findings")
    frozen = [
        Target(
            key=row["model"],
            model=row["model"],
            access=row["access"],
            condition="full",
            raw=row["raw_macro"],
            verified=row["verified_macro"],
            cells={name: row[name] for name in CAPABILITIES},
        )
        for row in table("psycheme_table2")
    ]
    adapted = [
        Target(
            key=f"Qwen3.5-4B {row['checkpoint']}",
            model=f"Qwen3.5-4B {row['checkpoint']}",
            access="open_weight",
            condition="full",
            raw=row["raw_macro"],
            verified=row["verified_macro"],
            cells={},
        )
        for row in table("psycheme_adaptation")
        if row["checkpoint"] != "Base"
    ]
    ablated = [
        Target(
            key=f"{row['model']} {row['input']}",
            model=row["model"],
            access="open_weight",
            condition=row["input"],
            raw=row["raw_macro"],
            verified=row["verified_macro"],
            cells={},
            gain=findings.get(GAINS.get(row["input"], "") + row["model"].lower().replace(".", "_").replace("-", "_")),
        )
        for row in table("psycheme_table3_input_ablation")
        if row["input"] != "full"
    ]
    return frozen + adapted + ablated


def worth(credit: str, label: str) -> int:
    """Return the verified credit in 1/576 of a response with a credit level and an evidence/logic/coverage label."""
    evidence, logic, coverage = label.split("/")
    product = CREDIT[credit] * EVIDENCE[evidence] * LOGIC[logic] * COVERAGE[coverage] / Fraction(144, 100) * UNIT
    if product.denominator != 1:
        raise ValueError(f"{credit} {label} is worth {product} units, not an integer")
    return int(product)


LABELS = tuple(f"{e}/{lo}/{c}" for c in COVERAGE for e in EVIDENCE for lo in LOGIC)
