"""No reader without a target: what makes values of bytes is run by the targets' own samples, whole and cut short."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import gate
from gate.battles.reading import BATTLE_FORMATS
from gate.contamination.readers import READERS as CORPUS_READERS
from gate.scores import FORMATS
from tests.fuzz.targets import all_targets

HOUSE = Path(gate.__file__).parent
# what makes values of bytes, and what opens a file for it
PARSERS = {
    *("loads", "from_json", "validate_json", "model_validate_json", "get_single_node", "ParserCreate", "ZipFile"),
    *(
        "ParquetFile",
        "read_bytes",
        "open_bytes",
        "open_score_file",
        "open_stored_bytes",
        "open_unpacked",
        "read_in_git",
    ),
    *("decompress", "decompressobj"),
}
SHORT = 1000
ELSEWHERE = {
    "contamination/compiled.py": "reads gate's own source",
    "contamination/engines/ray_driver.py": "reads what this very run has written",
    "contamination/engines/worker.py": "likewise",
    "github/client.py": "answers of the API: tests/github, by a server that answers as it is told",
    "promoting/placing.py": "copies bytes, and does not look at them",
}


def _called(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _parsing() -> set[tuple[str, str]]:
    found = set()
    for path in sorted(HOUSE.rglob("*.py")):
        name = path.relative_to(HOUSE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and not PARSERS.isdisjoint(_called(node)) and name not in ELSEWHERE:
                found.add((name, node.name))
    return found


def test_every_reader_in_the_registries_has_a_target_of_its_own() -> None:
    names = {*(f"scores-{name}" for name in FORMATS), *(f"battles-{name}" for name in BATTLE_FORMATS)}
    assert names | {f"corpus{ending}" for ending in CORPUS_READERS} <= all_targets().keys()
    written = {path.stem for path in (HOUSE / "scores" / "readers").glob("*.py")} - {"__init__"}
    assert written <= set(FORMATS)


def test_whatever_makes_values_of_bytes_is_reached_by_a_target(tmp_path: Path) -> None:
    reached: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _value: object) -> None:
        if event == "call":
            reached.add((frame.f_code.co_filename, frame.f_code.co_name))

    for name, target in all_targets().items():
        folder = tmp_path / name
        folder.mkdir()
        target.lay_out(folder)
        # coverage traces by another hook
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            for file, data in target.seeds.items():
                target.refusal(folder, file, data)
                if len(data) < SHORT:
                    # what tells where a fault is may read once more
                    target.refusal(folder, file, data[: -len(data) // 5])
        finally:
            sys.setprofile(before)
    ran = {(Path(file).relative_to(HOUSE).as_posix(), own) for file, own in reached if Path(file).is_relative_to(HOUSE)}
    parsing = _parsing()
    assert len(parsing) > 40
    assert parsing - ran == set()
