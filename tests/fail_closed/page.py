"""docs/fail-closed.md, made of the cases that the tests run."""

from collections.abc import Mapping, Sequence
from types import ModuleType

from tests.fail_closed import (
    archives,
    baselines,
    beside,
    cells,
    changes,
    configuration,
    content,
    items,
    names,
    paths,
    records,
    reports,
    settings,
    units,
)
from tests.fail_closed.case import Case, Expected
from tests.fail_closed.odd import HARMLESS

SECTIONS: Mapping[str, ModuleType] = {
    "What lies at the path": paths,
    "Bytes": content,
    "Bombs and archives": archives,
    "Rows and ids": items,
    "Scores": cells,
    "Units, scales, weights": units,
    "Metrics, groups, samples": names,
    "gate.yml as a file": configuration,
    "What gate.yml and the command line say": settings,
    "Baselines in git": baselines,
    "Promoted baselines, and reports as baselines": reports,
    "Corpora and scans": beside,
    "Histories, battles, waivers, a proposed gate.yml": records,
    "Files that change while they are read": changes,
}

_HEAD = """\
# Every way in which an input can be wrong

What `gate check` does with it. No row ends in PASS. An ERROR exits 2 and is in every report that was asked for; the
place is the one that its message names. A BLOCK exits 1; a WARN exits 0, or 1 with `--fail-on warn`. Messages and
remedies are given by how they begin.

This page is written by its tests: `tests/fail_closed` makes each input, runs `gate check` on it, and holds exit code,
verdict, place, message and remedy to the row; no traceback is printed, and what could hang or fill the memory has two
minutes and 1.5 GB of addresses. The last column names the test: `pytest tests/fail_closed -k cells-03`. It also runs
the action on every row whose flags are inputs, and holds exit code, outputs, summary and annotation to the row.
"""
_LONGEST_PLACE = 80
_ODD = """
## No fault

The figures of every check are those of the same run without it. (`pytest tests/fail_closed -k odd`)

| What is odd | What becomes of it |
|---|---|
"""


def numbered() -> list[tuple[str, Case]]:
    """Every case with the name of its test, in the order of the page."""
    return [
        (f"{module.__name__.rpartition('.')[2]}-{number:02d}", case)
        for module in SECTIONS.values()
        for number, case in enumerate(_cases(module), start=1)
    ]


def page() -> str:
    """The whole page."""
    tables = "".join(_section(title, module) for title, module in SECTIONS.items())
    odd = "".join(f"| {_escaped(one.odd)} | {_escaped(one.becomes)} |\n" for one in HARMLESS)
    return f"{_HEAD}{tables}{_ODD}{odd}"


def _section(title: str, module: ModuleType) -> str:
    name = module.__name__.rpartition(".")[2]
    rows = "".join(
        f"| {_escaped(case.wrong)} | {_told(case.expected)} | {name}-{number:02d} |\n"
        for number, case in enumerate(_cases(module), start=1)
    )
    return f"\n## {title}\n\n| What is wrong | What happens | Test |\n|---|---|---|\n{rows}"


def _cases(module: ModuleType) -> Sequence[Case]:
    cases: Sequence[Case] = module.CASES
    return cases


def _told(expected: Expected) -> str:
    place = "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in expected.place[:_LONGEST_PLACE])
    where = f" at `{place}`" if place else ""
    kind = f"{expected.verdict} ({expected.exit_code}), {expected.reason}"
    return f"**{kind}**{where}: {_escaped(expected.says)} → *{_escaped(expected.remedy)}*"


def _escaped(text: str) -> str:
    """The text as markdown shows it; what stands between backticks is code there too."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # cut off within code
        parts[-2:] = ["".join(parts[-2:])]
    return "`".join(part if place % 2 else _plain(part) for place, part in enumerate(parts))


def _plain(text: str) -> str:
    for sign in "\\*_<>|[]":
        text = text.replace(sign, f"\\{sign}")
    return text
