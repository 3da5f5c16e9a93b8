"""What the runner is told where nothing was decided; light, because it is told before the rest is loaded, too."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TextIO

from gate.github.commands import Annotation, Level, annotate, quote
from gate.github.runner_files import OUTPUT, SUMMARY, RunnerFile, set_outputs
from gate.reports.escape import SENTENCE_LIMIT, prose, shorten, terminal
from gate.reports.overview import WORD_MARKS
from gate.results import Word


def presume_error(environ: Mapping[str, str]) -> None:
    """Set the verdict ERROR until it is known: a process that is killed must leave no empty output behind.

    Raises:
        WriteError: where the outputs cannot be written.
    """
    _set_error(environ, "the gate ended before it could decide")


def tell_undecided(environ: Mapping[str, str], stream: TextIO, *, what: str, remedy: str, traceback: str = "") -> None:
    """Tell in outputs, summary and log, wherever that is possible, that there is no verdict but ERROR."""
    # each on its own: where one cannot be told, the others still can
    with suppress(Exception):
        _set_error(environ, what)
    with suppress(Exception):
        heading = f"{WORD_MARKS[Word.ERROR]} ERROR: {prose(what)}"
        RunnerFile.named_by(SUMMARY, environ).append(f"\n## {heading}\n\n- What to do: {prose(remedy)}\n")
    with suppress(Exception):
        if traceback:
            quote(stream, traceback)
        annotate(stream, Annotation(Level.ERROR, "gate: ERROR", f"{what}\n{remedy}"))
        stream.flush()


def _set_error(environ: Mapping[str, str], reason: str) -> None:
    told = {"verdict": Word.ERROR, "reason": terminal(shorten(reason, SENTENCE_LIMIT))}
    set_outputs(RunnerFile.named_by(OUTPUT, environ), told)
