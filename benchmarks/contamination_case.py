"""One process of the benchmark of the contamination scan: prints its CPU seconds, peak memory and finds, as JSON.

python -m benchmarks.contamination_case prose|sources METHOD ITEMS MEGABYTES
python -m benchmarks.contamination_case file METHOD ITEMS PATH
"""

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.contamination_corpus import documents

if TYPE_CHECKING:
    from gate.contamination.kernel import Kernel
    from gate.contamination.probes import EvalIndex

SIZE = 3
Gram = tuple[str, ...]
Scan = Callable[[Iterable[str]], set[Gram] | None]


def words_of(text: str) -> list[str]:
    """As the reference has them."""
    return text.lower().split()


def grams_of(text: str) -> Iterator[Gram]:
    """The text's n-grams of words."""
    words = words_of(text)
    return zip(*(words[start:] for start in range(SIZE)), strict=False)


def all_grams(texts: Iterable[str]) -> set[Gram]:
    """Those of all texts together."""
    return set(chain.from_iterable(map(grams_of, texts)))


def by_gate(asked: Sequence[str]) -> Scan:
    """The gate's kernel, which the environment names."""
    from gate.contamination.kernel import Kernel  # noqa: PLC0415  # each process holds its own library alone

    kernel = Kernel(gate_index(asked))
    return lambda texts: read_all(kernel, texts)


def gate_index(asked: Sequence[str]) -> "EvalIndex":
    """The questions' tables."""
    from gate.contamination.probes import Item, build_index  # noqa: PLC0415  # as above

    return build_index([Item(str(number), text) for number, text in enumerate(asked)], [SIZE])


def read_all(kernel: "Kernel", texts: Iterable[str]) -> None:
    """Documents of a corpus."""
    from gate.contamination.tally import DocumentKey  # noqa: PLC0415  # as above

    for number, text in enumerate(texts, start=1):
        kernel.read(DocumentKey(0, 0, number), text)
    kernel.flush()


def by_naive(asked: Sequence[str]) -> Scan:
    """A set of the whole corpus, in which the questions' n-grams are looked up."""
    wanted = all_grams(asked)
    return lambda texts: wanted & all_grams(texts)


def by_reverse(asked: Sequence[str]) -> Scan:
    """A set of the questions' n-grams, in which the corpus's are looked up."""
    wanted = all_grams(asked)

    def scan(texts: Iterable[str]) -> set[Gram]:
        found: set[Gram] = set()
        for text in texts:
            found |= wanted.intersection(grams_of(text))
        return found

    return scan


def by_overlapy(asked: Sequence[str]) -> Scan:
    """The matcher of overlapy, which is what each of its workers runs."""
    from overlapy import OverlapyNgramMatcher  # noqa: PLC0415  # as above

    matcher = OverlapyNgramMatcher(all_grams(asked))

    def scan(texts: Iterable[str]) -> set[Gram]:
        found: set[Gram] = set()
        for text in texts:
            found.update(matcher([words_of(text)]))
        return found

    return scan


def by_datatrove(asked: Sequence[str]) -> Scan:
    """The filter of datatrove, its own words, and an index as its indexer, which needs lighteval, writes them."""
    import numpy as np  # noqa: PLC0415  # as above
    from datatrove.data import Document  # noqa: PLC0415
    from datatrove.pipeline.decont.n_grams import NGramsDecontConfig, NGramsDecontFilter  # noqa: PLC0415
    from datatrove.utils.text import ngrams, simplify_text  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        config = NGramsDecontConfig(n_grams=SIZE)
        step = NGramsDecontFilter(folder, config=config)
        texts = (step.tokenizer.word_tokenize(simplify_text(text, config.norm_config)) for text in asked)
        hashes = {step.hash_func(" ".join(gram)) for words in texts for gram in ngrams(words, SIZE)}
        np.array(list(hashes), dtype=config.hash_config.np_descr).tofile(Path(folder, "questions.index.hashes"))
        step.load_index_hashes()

    def scan(texts: Iterable[str]) -> None:
        for number, text in enumerate(texts):
            step.filter(Document(text=text, id=str(number)))

    return scan


KERNELS = ("compiled", "numpy")
METHODS: dict[str, Callable[[Sequence[str]], Scan]] = {
    **dict.fromkeys(KERNELS, by_gate),
    "naive": by_naive,
    "reverse": by_reverse,
    "overlapy": by_overlapy,
    "datatrove": by_datatrove,
}


def in_memory(kind: str, method: str, asked: Sequence[str], megabytes: float) -> dict[str, float | bool | None]:
    """CPU seconds for so much text in memory, the questions set up before, and whether the gate finds the same."""
    texts = list(documents(kind, megabytes))
    scan = METHODS[method](asked)
    start = time.process_time()
    found = scan(texts)
    seconds = time.process_time() - start
    return {"seconds": seconds, "agrees": None if found is None else found == gate_finds(asked, texts)}


def gate_finds(asked: Sequence[str], texts: Sequence[str]) -> set[Gram]:
    """The n-grams of the questions that the gate finds."""
    from gate.contamination.kernel import Kernel  # noqa: PLC0415  # as above

    index = gate_index(asked)
    kernel = Kernel(index)
    read_all(kernel, texts)
    grams = index.lanes[0].searches[0].table.grams
    numbers = kernel.tally.searches[0][0].documents.nonzero()[0].tolist()
    return {tuple(word.decode() for word in grams[number]) for number in numbers}


def file_by_gate(asked: Sequence[str], path: Path) -> dict[str, float]:
    """The whole scan: CPU seconds for the corpus, and for what does not grow with it."""
    from gate.contamination.engines import run_shards  # noqa: PLC0415  # as above
    from gate.contamination.probes import Item  # noqa: PLC0415
    from gate.contamination.scan import plan_scan, tell  # noqa: PLC0415

    begun = time.process_time()
    plan = plan_scan([Item(str(number), text) for number, text in enumerate(asked)], path)
    index = plan.index()
    start = time.process_time()
    tally = run_shards(index, plan.shards, plan.fields)
    seconds = time.process_time() - start
    tell(plan, index, tally)
    return {"seconds": seconds, "once": time.process_time() - begun - seconds}


def file_by_reverse(asked: Sequence[str], path: Path) -> dict[str, float]:
    """As ``by_reverse``, line by line."""
    begun = time.process_time()
    scan = by_reverse(asked)
    start = time.process_time()
    with path.open(encoding="utf-8") as lines:
        scan(json.loads(line)["text"] for line in lines)
    return {"seconds": time.process_time() - start, "once": start - begun}


FILE_METHODS = {**dict.fromkeys(KERNELS, file_by_gate), "reverse": file_by_reverse}


def main(kind: str, method: str, items: str, corpus: str) -> None:
    """Measure once; the questions are written by another process, for their making to take no memory here."""
    if method in KERNELS:
        os.environ["GATE_KERNEL"] = method
    asked = Path(items).read_text(encoding="utf-8").splitlines()
    told: dict[str, float | bool | None]
    if kind == "file":
        told = {**FILE_METHODS[method](asked, Path(corpus))}
    else:
        told = in_memory(kind, method, asked, float(corpus))
    print(json.dumps({**told, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3}))


if __name__ == "__main__":
    main(*sys.argv[1:])
