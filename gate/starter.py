"""What `gate init` writes: a commented gate.yml and a workflow that run as they are on the given files."""

import os.path
import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from pathlib import Path

import numpy as np

from gate.alignment import align, align_alone, pair_metric
from gate.checks import threshold
from gate.checks.threshold import ThresholdOptions
from gate.errors import GateError, Place, UsageError
from gate.metrics import PERCENT_SCALE, UNIT_SCALE, Metric, choose_metrics, resolve_metric
from gate.reports.escape import shorten
from gate.results import REPOSITORY
from gate.scores import read_run
from gate.scores.model import Direction, Run, Scale, Wanted
from gate.wording import names
from gate.writing import write_atomically

_CONFIG = "gate.yml"
_WORKFLOW = ".github/workflows/gate.yml"
_ACTION = re.compile(r"[\w./@:-]+")
_PROVEN = "The bar the mean must prove to clear: as a start, what this file proves (the end of its 95 % interval)."
_COMMENT = 80  # characters, so that a line stays under a linter's limit


def write_starter(files: Sequence[str], directory: Path, *, force: bool, uses: str | None = None) -> list[Path]:
    """Write both files into ``directory`` and return their paths.

    Args:
        files: one score file, the candidate; or two, the baseline and the candidate.
        directory: the repository's root, or a folder in it: the workflow goes to the root, the one place where GitHub
            looks for it.
        force: overwrite what is there.
        uses: the action in the workflow, e.g. ``OWNER/gate@v1``.

    Raises:
        GateError: where the score files cannot be read or compared, or a file is there already.
    """
    if len(files) > 2:  # noqa: PLR2004  # a baseline and a candidate
        raise UsageError(
            "there are more than two files", remedy="name the candidate, or the baseline and the candidate"
        )
    runs = [read_run(Path(file), Wanted(whole_texts=False)) for file in files]
    if len(runs) > 1:
        align(runs[0], runs[1])
    named = [_from(directory, file) for file in files]
    root = _root_of(directory)
    texts = {
        directory / _CONFIG: _config_text(named, runs),
        root / _WORKFLOW: _workflow_text(_from(root, directory / _CONFIG), _from(root, files[-1]), uses),
    }
    for path in texts:
        if path.exists() and not force:
            raise UsageError("the file is there already", where=Place(str(path)), remedy="give --force to overwrite it")
    for path, text in texts.items():
        write_atomically(path, text)
    return list(texts)


def _root_of(directory: Path) -> Path:
    """The root of the repository that a folder lies in, as one would write it; the folder itself outside of one."""
    real = directory.resolve()
    root = next((folder for folder in (real, *real.parents) if (folder / ".git").exists()), real)
    return directory if root == real else Path(os.path.relpath(root))


def _from(directory: Path, file: str | Path) -> str:
    """The file as one in this folder must name it."""
    file = str(file)
    inside = Path(file).resolve().is_relative_to(directory.resolve())
    return os.path.relpath(file, directory) if inside or not Path(file).is_absolute() else file


def _chosen_metric(runs: Sequence[Run]) -> str:
    baseline = runs[0] if len(runs) > 1 else None
    try:
        return choose_metrics((), baseline, runs[-1])[0]
    except GateError:
        shared = [name for name in runs[-1].metrics if all(name in run.metrics for run in runs)]
        if not shared:
            raise
        return shared[0]


