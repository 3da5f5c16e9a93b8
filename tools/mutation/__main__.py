"""``make mutation``: faults planted in statistics, checks and verdict, one at a time, and how many the tests notice.

python -m tools.mutation                  # all of them
python -m tools.mutation FILE ...         # those of some files: gate/stats/elo.py
python -m tools.mutation --sample NUMBER  # so many of them, drawn at random

mutmut plants them. Its own runner starts pytest anew for each one, which here takes longer than the tests; these are
collected once, and each fault has a fork of that session (trying.py). What lived stands in build/mutation/lived.txt.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.mutation.planting import Fault, difference, plant
from tools.mutation.trying import Outcome, try_all
from tools.mutation.types import check_types, refused

ROOT = Path(__file__).parents[2]
FIELD = ROOT / "build" / "mutation"
LEAST = 0.9


def main(words: Sequence[str]) -> int:
    """Try the faults of some files, or of all; 1 where the tests notice too few."""
    parser = argparse.ArgumentParser(prog="tools.mutation")
    parser.add_argument("files", nargs="*", default=[str(path.relative_to(ROOT)) for path in _all_files()])
    parser.add_argument("--sample", type=int, help="how many, drawn at random; all without it")
    asked = parser.parse_args(words)
    files = asked.files
    faults = plant(files, ROOT, FIELD)
    os.chdir(FIELD)
    types = check_types(files)
    outcomes = try_all(faults, lambda: refused(types, faults), asked.sample)
    lived = [fault for fault in faults if outcomes.get(fault) is Outcome.LIVED]
    (FIELD / "lived.txt").write_text("\n\n".join(map(difference, lived)), encoding="utf-8")
    return 0 if _tell(outcomes.items()) else 1


def _all_files() -> list[Path]:
    return [
        *sorted((ROOT / "gate/stats").glob("*.py")),
        *sorted((ROOT / "gate/checks").glob("*.py")),
        ROOT / "gate/verdict.py",
    ]


def _tell(outcomes: Iterable[tuple[Fault, Outcome]]) -> bool:
    """Print a row a room, and one of all; whether enough is noticed.

    What the type checker refuses could never be committed: it counts neither as noticed nor as missed.
    """
    rooms: dict[str, Counter[Outcome]] = {}
    for fault, outcome in outcomes:
        rooms.setdefault(fault.room, Counter())[outcome] += 1
    print(f"{'':15} {'refused by types':>17} {'tried':>6} {'noticed by tests':>17} {'share':>7}")
    for room, counts in sorted(rooms.items()):
        _tell_row(room, counts)
    return _tell_row("all", sum(rooms.values(), Counter())) >= LEAST


def _tell_row(name: str, counts: Counter[Outcome]) -> float:
    noticed, tried = counts[Outcome.NOTICED], counts.total() - counts[Outcome.REFUSED]
    share = noticed / tried if tried else 1.0
    print(f"{name:15} {counts[Outcome.REFUSED]:17} {tried:6} {noticed:17} {share:7.1%}")
    return share


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
