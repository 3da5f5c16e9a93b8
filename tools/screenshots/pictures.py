"""The pictures: a line each."""

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gate.github import comment_body
from gate.github.comment_settings import RunPage
from gate.reports import json
from tools.screenshots.page import page_of

ROOT = Path(__file__).parents[2]
EXAMPLE = "examples/worked-example"
LOOSENED = str(Path(__file__).parent / "loosened.yml")
RUN = RunPage("https://github.com", "owner/repository", (12, 1))
COMMIT = "5f3c9a1e0b7d4c2a8f6e1d3b5a7c9e0f2d4b6a81"


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
    """The job summary of a run in a folder."""
    told = report("markdown", folder, *arguments)
    return page_of(told.replace("<details>", "<details open>") if unfolded else told)


def page(folder: str) -> str:
    """The HTML report of a run in a folder."""
    return report("html", folder)


def comment(folder: str) -> str:
    """The comment on a pull request whose run took place in a folder."""
    return page_of(comment_body.render(json.load(report("json", folder)), RUN, sha=COMMIT))


def figure(name: str) -> str:
    """A page to try things on, as it stands in docs/figures."""
    return (ROOT / "docs" / "figures" / f"{name}.html").read_text(encoding="utf-8")


def report(form: str, folder: str, *arguments: str) -> str:
    """One report of a run in a folder, by these arguments or by those that its file ``args`` names."""
    args = ROOT / folder / "args"
    asked = arguments or (shlex.split(args.read_text("utf-8")) if args.exists() else ("--config", "gate.yml"))
    command = [sys.executable, "-m", "gate", "check", *asked, "--report", f"{form}:-", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT / folder, env=environment, capture_output=True, text=True, check=False)
    if not done.stdout:
        raise RuntimeError(f"{shlex.join(command)} in {folder} printed no report:\n{done.stderr}")
    return done.stdout


PICTURES = (
    Picture("worked-example", partial(summary, EXAMPLE), published=("desktop-light", "desktop-dark", "phone-light")),
    Picture("loosened", partial(summary, EXAMPLE, "--config", "gate.yml", "--proposed-config", LOOSENED)),
    Picture("pass", partial(summary, "tests/cases/pass/margin-no-worse")),
    Picture("warn", partial(summary, "tests/cases/warn/one-lost-item-of-many")),
    Picture("block", partial(summary, "tests/cases/block/several-metrics")),
    Picture("suites", partial(summary, "tests/cases/block/one-suite-of-two-falls")),
    Picture("unfolded", partial(summary, "tests/cases/block/too-many-leaks", unfolded=True)),
    Picture("error", partial(summary, "tests/cases/error/which-of-two-metrics")),
    Picture("page-worked-example", partial(page, EXAMPLE), published=("desktop-light", "desktop-dark"), top=1100),
    Picture("page-digits", partial(page, "examples/digits")),
    Picture("page-arena", partial(page, "tests/cases/block/arena-loss-shown")),
    Picture("page-suites", partial(page, "tests/cases/block/one-suite-of-two-falls")),
    Picture("page-leaks", partial(page, "tests/cases/block/too-many-leaks")),
    Picture("page-history", partial(page, "examples/promote")),
    Picture("page-pass", partial(page, "tests/cases/pass/pass-at-k")),
    Picture("page-error", partial(page, "tests/cases/error/which-of-two-metrics")),
    Picture("comment-block", partial(comment, EXAMPLE)),
    Picture("comment-pass", partial(comment, "tests/cases/pass/margin-no-worse")),
    Picture("figure-pass-at-k", partial(figure, "pass-at-k")),
    Picture("figure-arena", partial(figure, "arena")),
)
