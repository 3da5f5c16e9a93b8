"""Write the pages that the tests of this folder look at: ``render.py FOLDER``."""

import importlib.util
import random
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from gate.config import load_config
from gate.evidence import ArenaEvidence, Estimate, LeakEvidence, Standing
from gate.pipeline import run_gate
from gate.reports import html, json
from gate.results import (
    CheckResult,
    ConfigChange,
    Effect,
    ErrorRates,
    Fault,
    ItemTable,
    MetricColumn,
    Origin,
    Provenance,
    Report,
    RunReport,
    ShowText,
    Status,
    SuiteReport,
    Waiver,
    WaiverReport,
    WaiverState,
)
from gate.results.record import Trend, TrendPoint

ROOT = Path(__file__).parent.parent.parent

# One for each way in: an element, an attribute's end, a style, an SVG, the end of a script, a comment, a template.
PAYLOADS = (
    "<script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked = 2">',
    "' onmouseover='window.hacked = 3' x='",
    "</style><style>body { display: none }</style>",
    '<svg onload="window.hacked = 4"><animate onbegin="window.hacked = 5"/></svg>',
    "</script><script>window.hacked = 6</script>",
    "<!--<script>",
    "javascript:window.hacked = 7",
    "{{ 7 * 7 }}${window.hacked = 8}`",
    "]]>&lt;b&gt;\\u003cscript>",
    "\u202egnp.\u2028\u0000\ud800##[error]",
)
HOSTILE = " ".join(PAYLOADS)


