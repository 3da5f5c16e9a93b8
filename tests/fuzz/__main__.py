"""``make fuzz``: damaged samples through every reader until the time is over; what breaks one lies in build/fuzz then.

An input that is refused in a new way joins the samples: what it leads to has not been seen yet.
"""

import argparse
import hashlib
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz.mutations import mutated
from tests.fuzz.targets import Target, TooSlowError, all_targets, signature_of

FOUND = Path("build/fuzz")
_MOST_SAMPLES = 400
_LARGEST = 300_000
_HALF = 0.5


@dataclass(slots=True)
class Campaign:
    """What one reader has been fed with, and what came of it."""

    target: Target
    pool: list[tuple[str, bytes]]
    inputs: int = 0
    read: int = 0
    seen: set[str] = field(default_factory=set)
    faults: dict[str, Path] = field(default_factory=dict)

    def feed(self, chance: Random, folder: Path, until: float) -> None:
        """Feed it until a time of the monotonic clock."""
        self.target.lay_out(folder)
        seeds = list(self.pool)
        while time.monotonic() < until:
            # as often from what is sound: only little of what is refused leads anywhere
            name, sample = chance.choice(seeds if chance.random() < _HALF else self.pool)
            data = mutated(sample, chance, [other for _, other in self.pool])
            self.inputs += 1
            try:
                told = signature_of(self.target.refusal(folder, name, data))
            except (Exception, TooSlowError) as fault:
                self._keep(fault, name, data)
                continue
            self.read += told == ""
            if told not in self.seen and len(self.pool) < _MOST_SAMPLES and len(data) < _LARGEST:
                self.pool.append((name, data))
            self.seen.add(told)

    def _keep(self, fault: BaseException, name: str, data: bytes) -> None:
        last = traceback.extract_tb(fault.__traceback__)[-1]
        kind = f"{type(fault).__name__} in {Path(last.filename).name}, line {last.lineno}"
        if kind not in self.faults:
            path = FOUND / self.target.name / hashlib.sha256(data).hexdigest()[:12] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            self.faults[kind] = path
            _say(f"FAULT {self.target.name}: {kind}: {str(fault)[:200]!r}: {path}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _campaigns(wanted: str, seconds: float, seed: int) -> Iterator[Campaign]:
    targets = [target for name, target in all_targets().items() if wanted in name]
    for number, target in enumerate(targets):
        campaign = Campaign(target, list(target.seeds.items()))
        chance = Random(seed + number)  # noqa: S311  # it is no secret
        with tempfile.TemporaryDirectory() as folder:
            campaign.feed(chance, Path(folder), time.monotonic() + seconds / len(targets))
        counts = f"{campaign.inputs} inputs, {campaign.read} read, refused in {len(campaign.seen - {''})} ways"
        _say(f"{target.name}: {counts}, {len(campaign.faults)} faults")
        yield campaign


def main() -> int:
    """Feed one reader after the other; 1 where one broke."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, all readers together")
    parser.add_argument("--target", default="", help="only readers whose names hold this")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="what all choices come from")
    asked = parser.parse_args()
    _say(f"seed {asked.seed}")
    done = list(_campaigns(asked.target, asked.minutes * 60, asked.seed))
    faults = sum(len(campaign.faults) for campaign in done)
    _say(f"{sum(campaign.inputs for campaign in done)} inputs to {len(done)} readers, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
