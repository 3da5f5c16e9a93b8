"""The commands beside `check`, from a file to what they print."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path

from gate import arena, pass_at_k, planning, selfcheck
from gate.descriptions import describe_config, describe_path
from gate.errors import UsageError
from gate.history.file import read_history
from gate.recording import showing
from gate.scores.model import Wanted
from tests.fuzz import samples
from tests.fuzz.target import Target

_TODAY = date(2026, 1, 31)
_FEW = 100
_FEWEST_RUNS = 20


def rooms() -> Iterator[Target]:
    """Each command that reads a file."""
    yield Target("show", samples.PLAIN, _show)
    yield Target("validate", samples.configs(), lambda path: describe_config(str(path), _TODAY))
    yield Target("pass-at-k", {"own.jsonl": samples.PLAIN["own.jsonl"], **samples.REPEATS}, _pass_at_k)
    yield Target("power", samples.TWO_RUNS, _power, "b.csv")
    yield Target("selfcheck", samples.TWO_RUNS, _selfcheck, "b.csv")
    yield Target("arena", {**samples.BATTLES, **samples.ROUNDS}, _arena)
    yield Target("history-show", samples.HISTORY, _show_history)


def _show(path: Path) -> None:
    for as_json in (False, True):
        describe_path(str(path), Wanted(whole_texts=False), format_name=None, as_json=as_json)


def _pass_at_k(path: Path) -> None:
    answer = pass_at_k.answer(pass_at_k.Question(file=str(path)))
    pass_at_k.render_text(answer)
    pass_at_k.render_json(answer)


def _power(path: Path) -> None:
    plan = planning.make_plan(planning.Question(pilots=(str(path.with_name("a.csv")), str(path))))
    planning.render_text(plan)
    planning.render_json(plan)


def _selfcheck(path: Path) -> None:
    measured = selfcheck.measure(selfcheck.Question(file=str(path), threshold=0.4, runs=_FEWEST_RUNS))
    selfcheck.render_text(measured)
    selfcheck.render_json(measured)


def _arena(path: Path) -> None:
    question = arena.Question(files=(str(path),), n_orders=_FEW)
    board = arena.make_board(question)
    for render in (arena.render_text, arena.render_markdown, arena.render_json):
        render(board)
    # the flag is refused where nothing is wrong with the file
    with suppress(UsageError):
        arena.render_text(arena.make_board(replace(question, trace=True)))


def _show_history(path: Path) -> None:
    runs = read_history(str(path))
    showing.render_text(runs)
    showing.render_json(runs)