def _loaded(name: str, path: Path) -> ModuleType:
    """A module of the tests by its path: this file is run as a script, too."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _samples() -> ModuleType:
    """The reports made by hand that tests/reports uses."""
    return _loaded("samples", ROOT / "tests" / "reports" / "conftest.py")


def worked() -> Report:
    """The worked example, its paths as a user in the repository writes them."""
    report = run_gate(load_config(ROOT / "examples" / "worked-example" / "gate.yml"))
    return replace(report, provenance=replace(report.provenance, command="gate check --config gate.yml"))


def case(name: str) -> Callable[[], Report]:
    """One of tests/cases."""
    return lambda: run_gate(load_config(ROOT / "tests" / "cases" / name / "gate.yml"))


def many(n: int = 10_000) -> Report:
    """Items of two metrics in groups, a third of them changed."""
    dice = random.Random(7)  # noqa: S311  # sample data
    ids = tuple(f"item-{index:05d}" for index in range(n))
    passed = [[float(dice.random() < chance) for _ in ids] for chance in (0.82, 0.79)]
    close = [[round(dice.random(), 3) for _ in ids] for _ in range(2)]
    status = ("scored",) * n
    metrics = {
        "passed": MetricColumn("higher", (0.0, 1.0), "given", tuple(passed[0]), tuple(passed[1]), status),
        "closeness": MetricColumn("higher", (0.0, 1.0), "given", tuple(close[0]), tuple(close[1]), status),
    }
    table = ItemTable(ids, (), tuple(f"topic {index % 17}" for index in range(n)), metrics)
    made = _samples()
    suite = made.suite_of(made.threshold(metric="passed"), made.drift(), items=table)
    report: Report = made.report_of(suite)
    return report


def hostile() -> Report:
    """Every field of foreign text filled with every payload; as ids, those that all outputs are tested with, too."""
    made = _samples()
    others = _loaded("payloads", ROOT / "tests" / "injection" / "payloads.py").ALL
    ids = tuple(dict.fromkeys((HOSTILE, *PAYLOADS, *others)))
    n = len(ids)
    status = ("scored",) * (n - 1) + (HOSTILE,)
    column = MetricColumn("higher", None, "unknown", (1.0,) * n, (0.0,) * n, status)
    column_two = replace(column, candidate=(None,) * n)
    items = ItemTable(ids, ids, ids, {HOSTILE: column, "other": column_two}, ids)
    results = tuple(_hostile_results(made))
    suite: SuiteReport = made.suite_of(*results, name=HOSTILE, items=items, texts=dict.fromkeys(ids, HOSTILE))
    suite = replace(suite, candidate=_hostile_run(suite.candidate), baseline=_hostile_run(suite.baseline))
    waiver = Waiver(HOSTILE, HOSTILE, HOSTILE, HOSTILE, made.date(2026, 1, 31), HOSTILE)
    report: Report = made.report_of(suite, replace(suite, name="second"), show_text=ShowText.SNIPPETS)
    provenance = Provenance(HOSTILE, 0, {HOSTILE: HOSTILE}, {"options": HOSTILE}, {HOSTILE: HOSTILE})
    points = tuple(TrendPoint(mean, n, commit=HOSTILE, promoted=True) for mean in (0.8, 0.9))
    return replace(
        report,
        provenance=provenance,
        waivers=tuple(WaiverReport(waiver, state) for state in WaiverState),
        error_rates=ErrorRates(0.01, 0.02, None, None, HOSTILE),
        config_changes=tuple(ConfigChange(HOSTILE, HOSTILE, HOSTILE, effect) for effect in Effect),
        trends=tuple(Trend(name, HOSTILE, "higher", points, runs=2) for name in (HOSTILE, f"{HOSTILE} no suite")),
    )


def hostile_error() -> Report:
    """An error that quotes every payload."""
    broken: Report = _samples().broken()
    changes = hostile().config_changes
    return replace(broken, fault=Fault(HOSTILE, HOSTILE, HOSTILE, HOSTILE), config_changes=changes)


def _hostile_results(made: ModuleType) -> list[CheckResult]:
    texts = {"sentence": HOSTILE, "detail": HOSTILE, "remedy": HOSTILE, "notes": (HOSTILE,), "metric": HOSTILE}
    interval = made.threshold()
    interval = replace(interval, evidence=replace(interval.evidence, limit_name=HOSTILE, value_name=HOSTILE))
    buckets = made.drift()
    buckets = replace(buckets, evidence=replace(buckets.evidence, labels=(HOSTILE, *PAYLOADS[:2])))
    gaps = made.gaps()
    gaps = replace(gaps, evidence=replace(gaps.evidence, lost=PAYLOADS, unscored=dict.fromkeys(PAYLOADS, HOSTILE)))
    leaks = made.contamination()
    found = leaks.evidence
    if not isinstance(found, LeakEvidence):
        raise TypeError("the sample of contamination has no leaks")
    leak = replace(found.leaks[0], id=HOSTILE, document=HOSTILE, document_id=HOSTILE, matched=((HOSTILE, True),))
    leaks = replace(leaks, evidence=replace(found, leaks=(leak,), corpus=HOSTILE, scan=HOSTILE, not_testable=PAYLOADS))
    standing = Standing(HOSTILE, 1, 1, 2, 1, 1000.0, 990.0, 1010.0, 10, 5, 1, 4)
    arena = ArenaEvidence(
        Estimate(0.4, 0.3, 0.5, 0.95, HOSTILE, 10),
        0.5,
        HOSTILE,
        standings=(standing, standing),
        chances=((None, 0.4), (0.6, None)),
        wins=((0, 5.5), (4.5, 0)),
    )
    board = CheckResult(HOSTILE, Status.FAIL, HOSTILE, HOSTILE, evidence=arena)
    decline = CheckResult("decline", Status.WARN, HOSTILE, HOSTILE, figures={"best": 0.9, "margin": 0.1})
    return [*(replace(each, **texts) for each in (interval, buckets, gaps, leaks, decline)), board]


def _hostile_run(run: RunReport | None) -> RunReport | None:
    if run is None:
        return None
    origin = Origin(HOSTILE, None, None, HOSTILE, HOSTILE)
    return RunReport(HOSTILE, HOSTILE, HOSTILE, run.n_items, run.n_samples, (HOSTILE,), {HOSTILE: HOSTILE}, origin)


PAGES: dict[str, Callable[[], Report]] = {
    "worked": worked,
    "passing": case("pass/pass-at-k"),
    "several": case("block/several-metrics"),
    "suites": case("block/one-suite-of-two-falls"),
    "arena": case("block/arena-loss-shown"),
    "leaks": case("block/too-many-leaks"),
    "decline": case("warn/slow-decline"),
    "error": lambda: _samples().broken(),
    "many": many,
    "hostile": hostile,
    "hostile-error": hostile_error,
}


def main(folder: Path) -> None:
    """Write each page, and the JSON report that must be had back from it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in PAGES.items():
        report = make()
        (folder / f"{name}.html").write_text(html.render(report), encoding="utf-8")
        (folder / f"{name}.json").write_text(json.render(report), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
