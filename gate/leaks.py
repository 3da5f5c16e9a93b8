"""A suite's questions against its corpus: the search, what it excludes, and what it comes to."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gate.alignment import Alignment
from gate.checks import contamination
from gate.checks.contamination import ContaminationOptions
from gate.config import SuiteConfig
from gate.results import CheckResult
from gate.scores import read_items
from gate.wording import names

if TYPE_CHECKING:
    from gate.contamination import Scan, ScanProgress

Progress = Callable[["ScanProgress"], None]


def search_corpus(suite: SuiteConfig, texts: Mapping[str, str], progress: Progress | None) -> "Scan | None":
    """Hold the questions against the corpus; None where no corpus is named or no question is known."""
    options = suite.checks.options("contamination")
    if not isinstance(options, ContaminationOptions):
        return None
    # imported here: most gates name no corpus, and start-up time counts
    from gate.contamination import Item, find_sources, scan  # noqa: PLC0415

    questions = [Item(item, text) for item, text in texts.items()]
    if options.items is not None:
        rows = read_items(Path(options.items), columns=suite.columns.as_columns())
        questions = [Item(row.id, row.text) for row in rows]
    if not questions:
        find_sources(options.corpora)
        return None
    return scan(questions, options.corpora, ngram=options.ngram, progress=progress)


def excluded_ids(suite: SuiteConfig, found: "Scan | None") -> tuple[str, ...]:
    """The confirmed leaks that the suite wants excluded."""
    options = suite.checks.options("contamination")
    if found is None or not isinstance(options, ContaminationOptions) or options.on_leak != "exclude":
        return ()
    return contamination.leaked_ids(found, options)


def tell_leaks(suite: SuiteConfig, found: "Scan | None", alignment: Alignment | None) -> tuple[CheckResult, ...]:
    """One result where contamination is on; a grey line where it could have been asked for and was not.

    ``alignment`` holds the items of the score files, None where the suite has none: a leak elsewhere cannot be
    excluded, and new items cannot dilute the share of leaks.
    """
    options = suite.checks.options("contamination")
    if not isinstance(options, ContaminationOptions):
        return (contamination.NOT_ASKED,)
    if found is None:
        return (contamination.NO_QUESTIONS,)
    if alignment is None:
        return (contamination.check(found, options),)
    result = contamination.check(found, options, compared=alignment.compared)
    known = {*alignment.ids, *alignment.new}
    strangers = tuple(item for item in excluded_ids(suite, found) if item not in known)
    if not strangers:
        return (result,)
    note = f"not excluded, since no score has this id: {names(strangers)}"
    return (replace(result, notes=(*result.notes, note)),)
