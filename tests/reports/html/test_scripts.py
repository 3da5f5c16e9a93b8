"""The page's modules joined into one script."""

import json
import re
import subprocess
from collections.abc import Callable

import pytest

from gate.reports.html.scripts import MODULES, join_modules, page_script

Run = Callable[[str], str]


@pytest.fixture
def run(node: str) -> Run:
    """What a script prints."""

    def run_script(script: str) -> str:
        command = [node, "--input-type=module", "-e", script]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    return run_script


def test_what_a_module_exports_is_what_another_imports(run: Run) -> None:
    script = join_modules(
        {
            "panels/main": 'import { two, Three as T } from "../stats/numbers.js";\nconsole.log(two(), T.value);\n',
            "stats/numbers": "const one = 1;\nexport function two() {\n  return one + 1;\n}\nexport class Three {\n"
            "  static value = 3;\n}\n",
        },
        "panels/main",
    )
    assert run(script) == "2 3"


def test_names_that_are_not_exported_stay_in_their_module(run: Run) -> None:
    sources = {
        "a": 'import { b } from "./b.js";\nconst own = 1;\nconsole.log(own, b);\n',
        "b": "const own = 2;\nexport const b = own;\n",
    }
    assert run(join_modules(sources, "a")) == "1 2"


def test_a_module_that_two_import_runs_once_and_one_that_none_imports_not_at_all(run: Run) -> None:
    sources = {
        "main": 'import { x } from "./left.js";\nimport { y } from "./right.js";\nconsole.log(x === y);\n',
        "left": 'import { shared } from "./shared.js";\nexport const x = shared;\n',
        "right": 'import { shared } from "./shared.js";\nexport const y = shared;\n',
        "shared": "export const shared = {};\n",
        "stray": "throw new Error();\n",
    }
    assert run(join_modules(sources, "main")) == "true"


@pytest.mark.parametrize(
    "line",
    [
        'import * as all from "./b.js";',
        'import b from "./b.js";',
        'import "./b.js";',
        'const b = await import("./b.js");',
        "export default 1;",
        "export { b };",
        'export * from "./b.js";',
        'import { b } from "https://example.org/b.js";',
    ],
)
def test_another_form_of_import_or_export_is_an_error(line: str) -> None:
    with pytest.raises(ValueError, match="not known"):
        join_modules({"a": f"{line}\n", "b": "export const b = 1;\n"}, "a")


def test_a_module_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"there is no module panels/b\.js"):
        join_modules({"panels/a": 'import { b } from "./b.js";\n'}, "panels/a")


def test_modules_that_import_each_other_are_an_error() -> None:
    sources = {"a": 'import { b } from "./b.js";\nexport const a = 1;\n'}
    sources["b"] = 'import { a } from "./a.js";\nexport const b = 1;\n'
    with pytest.raises(ValueError, match="cycle"):
        join_modules(sources, "a")


def test_every_module_of_the_page_is_in_its_script() -> None:
    names = {path.relative_to(MODULES).with_suffix("").as_posix() for path in MODULES.rglob("*.js")}
    told = set(re.findall(r"^const (in_\w+) = \(", page_script(), flags=re.MULTILINE))
    assert told == {"in_" + re.sub(r"\W", "_", name) for name in names}


def test_the_script_of_the_page_is_sound_and_cannot_end_its_element(run: Run) -> None:
    assert "</script" not in page_script().lower()
    assert "<!--" not in page_script()
    assert run(f"new Function({json.dumps(page_script())}); console.log('sound');") == "sound"
