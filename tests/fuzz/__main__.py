"""``make fuzz``: damaged samples through every reader until the time is over; what breaks one lies in build/fuzz then.

libFuzzer, through atheris, chooses what is damaged next by the ways that the code of ``gate`` took. Each reader has a
process of its own: what ends it ends nothing else. What was new stays in build/fuzz/corpus, where the next run begins.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

try:
    import atheris
except ModuleNotFoundError:
    sys.exit(
        "make fuzz needs atheris, which has packages for Linux on x86-64 alone; `make test` fuzzes shortly anywhere"
    )

# every way through the code is counted, in whatever is imported from here on
_WATCHED = atheris.instrument_imports(include=["gate"])
with contextlib.redirect_stderr(io.StringIO()), _WATCHED:
    from tests.fuzz.guided import FAULTS, FOUND, INPUTS, Explorer, explore, keep, packed_of, say
    from tests.fuzz.target import MOST_WAITED, Target
    from tests.fuzz.targets import all_targets

KEPT = Path(__file__).parent / "kept"
# a file is written twice for each input, which takes a disk longer than the reading
_MEMORY = "/dev/shm"  # noqa: S108  # each has a folder there of its own
_FORK = multiprocessing.get_context("fork")
_EDGES = re.compile(r"cov: (\d+)")
# a reader that ends its process at every turn has been shown to
_MOST_ENDS = 5
# each is looked at, even where those before it hung
_LEAST_SECONDS = 2
_INTERRUPTED = 130


@dataclass(slots=True)
class Campaign:
    """What one reader is fed with, and what came of it.

    Attributes:
        target: the reader.
        folder: where its files lie.
        seed: what all choices come from.
        patience: seconds of a clock that one input may take.
        counts: see ``guided``.
    """

    target: Target
    folder: Path
    seed: int
    patience: float
    counts: Any = field(default_factory=lambda: _FORK.Array("Q", 4, lock=False))

    @property
    def corpus(self) -> Path:
        return FOUND / "corpus" / self.target.name

    @property
    def log(self) -> Path:
        return FOUND / "corpus" / f"{self.target.name}.log"

    def run(self, until: float) -> None:
        """Feed it until a time of the monotonic clock, in another process where one has ended before."""
        self.corpus.mkdir(parents=True, exist_ok=True)
        self.log.write_bytes(b"")
        for number, (name, data) in enumerate(_samples(self.target)):
            (self.corpus / f"sample-{number}").write_bytes(packed_of(name, data))
        for again in range(_MOST_ENDS):
            if (left := until - time.monotonic()) > 1:
                self.target.lay_out(self.folder)
                self._run_once(left, self.seed + again)

    def _run_once(self, seconds: float, seed: int) -> None:
        process = _FORK.Process(target=self._explore, args=(seconds, seed))
        process.start()
        try:
            while process.is_alive() and self._is_moving():
                process.join(1)
        finally:
            process.kill()
            process.join()
        if process.exitcode:
            self._keep_last(process.exitcode)

    def _explore(self, seconds: float, seed: int) -> None:
        with self.log.open("ab") as log, _WATCHED:
            # what libFuzzer and the watcher of imports have to say, which is much
            os.dup2(log.fileno(), sys.stderr.fileno())
            explore(Explorer(self.target, self.folder, self.counts), self.corpus, seconds, seed)

    def _is_moving(self) -> bool:
        """Whether files were written lately: code that is no Python hears no alarm."""
        return time.time() - max(path.stat().st_mtime for path in self.folder.iterdir()) < self.patience

    def _keep_last(self, code: int) -> None:
        """Keep what the process was reading as it ended, or hung."""
        self.counts[FAULTS] += 1
        what = "it hung, or was killed" if code == -signal.SIGKILL else f"the process ended with {code}, see {self.log}"
        damaged = [name for name, data in self.target.seeds.items() if (self.folder / name).read_bytes() != data]
        for name in damaged:
            keep(self.target, what, name, (self.folder / name).read_bytes())
        if not damaged:
            say(f"FAULT {self.target.name}: {what}")

    def told(self) -> str:
        inputs, read, ways, faults = self.counts
        edges = max(map(int, _EDGES.findall(self.log.read_text("utf-8", "replace"))), default=0)
        name = self.target.name
        return f"{name}: {inputs} inputs, {read} read, refused in {ways} ways, {edges} edges, {faults} faults"


def _samples(target: Target) -> Iterator[tuple[str, bytes]]:
    """What is damaged first: the samples, and what once broke the reader."""
    yield from target.seeds.items()
    for path in sorted((KEPT / target.name).rglob("*")):
        if path.is_file():
            yield path.name, path.read_bytes()


def run_all(targets: Sequence[Target], seconds: float, seed: int, patience: float = 2 * MOST_WAITED) -> int:
    """Give each an equal share of the time that is left; the exit code."""
    done: list[Campaign] = []
    ended = 0
    start = time.monotonic()
    for number, target in enumerate(targets):
        with tempfile.TemporaryDirectory(dir=_MEMORY) as folder:
            done.append(Campaign(target, Path(folder), seed, patience))
            try:
                now = time.monotonic()
                done[-1].run(now + max(_LEAST_SECONDS, (start + seconds - now) / (len(targets) - number)))
            except KeyboardInterrupt:
                ended = _INTERRUPTED
        say(done[-1].told())
        if ended:
            break
    faults = sum(campaign.counts[FAULTS] for campaign in done)
    inputs = sum(campaign.counts[INPUTS] for campaign in done)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    minutes = (
        f"{(time.monotonic() - start) / 60:.1f} minutes, {(used.ru_utime + used.ru_stime) / 60:.1f} of a processor"
    )
    say(f"{inputs} inputs to {len(done)} readers in {minutes}: {faults} faults")
    return ended or min(faults, 1)


def main() -> int:
    """Feed one reader after the other; 1 where one broke."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, all readers together")
    parser.add_argument("--target", default="", help="only readers in whose names this pattern is found")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="what all choices come from")
    asked = parser.parse_args()
    say(f"seed {asked.seed}")
    targets = [target for name, target in all_targets().items() if re.search(asked.target, name)]
    return run_all(targets, asked.minutes * 60, asked.seed)


if __name__ == "__main__":
    sys.exit(main())
