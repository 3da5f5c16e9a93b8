"""OpenAI evals' log: ``{"spec": ...}``, then the events of all samples, and among them ``{"final_report": ...}``.

A sample's ``match`` and ``metrics`` events are its scores. Where the tool runs a sample again, after a time-out too, it
writes them again: they are repeats of one item. Ids are positions in the data set, so question and target are compared.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gate.errors import ScoreFileError
from gate.scores.cells import require_score
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import LONGEST_ID, as_text, digest, make_id
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, items_of_records, run_of_records
from gate.scores.records import Numbered, iter_lines
from gate.scores.tabulation import refuse_sparse

_MATCH = "correct"
_JUDGED = "evals.elsuite.modelgraded"
_FORM = Form("openai_evals", repeats=True, traits={_MATCH: RATE, "accuracy": RATE, "f1_score": RATE}.get)


@dataclass(slots=True)
class _Sample:
    """What the events met so far tell of one sample; ``scores`` has an entry for each time that it was run."""

    line: int
    scores: list[dict[str, float | ItemStatus]] = field(default_factory=list)
    failed: bool = False
    inputs: str | None = None
    prompt: str | None = None
    target: str | None = None

    def add(self, scores: Mapping[str, float | ItemStatus]) -> None:
        if not self.scores or not self.scores[-1].keys().isdisjoint(scores):
            self.scores.append({})
        self.scores[-1].update(scores)


@dataclass(slots=True)
class _Log:
    """What has been read of the file so far."""

    spec: Mapping[str, object] = field(default_factory=dict)
    samples: dict[str, _Sample] = field(default_factory=dict)
    ended: bool = False


def matches(first: FirstRecord) -> bool:
    """Whether the first record is the spec of a run."""
    spec = first.fields.get("spec")
    return first.is_json and isinstance(spec, dict) and "eval_name" in spec


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a log: ``correct`` of the match events, and each number in the metrics events.

    Raises:
        ScoreFileError: where an event is not as the tool writes it, the run did not end, or no sample has a score.
    """
    log = _parse(file)
    if not log.ended and not wanted.unfinished:
        raise ScoreFileError(
            "the log has no final report, so the run did not end",
            where=file.place(),
            remedy="run `oaieval` again, or set `allow_unfinished: true` in gate.yml / --allow-unfinished",
        )
    return run_of_records(file, _FORM, _records(log, file), wanted, facts=_facts(log.spec))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The questions: of each sample the last message of the first prompt."""
    return items_of_records(file, _FORM, _records(_parse(file), file), columns)


def _parse(file: ScoreFile) -> _Log:
    log = _Log()
    for numbered in iter_lines(file):
        line, event = numbered
        spec = event.get("spec")
        if isinstance(spec, dict):
            log.spec = spec
        elif "final_report" in event:
            log.ended = True
        else:
            name = make_id([event.get("sample_id")], is_text=False, file=file, line=line).id
            _take(log.samples.setdefault(name, _Sample(line)), numbered, file)
    return log


def _take(sample: _Sample, numbered: Numbered, file: ScoreFile) -> None:
    line, event = numbered
    data = event.get("data")
    if not isinstance(data, dict):
        return
    match event.get("type"):
        case "sampling" if sample.prompt is None:  # a judge's prompt follows later
            sample.inputs = _question(data.get("prompt"))
            sample.prompt = digest(as_text(data.get("prompt")))
        case "match":
            if sample.target is None:
                sample.target = as_text(data.get("expected"))
            sample.add({_MATCH: _correct(data.get("correct"), line, file)})
        case "metrics":
            sample.add(dict(_figures(data, line, file)))
        case "error":
            sample.failed = True


def _correct(value: object, line: int, file: ScoreFile) -> float:
    if not isinstance(value, bool):
        raise ScoreFileError(
            f"{quote(value)} is neither true nor false",
            where=file.place(line, 'key "data.correct"'),
            remedy="run the eval again with a recorder that writes `correct` as the tool does",
        )
    return float(value)


def _figures(data: Mapping[str, object], line: int, file: ScoreFile) -> Iterator[tuple[str, float | ItemStatus]]:
    """The numbers and booleans of a metrics event; of what is nested, under the names with a dot between them."""
    waiting = list(data.items())[::-1]
    while waiting:
        name, value = waiting.pop()
        if isinstance(value, dict) and len(name) <= LONGEST_ID:  # longer, names could add up to more than the file
            waiting.extend((f"{name}.{inner}", nested) for inner, nested in list(value.items())[::-1])
        elif isinstance(value, int | float):
            yield name, require_score(value, file.place(line, f"key {quote('data.' + name)}"))


def _question(prompt: object) -> str | None:
    """The last message: what stands before it are instructions and examples."""
    if isinstance(prompt, list) and prompt:
        last = prompt[-1]
        return as_text(last.get("content") if isinstance(last, dict) else last)
    return as_text(prompt) if isinstance(prompt, str) else None


def _records(log: _Log, file: ScoreFile) -> Iterator[Record]:
    runs = [scores for sample in log.samples.values() for scores in sample.scores]
    names = list(dict.fromkeys(name for scores in runs for name in scores))
    refuse_sparse(len(names), len(log.samples), sum(map(len, runs)), file)
    if log.samples and not names:
        raise ScoreFileError(
            "no sample has a match or metrics event with a score",
            where=file.place(),
            remedy="give the log of an eval that records matches or numeric metrics for each sample",
        )
    for name, sample in log.samples.items():
        lacking = ItemStatus.ERROR if sample.failed else ItemStatus.UNSCORED
        for scores in sample.scores or [{}]:
            yield Record(
                id=name,
                scores={metric: scores.get(metric, lacking) for metric in names},
                line=sample.line,
                inputs=sample.inputs,
                target=sample.target,
                prompt=sample.prompt,
            )


def _facts(spec: Mapping[str, object]) -> Mapping[str, str]:
    models = spec.get("completion_fns")
    names = [name for name in models if isinstance(name, str)] if isinstance(models, list) else []
    told = {
        "task": spec.get("eval_name"),
        "split": spec.get("split"),
        "created": spec.get("created_at"),
    }
    if names and _is_judged(spec):  # the last of them is the judge, and the model too where it is the only one
        told |= {"judge": names[-1], "model": ", ".join(names[:-1] or names)}
    elif names:
        told["model"] = ", ".join(names)
    return {name: value for name, value in told.items() if isinstance(value, str)}


def _is_judged(spec: Mapping[str, object]) -> bool:
    config = spec.get("run_config")
    eval_spec = config.get("eval_spec") if isinstance(config, dict) else None
    name = eval_spec.get("cls") if isinstance(eval_spec, dict) else None
    return isinstance(name, str) and name.startswith(_JUDGED)
