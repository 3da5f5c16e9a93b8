"""What a check can show: estimates, distributions, leaks and lost items, for reports to draw or list."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval, in the metric's own unit.

    Attributes:
        value: the point estimate.
        low: the interval's lower end.
        high: the interval's upper end.
        confidence_level: two-sided, in (0, 1).
        method: how the interval was made, e.g. ``bootstrap``.
        n: the number of items behind it.
    """

    value: float
    low: float
    high: float
    confidence_level: float
    method: str
    n: int


@dataclass(frozen=True, slots=True)
class ExactBound:
    """The finite-sample interval of a mean, in the metric's own unit.

    Attributes:
        low: its lower end.
        high: its upper end.
        p: how likely it makes what was seen where the true mean is at the limit.
    """

    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class Part:
    """What changed in one group or stratum of the items.

    Attributes:
        name: the group or stratum.
        wins: items that got better.
        losses: items that got worse.
        ties: items that stayed the same.
        delta: their mean difference, positive is better.
    """

    name: str
    wins: int
    losses: int
    ties: int
    delta: float


@dataclass(frozen=True, slots=True)
class IntervalEvidence:
    """An estimate against a limit, to be drawn on a line.

    Attributes:
        estimate: what was estimated.
        limit: the bar (threshold), or minus the margin or 0 (regression).
        limit_name: ``bar``, ``ceiling``, ``no change``, ``margin`` or ``even``.
        axis: the ends of the line to draw on: the scale, where it is known.
        exact: the exact bound beside the estimate's own interval, where the scale is known.
        parts: the differences by stratum, else by group, the worst first; empty where there are neither.
        value_name: what is estimated: ``mean``, ``delta`` or ``chance``.
    """

    estimate: Estimate
    limit: float | None
    limit_name: str
    axis: tuple[float, float] | None = None
    exact: ExactBound | None = None
    parts: tuple[Part, ...] = ()
    value_name: str = "mean"


@dataclass(frozen=True, slots=True)
class Standing:
    """One model of a leaderboard.

    Attributes:
        model: its name.
        rank: within its group, 1 for the strongest.
        best: the best rank that the 95 % intervals leave.
        worst: the worst that they leave.
        group: the number of the group of models that it can be compared with, from 1.
        rating: its strength on the scale of Elo, 1000 for the mean of its group.
        low: the lower end of the rating's 95 % interval; None where it has none.
        high: its upper end.
        battles: the weight of the battles that it fought; without weights, their number.
        won: likewise, of those that it won.
        tied: likewise, tied.
        lost: likewise, lost.
    """

    model: str
    rank: int
    best: int
    worst: int
    group: int
    rating: float
    low: float | None
    high: float | None
    battles: float
    won: float
    tied: float
    lost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaEvidence(IntervalEvidence):
    """The chance of one model to beat another, and the leaderboard of all of them.

    Attributes:
        standings: (m,) the models, group by group, the strongest first.
        chances: (m, m) the chance of row to beat column; None against itself and where no battles link the two.
        wins: (m, m) the weight of the battles that row won over column, a tie being half a win each way.
    """

    standings: tuple[Standing, ...]
    chances: tuple[tuple[float | None, ...], ...]
    wins: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class BucketEvidence:
    """Two distributions over the same buckets, in order.

    Attributes:
        labels: (k,) each bucket's name, e.g. ``0.5`` or ``[0.2, 0.4)`` or ``no score``.
        baseline: (k,) counts.
        candidate: (k,) counts.
        contributions: (k,) each bucket's share of the PSI.
    """

    labels: tuple[str, ...]
    baseline: tuple[int, ...]
    candidate: tuple[int, ...]
    contributions: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class LeakFigures:
    """How much of one text stands in the corpus, by n-grams of one size.

    Attributes:
        ngram: words an n-gram.
        n_grams: the text's distinct n-grams that count.
        overlap: share of them found anywhere in the corpus, 0 to 1.
        best_document_overlap: the same in the one document that holds most of them.
        idf_overlap: as ``overlap``, each n-gram weighted by how rare it is in the corpus.
        longest_span: the longest run of words that stands in that document's n-grams.
        document: that document's name; empty where nothing was found.
    """

    ngram: int
    n_grams: int
    overlap: float
    best_document_overlap: float
    idf_overlap: float
    longest_span: int
    document: str


@dataclass(frozen=True, slots=True)
class AnswerLeak:
    """What was found of an item's answer, which decides nothing.

    Attributes:
        testable: it has enough words for an n-gram.
        verbatim: a document holds it whole, word for word.
        sizes: its figures by each size of n-gram.
    """

    testable: bool
    verbatim: bool
    sizes: tuple[LeakFigures, ...]


@dataclass(frozen=True, slots=True)
class Leak:
    """One flagged item and what speaks for it.

    Attributes:
        id: the item.
        overlap: share of its distinct n-grams found anywhere in the corpus, 0 to 1.
        best_document_overlap: the same in the one document that holds most of them.
        longest_span: its longest run of words that stands in that document's n-grams, in words.
        verbatim: the document holds the item's whole text, word for word.
        confirmed: one document alone speaks for the leak; otherwise it is suspect.
        document: the document's name: file, and line, record or row where there is one.
        matched: the item's words in order, each with whether it is part of a found n-gram.
        idf_overlap: as ``overlap``, each n-gram weighted by how rare it is in the corpus, 0 to 1.
        document_id: the record's own id, where it has one.
        mode: what counts as a word: ``reference``, ``normalised`` or ``characters``.
        sizes: the figures by each size of n-gram, the first of which decides.
        answer: what was found of the answer; None where the item has none.
    """

    id: str
    overlap: float
    best_document_overlap: float
    longest_span: int
    verbatim: bool
    confirmed: bool
    document: str
    matched: tuple[tuple[str, bool], ...]
    idf_overlap: float | None = None
    document_id: str | None = None
    mode: str = "reference"
    sizes: tuple[LeakFigures, ...] = ()
    answer: AnswerLeak | None = None

    @property
    def unit(self) -> str:
        """What a word is called."""
        return "character" if self.mode == "characters" else "word"


@dataclass(frozen=True, slots=True)
class LeakEvidence:
    """What a contamination scan found.

    Attributes:
        leaks: flagged items, confirmed first, then by overlap and id.
        overlaps: every tested item's id with its pooled overlap.
        not_testable: ids of items with fewer words than an n-gram has.
        ngram: words an n-gram.
        bar: the overlap from which an item is flagged.
        documents: how many documents were read.
        corpus: the corpus as given.
        scan: the file that a scan of it was read from; None where the corpus itself was.
    """

    leaks: tuple[Leak, ...]
    overlaps: Mapping[str, float]
    not_testable: tuple[str, ...]
    ngram: int
    bar: float
    documents: int
    corpus: str
    scan: str | None = None


@dataclass(frozen=True, slots=True)
class CoverageEvidence:
    """Which items could not be compared, by id.

    Attributes:
        common: number of items compared.
        lost: in the baseline only.
        new: in the candidate only.
        changed: same id, other inputs or target.
        unscored: common, but without a score in the candidate; id -> why.
        baseline_unscored: common, but without a score in the baseline.
        new_mean: the new items' mean score in the candidate, or None.
    """

    common: int
    lost: tuple[str, ...]
    new: tuple[str, ...]
    changed: tuple[str, ...]
    unscored: Mapping[str, str]
    baseline_unscored: tuple[str, ...]
    new_mean: float | None


Evidence = ArenaEvidence | IntervalEvidence | BucketEvidence | LeakEvidence | CoverageEvidence
