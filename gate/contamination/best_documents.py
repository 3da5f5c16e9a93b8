"""For each probe the document that holds most of its n-grams, without counting every probe against every document."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from gate.contamination.blocks import Indices
from gate.contamination.pairs import Pairs
from gate.contamination.probes import Search
from gate.contamination.ragged import Ragged, counted, ragged, spread
from gate.contamination.tally import Best, DocumentKey

# So many lookups are made at once; one document alone may need more.
_LOOKUPS = 1 << 16
# Matches that are asked for: the l below.
_MATCHES = 3


class _Lookup(NamedTuple):
    """The probes of each n-gram, and the n-gram's rank among the n-grams of each, the commonest being 0."""

    probes: Ragged
    ranks: Indices


class BestDocuments:
    """The best documents so far; ties go to the document that was read first.

    A probe whose best document holds b of its n-grams is looked up under all but its b + 1 - l commonest n-grams only,
    and only where l of them stand: a document with more than b must hold l of these (prefix filtering: Chaudhuri, Ganti
    and Kaushik, "A primitive operator for similarity joins in data cleaning", ICDE 2006; more matches than one: Wang,
    Li and Feng, "Can we beat the prefix filtering?", SIGMOD 2012). So the n-grams that many probes share soon cost
    nothing, and what most documents hold of most probes is not counted out.
    """

    def __init__(self, search: Search, commonest_first: Ragged, best: dict[int, Best]) -> None:
        """Start without a document.

        Args:
            search: the probes' n-grams.
            commonest_first: the same, of each probe the one first that most probes hold.
            best: probe -> its best document, filled here.
        """
        self._numbers = commonest_first
        probes = commonest_first.rows()
        ranks = spread(np.zeros(len(commonest_first), dtype=np.int64), commonest_first.lengths)
        by_gram = np.argsort(commonest_first.values, kind="stable")
        self._every = _Lookup(
            ragged(commonest_first.values[by_gram], probes[by_gram], len(search.holders)), ranks[by_gram]
        )
        self.restart(best)

    def restart(self, best: dict[int, Best]) -> None:
        """Start without a document again, as a new one would, which takes longer to make.

        Args:
            best: as in the beginning.
        """
        self._best = best
        self._counts = np.zeros(len(self._numbers), dtype=np.int64)
        # of each probe the first n-gram, by rank, that it is looked up under
        self._first = np.zeros(len(self._numbers), dtype=np.int64)
        self._lookup = self._every
        # how many probes are still looked up under each n-gram, and under all of them
        self._live = self._every.probes.lengths
        self._all_live = self._lookup.ranks.size

    def update(self, keys: Sequence[DocumentKey], pairs: Pairs) -> None:
        """Take in documents, in order, by the n-grams that they hold.

        Args:
            keys: of the documents.
            pairs: which of them, by place in ``keys``, hold which n-grams.
        """
        for part in self._parts(pairs.those(self._live[pairs.grams] > 0)):
            self._update(keys, pairs, part)
        if 2 * self._all_live < self._lookup.ranks.size:
            self._drop_what_is_over()

    def _parts(self, pairs: Pairs) -> Iterator[Pairs]:
        """The pairs in parts of whole documents, so that memory stays small while few best documents are known."""
        if not pairs.documents.size:
            return
        ends = np.append(np.flatnonzero(np.diff(pairs.documents)) + 1, pairs.documents.size)
        lookups = np.cumsum(self._lookup.probes.sizes(pairs.grams))[ends - 1]
        first, done = 0, 0
        while first < pairs.documents.size:
            document = min(int(np.searchsorted(lookups, done + _LOOKUPS)), ends.size - 1)
            last, done = int(ends[document]), int(lookups[document])
            yield pairs.between(first, last)
            first = last

    def _update(self, keys: Sequence[DocumentKey], pairs: Pairs, part: Pairs) -> None:
        places = self._lookup.probes.places(part.grams)
        documents = np.repeat(part.documents, self._lookup.probes.sizes(part.grams))
        probes = self._lookup.probes.values[places]
        looked_up = self._lookup.ranks[places] >= self._first[probes]
        probe_count = max(1, self._counts.size)
        candidates, matches = counted(documents[looked_up] * probe_count + probes[looked_up])
        documents, probes = np.divmod(candidates, probe_count)
        likely = matches >= np.minimum(_MATCHES, self._counts[probes] + 1)
        documents, probes = documents[likely], probes[likely]
        held = pairs.held(documents, probes, self._numbers)
        # of each probe the first of the documents with most
        order = np.lexsort((documents, -held.counts, probes))
        order = order[np.flatnonzero(np.diff(probes[order], prepend=-1))]
        better = order[held.counts[order] > self._counts[probes[order]]]
        if better.size:
            self._raise(probes[better], held.counts[better])
            grams = ragged(held.asked, held.grams, probes.size)
            for place in better.tolist():
                self._best[int(probes[place])] = Best(keys[documents[place]], tuple(sorted(grams[place])))

    def _raise(self, probes: Indices, counts: Indices) -> None:
        """These probes have better documents now, and fewer n-grams that they are looked up under."""
        self._counts[probes] = counts
        before = self._first[probes]
        lengths = self._numbers.sizes(probes)
        # a probe that one document holds all of has none to come
        first = np.where(counts == lengths, lengths, np.maximum(0, counts + 1 - _MATCHES))
        gone = self._numbers.values[spread(self._numbers.ends[probes] + before, first - before)]
        np.subtract.at(self._live, gone, 1)
        self._all_live -= gone.size
        self._first[probes] = first

    def _drop_what_is_over(self) -> None:
        """Keep of the lookup what is still looked up."""
        probes, ranks = self._lookup
        kept = ranks >= self._first[probes.values]
        self._lookup = _Lookup(ragged(probes.rows()[kept], probes.values[kept], len(probes)), ranks[kept])