def _config_text(files: Sequence[str], runs: Sequence[Run]) -> str:
    baseline = runs[0] if len(runs) > 1 else None
    name = _chosen_metric(runs)
    metric = resolve_metric(name, baseline, runs[-1], direction=None, scale=None)
    others = tuple(_quoted(other) for other in runs[-1].metrics if other != name)
    baseline_line = f"baseline: {_quoted(files[0])}" if len(files) > 1 else "# baseline: results/baseline.csv"
    also = f"    # also there: {shorten(names(others), _COMMENT)}\n" if others else ""
    scale = "# scale: [0, 100]   # lowest and highest possible score; a bar needs it where scores leave 0 to 1"
    bar = "# The bar the mean must prove to clear, in the unit of the scores:\n      # threshold: {bar: 0.70}"
    if metric.scale is not None:
        scale = f"scale: {_range(metric.scale)}"
    elif baseline is None:
        metric = replace(metric, scale=_observed_scale(runs[-1], name))
        scale = f"scale: {_range(metric.scale)}     # only what was seen: correct it to the lowest and highest possible"
    if baseline is None:
        bar = f"# {_PROVEN}\n      threshold: {{bar: {_plain(_proven_bar(runs[-1], metric))}}}"
    return f"""\
# What this file may say: the README's section on gate.yml, or `gate explain CHECK`.
version: 1

policies:
  fail_on: block        # or warn (a pre-deploy guard), or never
  show_text: ids        # `snippets` lets reports quote the eval: not in public logs

suites:
  - name: starter
    {baseline_line}
    candidate: {_quoted(files[-1])}
{also}    metrics: [{_quoted(name)}]
    {scale}
    direction: {metric.direction.value}     # which way is better
    checks:
      coverage: {{min_coverage: 0.9}}
      {bar}
      regression: {"true" if len(files) > 1 else "false        # needs a baseline"}
      drift: {"true" if len(files) > 1 else "false             # needs a baseline"}
      # Search training text for the questions:
      # contamination: {{corpus: corpus/}}
"""


def _observed_scale(run: Run, metric: str) -> Scale:
    """The lowest and the highest score seen; where they are one, from or to zero."""
    values = run.metrics[metric].values
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    return Scale(low, high) if low < high else Scale(min(low, 0.0), max(high, 0.0))


def _proven_bar(run: Run, metric: Metric) -> float:
    """The bar that the file proves by itself: the farther end of its mean's two intervals, rounded away from the mean.

    What is missing counts with the worst score, as it will when the file is judged.
    """
    scale = metric.scale or UNIT_SCALE
    pairs = pair_metric(align_alone(run), metric.name, direction=metric.direction, scale=scale)
    found = threshold.check(pairs.with_worst_for_missing(), ThresholdOptions(bar=scale.low), np.random.default_rng(0))
    lower = metric.direction is Direction.LOWER
    name = "high" if lower else "low"
    ends = [float(found.figures[key] or 0) for key in (name, f"exact_{name}")]
    end = Decimal(repr(max(ends) if lower else min(ends)))
    bar = float(end.quantize(Decimal("0.01"), ROUND_CEILING if lower else ROUND_FLOOR))
    bar = min(max(bar, scale.low), scale.high)
    # up to 1 on a scale of percents is refused as a slip of the unit
    return 0.0 if scale == PERCENT_SCALE and not lower and bar <= 1 else bar


def _range(scale: Scale | None) -> str:
    return "" if scale is None else f"[{_plain(scale.low)}, {_plain(scale.high)}]"


def _plain(value: float) -> str:
    """All digits of a number and no exponent, which YAML would take for text."""
    return format(Decimal(repr(value)), "f").removesuffix(".0")


def _quoted(text: str) -> str:
    """The text in YAML's double quotes, where it cannot be mistaken for anything else."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def _input(text: str) -> str:
    """The text as an input of the workflow, where GitHub must not take any of it for an expression."""
    return _quoted(text.replace("${{", "${{ '${{' }}"))


def _workflow_text(config: str, candidate: str, uses: str | None) -> str:
    if uses is not None and not _ACTION.fullmatch(uses):
        raise UsageError(f"--uses {uses!r} is no action", remedy=f"write its repository and tag: {REPOSITORY}@v1")
    action = uses if uses is not None else f"{REPOSITORY}@v1  # the repository and tag of the action"
    return f"""\
# Runs the gate on every pull request; the summary appears on the run's page. gate.yml and the baseline come from the
# target branch, by a second checkout, so that a pull request cannot move its own bar: bring gate.yml there first.
name: gate

on: pull_request

permissions:
  contents: read

jobs:
  gate:
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write  # for the comment alone
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/checkout@v4
        with:
          ref: ${{{{ github.base_ref }}}}
          path: target
          persist-credentials: false

      # Here your evaluation writes the candidate's score file.

      - name: Judge the candidate
        id: gate
        uses: {action}
        with:
          config: {_input(f"target/{config}")}
          proposed-config: {_input(config)}
          candidate: {_input(candidate)}

      - name: Keep the reports
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: gate-report
          path: gate-report
"""
