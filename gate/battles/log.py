"""BattleLog: the one canonical shape of battles, in columns."""

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.errors import Place, ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.model import Source
from gate.scores.quoting import quote
from gate.stats.battles import Battles

WON, TIED, LOST = 1.0, 0.5, 0.0
UNJUDGED = -1.0
_UNKNOWN = -1
_NOBODY = "(not told)"
_BATCH = 500


class Battle(NamedTuple):
    """One battle as a reader found it.

    Attributes:
        first: the model that stands first.
        second: the other model.
        outcome: as the first sees it: WON, TIED, LOST, or UNJUDGED where no verdict came.
        line: where it stands in the file, counted from 1.
        prompt: what was asked, by its id.
        judge: who judged.
        weight: how much the battle counts, finite and > 0.
        time: when it was, in seconds.
        is_ordered: the first model's answer was shown first; otherwise nothing is known of the order.
        both_bad: a tie of two bad answers.
        turn: which turn of the conversation, so that another one is not taken for the same question.
        category: of prompts, where a tool ranks each by itself.
        is_rest: one verdict with the battle before it, which it won in part alone.
    """

    first: str
    second: str
    outcome: float
    line: int
    prompt: str | None = None
    judge: str | None = None
    weight: float = 1.0
    time: float | None = None
    is_ordered: bool = True
    both_bad: bool = False
    turn: str | None = None
    category: str | None = None
    is_rest: bool = False


@dataclass(frozen=True, slots=True)
class BattleLog:
    """Judged battles of m models, n of them, as listed; where every one has a time, in the order of their times.

    Attributes:
        source: the file, or the files together.
        models: (m,) names, sorted.
        battles: who met whom, the outcomes and the weights.
        prompts: intp (n,), the number of each battle's prompt; None where the files tell none.
        questions: intp (n,), the number of each battle's prompt and turn; None likewise.
        judges: intp (n,), the number of each battle's judge, an index into ``judge_names``; None likewise.
        judge_names: sorted, and last ``(not told)`` where some battles do not tell theirs.
        is_ordered: bool (n,), whether the first model's answer was shown first.
        n_unjudged: battles without a verdict, which are left out.
        n_both_bad: ties of two bad answers.
        is_timed: the battles stand in the order of their times.
        n_shared: battles that share one verdict with the one before, each a part of it by weight.
        categories: of the prompts, sorted, where they are told.
    """

    source: Source
    models: tuple[str, ...]
    battles: Battles
    prompts: NDArray[np.intp] | None
    questions: NDArray[np.intp] | None
    judges: NDArray[np.intp] | None
    judge_names: tuple[str, ...]
    is_ordered: NDArray[np.bool_]
    n_unjudged: int
    n_both_bad: int
    is_timed: bool
    n_shared: int = 0
    categories: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.battles)

    @property
    def n_verdicts(self) -> int:
        """How many verdicts the battles come from."""
        return len(self) - self.n_shared

    @property
    def n_prompts(self) -> int:
        """How many prompts there are; 0 where the files tell none."""
        return 0 if self.prompts is None else int(np.unique(self.prompts).size)

    def pick(self, rows: NDArray[np.bool_]) -> Battles:
        """The battles that a bool (n,) mask picks, of the same m models."""
        return _pick(self.battles, rows)


class _Named(NamedTuple):
    """The names that stand in some rows, sorted, and the rows as numbers in their order; -1 where none is told."""

    names: tuple[str, ...]
    rows: NDArray[np.intp]


