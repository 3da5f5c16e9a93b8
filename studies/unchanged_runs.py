"""How often the gate blocks or warns when nothing changed: writes the table of docs/unchanged-runs.md.

    make study

Each pair is two runs of one simulated model on one set of items: every item has a difficulty of its own, and both runs
draw their scores from it. The files go through the whole gate as a user's would, with no configuration.
"""

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gate.config import validate_config
from gate.pipeline import run_gate
from gate.results import Word

SEED = 2026
SIZES = (30, 100, 300)
Scores = NDArray[np.float64]
Sampler = Callable[[np.random.Generator], Scores]


def pass_or_fail(n: int, rng: np.random.Generator) -> Sampler:
    """0 or 1: most items easy, some hard; about 0.73 pass."""
    chance = rng.beta(4, 1.5, n)
    return lambda source: (source.random(n) < chance).astype(np.float64)


def with_partial_credit(n: int, rng: np.random.Generator) -> Sampler:
    """0, 0.5 or 1: each item with its own three probabilities."""
    chances = rng.dirichlet([1, 1, 4], n)
    return lambda source: (source.random((n, 1)) > chances.cumsum(axis=1)[:, :2]).sum(axis=1) / 2


def graded(n: int, rng: np.random.Generator) -> Sampler:
    """Whole marks from 0 to 10 around each item's own level."""
    level = rng.beta(5, 2, n) * 10
    return lambda source: np.clip(np.rint(level + source.normal(0, 1.5, n)), 0, 10)


MODELS: dict[str, Callable[[int, np.random.Generator], Sampler]] = {
    "0 / 1": pass_or_fail,
    "0 / 0.5 / 1": with_partial_credit,
    "0 to 10": graded,
}


def judge(baseline: Scores, candidate: Scores, folder: Path) -> Word:
    """The verdict on two arrays of scores, written to files and read back."""
    suite = {"name": "unchanged"}
    for role, scores in (("baseline", baseline), ("candidate", candidate)):
        path = folder / f"{role}.csv"
        rows = "".join(f"item-{index},{score:g}\n" for index, score in enumerate(scores.tolist()))
        path.write_text(f"id,score\n{rows}", encoding="utf-8")
        suite[role] = str(path)
    return run_gate(validate_config({"version": 1, "suites": [suite]})).verdict.word


def count_verdicts(name: str, n: int, pairs: int) -> Counter[Word]:
    """The verdicts on so many pairs of runs in which nothing changed."""
    rng = np.random.default_rng([SEED, n, list(MODELS).index(name)])
    model = MODELS[name]
    with tempfile.TemporaryDirectory() as folder:
        samplers = [model(n, rng) for _ in range(pairs)]
        return Counter(judge(sample(rng), sample(rng), Path(folder)) for sample in samplers)


def main(pairs: int, table: Path) -> None:
    """Fill every cell and write the page."""
    rows = []
    for name in MODELS:
        for n in SIZES:
            verdicts = count_verdicts(name, n, pairs)
            shares = [f"{100 * verdicts[word] / pairs:.1f} %" for word in (Word.BLOCK, Word.WARN, Word.PASS)]
            rows.append(f"| {name} | {n} | {' | '.join(shares)} |")
            print(rows[-1], flush=True)
    table.write_text(PAGE.format(pairs=pairs, seed=SEED, rows="\n".join(rows)), encoding="utf-8")


PAGE = """\
# When nothing changed

A gate that goes red by noise is switched off. So the gate spends at most 5 % of false BLOCKs on an unchanged run: 2.5 %
on regression, 2.5 % on drift. This table shows what it does: {pairs} pairs of runs in each row, both drawn from the
same simulated model on the same items, judged with no configuration (coverage, regression, drift). `make study` writes
it (seed {seed}).

| scores | items | BLOCK | WARN | PASS |
|---|---|---|---|---|
{rows}
"""


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(__file__).parent.parent / "docs" / "unchanged-runs.md")
