"""One reader fed by libFuzzer: what takes the code a way that none took before joins the inputs that are damaged next.

The functions of ``gate`` must have been imported under ``atheris.instrument_imports``; else every input looks the same.
"""

import hashlib
import os
import sys
import traceback
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import atheris

from tests.fuzz.mutations import mutated
from tests.fuzz.target import Target, TooSlowError, signature_of

FOUND = Path("build/fuzz")
LARGEST = 300_000
_END_OF_NAME = b"\0"
# libFuzzer's own changes know what the code compared an input with, and hardly any leaves JSON that is JSON
_PLAIN = 0.15
# counts that outlive the process
INPUTS, READ, WAYS, FAULTS = range(4)


@dataclass(slots=True)
class Explorer:
    """What libFuzzer calls.

    Attributes:
        target: the reader.
        folder: where its files lie.
        counts: inputs, those read, ways of refusal, kinds of fault; memory that another process may read.
        seen: signatures of refusals.
        kinds: what went wrong, and where in the code.
    """

    target: Target
    folder: Path
    counts: MutableSequence[int]
    seen: set[str] = field(default_factory=lambda: {""})
    kinds: set[str] = field(default_factory=set)

    def feed(self, packed: bytes) -> None:
        """Read one input, and note what comes of it."""
        name, data = unpacked(packed, self.target)
        self.counts[INPUTS] += 1
        try:
            told = signature_of(self.target.refusal(self.folder, name, data))
        except (Exception, TooSlowError) as fault:
            self._note(fault, name, data)
            return
        self.counts[READ] += told == ""
        self.counts[WAYS] += told not in self.seen
        self.seen.add(told)

    def _note(self, fault: BaseException, name: str, data: bytes) -> None:
        last = traceback.extract_tb(fault.__traceback__)[-1]
        kind = f"{type(fault).__name__} in {Path(last.filename).name}, line {last.lineno}"
        if kind not in self.kinds:
            self.kinds.add(kind)
            self.counts[FAULTS] += 1
            keep(self.target, f"{kind}: {str(fault)[:200]!r}", name, data)

    def damage(self, packed: bytes, most: int, seed: int) -> bytes:
        """One input made into another of at most so many bytes."""
        chance = Random(seed)  # noqa: S311  # it is no secret
        name, data = unpacked(packed, self.target)
        room = most - len(packed_of(name, b""))
        if chance.random() < _PLAIN:
            return packed_of(name, atheris.Mutate(data[:room], room))
        return packed_of(name, mutated(data, chance, list(self.target.seeds.values()))[:room])


def packed_of(name: str, data: bytes) -> bytes:
    """Which of a target's files is damaged, and what it holds then, as libFuzzer knows only bytes."""
    return name.encode() + _END_OF_NAME + data


def unpacked(packed: bytes, target: Target) -> tuple[str, bytes]:
    """The same back; what names no file is held to be the first one's content."""
    name, _, data = packed.partition(_END_OF_NAME)
    known = {file.encode(): file for file in target.seeds}
    return (known[name], data) if name in known else (next(iter(known.values())), packed)


def keep(target: Target, what: str, name: str, data: bytes) -> None:
    """Write down what broke a reader, and say so."""
    path = FOUND / target.name / hashlib.sha256(data).hexdigest()[:12] / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    say(f"FAULT {target.name}: {what}: {path}")


def say(line: str) -> None:
    """Tell it at once: this process may not live long."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def explore(explorer: Explorer, corpus: Path, seconds: float, seed: int) -> None:
    """Feed a reader until the time is over; ends the process."""
    asked = {
        "max_total_time": max(1, round(seconds)),
        "seed": seed,
        "max_len": LARGEST,
        # a damaged sample is damaged in up to four places
        "mutate_depth": 1,
        "entropic_scale_per_exec_time": 1,
        # the target itself looks at the clock
        "timeout": 0,
        "report_slow_units": 1000,
        # what ends the process is kept by the one that began it
        "exact_artifact_path": os.devnull,
    }
    options = [f"-{name}={value}" for name, value in asked.items()]
    atheris.Setup(["tests.fuzz", *options, str(corpus)], explorer.feed, custom_mutator=explorer.damage)
    atheris.Fuzz()
