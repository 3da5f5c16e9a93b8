"""The last lines of ``make mutation``: how many faults, planted one at a time, the tests notice in each room.

What the type checker refuses could never be committed, so it does not count, neither as noticed nor as missed.
"""

import sys
from collections import Counter, defaultdict
from pathlib import Path

from mutmut.__main__ import collect_source_file_mutation_data
from mutmut.stats import status_by_exit_code

LEAST = 0.9
_REFUSED = "caught by type check"
_UNTRIED = "not checked"
_NOTICED = ("killed", "timeout")  # one that never ends is noticed, too


def main() -> int:
    """Print a row a room; 1 where in one of them too few are noticed, or where some were not tried."""
    rooms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    mutants, _ = collect_source_file_mutation_data(mutant_names=())
    for file, _name, exit_code in mutants:
        rooms[_room_of(Path(file.path))][status_by_exit_code[exit_code]] += 1
    print(f"{'':14} {'planted':>8} {'refused by types':>17} {'noticed by tests':>17} {'share':>7}")
    enough = [_told(room, counts) for room, counts in sorted(rooms.items())]
    return 0 if enough and all(enough) else 1


def _room_of(path: Path) -> str:
    return str(path.parent if path.parent.name != "gate" else path)


def _told(room: str, counts: Counter[str]) -> bool:
    """Print a room's row; whether enough is noticed there, and all were tried."""
    noticed = sum(counts[status] for status in _NOTICED)
    asked = counts.total() - counts[_REFUSED]
    print(f"{room:14} {counts.total():8} {counts[_REFUSED]:17} {noticed:17} {noticed / asked:7.1%}")
    if counts[_UNTRIED]:
        print(f"{room}: {counts[_UNTRIED]} were not tried: make mutation goes on where it was stopped")
    return noticed >= LEAST * asked and not counts[_UNTRIED]


if __name__ == "__main__":
    sys.exit(main())
