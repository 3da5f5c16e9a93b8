"""What a scan shows of the items that are flagged, and what a reader should know of it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gate.evidence import AnswerLeak, Leak, LeakFigures
from gate.wording import count, limit, names, number

if TYPE_CHECKING:
    from gate.contamination import Confirm, ItemOverlap, Scan, TextOverlap

_CHARACTERS = "characters"


def find_leaks(scan: "Scan", bar: float, confirm: "Confirm") -> tuple[Leak, ...]:
    """The flagged items: confirmed ones first, then by overlap and id."""
    leaks = [_leak(item, confirmed=item.is_confirmed(bar, confirm)) for item in scan.items if item.is_flagged(bar)]
    return tuple(sorted(leaks, key=lambda leak: (not leak.confirmed, -leak.overlap, leak.id)))


def notes_of(scan: "Scan", bar: float, confirm: "Confirm") -> tuple[str, ...]:
    """What was left out or replaced, what is suspect, what could not be tested."""
    return (*scan.notes, *_notes(scan, bar, confirm))


def _leak(item: "ItemOverlap", *, confirmed: bool) -> Leak:
    question = item.question
    document, decisive = question.document, question.sizes[0]
    return Leak(
        id=item.id,
        overlap=item.overlap,
        best_document_overlap=item.best_document_overlap,
        longest_span=question.longest_span,
        verbatim=question.verbatim is not None,
        confirmed=confirmed,
        document=document.name if document else "",
        matched=tuple((word, found) for word, found in question.matched),
        idf_overlap=decisive.idf_overlap,
        document_id=document.id if document else None,
        mode=question.mode.value,
        sizes=_figures(question),
        answer=_answer(item.answer),
    )


def _figures(text: "TextOverlap") -> tuple[LeakFigures, ...]:
    return tuple(
        LeakFigures(
            ngram=size.size,
            n_grams=size.n_grams,
            overlap=size.overlap,
            best_document_overlap=size.best_document_overlap,
            idf_overlap=size.idf_overlap,
            longest_span=size.longest_span,
            document=size.document.name if size.document else "",
        )
        for size in text.sizes
    )


def _answer(text: "TextOverlap | None") -> AnswerLeak | None:
    if text is None:
        return None
    return AnswerLeak(text.testable, text.verbatim is not None, _figures(text))


def _notes(scan: "Scan", bar: float, confirm: "Confirm") -> Iterator[str]:
    suspects = sum(item.is_suspect(bar, confirm) for item in scan.items)
    if suspects:
        yield (
            f"{count(suspects, 'suspect')}: {limit(bar)} is reached only over many documents together, "
            "as common phrases do in a large corpus"
        )
    not_testable = sum(not item.testable for item in scan.items)
    if not_testable:
        yield f"{count(not_testable, 'item')} with no {scan.sizes[0]}-gram: only the whole text was searched for"
    by_characters = sum(item.question.mode.value == _CHARACTERS for item in scan.items)
    if by_characters:
        yield f"{count(by_characters, 'item')} of a script without spaces: searched for by characters"
    left_out = scan.left_out[0]
    if left_out.template:
        yield f"{count(left_out.template, 'n-gram')} of a template that most items share left out"
    if scan.allowed:
        reasons = names(tuple(dict.fromkeys(allowed.reason for allowed in scan.allowed)))
        yield f"{count(left_out.allowed, 'n-gram')} of {count(len(scan.allowed), 'allowed text')} left out: {reasons}"
    highest = max((item.overlap for item in scan.items if not item.is_flagged(bar)), default=None)
    if highest is not None:
        yield f"the highest overlap of an item that is not flagged is {number(highest)}"
