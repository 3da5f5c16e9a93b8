"""A runner made by hand: it starts the action, reads its log by the rules of the real one, and its files."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from gate.errors import ExitCode
from gate.github.__main__ import run_guarded

# The commands that the runner knows by name; any case will do.
REGISTERED = {
    "stop-commands", "add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice",
    "remove-matcher", "save-state", "set-env", "set-output", "warning",
}  # fmt: skip
DATA_ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
PROPERTY_ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))


class Command(NamedTuple):
    """A command that the runner has obeyed."""

    name: str
    properties: Mapping[str, str]
    message: str


def unescaped(text: str, escapes: Sequence[tuple[str, str]]) -> str:
    """The runner's rule: one replacement after the other, the percent sign last."""
    for escape, char in escapes:
        text = text.replace(escape, char)
    return text


def parsed(line: str, known: set[str]) -> Command | None:
    """A line as a command, in either of the two forms that the runner knows."""
    trimmed = line.lstrip()
    end = trimmed.find("::", 2)
    if trimmed.startswith("::") and end >= 0:
        name, _, rest = trimmed[2:end].partition(" ")
        if name.lower() in known:
            pairs = (pair.split("=", 1) for pair in rest.strip().split(",") if pair)
            properties = {pair[0]: unescaped(pair[1], PROPERTY_ESCAPES) for pair in pairs if len(pair) == 2}
            return Command(name.lower(), properties, unescaped(trimmed[end + 2 :], DATA_ESCAPES))
    begin = line.find("##[")
    end = line.find("]", begin)
    if begin >= 0 and end >= 0:
        name = line[begin + 3 : end].partition(" ")[0].lower()
        if name in known:
            return Command(name, {}, line[end + 1 :])
    return None


def obey(log: str) -> list[Command]:
    """The commands of a log that the runner obeys, those that stop and resume commands left out."""
    obeyed, stopped = [], None
    for line in re.split(r"\r\n|\r|\n", log):
        command = parsed(line, REGISTERED | ({stopped} if stopped is not None else set()))
        if command is None:
            continue
        if stopped is not None:
            stopped = None if command.name == stopped else stopped
        elif command.name == "stop-commands":
            stopped = command.message.lower()
        else:
            obeyed.append(command)
    assert stopped is None, "commands were stopped and never resumed"
    return obeyed


def obey_all(log: str) -> list[Command]:
    """The commands of a log that the runner would obey if nothing had stopped them."""
    found = [parsed(line, REGISTERED) for line in re.split(r"\r\n|\r|\n", log)]
    return [command for command in found if command is not None and command.name != "stop-commands"]


def read_outputs(text: str) -> dict[str, str]:
    """The outputs as the runner reads them: NAME<<DELIMITER, lines, DELIMITER; the last of a name counts."""
    outputs, lines = {}, iter(text.removesuffix("\n").split("\n") if text else [])
    for line in lines:
        name, mark, delimiter = line.partition("<<")
        assert mark, f"not in the form of an output: {line!r}"
        assert name
        assert delimiter
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        else:
            pytest.fail(f"the delimiter of {name} is missing")
        outputs[name] = "\n".join(value)
    return outputs


@dataclass(frozen=True, slots=True)
class Told:
    """What the runner has after a step."""

    code: int
    log: str
    outputs: Mapping[str, str]
    summary: str

    @property
    def commands(self) -> list[Command]:
        return obey(self.log)


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