class _Column:
    """Names as numbers in the order of their first appearance; a name that is not told is -1."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str | None, int] = defaultdict(count().__next__, {None: _UNKNOWN})
        self._rows = array("q")

    def extend(self, names: Iterable[str | None]) -> None:
        self._rows.extend(map(self._numbers.__getitem__, names))

    def rows(self) -> NDArray[np.intp]:
        return np.array(self._rows, dtype=np.intp)

    def by_name(self, rows: NDArray[np.intp]) -> _Named:
        """These rows by their names."""
        column = self.rows()[rows]
        used = np.zeros(len(self._numbers), dtype=np.bool_)
        used[column] = True
        names = tuple(sorted(name for name, number in self._numbers.items() if name is not None and used[number]))
        place = np.empty(used.size, dtype=np.intp)
        for number, name in enumerate(names):
            place[self._numbers[name]] = number
        place[_UNKNOWN] = _UNKNOWN
        return _Named(names, place[column])


class Gathering:
    """The columns of the battles that have been added."""

    def __init__(self) -> None:
        self._models, self._judges = _Column(), _Column()
        self._prompts, self._questions = _Column(), _Column()
        self._outcomes, self._weights, self._times = array("d"), array("d"), array("d")
        self._ordered = bytearray()
        self._categories: set[str] = set()
        self._n_both_bad = self._n_shared = 0

    def add(self, battles: Iterable[Battle], file: ScoreFile) -> None:
        """Add the battles of a file.

        Raises:
            ScoreFileError: where one is of a model with itself.
        """
        batch = []
        for battle in battles:
            if battle.first == battle.second:
                raise _with_itself(battle, file)
            batch.append(battle)
            if len(batch) == _BATCH:
                self._extend(batch)
                batch = []
        if batch:
            self._extend(batch)

    def _extend(self, batch: Sequence[Battle]) -> None:
        """Add to each column at once, which takes a fraction of the time of one battle after the other."""
        columns = zip(*batch, strict=True)
        first, second, outcomes, _, prompts, judges, weights, times, ordered, bad, turns, categories, rest = columns
        self._models.extend(chain.from_iterable(zip(first, second, strict=True)))
        self._prompts.extend(prompts)
        self._questions.extend(map(_asked, prompts, turns))
        self._judges.extend(judges)
        self._outcomes.extend(outcomes)
        self._weights.extend(weights)
        self._times.extend([math.nan if time is None else time for time in times])
        self._ordered.extend(ordered)
        self._n_both_bad += sum(bad)
        self._n_shared += sum(rest)
        self._categories.update(category for category in categories if category is not None)

    def log(self, source: Source) -> BattleLog:
        """All that was added.

        Raises:
            ScoreFileError: where no battle has a verdict.
        """
        names, models = self._models.by_name(np.arange(2 * len(self._outcomes)))
        outcomes, times = np.array(self._outcomes), np.array(self._times)
        judged = outcomes != UNJUDGED
        _require_judged(judged, source)
        order = np.flatnonzero(judged)
        is_timed = not np.isnan(times).any()
        if is_timed:
            order = order[np.argsort(times[order], kind="stable")]
        weights = np.array(self._weights)[order]
        judge_names, judges = self._judges.by_name(order)
        prompts = self._prompts.rows()
        told = bool((prompts != _UNKNOWN).any())
        return BattleLog(
            source=source,
            models=names,
            battles=Battles(
                models[0::2][order],
                models[1::2][order],
                outcomes[order],
                len(names),
                None if (weights == 1.0).all() else weights,
            ),
            prompts=_whole(prompts)[order] if told else None,
            questions=_whole(self._questions.rows())[order] if told else None,
            judges=np.where(judges == _UNKNOWN, len(judge_names), judges) if judge_names else None,
            judge_names=(*judge_names, _NOBODY) if judge_names and (judges == _UNKNOWN).any() else judge_names,
            is_ordered=np.frombuffer(bytes(self._ordered), dtype=np.bool_)[order],
            n_unjudged=int((~judged).sum()),
            n_both_bad=self._n_both_bad,
            is_timed=is_timed,
            n_shared=self._n_shared,
            categories=tuple(sorted(self._categories)),
        )


def _asked(prompt: str | None, turn: str | None) -> str | None:
    return prompt if prompt is None or turn is None else f"{turn}\n{prompt}"


def _with_itself(battle: Battle, file: ScoreFile) -> ScoreFileError:
    return ScoreFileError(
        f"the battle is one of {quote(battle.first)} with itself",
        where=file.place(battle.line),
        remedy="take it out: it says nothing about who is better",
    )


def _require_judged(judged: NDArray[np.bool_], source: Source) -> None:
    if not judged.any():
        raise ScoreFileError(
            f"none of the {judged.size} battles has a verdict" if judged.size else "there are no battles",
            where=Place(source.path),
            remedy="check the step that judges; it may have failed",
        )


def _whole(prompts: NDArray[np.intp]) -> NDArray[np.intp]:
    """The column, where a battle that does not tell its prompt is the only one of its own."""
    return np.where(prompts == _UNKNOWN, int(prompts.max()) + 1 + np.arange(prompts.size), prompts)


def _pick(battles: Battles, rows: NDArray[np.bool_]) -> Battles:
    weights = None if battles.weights is None else battles.weights[rows]
    return Battles(battles.first[rows], battles.second[rows], battles.outcomes[rows], battles.n_models, weights)
