"""DECIDE: from the suites' results to one verdict. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from gate.errors import UsageError
from gate.results import CheckResult, FailOn, Reason, Status, SuiteReport, Verdict, Word
from gate.stats.multiplicity import ERROR_SHARE, holm
from gate.wording import count, probability

_WORD = {Status.FAIL: Word.BLOCK, Status.WARN: Word.WARN}
_WEIGHT = {Word.PASS: 0, Word.WARN: 1, Word.BLOCK: 2, Word.ERROR: 3}
_FAILS_AT = {FailOn.WARN: 1, FailOn.BLOCK: 2, FailOn.NEVER: 4}


def decide(suites: Sequence[SuiteReport]) -> Verdict:
    """The verdict over all suites: BLOCK where any check fails, else WARN where any warns, else PASS.

    Reasons stand in the order of the suites and their checks.

    Raises:
        UsageError: where no check was run: nothing may go green for nothing.
    """
    told = [_reason(suite.name, result) for suite in suites for result in suite.results]
    fails = tuple(reason for reason in told if reason.status is Status.FAIL)
    warns = tuple(reason for reason in told if reason.status is Status.WARN)
    if fails:
        return Verdict(Word.BLOCK, fails, warns)
    if warns:
        return Verdict(Word.WARN, warns)
    if all(reason.status is Status.NOT_RUN for reason in told):
        raise UsageError(
            "no check was run", remedy="give the gate something to judge by: a baseline, a bar or a corpus"
        )
    return Verdict(Word.PASS, ())


def is_failing(word: Word, fail_on: FailOn) -> bool:
    """Whether a judged run must exit 1: its verdict is at or above ``fail_on``."""
    return _WEIGHT[word] >= _FAILS_AT[fail_on]


def share_error_rate(suites: Sequence[SuiteReport]) -> tuple[SuiteReport, ...]:
    """Let all tests of one check share its error rate: a fail that Holm's procedure does not uphold becomes a warn.

    Without this, twenty suites with an unchanged candidate would block far more often than one.
    """
    shared = list(suites)
    checks = {result.check for suite in suites for result in suite.results if result.p_value is not None}
    for check in sorted(checks):
        shared = _share(check, shared)
    return tuple(shared)


def _share(check: str, suites: list[SuiteReport]) -> list[SuiteReport]:
    tested = [
        result.p_value
        for suite in suites
        for result in suite.results
        if result.check == check and result.p_value is not None
    ]
    adjusted = iter(holm(tested))
    return [
        replace(
            suite,
            results=tuple(
                _adjusted(result, next(adjusted), len(tested))
                if result.check == check and result.p_value is not None
                else result
                for result in suite.results
            ),
        )
        for suite in suites
    ]


def _adjusted(result: CheckResult, p_value: float, tests: int) -> CheckResult:
    if tests == 1:
        return result
    figures = {**result.figures, "p_adjusted": p_value}
    decided_by_p = result.status is Status.FAIL and result.p_value is not None and result.p_value <= ERROR_SHARE
    if not decided_by_p or p_value <= ERROR_SHARE:
        return replace(result, figures=figures)
    sentence = f"{result.sentence}, not upheld among {count(tests, 'test')}"
    if result.if_not_upheld is Status.FAIL:
        sentence += ", and whether the margin holds cannot be told"
    note = f"p {probability(p_value)} once {count(tests, 'test')} share the error rate (Holm)"
    notes = (*result.notes, note)
    return replace(result, status=result.if_not_upheld, sentence=sentence, figures=figures, notes=notes)


def _reason(suite: str, result: CheckResult) -> Reason:
    return Reason(suite, result.check, result.metric, result.status, result.reason, result.sentence, result.remedy)
