"""What the judgments of FastChat's MT-bench share, of one answer and of pairs: the judge, and what they do not hold."""

from collections.abc import Mapping

from gate.scores.ids import as_text
from gate.scores.recorded import without_questions

JUDGED_TWICE = "FastChat appends to a file that is there: delete it and judge again, or keep the lines of one run"

refuse_questions = without_questions(
    "MT-bench's judgments hold the questions only together with the answers",
    remedy="give FastChat's question.jsonl, with columns: {id: question_id, inputs: turns}",
)


def judge_of(record: Mapping[str, object]) -> str:
    """Who judged: the first of ``[judge, prompt]``."""
    judge = record.get("judge")
    return as_text(judge[0] if isinstance(judge, list) and judge else judge) or "unknown"
