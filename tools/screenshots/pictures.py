"""The pictures: a line each."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tools.screenshots.page import page_of

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/worked-example"
LOOSENED = str(Path(__file__).parent / "loosened.yml")


class Picture(NamedTuple):
    """A page to draw.

    Attributes:
        name: of its files.
        page: makes it, a whole HTML document.
        published: the screens on which the README or a page of docs/ shows it.
        top: how many CSS pixels of it are shown there.
    """

    name: str
    page: Callable[[], str]
    published: tuple[str, ...] = ()
    top: int = 720


def summary(folder: str, *arguments: str, unfolded: bool = False) -> str:
    """The job summary of a run in a folder, by these arguments or by those that its file ``args`` names."""
    args = ROOT / folder / "args"
    asked = arguments or (shlex.split(args.read_text("utf-8")) if args.exists() else ("--config", "gate.yml"))
    command = [sys.executable, "-m", "gate", "check", *asked, "--report", "markdown:-", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT / folder, env=environment, capture_output=True, text=True, check=False)
    if not done.stdout.startswith("## "):
        raise RuntimeError(f"{shlex.join(command)} in {folder} printed no summary:\n{done.stderr}")
    return page_of(done.stdout.replace("<details>", "<details open>") if unfolded else done.stdout)


PICTURES = (
    Picture("worked-example", partial(summary, EXAMPLE), published=("desktop-light", "desktop-dark", "phone-light")),
    Picture("loosened", partial(summary, EXAMPLE, "--config", "gate.yml", "--proposed-config", LOOSENED)),
    Picture("pass", partial(summary, "tests/cases/pass/margin-no-worse")),
    Picture("warn", partial(summary, "tests/cases/warn/one-lost-item-of-many")),
    Picture("block", partial(summary, "tests/cases/block/several-metrics")),
    Picture("suites", partial(summary, "tests/cases/block/one-suite-of-two-falls")),
    Picture("unfolded", partial(summary, "tests/cases/block/too-many-leaks", unfolded=True)),
    Picture("error", partial(summary, "tests/cases/error/which-of-two-metrics")),
)
