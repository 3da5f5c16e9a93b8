"""promptfoo's results, JSON of schema 2 and 3 or JSON Lines: a test is an item, a prompt under a provider a variant.

A test is known by its vars: ids are random, results stand in the order of completion, and each repeat has its testIdx.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.prompt_table import Column, label_columns, name_test, question_of
from gate.scores.promptfoo_results import Result, document_of, results_of, within
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, items_of_records, run_of_records
from gate.scores.strict_json import canonical

_ROW = frozenset({"promptIdx", "testIdx", "success", "score", "vars"})
_OWN = ("score", "success")
_ERROR = 2  # promptfoo's ResultFailureReason.ERROR
_TIMEOUTS = ("Evaluation timed out after", "Evaluation exceeded max duration")
_OF_THE_RUN = ("_conversation", "sessionId")
_TARGET = ("type", "value", "threshold", "assert")
_NO_CONFIG = (
    "JSON Lines lack the configuration: what it asserts of every test counts as part of each, so that an edit of that "
    "changes all items; -o out.json tells the two apart"
)


@dataclass(slots=True)
class _Survey:
    """What has to be known of all results before the first can be read.

    Attributes:
        columns: promptIdx, or the column itself where schema 2 has none -> provider and prompt.
        texts: labels that are nothing but the prompt's text.
        contents: id by the vars alone -> what the tests with these vars assert.
        outputs: vars that are another in every run: what the model said to tests before, the conversation's number.
        common: the assertions that the config gives every test: metrics, and no item's target.
    """

    columns: dict[object, Column] = field(default_factory=dict)
    texts: set[str] = field(default_factory=set)
    contents: dict[str, set[str | None]] = field(default_factory=lambda: defaultdict(set))
    outputs: set[str] = field(default_factory=lambda: set(_OF_THE_RUN))
    common: list[object] = field(default_factory=list)


def matches(first: FirstRecord) -> bool:
    """Whether it is an object with promptfoo's results in it, or one of those results on a line."""
    results = first.fields.get("results")
    if first.is_map and isinstance(results, dict):
        return isinstance(results.get("results"), list) and "stats" in results
    return first.is_json and first.fields.keys() >= _ROW


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in one variant of the results: ``score``, ``success`` and each named score.

    Raises:
        ScoreFileError: where a result is broken or stands twice, or two columns of schema 2 cannot be told apart.
    """
    document = document_of(file)
    survey = _survey(file, document)
    records = _records(file, document, survey)
    notes = [_NO_CONFIG] if document is None else []
    return run_of_records(file, _form(document), records, wanted, notes=notes, facts=_facts(document))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The tests' questions, one for each test, whatever the variants and repeats."""
    document = document_of(file)
    records = _records(file, document, _survey(file, document))
    return items_of_records(file, _form(document), records, columns)


def _form(document: Mapping[str, object] | None) -> Form:
    part = None if document is None else "results.results[{index}]"
    return Form("promptfoo", repeats=True, traits={"success": RATE}.get, part=part)


def _survey(file: ScoreFile, document: Mapping[str, object] | None) -> _Survey:
    survey = _Survey()
    default = within(document, "config", "defaultTest").get("assert")
    survey.common = default if isinstance(default, list) else []
    seen: set[tuple[int, int]] = set()
    for result in results_of(file, document):
        index, column, test = _column_index(result), _column(result), result.fields.get("testIdx")
        survey.columns.setdefault(column if index is None else index, column)
        survey.texts.update(_text_labels([result.mapping("prompt")]))
        if index is not None and isinstance(test, int):
            if (test, index) in seen:
                raise result.fault("testIdx", f"test {test} stands twice for prompt {index}: these are several runs")
            seen.add((test, index))
        stored = within(result.mapping("testCase"), "options").get("storeOutputAs")
        if isinstance(stored, str):
            survey.outputs.add(stored)
        survey.contents[_id(result, survey, file)].add(_asserted(result, survey))
    _label(survey, document, file)
    return survey


def _label(survey: _Survey, document: Mapping[str, object] | None, file: ScoreFile) -> None:
    """Put the columns in the order of the configuration, whatever result came first, and name them by it."""
    prompts = _prompts(document)
    survey.texts.update(_text_labels(prompts))
    order: dict[object, int] = {index: index for index in survey.columns if isinstance(index, int)}
    ordered = True
    if not order:
        heads = [_column_of(prompt.get("provider"), prompt) for prompt in prompts]
        _refuse_equal_columns(survey, heads, file)
        order = {column: place for place, column in enumerate(heads)}
        ordered = survey.columns.keys() <= order.keys()
    columns = sorted(survey.columns, key=lambda index: order.get(index, len(order)))
    labels = label_columns([survey.columns[index] for index in columns], survey.texts, ordered=ordered)
    survey.columns = dict(zip(columns, labels, strict=True))


