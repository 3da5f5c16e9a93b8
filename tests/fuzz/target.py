"""One reader of bytes from outside: any bytes are read, or refused with a GateError, in time."""

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from gate.errors import GateError
from tests.fuzz.samples import Seeds

# of a processor: far more than the slowest takes, and a machine that does other things too counts them alike
MOST_SECONDS = 20
# of a clock, for what waits
MOST_WAITED = 10 * MOST_SECONDS
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|[\d.]+")


class TooSlowError(BaseException):
    """A read took longer than any may; no ``except Exception`` may hide it."""


class PoorErrorError(Exception):
    """An error tells no place or no remedy."""


@dataclass(frozen=True, slots=True)
class Target:
    """One reader.

    Attributes:
        name: of its folder in ``kept``, too.
        seeds: samples by file name, which some readers look at; all lie in one folder while one of them is damaged.
        read: reads a file to its end.
        main: the file that is read whichever is damaged; None for the damaged one.
    """

    name: str
    seeds: Seeds
    read: Callable[[Path], object]
    main: str | None = None

    def lay_out(self, folder: Path) -> None:
        """Write all samples into a folder."""
        for name, data in self.seeds.items():
            (folder / name).write_bytes(data)

    def refusal(self, folder: Path, name: str, data: bytes) -> GateError | None:
        """Read with these bytes in one of the files, if only for now; the error where they are refused.

        Raises:
            PoorErrorError: where that does not say enough.
            TooSlowError: where it takes too long.
            Exception: whatever else goes wrong, which is a fault of the reader.
        """
        path = folder / name
        path.write_bytes(data)
        try:
            with _in_time():
                self.read(path if self.main is None else folder / self.main)
        except GateError as fault:
            if not (fault.what and fault.remedy and fault.where is not None):
                raise PoorErrorError(fault.what) from fault
            return fault
        finally:
            path.write_bytes(self.seeds.get(name, b""))
        return None


@contextmanager
def _in_time() -> Iterator[None]:
    def stop(number: int, _frame: FrameType | None) -> None:
        told = {
            signal.SIGPROF: f"{MOST_SECONDS} s of a processor",
            signal.SIGALRM: f"{MOST_WAITED} s of a clock, which a busy machine may take, too",
        }
        raise TooSlowError(told[signal.Signals(number)])

    before = [signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, MOST_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, MOST_WAITED)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
            signal.signal(number, handler)


def signature_of(refusal: GateError | None) -> str:
    """What an error says but for what it quotes, and nothing for none: two of one signature come from one place."""
    if refusal is None:
        return ""
    part = refusal.where.part if refusal.where is not None else None
    return _QUOTED.sub("_", f"{refusal.what}|{part}")[:200]
