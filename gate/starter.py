"""What `gate init` writes: a commented gate.yml and a workflow that run as they are on the given files."""

import os.path
from collections.abc import Sequence
from pathlib import Path

from gate.alignment import align
from gate.errors import GateError, Place, UsageError
from gate.files import write_atomically
from gate.metrics import ScaleOrigin, choose_metrics, resolve_metric
from gate.reports.escape import shorten
from gate.scores import read_run
from gate.scores.model import Run
from gate.wording import names

_CONFIG = "gate.yml"
_WORKFLOW = ".github/workflows/gate.yml"
_COMMENT = 80  # characters, so that a line stays under a linter's limit


def write_starter(files: Sequence[str], directory: Path, *, force: bool) -> list[Path]:
    """Write both files into ``directory`` and return their paths.

    Args:
        files: one score file, the candidate; or two, the baseline and the candidate.
        directory: the repository's root.
        force: overwrite what is there.

    Raises:
        GateError: where the score files cannot be read or compared, or a file is there already.
    """
    if len(files) > 2:  # noqa: PLR2004  # a baseline and a candidate
        raise UsageError(
            "there are more than two files", remedy="name the candidate, or the baseline and the candidate"
        )
    runs = [read_run(Path(file)) for file in files]
    if len(runs) > 1:
        align(runs[0], runs[1])
    texts = {
        directory / _CONFIG: _config_text([_from(directory, file) for file in files], runs),
        directory / _WORKFLOW: _workflow_text(),
    }
    for path in texts:
        if path.exists() and not force:
            raise UsageError("the file is there already", where=Place(str(path)), remedy="give --force to overwrite it")
    for path, text in texts.items():
        write_atomically(path, text)
    return list(texts)


def _from(directory: Path, file: str) -> str:
    """The file as gate.yml must name it: from its own folder."""
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
    if metric.scale is not None and metric.scale_origin is not ScaleOrigin.UNKNOWN:
        scale = f"scale: [{metric.scale.low:g}, {metric.scale.high:g}]"
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
      # The bar the mean must prove to clear, in the unit of the scores:
      # threshold: {{bar: 0.70}}
      regression: {"true" if len(files) > 1 else "false        # needs a baseline"}
      drift: {"true" if len(files) > 1 else "false             # needs a baseline"}
      # Search training text for the questions:
      # contamination: {{corpus: corpus/}}
"""


def _quoted(text: str) -> str:
    """The text in YAML's double quotes, where it cannot be mistaken for anything else."""
    return f'"{"".join(map(_escaped, text))}"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if char.isprintable() else f"\\U{ord(char):08x}"


def _workflow_text() -> str:
    return """\
# Runs the gate on every pull request; the summary appears on the run's page.
name: gate

on: pull_request

permissions:
  contents: read

jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.13"
      - name: Install gate
        run: python -m pip install gate
      # Before this step, write the candidate's score file: run your evaluation here.
      - name: Judge the candidate
        run: gate check --config gate.yml --report text:- --report "markdown:$GITHUB_STEP_SUMMARY"
"""
