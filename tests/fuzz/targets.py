"""What reads bytes that come from outside: any bytes are read, or refused with a GateError, in time."""

import io
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType

from gate.baselines.promotion import read_promotion
from gate.battles.reading import BATTLE_FORMATS, read_battles
from gate.config import load_config
from gate.config.changes import read_changes
from gate.console import Console
from gate.contamination import read_scan
from gate.contamination.documents import Fields
from gate.contamination.readers import READERS as CORPUS_READERS
from gate.contamination.shards import ShardReader, plan_shards
from gate.contamination.sources import find_sources
from gate.entry import Request, conclude
from gate.errors import GateError
from gate.history.file import read_history
from gate.history.reports import read_report
from gate.reports import REPORTS
from gate.scanning.items import find_allowed, find_items
from gate.scores import FORMATS, read_items, read_run
from gate.scores.model import Wanted
from tests.fuzz import samples
from tests.fuzz.samples import Seeds

# of a processor: far more than the slowest takes, and a machine that does other things too counts them alike
MOST_SECONDS = 20
# of a clock, for what waits
MOST_WAITED = 10 * MOST_SECONDS
_EVERYTHING = Wanted(variant="all", unfinished=True)
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
    def stop(_number: int, _frame: FrameType | None) -> None:
        raise TooSlowError

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


def all_targets() -> dict[str, Target]:
    """Every reader by its name."""
    targets = [*_whole(), *_scores(), *_battles(), *_configs(), *_corpora(), *_records()]
    return {target.name: target for target in targets}


def _whole() -> Iterator[Target]:
    """From two files to every report: what is read of odd scores must be judged and told, too."""
    yield Target("check-of-two-files", samples.TWO_RUNS, _check, "b.csv")
    yield Target("check-by-gate-yml", samples.judged(), _check_by_config, "gate.yml")


def _check(path: Path) -> None:
    _concluded(Request(baseline=str(path.with_name("a.csv")), candidate=str(path), threshold=0.5))


def _check_by_config(path: Path) -> None:
    _concluded(Request(config=str(path)))


def _concluded(request: Request) -> None:
    done = conclude(request, Console(io.StringIO(), io.StringIO(), verbose=True))
    for render in REPORTS.values():
        render(done.report)
    if done.error is not None:
        raise done.error


def _scores() -> Iterator[Target]:
    for name in FORMATS:
        main = "per_instance_stats.json" if name == "helm" else None
        yield Target(f"scores-{name}", samples.of_scores(name), partial(_read_scores, name=name), main)
    yield Target("scores", samples.PLAIN, partial(_read_scores, name=None))


def _read_scores(path: Path, *, name: str | None) -> None:
    with suppress(GateError):
        read_items(path, format=name)
    read_run(path, _EVERYTHING, format=name)


def _battles() -> Iterator[Target]:
    for name in BATTLE_FORMATS:
        seeds = {**samples.of_scores(name), **(samples.BATTLES if name == "arena" else {})}
        yield Target(f"battles-{name}", seeds, partial(_read_battles, name=name))


def _read_battles(path: Path, *, name: str) -> None:
    read_battles([str(path)], format=name)


def _configs() -> Iterator[Target]:
    seeds = samples.configs()
    in_force = samples.CASES / "pass" / "bars-by-metric" / "gate.yml"
    yield Target("config", seeds, load_config)
    yield Target("config-changes", seeds, lambda path: read_changes(load_config(in_force, whole=False), str(path), ()))


def _corpora() -> Iterator[Target]:
    for ending in CORPUS_READERS:
        name = f"own{ending}"
        yield Target(f"corpus{ending}", {name: samples.CORPUS[name]}, _read_corpus)
    items = {"own.txt": samples.CORPUS["own.txt"], **samples.PLAIN}
    yield Target("scan-items", items, lambda path: find_items(str(path), format_name=None, columns=()))
    yield Target("allowed-texts", samples.ALLOWED, lambda path: find_allowed(str(path)))


def _read_corpus(path: Path) -> None:
    for shard in plan_shards(find_sources(path.name, path.parent)):
        for document in ShardReader(shard, Fields()):
            for _ in document.pieces or ():
                pass


def _records() -> Iterator[Target]:
    yield Target("history", samples.HISTORY, lambda path: read_history(str(path)))
    yield Target("promotion", samples.PROMOTION, lambda path: read_promotion(str(path).removesuffix(".promotion.json")))
    yield Target("report", samples.reports(), lambda path: read_report(str(path)))
    yield Target("scan-file", samples.scans(), read_scan)
