"""What Azure's evaluators return, wherever it is written down: which of it is a score, of what scale, and why not."""

import re
from collections.abc import Mapping

from gate.scores.cells import Parsed, parse_cell
from gate.scores.model import Direction, ItemStatus, Scale
from gate.scores.recorded import RATE, Traits

NO_SCORES = (
    *("_threshold", "_tokens", "_reason", "_status", "_properties", "_details"),
    *("_sample_input", "_sample_output", "_model", "_finish_reason", "_label"),
)
VERDICTS: Mapping[object, float | ItemStatus] = {
    "pass": 1.0, "fail": 0.0, "not_applicable": ItemStatus.SKIPPED, "unknown": ItemStatus.UNSCORED
}  # fmt: skip
RATING = Traits(Scale(1.0, 5.0))
_PASSED = "_passed"
_TRUTHS = ("_result", _PASSED)
_DERIVED = re.compile(r"_(score|passed|result)$")
_STATUSES: Mapping[object, ItemStatus] = {"error": ItemStatus.ERROR, "skipped": ItemStatus.SKIPPED}
_RATINGS = frozenset(
    {"coherence", "fluency", "groundedness", "intent_resolution", "relevance", "response_completeness", "retrieval",
     "similarity", "task_adherence"}
)  # fmt: skip
_SEVERITIES = frozenset({"hate_unfairness_score", "self_harm_score", "sexual_score", "violence_score"})
_RATES = frozenset(
    {"f1_score", "bleu_score", "gleu_score", "meteor_score", "rouge_f1_score", "rouge_precision", "rouge_recall"}
)


def traits_of(name: str) -> Traits | None:
    """What the evaluators fix: ratings of 1 to 5, rates, and severities of 0 to 7, better when lower."""
    if name.removeprefix("gpt_").removesuffix("_score") in _RATINGS:
        return RATING
    if name in _SEVERITIES:
        return Traits(Scale(0.0, 7.0), Direction.LOWER)
    # newer versions write each score twice, as f1_score and as f1_score_score
    return RATE if not {name, name.removesuffix("_score")}.isdisjoint(_RATES) or name.endswith(_TRUTHS) else None


def decode(outputs: Mapping[str, object], key: str) -> Parsed:
    """The value under a key as a score, or as why there is none: what stands beside it tells."""
    value, stem = outputs[key], _DERIVED.sub("", key)
    score = VERDICTS[value] if isinstance(value, str) and value in VERDICTS else parse_cell(value)
    if key.endswith(_PASSED) and outputs.get(f"{stem}_result") == "unknown":
        score = ItemStatus.UNSCORED  # written as false, though nothing was judged
    if score is not ItemStatus.UNSCORED:
        return score
    told = outputs.get(f"{stem}_status", outputs.get(f"{key}_status"))
    return _STATUSES.get(told, score) if isinstance(told, str) else score
