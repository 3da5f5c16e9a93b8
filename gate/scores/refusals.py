"""What is no file of per-item scores: known by its first bytes or its first record, and refused with the way out."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from gate.errors import Place, ScoreFileError
from gate.scores.first_record import Container, FirstRecord
from gate.scores.quoting import quote

_READS = "scores come as text, Parquet or an Inspect .eval log"


class _Opening(NamedTuple):
    bytes: bytes
    what: str
    remedy: str


_OPENINGS = (
    _Opening(
        b"version https://git-lfs",
        "this is a Git LFS pointer, not the file itself",
        "fetch the file with `git lfs pull`, or set `lfs: true` in the checkout step",
    ),
    _Opening(b"PK\x05\x06", "this is an empty zip archive", "let the tool write it again"),
    _Opening(b"SQLite format 3\0", "this is an SQLite database", "let the tool export the results, and give that file"),
    _Opening(b"\xff\xfe", "this is UTF-16 text", "save the file as UTF-8"),
    _Opening(b"\xfe\xff", "this is UTF-16 text", "save the file as UTF-8"),
)

_TAR_AT = 257  # where a tar archive has its magic word
_WORKBOOK = "xl/workbook.xml"
_SUMMARY_KEYS = frozenset(
    {"average", "count", "max", "mean", "mean_rating", "median", "min", "pass_count", "pass_rate", "std", "stderr"}
)
_METRIC_KEYS = frozenset({"accuracy", "acc", "auc", "bleu", "exact_match", "f1", "loss", "mean", "precision", "recall"})
_METRIC_COLUMNS = frozenset({"metric", "metrics", "metric_name"})
_FIGURE_COLUMNS = frozenset({"score", "value", "mean", "average", "result"})


class _Summary(NamedTuple):
    """A tool's file without a score per item: keys of the whole JSON object, what it is, and which file to give."""

    keys: frozenset[str]
    what: str
    remedy: str


# every leaderboard of AlpacaEval has them, whatever its version and its other columns
_LEADERBOARD = frozenset({"win_rate", "standard_error", "n_total"})
_HELM_WHAT = "this is one of HELM's other files: it has no score per instance"
_HELM_REMEDY = "give the per_instance_stats.json in the same folder"
_SUMMARIES = (
    _Summary(
        frozenset({"config_general", "results"}),
        "this is the summary that lighteval writes (results_*.json): it has one figure per task, none per item",
        "run lighteval with --save-details and give the details_<task>_<date>.parquet",
    ),
    _Summary(
        frozenset({"schema_version", "evaluation_id", "evaluation_results"}),
        "this is an aggregate of Every Eval Ever: it has one figure per result, none per item",
        "give the *_samples.jsonl beside it; every_eval_ever convert writes one with --include_samples",
    ),
    _Summary(
        frozenset({"test_cases_lookup_map"}),
        "this is DeepEval's cache of results, not a test run",
        "give the .latest_test_run.json in the same folder",
    ),
    _Summary(frozenset({"adapter_spec", "request_states"}), _HELM_WHAT, _HELM_REMEDY),
    _Summary(frozenset({"adapter_spec", "scenario_spec"}), _HELM_WHAT, _HELM_REMEDY),
)


def refuse_bytes(head: bytes, place: Place) -> None:
    """Raise ScoreFileError where a file that begins with ``head`` (64 KiB of it) cannot be text with scores."""
    if not head:
        raise ScoreFileError(
            "the file is empty", where=place, remedy="check the step that writes it; it may have failed half way"
        )
    for opening in _OPENINGS:
        if head.startswith(opening.bytes):
            raise ScoreFileError(opening.what, where=place, remedy=opening.remedy)
    if head[_TAR_AT:].startswith(b"ustar"):
        raise ScoreFileError("this is a tar archive", where=place, remedy="unpack it and give the file in it")
    if b"\0" in head:
        raise ScoreFileError(
            f"this is a binary file, or text that is not UTF-8; {_READS}", where=place, remedy="save it as UTF-8 text"
        )


def refuse_archive(names: Collection[str], place: Place) -> None:
    """Raise ScoreFileError for a zip archive of these members, which is no reader's."""
    if _WORKBOOK in names:
        raise ScoreFileError("this is an Excel workbook", where=place, remedy="save the sheet with the scores as CSV")
    raise ScoreFileError(
        "this is a zip archive, and no log of Inspect's", where=place, remedy="unpack it and give the file in it"
    )


def refuse_summary(first: FirstRecord, place: Place) -> None:
    """Raise ScoreFileError where the first record shows an aggregate."""
    record = first.fields
    for summary in _SUMMARIES:
        if first.is_map and summary.keys <= record.keys():
            raise ScoreFileError(summary.what, where=place, remedy=summary.remedy)
    if _is_lm_eval_summary(record):
        raise ScoreFileError(
            "this is the summary that lm-eval writes (results_*.json): it has one figure per task, none per item",
            where=place,
            remedy="run lm_eval with --log_samples and give the samples_<task>_<date>.jsonl beside it",
        )
    if first.container is Container.CSV and record.keys() >= _LEADERBOARD:
        raise ScoreFileError(
            "this is the leaderboard that AlpacaEval writes: it has one figure per model, none per instruction",
            where=place,
            remedy="give the annotations.json beside it",
        )
    if record.keys() >= {"name", "count", "sum"} and isinstance(record["name"], dict):
        raise ScoreFileError(_HELM_WHAT, where=place, remedy=_HELM_REMEDY)
    if _is_summary(first):
        named = quote(next(iter(record)))
        raise ScoreFileError(
            f"this is a summary, one figure per metric ({named}, ...), not one score per item",
            where=place,
            remedy="give the file with one row per item; if these are items, name the format, e.g. format: "
            f"{first.container}",
        )


def _is_lm_eval_summary(record: Mapping[str, object]) -> bool:
    results = record.get("results")
    if not isinstance(results, dict) or not results:
        return False
    tasks = [task for task in results.values() if isinstance(task, dict)]
    comma = any("," in name for task in tasks for name in task)
    return len(tasks) == len(results) and (comma or not record.keys().isdisjoint({"configs", "config", "versions"}))


def _is_summary(first: FirstRecord) -> bool:
    record = first.fields
    if first.container is Container.CSV:
        match [name.strip().lower() for name in record]:
            case [metric, figure]:
                return metric in _METRIC_COLUMNS and figure in _FIGURE_COLUMNS
        return False
    if not first.is_map or not record:
        return False
    values = list(record.values())
    if all(isinstance(value, dict) and value and value.keys() <= _SUMMARY_KEYS for value in values):
        return True
    return all(isinstance(value, int | float) for value in values) and record.keys() <= _METRIC_KEYS
