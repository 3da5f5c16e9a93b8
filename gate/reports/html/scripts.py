"""The page's modules as one script: each in a scope of its own, those first that others import from.

A page that may load nothing cannot import by address. So each module becomes a function that is called once and hands
out what it exports, and an import becomes a look at that. Only the forms that the modules are written in are known:
anything else that imports or exports is an error here, not a surprise in a browser.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

MODULES = Path(__file__).parent
ENTRY = "panels/main"

_IMPORT = re.compile(r'^import \{([^{}]+)\} from "(\.{1,2}/[\w./-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+)\b)", re.MULTILINE)
_LEFT_OVER = re.compile(r"^\s*(?:import|export)\b.*|\bimport\s*\(.*", re.MULTILINE)


@cache
def page_script() -> str:
    """The script of the page."""
    paths = {path.relative_to(MODULES).with_suffix("").as_posix(): path for path in MODULES.rglob("*.js")}
    return join_modules({name: path.read_text(encoding="utf-8") for name, path in paths.items()}, ENTRY)


def join_modules(sources: Mapping[str, str], entry: str) -> str:
    """One script of the modules that ``entry`` needs, itself last.

    Args:
        sources: name -> text of a module; a name is its path without the ending, from a folder common to all.
        entry: the module that starts the page.

    Raises:
        ValueError: where a module imports or exports in another form than those known, imports one that is not there,
            or two import each other.
    """
    graph: dict[str, list[str]] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in graph:
            if name not in sources:
                raise ValueError(f"there is no module {name}.js")
            graph[name] = sorted({_target(name, match[2]) for match in _IMPORT.finditer(sources[name])})
            waiting.extend(graph[name])
    order = TopologicalSorter({name: graph[name] for name in sorted(graph)}).static_order()
    return '"use strict";\n' + "".join(_scoped(name, sources[name]) for name in order)


def _target(name: str, wanted: str) -> str:
    """The name of the module that another one calls ``wanted``."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), wanted))


def _scoped(name: str, source: str) -> str:
    def look_up(match: re.Match[str]) -> str:
        return f"const {{ {', '.join(_names(match[1]))} }} = {_variable(_target(name, match[2]))};\n"

    exported = ", ".join(match[1] for match in _EXPORT.finditer(source))
    body = _EXPORT.sub("", _IMPORT.sub(look_up, source))
    left_over = _LEFT_OVER.search(body)
    if left_over is not None:
        raise ValueError(f"{name}.js: this form of import or export is not known: {left_over[0].strip()}")
    return f"const {_variable(name)} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def _variable(name: str) -> str:
    return "in_" + re.sub(r"\W", "_", name)


def _names(listed: str) -> Iterator[str]:
    """``a as b`` is written ``a: b`` where an object is taken apart."""
    for name in listed.split(","):
        if name.strip():
            yield re.sub(r"\s+as\s+", ": ", name.strip())
