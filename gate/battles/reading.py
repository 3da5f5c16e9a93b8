"""Files of battles to a log."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from gate.battles.log import Battle, BattleLog, Gathering
from gate.battles.readers import alpaca_eval, arena, arena_hard, mt_bench_pairwise
from gate.errors import Place, ScoreFileError
from gate.mirror import IN_PLACE, Mirror
from gate.scores.content import ScoreFile, open_score_file
from gate.scores.detect import detect
from gate.scores.first_record import FirstRecord
from gate.scores.folders import is_several, list_files
from gate.scores.merging import joined_source

# Several times as many as any arena has. Each is held against each, so that tens of thousands would fill any memory.
MOST_MODELS = 1000


class BattleReader(Protocol):
    """One format, in one module."""

    def matches(self, first: FirstRecord) -> bool:
        """Whether the first record carries this format's signature."""

    def battles(self, file: ScoreFile) -> Iterator[Battle]:
        """The battles of a file, one by one.

        Raises:
            ScoreFileError: where the file is not what it must be.
        """


_READERS: Mapping[str, BattleReader] = {
    "arena": arena,
    "alpaca_eval": alpaca_eval,
    "arena_hard": arena_hard,
    "mt_bench_pairwise": mt_bench_pairwise,
}
BATTLE_FORMATS = tuple(_READERS)


def read_battles(
    paths: Sequence[str],
    *,
    format: str | None = None,  # noqa: A002  # the option's own name
    mirror: Mirror = IN_PLACE,
) -> BattleLog:
    """The battles of files, together.

    Args:
        paths: files; a folder or a pattern stands for all files in it, by name.
        format: one of BATTLE_FORMATS; None: each file's content tells.
        mirror: how the files are told, where they are copies.

    Raises:
        ScoreFileError: where a file cannot be read as battles, none has a verdict, or they are of too many models.
    """
    gathering, sources = Gathering(), []
    for file in _files(paths, mirror):
        with file.being_read():
            found = detect(file, _READERS, format)
            gathering.add(_READERS[found].battles(file), file)
        sources.append(file.source(found))
    source = sources[0] if len(sources) == 1 else joined_source(sources, ", ".join(map(mirror.shown, paths)))
    return _within_measure(gathering.log(source), Place(source.path))


def _within_measure(log: BattleLog, where: Place) -> BattleLog:
    if len(log.models) > MOST_MODELS:
        raise ScoreFileError(
            f"the battles are of {len(log.models)} models, more than {MOST_MODELS}",
            where=where,
            remedy="look at the columns of models; if all of them are models, leave out the battles of those that "
            "do not matter here",
        )
    return log


def _files(paths: Sequence[str], mirror: Mirror) -> Iterator[ScoreFile]:
    """Each file once: battles that are counted twice look surer than they are."""
    seen: set[str] = set()
    for path in paths:
        for name in list_files(path, mirror) if is_several(path) else [path]:
            file = open_score_file(Path(name), mirror.shown(name))
            if os.path.realpath(name) in seen:
                raise ScoreFileError(
                    "the file is given twice",
                    where=file.place(),
                    remedy="name it once; a folder or a pattern stands for all files in it",
                )
            seen.add(os.path.realpath(name))
            yield file
