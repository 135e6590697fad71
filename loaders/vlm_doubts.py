"""What VLMEvalKit's tables are known to get wrong, row by row.

Sources: VLMEvalKit issues 696 (indices that repeat), 1617 (open questions as hidden choices), 1689 (cells lost by the
spreadsheet writer), and the verdicts of real tables that contradict the letter they judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from loaders.vlm_rows import Asked
from loaders.vlm_tables import EXCEL_CELL, Row


def doubts(
    row: Row, item: Asked, *, answer: str | None, credit: float | None, xlsx: bool
) -> Iterator[tuple[str, str | None, str]]:
    """Yield (rule, column or None for the verdict's, message) for each doubt about one row."""
    prediction = row.get("prediction")
    letters = item.options is None or (item.reference or "").isupper()
    stated = answer is not None and item.reference is not None and item.kind != "open" and credit in (0.0, 1.0)
    if stated and letters and (answer == item.reference) != (credit == 1.0):
        message = "The verdict contradicts the answer that the prediction states; the verdict is kept."
        yield "verdict_against_answer", None, message
    if prediction is None and xlsx:
        message = "The prediction is empty. Spreadsheets lose texts that begin with a long web address: see the log."
        yield "empty_response", "prediction", message
    if prediction is not None and xlsx and len(prediction) >= EXCEL_CELL:
        message = f"The prediction has {EXCEL_CELL:,} characters, all that a cell holds: it was cut when written."
        yield "cut_cell", "prediction", message
    named = item.kind == "single_choice" and item.options and item.reference
    if named and item.reference and len(item.reference) > 1:
        message = (
            "The answer is written as an option's text, not as its letter: no letter was counted right by the log."
        )
        yield "reference_no_letter", "answer", message
    elif named and item.reference and item.options:
        place = ord(item.reference) - ord("A")
        if place >= len(item.options) or not item.options[place]:
            yield "empty_gold_option", "answer", f"The option {item.reference} is the answer and its cell is empty."
    if item.turned:
        message = "An open question was judged as a choice between its answer and 'Other Answers'; it is kept as open."
        yield "hidden_options", "B", message
