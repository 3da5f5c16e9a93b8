"""The house rules: who may import whom, and how big a room may grow."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gate.checks import CHECKS
from gate.reports import REPORTS

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "gate").rglob("*.py"))


def test_a_room_imports_only_rooms_below_it() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_rooms_stand_in_contributing_in_the_order_of_the_layers() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    level = {room: depth for depth, layer in enumerate(layers) for room in layer.split(" | ")}
    table = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("| room |")[2].partition("\n\n")[0]
    # a bar between rooms of one line is escaped, as within any table
    rows = [re.split(r"(?<!\\)\|", line)[1] for line in table.splitlines()[2:]]
    rooms = [room for row in rows for room in re.findall(r"`(\w+)`", row)]
    assert sorted(rooms) == sorted(level)
    assert [level[room] for room in rooms] == sorted(level.values())


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_stays_under_three_hundred_lines(module: Path) -> None:
    assert len(module.read_text(encoding="utf-8").splitlines()) <= 300


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_function_stays_under_sixty_lines(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert [node.name for node in functions if (node.end_lineno or 0) - node.lineno >= 60] == []


@pytest.mark.parametrize("face", sorted((ROOT / "gate").rglob("__init__.py")), ids=lambda path: path.parent.name)
def test_a_face_stays_under_fifty_lines(face: Path) -> None:
    assert len(face.read_text(encoding="utf-8").splitlines()) <= 50


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_module_does_not_import_the_face_of_its_own_package(module: Path) -> None:
    package = ".".join(module.relative_to(ROOT).parent.parts)
    taken = [
        alias.name
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == package != "gate" and module.name != "__init__.py"
        for alias in node.names
    ]
    assert [name for name in taken if not (module.parent / f"{name}.py").exists()] == []


@pytest.mark.parametrize(
    ("package", "names"),
    [("checks", sorted(CHECKS)), ("reports", sorted(REPORTS))],
    ids=["checks", "reports"],
)
def test_every_member_of_a_registry_is_held_apart_from_the_others(package: str, names: list[str]) -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    independent = [contract["modules"] for contract in contracts if contract["type"] == "independence"]
    assert [f"gate.{package}.{name}" for name in names] in [sorted(modules) for modules in independent]


def test_readers_are_held_apart_whatever_their_names() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    independent = [contract["modules"] for contract in contracts if contract["type"] == "independence"]
    assert ["gate.scores.readers.*"] in independent
