"""Every package that is installed beside the gate, and the licence under which it may be."""

import importlib.metadata
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "licences.md"
_ROW = re.compile(r"^\| `([a-z0-9-]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
# What may stand in an image that is given away under the Apache licence, as a whole and without more ado.
_PERMISSIVE = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "MIT-0", "0BSD", "Zlib", "CC0-1.0", "PSF-2.0"}
# what the page says more of
_KNOWN = {"Apache-2.0 OR GPL-2.0-or-later", "MPL-2.0", "LGPL-3.0-or-later"}


def pinned(name: str) -> set[str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z0-9._-]+)==", text, re.MULTILINE))


def told() -> dict[str, tuple[str, str]]:
    return {row[1]: (row[2].strip(), row[3].strip()) for row in _ROW.finditer(PAGE.read_text(encoding="utf-8"))}


def test_the_page_lists_every_package_of_the_image_and_no_other() -> None:
    assert told().keys() == pinned("action")


def test_the_page_says_which_packages_every_installation_has() -> None:
    assert {name for name, (_, where) in told().items() if where == "everywhere"} == pinned("runtime")


def test_every_licence_lets_the_image_be_given_away() -> None:
    for name, (licence, _) in told().items():
        parts = licence if licence in _KNOWN else licence.replace(" OR ", " AND ")
        assert parts in _KNOWN or set(parts.split(" AND ")) <= _PERMISSIVE, name


@pytest.mark.parametrize("name", sorted(pinned("action")))
def test_the_page_says_what_the_package_itself_says(name: str) -> None:
    try:
        metadata = importlib.metadata.metadata(name)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("it is not installed here")
    expression = next(iter(metadata.get_all("License-Expression") or []), None)
    if expression is None:
        # older packages have words, and no expression
        words = " ".join([*(metadata.get_all("License") or []), *(metadata.get_all("Classifier") or [])])
        assert told()[name][0].split("-")[0] in words.replace("Apache Software License", "Apache")
    else:
        assert told()[name][0] == expression