def _prompts(document: Mapping[str, object] | None) -> list[Mapping[str, object]]:
    """The prompts as the configuration has them, before any test's vars are in them."""
    results = within(document, "results")
    prompts = results.get("prompts") or within(results, "table", "head").get("prompts")
    return [prompt for prompt in prompts if isinstance(prompt, dict)] if isinstance(prompts, list) else []


def _text_labels(prompts: Iterable[Mapping[str, object]]) -> Iterator[str]:
    for prompt in prompts:
        label, raw = _column_of("", prompt).prompt, prompt.get("raw")
        if isinstance(raw, str) and label.strip() == raw.strip():
            yield label


def _refuse_equal_columns(survey: _Survey, heads: list[Column], file: ScoreFile) -> None:
    """Schema 2 does not tell which column a result is of, where two have the same provider and prompt."""
    counts = Counter(heads)
    for column in survey.columns.values():
        if counts[column] > 1:
            raise ScoreFileError(
                f"two columns have the provider {quote(column.provider)} and the prompt {quote(column.prompt)}",
                where=file.place(part="results.table.head.prompts"),
                remedy="give each provider in promptfooconfig.yaml a `label` of its own and run again",
            )


def _column_index(result: Result) -> int | None:
    index = result.fields.get("promptIdx")
    return index if isinstance(index, int) else None


def _column(result: Result) -> Column:
    provider = result.fields.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    return _column_of(provider, result.mapping("prompt"))


def _column_of(provider: object, prompt: Mapping[str, object]) -> Column:
    label = prompt.get("label") or prompt.get("display") or prompt.get("raw")
    return Column(as_text(provider) or "", as_text(label) or "")


def _vars(result: Result, survey: _Survey) -> Mapping[str, object]:
    return {name: value for name, value in result.mapping("vars").items() if name not in survey.outputs}


def _id(result: Result, survey: _Survey, file: ScoreFile, tell_apart: str | None = None) -> str:
    return name_test(_vars(result, survey), file, result.line, tell_apart=tell_apart)


def _asserted(result: Result, survey: _Survey) -> str | None:
    """What this test and not every test asserts: promptfoo's form of a target. None where schema 2 does not tell."""
    test = result.mapping("testCase")
    if not test:
        return None
    assertions = test.get("assert")
    own = [entry for entry in assertions if entry not in survey.common] if isinstance(assertions, list) else []
    return canonical([{key: entry.get(key) for key in _TARGET} if isinstance(entry, dict) else entry for entry in own])


def _records(file: ScoreFile, document: Mapping[str, object] | None, survey: _Survey) -> Iterator[Record]:
    for result in results_of(file, document):
        asserted, index, test_vars = _asserted(result, survey), _column_index(result), _vars(result, survey)
        item = _id(result, survey, file)
        if len(survey.contents[item]) > 1:
            item = _id(result, survey, file, tell_apart=asserted)
        column = survey.columns[_column(result) if index is None else index]
        yield Record(
            id=item,
            scores=_scores(result),
            line=result.line,
            inputs=question_of(test_vars),
            prompt=as_text(result.mapping("prompt").get("raw")),
            content=None if asserted is None else canonical([test_vars, asserted]),
            variant=column,
            facts={"model": column.provider} if column.provider else None,
        )


def _scores(result: Result) -> dict[str, float | ItemStatus]:
    """Its scores, or why there are none; promptfoo itself gives an error the score 0."""
    if missing := _missing(result):
        asserted = result.mapping("testCase").get("assert")
        entries = asserted if isinstance(asserted, list) else []
        named = [entry.get("metric") for entry in entries if isinstance(entry, dict)]
        return dict.fromkeys([*_OWN, *(name for name in named if isinstance(name, str) and "{{" not in name)], missing)
    if not isinstance(result.fields.get("success"), bool):
        raise result.fault("success", f"{quote(result.fields.get('success'))} is neither true nor false")
    scores = {key: result.score(key, result.fields.get(key)) for key in _OWN}
    for name, value in result.mapping("namedScores").items():
        scores[f"namedScores.{name}" if name in _OWN else name] = result.score(f"namedScores.{name}", value)
    return scores


def _missing(result: Result) -> ItemStatus | None:
    """Why the result has no score; schema 2 shows an error only by the lack of a grading."""
    reason, error = result.fields.get("failureReason"), result.fields.get("error")
    failed = reason == _ERROR if reason is not None else bool(error) and not result.fields.get("gradingResult")
    if not failed:
        return None
    return ItemStatus.TIMEOUT if isinstance(error, str) and error.startswith(_TIMEOUTS) else ItemStatus.ERROR


def _facts(document: Mapping[str, object] | None) -> dict[str, str]:
    grader = within(document, "config", "defaultTest", "options").get("provider")
    found = {
        "judge": as_text(grader.get("id") if isinstance(grader, dict) else grader),
        "tool version": as_text(within(document, "metadata").get("promptfooVersion")),
        "created": as_text(within(document, "results").get("timestamp")),
    }
    return {name: text for name, text in found.items() if text}
