"""BattleLog: the one canonical shape of battles, in columns."""

from array import array
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class BattleLog:
    """Judged battles of m models, n of them, as listed; where every one has a time, in the order of their times.

    Attributes:
        source: the file, or the files together.
        models: (m,) names, sorted.
        battles: who met whom, the outcomes and the weights.
        prompts: intp (n,), the number of each battle's prompt; None where the files tell none.
        judges: intp (n,), the number of each battle's judge, an index into ``judge_names``; None likewise.
        judge_names: sorted, and last ``(not told)`` where some battles do not tell theirs.
        is_ordered: bool (n,), whether the first model's answer was shown first.
        n_unjudged: battles without a verdict, which are left out.
        n_both_bad: ties of two bad answers.
        is_timed: the battles stand in the order of their times.
    """

    source: Source
    models: tuple[str, ...]
    battles: Battles
    prompts: NDArray[np.intp] | None
    judges: NDArray[np.intp] | None
    judge_names: tuple[str, ...]
    is_ordered: NDArray[np.bool_]
    n_unjudged: int
    n_both_bad: int
    is_timed: bool

    def __len__(self) -> int:
        return len(self.battles)

    @property
    def n_prompts(self) -> int:
        """How many prompts there are; 0 where the files tell none."""
        return 0 if self.prompts is None else int(np.unique(self.prompts).size)

    def pick(self, rows: NDArray[np.bool_]) -> Battles:
        """The battles that a bool (n,) mask picks, of the same m models."""
        return _pick(self.battles, rows)


class _Numbers:
    """Names to numbers in the order of their first appearance; a name that is not told is -1."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.numbers = array("q")

    def add(self, name: str | None) -> None:
        self.numbers.append(_UNKNOWN if name is None else self.names.setdefault(name, len(self.names)))

    def column(self) -> NDArray[np.intp]:
        return np.array(self.numbers, dtype=np.intp)

    def renumbered(self) -> tuple[tuple[str, ...], NDArray[np.intp]]:
        """The names, sorted, and the column in their order."""
        names = tuple(sorted(self.names))
        place = np.empty(len(names) + 1, dtype=np.intp)
        for number, name in enumerate(names):
            place[self.names[name]] = number
        place[_UNKNOWN] = _UNKNOWN
        return names, place[self.column()]


class Gathering:
    """The columns of the battles that have been added."""

    def __init__(self) -> None:
        self._models = _Numbers()
        self._prompts = _Numbers()
        self._judges = _Numbers()
        self._outcomes, self._weights, self._times = array("d"), array("d"), array("d")
        self._ordered = bytearray()
        self._n_both_bad = 0

    def add(self, battle: Battle, file: ScoreFile) -> None:
        """Add the next battle.

        Raises:
            ScoreFileError: where it is of a model with itself.
        """
        if battle.first == battle.second:
            raise ScoreFileError(
                f"the battle is one of {quote(battle.first)} with itself",
                where=file.place(battle.line),
                remedy="take it out: it says nothing about who is better",
            )
        self._models.add(battle.first)
        self._models.add(battle.second)
        self._prompts.add(battle.prompt)
        self._judges.add(battle.judge)
        self._outcomes.append(battle.outcome)
        self._weights.append(battle.weight)
        self._times.append(float("nan") if battle.time is None else battle.time)
        self._ordered.append(battle.is_ordered)
        self._n_both_bad += battle.both_bad

    def log(self, source: Source) -> BattleLog:
        """All that was added.

        Raises:
            ScoreFileError: where no battle has a verdict.
        """
        names, models = self._models.renumbered()
        judge_names, judges = self._judges.renumbered()
        prompts, outcomes = self._prompts.column(), np.array(self._outcomes)
        times, weights = np.array(self._times), np.array(self._weights)
        judged = outcomes != UNJUDGED
        _require_judged(judged, source)
        order = np.flatnonzero(judged)
        is_timed = not np.isnan(times).any()
        if is_timed:
            order = order[np.argsort(times[order], kind="stable")]
        return BattleLog(
            source=source,
            models=names,
            battles=Battles(
                models[0::2][order],
                models[1::2][order],
                outcomes[order],
                len(names),
                None if (weights == 1.0).all() else weights[order],
            ),
            prompts=_whole(prompts)[order] if self._prompts.names else None,
            judges=np.where(judges == _UNKNOWN, len(judge_names), judges)[order] if judge_names else None,
            judge_names=(*judge_names, _NOBODY) if judge_names and (judges == _UNKNOWN).any() else judge_names,
            is_ordered=np.frombuffer(bytes(self._ordered), dtype=np.bool_)[order],
            n_unjudged=int((~judged).sum()),
            n_both_bad=self._n_both_bad,
            is_timed=is_timed,
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
