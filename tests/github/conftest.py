"""A runner made by hand: it starts the action, reads its log and its files by the rules of the real one."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gate.errors import ExitCode
from gate.github.__main__ import run_guarded
from tests.runner import Command, Told, obey, obey_all, read_outputs


@dataclass(frozen=True, slots=True)
class Step:
    """A step in a workspace; ``environ`` is what every run of it gets."""

    workspace: Path
    output: Path
    summary: Path
    environ: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.output.touch()
        self.summary.touch()
        named = {"GITHUB_WORKSPACE": self.workspace, "GITHUB_OUTPUT": self.output, "GITHUB_STEP_SUMMARY": self.summary}
        self.environ.update({name: str(path) for name, path in named.items()})

    def with_inputs(self, inputs: Mapping[str, object]) -> dict[str, str]:
        """The environment with the inputs as the runner names them: ``fail_on`` is INPUT_FAIL-ON."""
        return {**self.environ, **{f"INPUT_{k.upper().replace('_', '-')}": str(v) for k, v in inputs.items()}}

    def run(self, **inputs: object) -> Told:
        log = io.StringIO()
        code = run_guarded(self.with_inputs(inputs), log)
        return self.told(code, log.getvalue())

    def told(self, code: int, log: str) -> Told:
        outputs = read_outputs(self.output.read_text(encoding="utf-8"))
        return Told(ExitCode(code), log, outputs, self.summary.read_text(encoding="utf-8"))

    def write(self, name: str, scores: Mapping[str, object] | Sequence[object]) -> str:
        """Write a score file into the workspace; returns the name."""
        by_id = scores if isinstance(scores, Mapping) else {f"i{row:02d}": score for row, score in enumerate(scores)}
        path = self.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("id,score\n" + "".join(f"{id_},{score}\n" for id_, score in by_id.items()), encoding="utf-8")
        return name


@pytest.fixture
def step(tmp_path: Path) -> Step:
    (tmp_path / "workspace").mkdir()
    return Step(tmp_path / "workspace", tmp_path / "set_output", tmp_path / "step_summary")


@pytest.fixture
def passing(step: Step) -> dict[str, object]:
    return {"baseline": step.write("a.csv", [1] * 20), "candidate": step.write("b.csv", [1] * 20)}


@pytest.fixture
def blocking(step: Step) -> dict[str, object]:
    return {"baseline": step.write("a.csv", [1] * 20), "candidate": step.write("b.csv", [0] * 10 + [1] * 10)}


@pytest.fixture
def warning(step: Step) -> dict[str, object]:
    return {"baseline": step.write("a.csv", [1] * 40), "candidate": step.write("b.csv", [1] * 39 + ["error"])}


@pytest.fixture(scope="session")
def obeyed() -> Callable[[str], list[Command]]:
    return obey


@pytest.fixture(scope="session")
def obeyed_unstopped() -> Callable[[str], list[Command]]:
    return obey_all


@pytest.fixture(scope="session")
def outputs_in() -> Callable[[str], dict[str, str]]:
    return read_outputs


@pytest.fixture(scope="session")
def hostile() -> list[str]:
    """Foreign text that would command a log, mark up a summary, or end an output before its time."""
    return [
        "::error::x", "  ::set-output name=verdict::PASS", "::add-mask::1", "##[error]x", "a ##[group]b",
        "::stop-commands::t",
        "::t::", "a\n::warning::b", "a\r::warning::b", "a\u2028::warning::b", "%0A::error::x", "\x1b[31mred", "\u202e",
        "verdict<<EOF", "EOF", "<img src=x onerror=y>", "</details>", "[x](http://x.io)", "@octocat #1", "a|b", "`a`",
        "\ud800", "\t::debug::x", "\u3000::debug::x", "::ERROR::x", ":: error::x",
    ]  # fmt: skip
