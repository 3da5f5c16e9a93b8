"""The run of a baseline, with which version of it that is."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from gate.baselines.finding import Baseline
from gate.baselines.identity import origin_of
from gate.baselines.promotion import is_edited, promotion_origin, read_promotion, tell_edited
from gate.results import Origin
from gate.scores import read_tasks
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

    Its version is told by git, else by the file of its promotion, else by the run itself.

    Args:
        found: where it lies; not one that is missing.
        wanted: what of each file.
        format_name: as in ``read_tasks``.
        tasks: likewise.
        today: the day by which its age is told, if any.

    Raises:
        ScoreFileError: as in ``read_tasks``.
        RecordError: where the file of its promotion cannot be read.
    """
    run = read_tasks(found.path, wanted, format=format_name, tasks=tasks, mirror=found.mirror)
    if found.origin is not None:
        return VersionedRun(run, found.origin)
    promotion = read_promotion(found.path)
    if promotion is None:
        return VersionedRun(run, origin_of(run.source.format, run.facts, today))
    if is_edited(found.path, promotion):
        return VersionedRun(replace(run, doubt=tell_edited(promotion)), None)
    return VersionedRun(run, promotion_origin(promotion, today))
