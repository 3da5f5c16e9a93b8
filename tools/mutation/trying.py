"""Every fault in a fork of one session of pytest, against the tests that reach it, the quickest first."""

import gc
import json
import os
import resource
import signal
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import IO, NamedTuple, NoReturn

import pytest
from mutmut.state import state

from tools.mutation.planting import Fault

TESTS = ("tests/stats", "tests/checks", "tests/test_verdict.py", "tests/test_cases.py")
# Simulations notice little that the others do not, and take longer than all of these.
_HABITS = ("-q", "-s", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not simulation")
_AWAKE = "MUTANT_UNDER_TEST"
_MEMORY = 8 << 30
_STEP = 100


class Outcome(StrEnum):
    """What became of a fault."""

    REFUSED = "refused by the type checker"
    NOTICED = "noticed by a test, or stopped as one that never ends"
    LIVED = "not noticed"


class Reach(NamedTuple):
    """What the tests do without a fault.

    Attributes:
        tests: by function, the tests that reach it, by their place in the session.
        seconds: how long each test takes.
        failed: the tests that fail all the same; they notice nothing, and are not asked.
    """

    tests: Mapping[str, Sequence[int]]
    seconds: Sequence[float]
    failed: Sequence[int]


def try_all(
    faults: Sequence[Fault], refused: Callable[[], set[Fault]], sample: int | None = None
) -> dict[Fault, Outcome]:
    """Try the faults that are not refused in an order drawn at random: those before Ctrl-C are a sample.

    Args:
        faults: all that are planted.
        refused: waits for the type checker; it is asked once the tests have run without any fault.
        sample: how many; None for all.

    Raises:
        RuntimeError: where the tests could not be run without a fault.
    """
    trial = _Trial(faults, refused, sample)
    pytest.main([*_HABITS, *TESTS], plugins=[trial])
    if not trial.outcomes:
        raise RuntimeError("the tests cannot be run without a fault: make test tells why")
    return trial.outcomes


class _Trial:
    """The plugin that takes the place of pytest's own loop."""

    def __init__(self, faults: Sequence[Fault], refused: Callable[[], set[Fault]], sample: int | None) -> None:
        self.faults = faults
        self.refused = refused
        self.sample = sample
        self.outcomes: dict[Fault, Outcome] = {}
        self._failed = False
        self._seconds = 0.0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed
        self._seconds += report.duration

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        gc.freeze()
        with tempfile.TemporaryFile("w+") as told:
            _, status = os.waitpid(_fork(lambda: self._record(session.items, told)), 0)
            if status != 0:
                return True
            told.seek(0)
            reach = Reach(**json.load(told))
        for number in reach.failed:
            print(f"left out, as it fails without a fault: {session.items[number].nodeid}", flush=True)
        refused = self.refused()
        self.outcomes = dict.fromkeys(refused, Outcome.REFUSED)
        tried = [fault for fault in self.faults if fault not in refused]
        Random(0).shuffle(tried)  # noqa: S311  # it is no secret
        self._try(session.items, reach, tried[: self.sample])
        return True

    def _record(self, items: Sequence[pytest.Item], told: IO[str]) -> bool:
        os.environ[_AWAKE] = "stats"
        tests: defaultdict[str, list[int]] = defaultdict(list)
        seconds, failed = [], []
        for number, item in enumerate(items):
            self._seconds, self._failed = 0.0, False
            _run(item)
            seconds.append(self._seconds)
            if self._failed:
                failed.append(number)
            for function in state()._stats:  # where mutmut's plugin reads it, too
                tests[function].append(number)
            state()._stats.clear()
        json.dump({"tests": tests, "seconds": seconds, "failed": failed}, told)
        told.flush()
        return True

    def _try(self, items: Sequence[pytest.Item], reach: Reach, faults: Sequence[Fault]) -> None:
        running: dict[int, Fault] = {}
        try:
            for number, fault in enumerate(faults):
                if number % _STEP == 0:
                    print(f"{number} of {len(faults)} tried", flush=True)
                if len(running) == (os.cpu_count() or 1):
                    self._join(running)
                limited = [(items[test], 5 + 10 * reach.seconds[test]) for test in _in_order(fault, items, reach)]
                running[_fork(lambda fault=fault, limited=limited: self._lives(fault, limited))] = fault  # type: ignore[misc]
            while running:
                self._join(running)
        except KeyboardInterrupt:
            print("stopped: this is of those that were tried", flush=True)
            for process in running:
                os.kill(process, signal.SIGKILL)

    def _lives(self, fault: Fault, limited: Iterable[tuple[pytest.Item, float]]) -> bool:
        os.environ[_AWAKE] = fault.name
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        for item, most in limited:
            signal.setitimer(signal.ITIMER_PROF, most)  # nobody waits for it: the fork ends by it
            _run(item)
            if self._failed:
                return False
        return True

    def _join(self, running: dict[int, Fault]) -> None:
        process, status = os.wait()
        self.outcomes[running.pop(process)] = Outcome.LIVED if status == 0 else Outcome.NOTICED


def _in_order(fault: Fault, items: Sequence[pytest.Item], reach: Reach) -> list[int]:
    """The tests that reach a fault, those first that will find it soon: its own file's, and quick ones."""
    own = f"test_{Path(fault.file).stem}"

    def cost(number: int) -> float:
        return reach.seconds[number] + (0 if items[number].path.stem.startswith(own) else 1)

    return sorted(set(reach.tests.get(fault.function, ())).difference(reach.failed), key=cost)


def _run(item: pytest.Item) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _fork(work: Callable[[], bool]) -> int:
    process = os.fork()
    return process or _end(work)


def _end(work: Callable[[], bool]) -> NoReturn:
    """Do the work in silence and leave, whatever comes, without a look back at the session."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # which is for the session to act on
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        sound = work()
    except BaseException:
        sound = False
    os._exit(0 if sound else 1)
