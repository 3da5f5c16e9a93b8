"""Contamination: do the eval's questions stand in the training corpus?"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from pydantic import Field

from gate.checks.base import GatePath, Options, Outcome
from gate.evidence import Leak, LeakEvidence
from gate.results import CheckResult, Status
from gate.wording import count, limit, names, number, percent

if TYPE_CHECKING:
    # the scan is loaded by whoever makes one: a gate without a corpus starts without it
    from gate.contamination import ItemOverlap, Scan

NAME = "contamination"
ASKS = "Do the eval's questions stand in the training corpus? A leaked item measures memory, not skill."
WHEN_IT_FAILS = (
    "Look at the evidence: which document, which words. Take leaked items out of the eval or out of the training data; "
    "quotes and templates that only look like leaks are listed as suspect and decide nothing."
)

NOT_ASKED = CheckResult(NAME, Status.NOT_RUN, "no-corpus", "no corpus to search")
NO_QUESTIONS = CheckResult(
    NAME,
    Status.FAIL,
    "no-questions",
    "contamination was asked for, but the score files hold no questions",
    remedy="name the column that holds the question (`columns: {inputs: ...}`), or a file of questions (`items: ...`)",
)


class ContaminationOptions(Options):
    """Options of the contamination check."""

    corpus: GatePath | Annotated[tuple[GatePath, ...], Field(min_length=1)] = Field(
        description="Text to search: a .txt, .md, .jsonl or .json file, a folder, a glob, or a list of them."
    )
    items: GatePath | None = Field(
        default=None, description="A file with the questions, where the score files do not hold them."
    )
    ngram: int = Field(default=3, ge=1, le=13, description="Words an n-gram.")
    bar: float = Field(default=0.80, gt=0, le=1, description="Overlap from which an item is flagged.")
    confirm: Literal["best_document", "pooled"] = Field(
        default="best_document",
        description="What confirms a flagged item: one document alone reaching the bar (or holding the item word for "
        "word), or the whole corpus together.",
    )
    on_leak: Literal["exclude", "fail", "warn"] = Field(
        default="exclude",
        description="`exclude`: judge with and without the leaked items, the worse counts, and warn. "
        "`fail`: any leak fails. `warn`: only tell.",
    )
    max_leaked_share: float = Field(
        default=0.10,
        ge=0,
        le=1,
        description="With `on_leak: exclude`, the share of the compared items that may be leaked before it fails.",
    )

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpus as a list of paths."""
        return (self.corpus,) if isinstance(self.corpus, str) else self.corpus


def leaked_ids(scan: "Scan", options: ContaminationOptions) -> tuple[str, ...]:
    """The confirmed leaks, in the order of the scan's items."""
    return tuple(item.id for item in scan.items if item.is_confirmed(options.bar, options.confirm))


class _Leaked(NamedTuple):
    """Ids of confirmed leaks, and how many items their share is taken of.

    Attributes:
        compared: those among the compared items.
        others: those elsewhere, e.g. new ones.
        items: number of compared items.
    """

    compared: tuple[str, ...]
    others: tuple[str, ...]
    items: int


def check(scan: "Scan", options: ContaminationOptions, *, compared: Collection[str] | None = None) -> CheckResult:
    """Judge what a scan found.

    Args:
        scan: the items' overlaps with the corpus.
        options: the policy.
        compared: ids of the items that the other checks judge, so that new ones cannot dilute the share of leaks; None
            or none of the scan's: all of them.
    """
    flagged = [item for item in scan.items if item.is_flagged(options.bar)]
    leaked = leaked_ids(scan, options)
    not_testable = tuple(item.id for item in scan.items if not item.testable)
    among = _among(scan, leaked, compared)
    outcome = _outcome(scan, among, options, testable=len(scan.items) - len(not_testable))
    return CheckResult(
        NAME,
        *outcome[:3],
        detail=f"{len(leaked)} confirmed, {len(flagged) - len(leaked)} suspect, {len(not_testable)} not testable, "
        f"n = {len(scan.items)}, {count(scan.documents, 'document')}{_unread(scan)}",
        remedy=outcome.remedy,
        notes=(*_notes(scan, len(flagged) - len(leaked), not_testable, options), *_others_note(among)),
        figures={
            "items": len(scan.items),
            "flagged": len(flagged),
            "leaked": len(leaked),
            "compared": among.items,
            "leaked_compared": len(among.compared),
            "suspect": len(flagged) - len(leaked),
            "not_testable": len(not_testable),
            "documents": scan.documents,
            "words": scan.words,
        },
        evidence=LeakEvidence(
            leaks=_leaks(flagged, options),
            overlaps=_overlaps(scan),
            not_testable=not_testable,
            ngram=options.ngram,
            bar=options.bar,
            documents=scan.documents,
            corpus=", ".join(options.corpora),
        ),
    )


