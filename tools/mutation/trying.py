"""Every fault in a fork of one session of pytest, against the tests that reach it, the quickest first."""

import gc
import json
import os
import resource
import signal
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import IO, NamedTuple, NoReturn

import pytest
from mutmut.state import state

from tools.mutation.planting import Fault

TESTS = ("tests/stats", "tests/checks", "tests/test_verdict.py", "tests/test_cases.py")
# Simulations notice little that the others do not, and take longer than all of these.
_HABITS = ("-q", "-s", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not simulation")
_AWAKE = "MUTANT_UNDER_TEST"
_MEMORY = 8 << 30
_STEP = 250


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
    """

    tests: Mapping[str, Sequence[int]]
    seconds: Sequence[float]


def try_all(faults: Sequence[Fault], refused: Callable[[], set[Fault]]) -> dict[Fault, Outcome]:
    """Try each fault that is not refused; which these are is asked once the tests have run without any.

    Raises:
        RuntimeError: where the tests do not pass without a fault.
    """
    trial = _Trial(faults, refused)
    pytest.main([*_HABITS, *TESTS], plugins=[trial])
    if len(trial.outcomes) != len(faults):
        raise RuntimeError("the tests do not pass without a fault: make test tells which")
    return trial.outcomes


class _Trial:
    """The plugin that takes the place of pytest's own loop."""

    def __init__(self, faults: Sequence[Fault], refused: Callable[[], set[Fault]]) -> None:
        self.faults = faults
        self.refused = refused
        self.outcomes: dict[Fault, Outcome] = {}
        self._failed = False
        self._seconds = 0.0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed = self._failed or report.failed
        self._seconds += report.duration

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        gc.freeze()
        with tempfile.TemporaryFile("w+") as told:
            if not _in_fork(lambda: self._record(session.items, told)):
                return True
            told.seek(0)
            reach = Reach(**json.load(told))
        refused = self.refused()
        self.outcomes = dict.fromkeys(refused, Outcome.REFUSED)
        self._try(session.items, reach, [fault for fault in self.faults if fault not in refused])
        return True

    def _record(self, items: Sequence[pytest.Item], told: IO[str]) -> bool:
        os.environ[_AWAKE] = "stats"
        tests: defaultdict[str, list[int]] = defaultdict(list)
        seconds = []
        for number, item in enumerate(items):
            self._seconds = 0.0
            _run(item)
            seconds.append(self._seconds)
            for function in state()._stats:  # where mutmut's plugin reads it, too
                tests[function].append(number)
            state()._stats.clear()
        json.dump({"tests": tests, "seconds": seconds}, told)
        told.flush()
        return not self._failed

    def _try(self, items: Sequence[pytest.Item], reach: Reach, faults: Iterable[Fault]) -> None:
        running: dict[int, Fault] = {}
        for fault in faults:
            if len(running) == (os.cpu_count() or 1):
                self._join(running)
            reaching = sorted(reach.tests.get(fault.function, ()), key=reach.seconds.__getitem__)
            limited = [(items[number], 5 + 10 * reach.seconds[number]) for number in reaching]
            running[_fork(lambda fault=fault, limited=limited: self._lives(fault, limited))] = fault  # type: ignore[misc]
        while running:
            self._join(running)

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
        if len(self.outcomes) % _STEP == 0:
            counts = Counter(self.outcomes.values())
            print(f"{len(self.outcomes)} of {len(self.faults)} tried, {counts[Outcome.LIVED]} lived", flush=True)


def _run(item: pytest.Item) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _in_fork(work: Callable[[], bool]) -> bool:
    _, status = os.waitpid(_fork(work), 0)
    return status == 0


def _fork(work: Callable[[], bool]) -> int:
    process = os.fork()
    return process or _end(work)


def _end(work: Callable[[], bool]) -> NoReturn:
    """Do the work in silence and leave, whatever comes, without a look back at the session."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        sound = work()
    except BaseException:
        sound = False
    os._exit(0 if sound else 1)
