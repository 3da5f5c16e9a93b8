"""Where reports go: ``FORM:PATH``, and never over a file that the run reads or over one another."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gate.checks.contamination import ContaminationOptions
from gate.config import GateConfig
from gate.config.overlay import Flags
from gate.errors import GateError, UsageError
from gate.reports import REPORTS

STDOUT = "-"


class ReportTarget(NamedTuple):
    """One report wanted: a form of REPORTS and a path, or ``-`` for standard output."""

    form: str
    path: str

    @classmethod
    def parse(cls, wanted: str) -> "ReportTarget":
        """Read ``FORM:PATH``.

        Raises:
            UsageError: where the form is unknown or the path is missing.
        """
        form, _, path = wanted.partition(":")
        if form not in REPORTS or not path:
            raise UsageError(
                f"--report {wanted!r} is not FORM:PATH", remedy=f"FORM is one of {', '.join(REPORTS)}; PATH may be -"
            )
        return cls(form, path)

    @property
    def real_path(self) -> str:
        """The path without links, by which two targets or a target and an input are one file."""
        return self.path if self.path == STDOUT else _real(self.path)

    @property
    def replaces_something(self) -> bool:
        """Whether something lies there already that writing would replace."""
        return self.path != STDOUT and os.path.exists(self.path)  # noqa: PTH110  # Path.exists raises where it may not look


TERMINAL = ReportTarget("text", STDOUT)


def find_page(targets: Sequence[ReportTarget], other: ReportTarget) -> tuple[str, bool] | None:
    """The path of the HTML report among the targets, and whether it is the way there from where ``other`` lies.

    None where there is none, or it goes to standard output.
    """
    page = next((target for target in targets if target.form == "html" and target.path != STDOUT), None)
    if page is None:
        return None
    if other.path == STDOUT:
        return page.path, False
    return Path(os.path.relpath(page.real_path, Path(other.real_path).parent)).as_posix(), True


def input_files(
    config: GateConfig | None, flags: Flags, *, path: str | None, corpora: bool, proposed: str | None = None
) -> dict[str, str]:
    """Real path -> what it is, of every file that the run reads.

    Args:
        config: the configuration, None where it is not known.
        flags: what is laid over it.
        path: where it stands.
        corpora: whether to list the files of the corpora, which can be many.
        proposed: where the configuration stands that a pull request proposes.
    """
    named = [("gate.yml", path), ("the baseline", flags.baseline), ("the candidate", flags.candidate)]
    named += [("the scan", flags.scan), ("the proposed gate.yml", proposed)]
    named += [("the history", flags.history)]
    named += [("the history", None if config is None else config.history)]
    texts = list(flags.corpus)
    for suite in () if config is None else config.suites:
        named += [("the baseline", suite.baseline), ("the candidate", suite.candidate)]
        options = suite.checks.options("contamination")
        if isinstance(options, ContaminationOptions):
            named += [("the file of questions", options.items), ("the scan", options.scan)]
            texts += options.corpora
    listed = _corpus_files(texts) if corpora else []
    named += [("a file of the corpus", file) for file in listed]
    return {_real(file): what for what, file in reversed(named) if file}


def refuse_clashes(targets: Sequence[ReportTarget], inputs: Mapping[str, str]) -> None:
    """Refuse a report that would be written over an input or over another report.

    Raises:
        UsageError: naming both.
    """
    first: dict[str, ReportTarget] = {}
    for target in targets:
        told = f"--report {target.form}:{target.path}"
        if target.path != STDOUT and target.real_path in inputs:
            raise UsageError(
                f"{told} would overwrite {inputs[target.real_path]}", remedy="name a file of its own for the report"
            )
        other = first.setdefault(target.real_path, target)
        if other is not target:
            raise UsageError(
                f"{told} and --report {other.form}:{other.path} would be written to the same place",
                remedy="name a place of its own for each report",
            )


def harmless(targets: Sequence[ReportTarget], inputs: Mapping[str, str]) -> Iterator[ReportTarget]:
    """The targets that overwrite no input, the first of those that share a place: an error can be told there."""
    seen: set[str] = set()
    for target in targets:
        if target.real_path not in seen and (target.path == STDOUT or target.real_path not in inputs):
            seen.add(target.real_path)
            yield target


def _corpus_files(corpora: Sequence[str]) -> list[str]:
    # imported here: most gates name no corpus, and start-up time counts
    from gate.contamination import find_sources, is_stored  # noqa: PLC0415

    files: list[str] = []
    for corpus in dict.fromkeys(corpora):
        # a report is a file of this machine: one in a store cannot be overwritten, and to list it takes long
        if not is_stored(corpus):
            try:
                files += [str(file.path) for file in find_sources(corpus).files]
            except GateError:  # told where it is read; what lies there all the same is somebody's file
                files += [corpus] if os.path.isfile(corpus) else []  # noqa: PTH113  # Path.is_file raises at a NUL
    return files


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # a path that no file can have
        return path
