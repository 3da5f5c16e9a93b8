"""A suite whose score files are folders: one suite for each task that lies in them."""

from collections.abc import Sequence
from typing import NamedTuple

from gate.config import SuiteConfig
from gate.errors import AlignmentError, Place
from gate.results import task_name
from gate.scores.folders import find_tasks, is_several
from gate.wording import count, names


class TaskSuite(NamedTuple):
    """A suite of one task, or as gate.yml has it, and what a user should know of how it came about."""

    suite: SuiteConfig
    notes: tuple[str, ...] = ()


def spread_tasks(suite: SuiteConfig) -> list[TaskSuite]:
    """The suite, or one for each task where its files are folders with several and these are to be judged apart.

    Raises:
        ScoreFileError: where a folder cannot be looked through.
        AlignmentError: where the candidate has no run of a task that the baseline has, or only one of the two is a
            folder with several tasks.
    """
    if suite.candidate is None or suite.kind == "battles" or suite.tasks_as == "strata":
        return [TaskSuite(suite)]
    candidate = _tasks(suite.candidate, suite)
    baseline = candidate if suite.baseline is None else _tasks(suite.baseline, suite)
    if max(len(candidate), len(baseline)) <= 1:
        return [TaskSuite(suite)]
    for path, tasks in ((suite.baseline, baseline), (suite.candidate, candidate)):
        if path is not None and not tasks:
            raise AlignmentError(
                "this is one file, and the other run is a folder or a pattern with several",
                where=Place(path),
                remedy="give folders for both runs, or one file for each",
            )
    lost = tuple(task for task in baseline if task not in candidate)
    if lost:
        raise AlignmentError(
            f"the candidate has no run of {count(len(lost), 'task')} that the baseline has: {names(lost)}",
            where=Place(suite.candidate),
            remedy="run them, or name those to judge in gate.yml: `tasks: [...]`",
        )
    new = tuple(task for task in candidate if task not in baseline)
    notes = (f"not judged, since the baseline has no run of them yet: {names(new)}",) if new else ()
    return [TaskSuite(_of_task(suite, task), notes) for task in baseline]


def _tasks(path: str, suite: SuiteConfig) -> Sequence[str]:
    """The tasks at a path, none for a single file: it does not say of which it is."""
    return tuple(find_tasks(path, suite.tasks).files) if is_several(path) else ()


def _of_task(suite: SuiteConfig, task: str) -> SuiteConfig:
    return suite.model_copy(update={"name": task_name(suite.name, task), "tasks": (task,)})
