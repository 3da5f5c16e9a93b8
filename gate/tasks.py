"""A suite whose score files are folders: one suite for each task that lies in them."""

from collections.abc import Sequence
from typing import NamedTuple

from gate.baselines import Baseline
from gate.config import SuiteConfig
from gate.errors import AlignmentError, Place
from gate.mirror import IN_PLACE, Mirror
from gate.results.naming import task_name
from gate.scores import reported_suites
from gate.scores.folders import choose_tasks, find_tasks, is_several
from gate.wording import count, names

# Each is judged in full: of thousands of small files the job would not end.
MOST_TASKS = 500


class TaskSuite(NamedTuple):
    """A suite of one task, or as gate.yml has it.

    Attributes:
        suite: the suite.
        baseline: its baseline as it was found; None where it has none.
        notes: what a user should know of how the suite came about.
    """

    suite: SuiteConfig
    baseline: Baseline | None = None
    notes: tuple[str, ...] = ()

    @property
    def has_first_run(self) -> bool:
        """Whether its baseline is proven never to have been there, so that this run may become the first."""
        return self.baseline is not None and self.baseline.is_missing


def spread_tasks(suite: SuiteConfig, baseline: Baseline | None = None) -> list[TaskSuite]:
    """The suite, or one for each task where its files are folders with several and these are to be judged apart.

    Args:
        suite: the suite.
        baseline: its baseline as it was found; None where it has none.

    Raises:
        ScoreFileError: where a folder cannot be looked through.
        AlignmentError: where the candidate has no run of a task that the baseline has, only one of the two is a folder
            with several tasks, or there are too many.
    """
    if suite.candidate is None or suite.kind == "battles" or suite.tasks_as == "strata":
        return [TaskSuite(suite, baseline)]
    now = _tasks(suite.candidate, suite, IN_PLACE)
    before = now if baseline is None or baseline.is_missing else _tasks(baseline.path, suite, baseline.mirror)
    if max(len(now), len(before)) > MOST_TASKS:
        raise AlignmentError(
            f"there are {max(len(now), len(before))} tasks, more than {MOST_TASKS} to be judged as suites of their own",
            where=Place(suite.candidate),
            remedy="name those to judge (`tasks: [...]`), or judge them together (`tasks_as: strata`)",
        )
    if max(len(now), len(before)) <= 1:
        return [TaskSuite(suite, baseline)]
    if baseline is not None and not before:
        before = _reported_tasks(baseline, suite)
    for shown, tasks in ((baseline.shown if baseline is not None else "", before), (suite.candidate, now)):
        if not tasks:
            raise AlignmentError(
                "this is one file, and the other run is a folder or a pattern with several",
                where=Place(shown),
                remedy="give folders for both runs, or one file for each; the gate's report of such a folder is a "
                "baseline, too",
            )
    lost = tuple(task for task in before if task not in now)
    if lost:
        raise AlignmentError(
            f"the candidate has no run of {count(len(lost), 'task')} that the baseline has: {names(lost)}",
            where=Place(suite.candidate),
            remedy="run them, or name those to judge in gate.yml: `tasks: [...]`",
        )
    new = tuple(task for task in now if task not in before)
    notes = (f"not judged, since the baseline has no run of them yet: {names(new)}",) if new else ()
    return [TaskSuite(_of_task(suite, task), baseline, notes) for task in before]


def _tasks(path: str, suite: SuiteConfig, mirror: Mirror) -> Sequence[str]:
    """The tasks at a path, none for a single file: it does not say of which it is."""
    return tuple(find_tasks(path, suite.tasks, mirror).files) if is_several(path) else ()


def _reported_tasks(baseline: Baseline, suite: SuiteConfig) -> Sequence[str]:
    """The tasks in a report of the gate, each of which it has judged as a suite of its own."""
    start = task_name(suite.name, "")
    suites = reported_suites(baseline.path, baseline.mirror)
    told = [name.removeprefix(start) for name in suites if name.startswith(start)]
    return choose_tasks(told, suite.tasks, baseline.shown) if told else ()


def _of_task(suite: SuiteConfig, task: str) -> SuiteConfig:
    return suite.model_copy(update={"name": task_name(suite.name, task), "tasks": (task,)})
