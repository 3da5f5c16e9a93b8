"""What waivers change before the verdict: a fail that one covers becomes a warn, and nothing else moves. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from gate.results import CheckResult, Status, SuiteReport, Waiver, WaiverReport, WaiverState


class Waived(NamedTuple):
    """The suites as the verdict must see them, and what became of each waiver, in the given order."""

    suites: tuple[SuiteReport, ...]
    waivers: tuple[WaiverReport, ...]


def apply_waivers(suites: Sequence[SuiteReport], waivers: Sequence[Waiver], today: date) -> Waived:
    """Turn every fail that a waiver covers into a warn, where the waiver has not expired.

    Args:
        suites: judged, the error rate shared: what is no fail any more needs no waiver.
        waivers: of which at most one covers a result.
        today: the day by which they hold or not.
    """
    holding = [waiver for waiver in waivers if waiver.holds(today)]
    waived = tuple(
        replace(suite, results=tuple(_waived(result, suite.name, holding) for result in suite.results))
        for suite in suites
    )
    used = {result.waiver for suite in waived for result in suite.results}
    return Waived(waived, tuple(WaiverReport(waiver, _state(waiver, used, today)) for waiver in waivers))


def _waived(result: CheckResult, suite: str, holding: Sequence[Waiver]) -> CheckResult:
    waiver = next((waiver for waiver in holding if waiver.covers(suite, result.check, result.metric)), None)
    if waiver is None or result.status is not Status.FAIL:
        return result
    # the day stands first: what follows is foreign text
    sentence = f"{result.sentence}, waived until {waiver.expires.isoformat()} by {waiver.approved_by}"
    return replace(result, status=Status.WARN, sentence=sentence, waiver=waiver)


def _state(waiver: Waiver, used: set[Waiver | None], today: date) -> WaiverState:
    if not waiver.holds(today):
        return WaiverState.EXPIRED
    return WaiverState.APPLIED if waiver in used else WaiverState.UNUSED
