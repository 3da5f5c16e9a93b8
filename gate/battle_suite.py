"""One suite of battles: its log read, its models ranked, the arena check put to them."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gate.baselines import Baseline
from gate.battles import BattleLog, rank_models, read_battles
from gate.checks import arena
from gate.checks.arena import ArenaOptions
from gate.config import SuiteConfig
from gate.error_rates import Contest
from gate.errors import ConfigError, Place, ScoreFileError
from gate.item_table import EMPTY
from gate.results import RunReport, SuiteReport
from gate.scores.quoting import did_you_mean, listing, quote, quoted_listing


class JudgedBattles(NamedTuple):
    """A suite's report, and what its error rates follow from."""

    report: SuiteReport
    contest: Contest


def judge_battles(suite: SuiteConfig, baseline: Baseline | None, seed: int) -> JudgedBattles:
    """Judge a suite of ``kind: battles``; with a baseline, tell which models are new or gone.

    Args:
        suite: what to judge.
        baseline: its baseline as it was found; None where it has none.
        seed: of every random draw.

    Raises:
        GateError: where the battles cannot be read, or do not name a model.
    """
    options = suite.checks.options(arena.NAME)
    if suite.candidate is None or not isinstance(options, ArenaOptions):
        raise ConfigError("a suite of battles needs a candidate and the arena check", remedy="give both in gate.yml")
    log = read_battles([suite.candidate], format=suite.format)
    for name in (options.model, options.against):
        _require_model(name, log)
    before = None
    if baseline is not None and not baseline.is_missing:
        before = read_battles([baseline.path], format=suite.format, mirror=baseline.mirror)
    ranking = rank_models(
        log, interval=options.interval, n_resamples=options.n_resamples, rng=np.random.default_rng(seed)
    )
    result = arena.check(ranking, options)
    report = SuiteReport(
        name=suite.name,
        baseline=None if before is None or baseline is None else replace(_report(before), origin=baseline.origin),
        candidate=_report(log, *(() if before is None else _changes(before, log))),
        results=(result,),
        items=EMPTY,
    )
    return JudgedBattles(report, Contest(result, options))


def _require_model(name: str, log: BattleLog) -> None:
    if name not in log.models:
        raise ScoreFileError(
            f"the battles name no model {quote(name)}{did_you_mean(name, log.models)}",
            where=Place(log.source.path),
            remedy=f"name one of those that there are: {quoted_listing(log.models)}",
        )


def _changes(before: BattleLog, now: BattleLog) -> list[str]:
    new = [name for name in now.models if name not in before.models]
    gone = [name for name in before.models if name not in now.models]
    notes = []
    if new:
        notes.append(f"models that are new: {quoted_listing(new)}")
    if gone:
        notes.append(f"models that are gone: {quoted_listing(gone)}")
    return notes


def _report(log: BattleLog, *notes: str) -> RunReport:
    """Of battles an item is a prompt, and a sample a battle."""
    facts = {"judge": listing(log.judge_names)} if log.judge_names else {}
    n = log.n_verdicts
    return RunReport(log.source.path, log.source.digest, log.source.format, log.n_prompts or n, n, notes, facts)