def _among(scan: "Scan", leaked: tuple[str, ...], compared: Collection[str] | None) -> _Leaked:
    items = [item.id for item in scan.items if compared is None or item.id in compared]
    if not items:
        return _Leaked(leaked, (), len(scan.items))
    judged = set(items)
    others = tuple(item for item in leaked if item not in judged)
    return _Leaked(tuple(item for item in leaked if item in judged), others, len(items))


def _unread(scan: "Scan") -> str:
    unread = scan.left_out + scan.links_out
    return f", {count(unread, 'file')} not read" if unread else ""


def _others_note(among: _Leaked) -> tuple[str, ...]:
    return (f"leaked too, but not compared with the baseline: {names(among.others)}",) if among.others else ()


def _outcome(scan: "Scan", among: _Leaked, options: ContaminationOptions, *, testable: int) -> Outcome:
    items, leaked = count(len(scan.items), "item"), among.compared or among.others
    if not leaked and testable == 0:
        return Outcome(
            Status.WARN, "not-testable", f"none of the {items} has {options.ngram} words: nothing was tested",
            "set a smaller `ngram`, or name the column that holds the question: `columns: {inputs: ...}`",
        )  # fmt: skip
    if not leaked:
        return _no_leak(scan, f"no leak confirmed among {items}")
    share = len(among.compared) / among.items
    sentence = f"{len(leaked)} of {count(among.items, 'item')} leaked: {names(leaked)}"
    if not among.compared:
        sentence = f"{count(len(leaked), 'item')} leaked, none of them compared with the baseline: {names(leaked)}"
    remedy = "look at the evidence; drop leaked items from the eval or from the training data"
    if options.on_leak == "fail":
        return Outcome(Status.FAIL, "leaked", sentence, remedy)
    if options.on_leak == "exclude" and share > options.max_leaked_share:
        too_many = f"{sentence}; {percent(share)} is over {percent(options.max_leaked_share)}"
        return Outcome(Status.FAIL, "too-many-leaked", too_many, remedy)
    return Outcome(Status.WARN, "leaked", sentence, remedy)


def _no_leak(scan: "Scan", sentence: str) -> Outcome:
    if scan.left_out <= scan.files:
        return Outcome(Status.PASS, "no-leak", sentence)
    return Outcome(
        Status.WARN, "corpus-partly-unread",
        f"{sentence}, but {count(scan.left_out, 'file')} of the corpus could not be read by their ending and only "
        f"{scan.files} {'was' if scan.files == 1 else 'were'}",
        "convert the other files to text, or name those that are text: the notes tell the endings",
    )  # fmt: skip


def _leaks(flagged: "list[ItemOverlap]", options: ContaminationOptions) -> tuple[Leak, ...]:
    leaks = [
        Leak(
            id=item.id,
            overlap=item.overlap,
            best_document_overlap=item.best_document_overlap,
            longest_span=item.longest_span,
            verbatim=item.verbatim,
            confirmed=item.is_confirmed(options.bar, options.confirm),
            document=item.document or "",
            matched=tuple((word, found) for word, found in item.matched),
        )
        for item in flagged
    ]
    return tuple(sorted(leaks, key=lambda leak: (not leak.confirmed, -leak.overlap, leak.id)))


def _overlaps(scan: "Scan") -> Mapping[str, float]:
    return {item.id: item.overlap for item in sorted(scan.items, key=lambda item: item.id) if item.testable}


def _notes(
    scan: "Scan", suspects: int, not_testable: tuple[str, ...], options: ContaminationOptions
) -> tuple[str, ...]:
    notes = list(scan.notes)
    if suspects:
        notes.append(
            f"{count(suspects, 'suspect')}: {limit(options.bar)} is reached only over many documents together, "
            "as common phrases do in a large corpus"
        )
    if not_testable:
        notes.append(
            f"{count(len(not_testable), 'item')} with no {options.ngram}-gram: only the whole text was searched for"
        )
    if scan.template_ngrams:
        notes.append(f"{count(scan.template_ngrams, 'n-gram')} of a template that most items share left out")
    highest = max((item.overlap for item in scan.items if not item.is_flagged(options.bar)), default=None)
    if highest is not None:
        notes.append(f"the highest overlap of an item that is not flagged is {number(highest)}")
    return tuple(notes)
