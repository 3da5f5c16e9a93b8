"""A folder or a pattern of files instead of one: which evaluations of which tasks lie there, and the newest of each."""

import glob
import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from gate.errors import Place, ScoreFileError
from gate.files import require_regular_file
from gate.links import require_end_of_links
from gate.mirror import IN_PLACE, Mirror
from gate.scores.beside import PROMOTION
from gate.scores.quoting import did_you_mean, quote, quoted_listing
from gate.wording import count

MOST_FILES = 10_000


class Layout(NamedTuple):
    """How one tool lays its files out in a folder.

    Attributes:
        tool: its name.
        label: fits the path, from the folder, of a file that holds scores; finds ``task`` in it and, where the path
            tells them, ``model`` and ``created``.
    """

    tool: str
    label: re.Pattern[str]


class Labelled(NamedTuple):
    """A file of a folder: its path, its task, and the model and time of the run where its name tells them."""

    path: str
    task: str
    model: str
    created: str


class Tasks(NamedTuple):
    """What was chosen of a folder.

    Attributes:
        files: task -> its file, in the order of the tasks' names.
        notes: what a user should know of the choice.
        older: task -> its other files, which are left out.
    """

    files: Mapping[str, str]
    notes: tuple[str, ...]
    older: Mapping[str, tuple[str, ...]]


_TIME = r"(?P<created>\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:[.-]\d+)*)"
_ZONED = r"(?P<created>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[+-]\d\d-\d\d)"
LAYOUTS = (
    Layout("lm-eval", re.compile(rf"(?:(?P<model>.*)/)?samples_(?P<task>.+)_{_TIME}\.jsonl")),
    Layout("Inspect", re.compile(rf"(?:.*/)?{_ZONED}_(?P<task>.+)_[^_/]+\.(?:eval|json)")),
    Layout("HELM", re.compile(r"(?:.*/)?(?P<task>[^/]+)/per_instance_stats\.json")),
    Layout("lighteval", re.compile(rf"(?:(?P<model>.*)/[^/]+/)?details_(?P<task>.+)_{_TIME}\.parquet")),
)
# a run folder of HELM names the model among the scenario's own settings, and runs of two models are to be compared
_HELM_MODEL = re.compile(r"[,:]model=[^,]*")


def is_several(path: str) -> bool:
    """Whether a path is a folder or a pattern, so that it can stand for several files."""
    return os.path.isdir(path) or (glob.has_magic(path) and not os.path.exists(path))


def find_tasks(path: str, wanted: Sequence[str] = (), mirror: Mirror = IN_PLACE) -> Tasks:
    """The newest file of each task in a folder, or among the files that a pattern fits.

    In a folder the files count that a tool is known to write its scores into, or else all of them. A file's task is
    told by its name, as the tool makes it.

    Args:
        path: the folder or the pattern; ``**`` in it stands for folders of any depth.
        wanted: the tasks, by name or by pattern; all where empty.
        mirror: how the files are told, where they are copies.

    Raises:
        ScoreFileError: where there is no file, or none of a wanted task, or two of one task and none is the newest.
    """
    found, shown = _labelled(path, mirror), mirror.shown(path)
    meant = choose_tasks([one.task for one in found], wanted, shown)
    asked = frozenset(meant)
    kept = [one for one in found if one.task in asked]
    _require_one_model(kept, shown)
    of_task: dict[str, list[Labelled]] = {task: [] for task in meant}
    for one in kept:
        of_task[one.task].append(one)
    files = {task: _newest(task, those, shown, mirror).path for task, those in of_task.items()}
    older = {task: tuple(one.path for one in those if one.path != files[task]) for task, those in of_task.items()}
    return Tasks(files, _notes(path, kept, files, mirror), older)


def choose_tasks(there: Iterable[str], wanted: Sequence[str], shown: str) -> list[str]:
    """The tasks that are meant, each once and in the order of their names.

    Args:
        there: those that there are.
        wanted: as in ``find_tasks``.
        shown: where they are, for messages.

    Raises:
        ScoreFileError: where there is none of a wanted task.
    """
    tasks = dict.fromkeys(sorted(set(there)))
    for pattern in wanted:
        if not any(_fits(task, pattern, tasks) for task in tasks):
            raise ScoreFileError(
                f"there is no task {quote(pattern)}{did_you_mean(pattern, tasks)}",
                where=Place(shown),
                remedy=f"name one of those that are there: {quoted_listing(tasks)}",
            )
    return [task for task in tasks if not wanted or any(_fits(task, pattern, tasks) for pattern in wanted)]


