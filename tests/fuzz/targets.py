"""Every reader of bytes that come from outside, by the registries of gate where there are such."""

import io
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

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
from gate.scores import FORMATS, read_items, read_run, reported_suites
from gate.scores.model import Wanted
from tests.fuzz import samples
from tests.fuzz.rooms import rooms
from tests.fuzz.samples import Seeds
from tests.fuzz.surroundings import surroundings
from tests.fuzz.target import Target

_EVERYTHING = Wanted(variant="all", unfinished=True)


def all_targets() -> dict[str, Target]:
    """Every reader by its name."""
    targets = [*_whole(), *_scores(), *_battles(), *_configs(), *_corpora(), *_records(), *rooms(), *surroundings()]
    return {target.name: target for target in targets}


def _whole() -> Iterator[Target]:
    """From two files to every report: what is read of odd scores must be judged and told, too."""
    yield Target("check-of-two-files", samples.TWO_RUNS, _check, "b.csv")
    yield Target("check-by-gate-yml", samples.judged(), _check_by_config, "gate.yml")
    yield Target("check-of-battles", samples.BATTLE_SUITE, _check_by_config, "gate.yml")
    yield Target("check-against-a-report", _with_report(), _check_against_report, "report.json")


def _check(path: Path) -> None:
    _concluded(Request(baseline=str(path.with_name("a.csv")), candidate=str(path), threshold=0.5))


def _with_report() -> Seeds:
    with tempfile.TemporaryDirectory() as folder:
        names = [str(Path(folder, name)) for name in samples.TWO_RUNS]
        for name, data in zip(names, samples.TWO_RUNS.values(), strict=True):
            Path(name).write_bytes(data)
        report = conclude(Request(baseline=names[0], candidate=names[1]), Console(io.StringIO(), io.StringIO())).report
    return {"report.json": REPORTS["json"](report).encode(), "b.csv": samples.TWO_RUNS["b.csv"]}


def _check_against_report(path: Path) -> None:
    _concluded(Request(baseline=str(path), candidate=str(path.with_name("b.csv")), threshold=0.1))


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
    yield Target("scores", {**samples.of_all_formats(FORMATS), **samples.PACKED}, partial(_read_scores, name=None))


def _read_scores(path: Path, *, name: str | None) -> None:
    with suppress(GateError):
        read_items(path, format=name)
    with suppress(GateError):
        reported_suites(str(path))
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
    yield Target("corpus-packed", samples.PACKED_CORPUS, _read_corpus)
    items = {"own.txt": samples.CORPUS["own.txt"], **samples.PLAIN}
    yield Target("scan-items", items, lambda path: find_items(str(path), format_name=None, columns=()))
    yield Target("allowed-texts", samples.ALLOWED, lambda path: find_allowed(str(path)))


def _read_corpus(path: Path) -> None:
    for shard in plan_shards(find_sources(path.name, path.parent), shard_bytes=1 + path.stat().st_size // 2):
        for document in ShardReader(shard, Fields()):
            for _ in document.pieces or ():
                pass


def _records() -> Iterator[Target]:
    yield Target("history", samples.HISTORY, lambda path: read_history(str(path)))
    yield Target("promotion", samples.PROMOTION, lambda path: read_promotion(str(path).removesuffix(".promotion.json")))
    yield Target("report", samples.reports(), lambda path: read_report(str(path)))
    yield Target("scan-file", samples.scans(), read_scan)
