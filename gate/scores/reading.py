"""A score file, or a folder of them, to the run in it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from gate.errors import Place, ScoreFileError
from gate.mirror import IN_PLACE, Mirror
from gate.scores.content import open_score_file
from gate.scores.detect import detect, is_report
from gate.scores.folders import find_tasks, is_several
from gate.scores.gate_report import suites_of
from gate.scores.merging import merge_runs
from gate.scores.model import EVERYTHING, GUESSED, Columns, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.registry import READERS
from gate.scores.strict_json import parse_document
from gate.scores.variants import ALL


def read_run(
    path: Path,
    wanted: Wanted = EVERYTHING,
    *,
    shown: str | None = None,
    format: str | None = None,  # noqa: A002  # the option's own name
) -> Run:
    """Read a score file, plain, gzip or zstd; ScoreFileError where it cannot be read as scores.

    ``wanted`` says what of it; ``shown`` is its name in messages and reports, where that is not the path; ``format`` is
    one of FORMATS, None tells it by the content.
    """
    file = open_score_file(path, shown or str(path))
    with file.being_read():
        return READERS[detect(file, READERS, format)].read(file, wanted)


def read_items(path: Path, *, format: str | None = None, columns: Columns = GUESSED) -> tuple[Item, ...]:  # noqa: A002  # ditto
    """Read a file of questions, which need no scores; ``columns`` maps a plain file, the rest is as in ``read_run``."""
    file = open_score_file(path, str(path))
    with file.being_read():
        return READERS[detect(file, READERS, format)].read_items(file, columns)


def reported_suites(path: str, mirror: Mirror = IN_PLACE) -> tuple[str, ...]:
    """The suites with items in a report of the gate; none of any other file.

    Raises:
        ScoreFileError: where it cannot be opened, or is a report that holds no scores.
    """
    file = open_score_file(Path(path), mirror.shown(path))
    with file.being_read():
        if not is_report(file, READERS):
            return ()
        return tuple(suite.name for suite in suites_of(parse_document(file), file).suites)


def read_tasks(
    path: str,
    wanted: Wanted = EVERYTHING,
    *,
    format: str | None = None,  # noqa: A002  # the option's own name
    tasks: Sequence[str] = (),
    mirror: Mirror = IN_PLACE,
) -> Run:
    """The run at a path that may be a folder or a pattern: of one task, or of several with the task as stratum.

    Args:
        path: a file, a folder or a pattern.
        wanted: what of each file.
        format: as in ``read_run``.
        tasks: which tasks of a folder, by name or pattern; all where empty.
        mirror: how the files are told, where they are copies.

    Raises:
        ScoreFileError: as in ``read_run``, ``find_tasks`` and ``merge_runs``.
    """
    if not is_several(path):
        return read_run(Path(path), wanted, shown=mirror.shown(path), format=format)
    found = find_tasks(path, tasks, mirror)
    runs = {
        task: read_run(Path(file), wanted, shown=mirror.shown(file), format=format)
        for task, file in found.files.items()
    }
    for task, run in runs.items():
        _require_one_model(run, {file: mirror.shown(file) for file in found.older[task]}, wanted, format)
    if len(runs) > 1:
        return merge_runs(runs, mirror.shown(path), found.notes)
    run = next(iter(runs.values()))
    return replace(run, notes=(*found.notes, *run.notes))


def _require_one_model(run: Run, older: Mapping[str, str], wanted: Wanted, format_name: str | None) -> None:
    """Raise ScoreFileError where an older run of the task is of another model: the newest could be of either."""
    model = run.facts.get("model")
    how = Wanted(variant=wanted.variant or ALL, unfinished=True, whole_texts=False)
    for file, shown in older.items() if model is not None else ():
        other = None
        with suppress(ScoreFileError):  # what cannot be read is left out anyway
            other = read_run(Path(file), how, format=format_name).facts.get("model")
        if other not in (None, model):
            raise ScoreFileError(
                f"this is a run of the model {quote(model)}, and {quote(shown)} one of {quote(other)}",
                where=Place(run.source.path),
                remedy="keep the runs of each model in a folder of its own, or name the file that is meant",
            )
