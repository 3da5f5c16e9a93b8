"""Run the study and write its page.

GATE_REAL_FILES=FOLDER make contamination-study       # docs/contamination.md, on Debian 12
python -m studies.contamination --corpus FOLDER       # on a folder of text and HTML of your own: build/contamination.md
"""

import argparse
import os
import platform
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from gate import __version__
from gate.contamination import Item
from gate.contamination.modes import UNICODE_VERSION
from gate.errors import GateError
from studies.contamination.packages import PACKAGES, PackagesError, archive, fetch_packages, read_pages
from studies.contamination.page import Made, write_page
from studies.contamination.questions import read_questions
from studies.contamination.study import MEGABYTES, SEED, Plan, measure
from studies.contamination.texts import MEGABYTE, Page, grow, read_texts

ENDINGS = (".txt", ".md", ".rst", ".html")
ROOT = Path(__file__).parent.parent.parent
_NO_FILES = """\
the study needs benchmark questions, which are not in the repository: set GATE_REAL_FILES to the folder of result files
that the tests marked real_files read"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write the page; 2 and a sentence where something is missing."""
    parser = argparse.ArgumentParser(prog="python -m studies.contamination", description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a folder of .txt, .md, .rst and .html; the page goes to build/")
    options = parser.parse_args(arguments)
    if "GATE_REAL_FILES" not in os.environ:
        print(_NO_FILES, file=sys.stderr)
        return 2
    try:
        page = _study(read_questions(Path(os.environ["GATE_REAL_FILES"])), options.corpus)
    except (GateError, PackagesError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    path = ROOT / ("build" if options.corpus else "docs") / "contamination.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(page, encoding="utf-8")
    print(path)
    return 0


def _study(items: Sequence[Item], corpus: Path | None) -> str:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        versions = {} if corpus else fetch_packages(list(PACKAGES), folder)
        texts = read_texts(_of_packages(folder) if corpus is None else _of_files(corpus))
        sizes = [size * MEGABYTE for size in MEGABYTES]
        corpora = grow(texts, sizes, random.Random(SEED))  # noqa: S311  # no secret
        results = measure(Plan(items, dict(zip(MEGABYTES, corpora, strict=True))), folder)
    tools = {"gate": __version__, "Python": platform.python_version(), "Unicode": UNICODE_VERSION}
    return write_page(results, Made(versions, tools))


def _of_packages(folder: Path) -> Iterator[Page]:
    for package, pattern in PACKAGES.items():
        yield from read_pages(archive(package, folder), pattern)


def _of_files(corpus: Path) -> Iterator[Page]:
    for path in sorted(corpus.rglob("*")):
        if path.suffix in ENDINGS and path.is_file():
            yield Page(path.name, path.read_bytes())


if __name__ == "__main__":
    sys.exit(main())
