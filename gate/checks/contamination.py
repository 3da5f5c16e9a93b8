"""Contamination: do the eval's questions stand in the training corpus?"""

from collections.abc import Collection
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, Self, TypeVar

from pydantic import Field, model_validator

from gate.checks.base import GatePath, Options, Outcome
from gate.checks.leak_evidence import find_leaks, notes_of
from gate.evidence import LeakEvidence
from gate.results import CheckResult, Status
from gate.wording import count, names, percent

if TYPE_CHECKING:
    # the scan is loaded by whoever makes one: a gate without a corpus starts without it
    from gate.contamination import Scan

One = TypeVar("One", str, int)
Words = Annotated[int, Field(ge=1, le=13)]
Name = Annotated[str, Field(min_length=1)]

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


class AllowedText(Options):
    """A text that items may share with a corpus."""

    text: str = Field(min_length=1, description="The text; its n-grams are left out.")
    reason: str = Field(min_length=1, description="Why it is no evidence of a leak.")


class ContaminationOptions(Options):
    """Options of the contamination check."""

    has_a_choice = True

    corpus: GatePath | Annotated[tuple[GatePath, ...], Field(min_length=1)] | None = Field(
        default=None,
        description="Text to search: a .txt, .md, .jsonl, .json, .csv or .parquet file, a folder, a glob, or a list of "
        "them.",
    )
    scan: GatePath | None = Field(
        default=None, description="Instead of a corpus: what `gate scan` wrote where the corpus lives."
    )
    items: GatePath | None = Field(
        default=None, description="A file with the questions, where the score files do not hold them."
    )
    ngram: Words | Annotated[tuple[Words, ...], Field(min_length=1)] = Field(
        default=3, description="Words an n-gram; of several the first decides, and the others are told."
    )
    mode: Literal["reference", "normalised"] = Field(
        default="reference",
        description="`reference`: words as `text.lower().split()` has them. `normalised`: without punctuation and "
        "accents. A text of a script without spaces is searched for by characters in both.",
    )
    text_field: Name | Annotated[tuple[Name, ...], Field(min_length=1)] | None = Field(
        default=None, description="Where the corpus's records have their text: a name or a dotted path, or several."
    )
    id_field: Name | None = Field(default=None, description="Where they have their id.")
    allow: tuple[AllowedText, ...] | None = Field(
        default=None, description="Texts whose n-grams are no evidence, such as a template, each with the reason."
    )
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

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        # a key that is left empty is told as such
        if self.model_fields_set.isdisjoint({"corpus", "scan"}):
            raise ValueError("there is nothing to search: give it a `corpus`, or the `scan` of one")
        if self.corpus is not None and self.scan is not None:
            raise ValueError("a corpus and a scan of one are two ways to search: give one of them")
        if self.scan is not None and (self.text_field is not None or self.id_field is not None):
            raise ValueError("text_field and id_field say how to read a corpus: give them to `gate scan`")
        return self

    @property
    def corpora(self) -> tuple[str, ...]:
        """The corpus as a list of paths; empty where a scan stands for it."""
        return () if self.corpus is None else _listed(self.corpus)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Words an n-gram, the first being the one that decides."""
        return tuple(dict.fromkeys(_listed(self.ngram)))

    @property
    def text_fields(self) -> tuple[str, ...]:
        """Where records have their text; empty: in the usual places."""
        return () if self.text_field is None else _listed(self.text_field)


def _listed(value: One | tuple[One, ...]) -> tuple[One, ...]:
    return value if isinstance(value, tuple) else (value,)


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
        f"n = {len(scan.items)}, {count(scan.corpus.documents, 'document')}{_unread(scan)}",
        remedy=outcome.remedy,
        notes=(*notes_of(scan, options.bar, options.confirm), *_others_note(among)),
        figures={
            "items": len(scan.items),
            "flagged": len(flagged),
            "leaked": len(leaked),
            "compared": among.items,
            "leaked_compared": len(among.compared),
            "suspect": len(flagged) - len(leaked),
            "not_testable": len(not_testable),
            "documents": scan.corpus.documents,
            "words": scan.corpus.words,
        },
        evidence=LeakEvidence(
            leaks=find_leaks(scan, options.bar, options.confirm),
            overlaps={item.id: item.overlap for item in sorted(scan.items, key=attrgetter("id")) if item.testable},
            not_testable=not_testable,
            ngram=scan.sizes[0],
            bar=options.bar,
            documents=scan.corpus.documents,
            corpus=", ".join(options.corpora or scan.corpus.given),
            scan=options.scan,
        ),
    )


def refuse_scan(scan: "Scan", unknown: tuple[str, ...], options: ContaminationOptions) -> CheckResult | None:
    """What keeps a scan file from being judged; None where nothing does.

    Args:
        scan: as it was read.
        unknown: ids of the items that it does not cover.
        options: what is asked.
    """
    reason, sentence = _fault_of(scan, unknown, options)
    if not reason:
        return None
    flags = "".join(f" --ngram {size}" for size in options.sizes)
    renewed = f"`gate scan --items FILE --corpus PATH{flags} --mode {options.mode} --out {options.scan}`"
    return CheckResult(NAME, Status.FAIL, reason, sentence, remedy=f"renew it where the corpus lives: {renewed}")


def _fault_of(scan: "Scan", unknown: tuple[str, ...], options: ContaminationOptions) -> tuple[str, str]:
    """A reason code and a sentence; empty where there is no fault."""
    if not scan.complete:
        return "scan-partial", "the scan did not read the whole corpus, so no item of it is known to be clean"
    sizes = [size for size in options.sizes if size not in scan.sizes]
    if sizes:
        made = ", ".join(map(str, scan.sizes))
        return "scan-of-another-kind", f"the scan was made by n-grams of {made} words, not of {sizes[0]}"
    if scan.mode != options.mode:
        return "scan-of-another-kind", f"the scan was made in the mode {scan.mode.value}, not {options.mode}"
    known = {allowed.text for allowed in scan.allowed}
    others = [allowed.text for allowed in options.allow or () if allowed.text not in known]
    if others:
        return "scan-of-another-kind", f"the scan knows nothing of {count(len(others), 'text')} of the allow-list"
    if unknown:
        return "scan-stale", f"the scan does not cover {count(len(unknown), 'item')}: {names(unknown)}"
    return "", ""


def _among(scan: "Scan", leaked: tuple[str, ...], compared: Collection[str] | None) -> _Leaked:
    items = [item.id for item in scan.items if compared is None or item.id in compared]
    if not items:
        return _Leaked(leaked, (), len(scan.items))
    judged = set(items)
    others = tuple(item for item in leaked if item not in judged)
    return _Leaked(tuple(item for item in leaked if item in judged), others, len(items))


def _unread(scan: "Scan") -> str:
    unread = scan.corpus.left_out + scan.corpus.links_out
    return f", {count(unread, 'file')} not read" if unread else ""


def _others_note(among: _Leaked) -> tuple[str, ...]:
    return (f"leaked too, but not compared with the baseline: {names(among.others)}",) if among.others else ()


def _outcome(scan: "Scan", among: _Leaked, options: ContaminationOptions, *, testable: int) -> Outcome:
    items, leaked = count(len(scan.items), "item"), among.compared or among.others
    if not leaked and testable == 0:
        return Outcome(
            Status.WARN, "not-testable", f"none of the {items} has {scan.sizes[0]} words: nothing was tested",
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
    corpus = scan.corpus
    if corpus.left_out <= corpus.files:
        return Outcome(Status.PASS, "no-leak", sentence)
    return Outcome(
        Status.WARN, "corpus-partly-unread",
        f"{sentence}, but {count(corpus.left_out, 'file')} of the corpus could not be read by their ending and "
        f"only {corpus.files} {'was' if corpus.files == 1 else 'were'}",
        "convert the other files to text, or name those that are text: the notes tell the endings",
    )  # fmt: skip
