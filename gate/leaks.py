"""A suite's questions against its corpus: the search, what it excludes, and what it comes to."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gate.alignment import Alignment
from gate.checks import contamination
from gate.checks.contamination import ContaminationOptions
from gate.config import SuiteConfig
from gate.results import CheckResult
from gate.scores import read_items
from gate.wording import names

if TYPE_CHECKING:
    from gate.contamination import Item, Scan
    from gate.contamination.engines import Progress as ScanProgress

Progress = Callable[["ScanProgress"], None]


class Found(NamedTuple):
    """What is known of the questions.

    Attributes:
        scan: their overlaps; None where no corpus was asked for, no question is known, or the scan cannot be used.
        refused: why the file of a scan cannot be used.
    """

    scan: "Scan | None" = None
    refused: CheckResult | None = None


def search_corpus(
    suite: SuiteConfig, texts: Mapping[str, str], progress: Progress | None, *, answers: Mapping[str, str]
) -> Found:
    """Hold the questions against the corpus, or against a scan of it.

    Args:
        suite: what is asked.
        texts: the questions of the score files by id.
        progress: called now and then while a corpus is read.
        answers: their expected answers, as far as they are known.
    """
    options = suite.checks.options("contamination")
    if not isinstance(options, ContaminationOptions):
        return Found()
    # imported here: most gates name no corpus, and start-up time counts
    from gate.contamination import Item, find_sources  # noqa: PLC0415

    questions = [Item.of(item, text, answers.get(item)) for item, text in texts.items()]
    if options.items is not None:
        rows = read_items(Path(options.items), columns=suite.columns.as_columns())
        questions = [Item.of(row.id, row.text, row.target) for row in rows]
    if options.scan is not None:
        return _read(questions, options)
    if not questions:
        find_sources(options.corpora)
        return Found()
    return Found(_scan(questions, options, progress))


def _scan(questions: "Sequence[Item]", options: ContaminationOptions, progress: Progress | None) -> "Scan":
    from gate.contamination import Allowed, Fields, Mode, scan  # noqa: PLC0415  # as above

    return scan(
        questions,
        options.corpora,
        sizes=options.sizes,
        mode=Mode(options.mode),
        allowed=[Allowed(allowed.text, allowed.reason) for allowed in options.allow or ()],
        fields=Fields(options.text_fields, options.id_field),
        workers=None,
        progress=progress,
    )


def _read(questions: "Sequence[Item]", options: ContaminationOptions) -> Found:
    from gate.contamination import cover, read_scan  # noqa: PLC0415  # as above

    scan = read_scan(Path(options.scan or ""))
    if not questions:
        return Found()
    covered = cover(scan, questions)
    refused = contamination.refuse_scan(scan, covered.unknown, options)
    return Found(refused=refused) if refused else Found(covered.scan.by_sizes(options.sizes))


def excluded_ids(suite: SuiteConfig, found: Found) -> tuple[str, ...]:
    """The confirmed leaks that the suite wants excluded."""
    options = suite.checks.options("contamination")
    if found.scan is None or not isinstance(options, ContaminationOptions) or options.on_leak != "exclude":
        return ()
    return contamination.leaked_ids(found.scan, options)


def tell_leaks(suite: SuiteConfig, found: Found, alignment: Alignment | None) -> tuple[CheckResult, ...]:
    """One result where contamination is on; a grey line where it could have been asked for and was not.

    ``alignment`` holds the items of the score files, None where the suite has none: a leak elsewhere cannot be
    excluded, and new items cannot dilute the share of leaks.
    """
    options = suite.checks.options("contamination")
    if not isinstance(options, ContaminationOptions):
        return (contamination.NOT_ASKED,)
    if found.scan is None:
        return (found.refused or contamination.NO_QUESTIONS,)
    if alignment is None:
        return (contamination.check(found.scan, options),)
    result = contamination.check(found.scan, options, compared=alignment.compared)
    known = {*alignment.ids, *alignment.new}
    strangers = tuple(item for item in excluded_ids(suite, found) if item not in known)
    if not strangers:
        return (result,)
    note = f"not excluded, since no score has this id: {names(strangers)}"
    return (replace(result, notes=(*result.notes, note)),)
