"""Run the study: write the page and its figure, and exit 1 where a limit is broken.

make validity         # the full study: docs/validity.md and docs/validity.svg
make validity-short   # a tenth of the runs and fewer methods: build/validity.md
"""

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from studies.validity import bounds, comparisons, designs, drift, figure, gates
from studies.validity.page import write_page
from studies.validity.study import Cell, Measures, Section

SECTIONS: dict[str, Section] = {
    bounds.SECTION: bounds.BOUNDS,
    designs.SECTION: designs.DESIGN_SECTION,
    comparisons.SECTION: comparisons.COMPARISONS,
    drift.SECTION: drift.DRIFT,
    gates.SECTION: gates.GATES,
}
ROOT = Path(__file__).parent.parent.parent


class Measured(NamedTuple):
    """A cell and what was found there."""

    cell: Cell
    measures: Measures


def measure(cell: Cell, *, short: bool) -> Measured:
    """Measure one cell; it runs in a worker."""
    return Measured(cell, SECTIONS[cell.section].measure(cell, short))


def _told(measured: Iterable[Measured], cells: int, start: float) -> Iterator[Measured]:
    """The same, with a word on standard error after every tenth of the way: the full study takes minutes."""
    for done, one in enumerate(measured, start=1):
        yield one
        if done % max(1, cells // 10) == 0:
            print(f"{done} of {cells} cells, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


def main() -> int:
    """Measure every cell, write the page, tell what is broken."""
    parser = argparse.ArgumentParser(prog="python -m studies.validity", description=__doc__)
    parser.add_argument("--short", action="store_true", help="fewer runs; the page goes to build/")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    start = time.monotonic()
    # the long ones first, so that no worker ends alone
    cells = sorted((cell for section in SECTIONS.values() for cell in section.cells), key=lambda cell: -cell.n)
    with multiprocessing.Pool(options.workers) as pool:
        measured = pool.imap_unordered(partial(measure, short=options.short), cells, chunksize=1)
        results = dict(_told(measured, len(cells), start))
    folder = ROOT / ("build" if options.short else "docs")
    folder.mkdir(exist_ok=True)
    told = [section.tell(results) for section in SECTIONS.values()]
    (folder / "validity.md").write_text(write_page(told, short=options.short), encoding="utf-8")
    (folder / "validity.svg").write_text(figure.draw(results), encoding="utf-8")
    faults = [fault for section in SECTIONS.values() for fault in section.faults(results, options.short)]
    print(f"{len(cells)} cells in {time.monotonic() - start:.0f} s: {folder / 'validity.md'}")
    for fault in faults:
        print(f"a limit is broken: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