def list_files(path: str, mirror: Mirror = IN_PLACE) -> list[str]:
    """The files in a folder, however deep, or those that a pattern fits, by name; errors tell it as ``mirror`` does.

    Raises:
        ScoreFileError: where there are none, or too many, or one of them is no file or cannot be looked at: it may be
            the newest.
    """
    folder = os.path.isdir(path)
    pattern = os.path.join(glob.escape(path), "**") if folder else path
    require_end_of_links(pattern, where=Place(mirror.shown(path)), error=ScoreFileError)
    found = (name for name in glob.iglob(pattern, recursive=True) if not name.endswith(PROMOTION))
    names = sorted(name for name in found if _is_file(name, mirror))
    if len(names) > MOST_FILES:
        raise ScoreFileError(
            f"there are {len(names)} files, more than {MOST_FILES}",
            where=Place(mirror.shown(path)),
            remedy="give a folder with the results alone, or a narrower pattern",
        )
    if not names:
        raise ScoreFileError(
            "the folder holds no file" if folder else "no file fits this pattern",
            where=Place(mirror.shown(path)),
            remedy="check the path and the step that writes the files",
        )
    return names


def _is_file(name: str, mirror: Mirror) -> bool:
    """Whether it is a file, and not a folder; ScoreFileError where it is neither, or its content is hidden."""
    try:
        if not os.path.isdir(name):
            require_regular_file(Path(name))
            return True
        with os.scandir(name):  # a folder that may not be looked into has nothing in it for a pattern
            return False
    except ScoreFileError as fault:
        raise ScoreFileError(fault.what, where=Place(mirror.shown(name)), remedy=fault.remedy) from fault
    except OSError as fault:
        raise ScoreFileError(
            f"the folder cannot be read: {fault.strerror or fault}",
            where=Place(mirror.shown(name)),
            remedy="check that this user may look into it, or take it out",
        ) from fault


def _labelled(path: str, mirror: Mirror) -> list[Labelled]:
    names, folder = list_files(path, mirror), os.path.isdir(path)
    # a copy is called as its original is, so that the tasks of both runs are
    start = f"{path}{os.sep}" if folder and not path.endswith(os.sep) else path if folder else mirror.start
    for layout in LAYOUTS:
        labelled = [_label(name, layout.label.fullmatch(name.removeprefix(start))) for name in names]
        fitting = [one for one in labelled if one is not None]
        # in a folder a tool's other files lie beside its scores; what a pattern fits is meant
        if fitting and (folder or len(fitting) == len(names)):
            return fitting
    return [Labelled(name, _stem(name.removeprefix(start)), "", "") for name in names]


def _label(name: str, found: re.Match[str] | None) -> Labelled | None:
    if found is None:
        return None
    told = found.groupdict()
    return Labelled(name, _HELM_MODEL.sub("", told["task"]), told.get("model") or "", told.get("created") or "")


def _stem(inside: str) -> str:
    return inside.removesuffix("".join(Path(inside).suffixes))


def _fits(task: str, pattern: str, tasks: Collection[str]) -> bool:
    """A name that there is means itself alone, whatever signs are in it."""
    return task == pattern if pattern in tasks else fnmatchcase(task, pattern)


def _require_one_model(found: Sequence[Labelled], path: str) -> None:
    models = dict.fromkeys(one.model for one in found)
    if len(models) > 1:
        raise ScoreFileError(
            f"these are runs of {count(len(models), 'model')}: {quoted_listing(models)}",
            where=Place(path),
            remedy="name the folder of one of them",
        )


def _newest(task: str, found: Sequence[Labelled], path: str, mirror: Mirror) -> Labelled:
    newest = max(found, key=lambda one: one.created)
    rivals = [mirror.shown(one.path) for one in found if one.created == newest.created]
    if len(rivals) > 1:
        raise ScoreFileError(
            f"the task {quote(task)} has {len(rivals)} files, and none is the newest by its name: "
            f"{quoted_listing(rivals)}",
            where=Place(path),
            remedy="name one of the files, or a pattern that fits one of each task",
        )
    return newest


def _notes(path: str, found: Sequence[Labelled], files: Mapping[str, str], mirror: Mirror) -> tuple[str, ...]:
    older = len(found) - len(files)
    folder = os.path.isdir(path)
    names = quoted_listing(os.path.relpath(file, path) if folder else mirror.name(file) for file in files.values())
    left = f", the newest of each task; {count(older, 'older file is', 'older files are')} left out" if older else ""
    return (f"read of {quote(mirror.shown(path))}: {names}{left}",)
