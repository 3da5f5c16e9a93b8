"""The scan as lines for a person: what is flagged with its evidence, what was read, what could not be tested."""

from collections.abc import Iterator, Sequence

from gate.contamination import ItemOverlap, Scan
from gate.reports.answers import render_lines
from gate.reports.drawing import align_columns, draw_words
from gate.reports.escape import shorten
from gate.wording import count, limit, names, number, number_beside

MOST_ROWS = 60
MOST_QUOTED = 5
_SENTENCE = 500


def render_text(scan: Scan, *, bar: float = 0.8, quoting: bool = False) -> str:
    """Render the scan.

    Args:
        scan: what was found.
        bar: the overlap from which an item is flagged.
        quoting: show the words of flagged items.
    """
    return render_lines(_lines(scan, bar, quoting=quoting))


def _lines(scan: Scan, bar: float, *, quoting: bool) -> Iterator[str]:
    flagged = sorted(
        (item for item in scan.items if item.is_flagged(bar)),
        key=lambda item: (not item.is_confirmed(bar), -item.overlap, item.id),
    )
    if not scan.complete:
        yield "NOT COMPLETE: not the whole corpus was read, so no item is known to be clean"
    yield _counts(scan, flagged, bar)
    yield f"searched {_corpus(scan)} by {_sizes(scan)}, mode {scan.mode.value}"
    if flagged:
        yield ""
        yield from _table(scan, flagged, bar)
    if quoting:
        yield from _quotes(flagged)
    too_short = tuple(shorten(item.id) for item in scan.items if not item.testable)
    if too_short:
        yield ""
        yield f"not testable, searched for as a whole alone: {len(too_short)}: {names(too_short, most=20)}"
    if scan.notes:
        yield ""
    yield from (f"note  {shorten(note, _SENTENCE)}" for note in scan.notes)


def _counts(scan: Scan, flagged: Sequence[ItemOverlap], bar: float) -> str:
    confirmed = sum(item.is_confirmed(bar) for item in flagged)
    too_short = sum(not item.testable for item in scan.items)
    return (
        f"{count(len(scan.items), 'item')}: {len(flagged)} flagged from an overlap of {limit(bar)}, {confirmed} "
        f"confirmed, {len(flagged) - confirmed} suspect; {too_short} not testable"
    )


def _corpus(scan: Scan) -> str:
    corpus = scan.corpus
    return (
        f"{count(corpus.documents, 'document')} in {count(corpus.files, 'file')}, {count(corpus.words, 'word')}, "
        f"{corpus.bytes / 1e6:.1f} MB,"
    )


def _sizes(scan: Scan) -> str:
    return " and ".join(f"{size}-grams" for size in scan.sizes)


def _table(scan: Scan, flagged: Sequence[ItemOverlap], bar: float) -> Iterator[str]:
    shown = flagged[:MOST_ROWS]
    columns = [
        ["", *("confirmed" if item.is_confirmed(bar) else "suspect" for item in shown)],
        ["item", *(shorten(item.id) for item in shown)],
        ["overlap", *(number_beside(item.overlap, bar) for item in shown)],
        ["one document", *(number_beside(item.best_document_overlap, bar) for item in shown)],
        ["by rarity", *(number(item.question.sizes[0].idf_overlap) for item in shown)],
        *(
            [f"{size}-grams", *(number(item.question.sizes[place].overlap) for item in shown)]
            for place, size in enumerate(scan.sizes[1:], start=1)
        ),
        ["longest run", *(_longest(item) for item in shown)],
        *([["answer", *(_answer(item) for item in shown)]] if any(item.answer for item in shown) else []),
        ["document", *(_document(item) for item in shown)],
    ]
    yield from align_columns(columns)
    if len(flagged) > len(shown):
        yield f"{len(flagged) - len(shown)} more"


def _longest(item: ItemOverlap) -> str:
    verbatim = ", verbatim" if item.question.verbatim else ""
    return f"{item.question.longest_span} of {item.question.n_words}{verbatim}"


def _answer(item: ItemOverlap) -> str:
    if item.answer is None:
        return ""
    if not item.answer.testable:
        # a letter or a number stands somewhere in any text
        return "verbatim, but short" if item.answer.verbatim else "too short"
    return "verbatim" if item.answer.verbatim else number(item.answer.sizes[0].overlap)


def _document(item: ItemOverlap) -> str:
    document = item.question.document
    if document is None:
        return ""
    return shorten(document.name) + (f" ({shorten(document.id)})" if document.id else "")


def _quotes(flagged: Sequence[ItemOverlap]) -> Iterator[str]:
    for item in [item for item in flagged if item.question.words][:MOST_QUOTED]:
        yield ""
        yield shorten(item.id)
        yield from (f"  {words}" for words in draw_words(item.question.matched))
