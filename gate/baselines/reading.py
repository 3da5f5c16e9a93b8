"""The run of a baseline, with which version of it that is."""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from gate.baselines.finding import Baseline
from gate.baselines.identity import origin_of
from gate.baselines.promotion import is_edited, promotion_origin, read_promotion, tell_edited, tell_promotion
from gate.errors import Place, ScoreFileError
from gate.results import Origin
from gate.scores import read_tasks
from gate.scores.folders import is_several
from gate.scores.model import Run, Wanted


class VersionedRun(NamedTuple):
    """A run, and where it comes from as far as that is known."""

    run: Run
    origin: Origin | None


def read_baseline(
    found: Baseline,
    wanted: Wanted,
    *,
    format_name: str | None,
    tasks: Sequence[str],
    today: date | None,
) -> VersionedRun:
    """Read a baseline that was found.

    Its version is told by git, else by the file of its promotion, else by the run itself. That it is what was promoted
    is looked at wherever it lies.

    Args:
        found: where it lies; not one that is missing.
        wanted: what of each file.
        format_name: as in ``read_tasks``.
        tasks: likewise.
        today: the day by which its age is told, if any.

    Raises:
        ScoreFileError: as in ``read_tasks``; also where there is none at its path, or what was promoted took the place
            of what was read.
        RecordError: where the file of its promotion cannot be read.
    """
    if not is_several(found.path) and not os.path.lexists(found.path):
        raise ScoreFileError(
            "there is no such file",
            where=Place(found.shown),
            remedy="check the path and the step that writes it; where there is none yet, leave it out and give a bar, "
            "or name it as `git:REF:PATH`, which tells a first run from a slip",
        )
    run = read_tasks(found.path, wanted, format=format_name, tasks=tasks, mirror=found.mirror)
    promotion = read_promotion(found.path, found.mirror)
    if promotion is None:
        return VersionedRun(run, found.origin or origin_of(run.source.format, run.facts, today))
    edited = is_edited(found.path, promotion)
    if not edited and not is_several(found.path) and run.source.digest != promotion.digest:
        raise ScoreFileError(
            "the file changed while it was read",
            where=Place(found.shown),
            remedy="wait until the step that writes it is done, then run again",
        )
    if edited:
        return VersionedRun(replace(run, doubt=tell_edited(promotion)), found.origin)
    told = replace(run, notes=(*run.notes, tell_promotion(promotion)))
    return VersionedRun(told, found.origin or promotion_origin(promotion, today))
