"""GitHub's runner as far as a step meets it: which lines of a log it obeys, and what it reads of a file of outputs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

# The commands that the runner knows by name; any case will do.
REGISTERED = {
    "stop-commands", "add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "notice",
    "remove-matcher", "save-state", "set-env", "set-output", "warning",
}  # fmt: skip
DATA_ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
PROPERTY_ESCAPES = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
_LINE_END = re.compile(r"\r\n|\r|\n")  # no other character ends a line of the log


class Command(NamedTuple):
    """A command that the runner has obeyed."""

    name: str
    properties: Mapping[str, str]
    message: str


class Told(NamedTuple):
    """What the runner has after a step."""

    code: int
    log: str
    outputs: Mapping[str, str]
    summary: str

    @property
    def commands(self) -> list[Command]:
        return obey(self.log)


def unescaped(text: str, escapes: Sequence[tuple[str, str]]) -> str:
    """The runner's rule: one replacement after the other, the percent sign last."""
    for escape, char in escapes:
        text = text.replace(escape, char)
    return text


def parsed(line: str, known: set[str]) -> Command | None:
    """A line as a command, in either of the two forms that the runner knows (actions/runner, ActionCommand)."""
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
    for line in _LINE_END.split(log):
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
    found = [parsed(line, REGISTERED) for line in _LINE_END.split(log)]
    return [command for command in found if command is not None and command.name != "stop-commands"]


def read_outputs(text: str) -> dict[str, str]:
    """The outputs as the runner reads them, which refuses the file for one wrong line; the last of a name counts.

    A line is NAME=VALUE, or NAME<<DELIMITER with the value below it up to the delimiter.
    """
    outputs: dict[str, str] = {}
    lines = iter(text.removesuffix("\n").split("\n") if text else [])
    for line in lines:
        name, equals, value = line.partition("=")
        begun, mark, delimiter = line.partition("<<")
        if mark and len(begun) < len(name):
            name, value = begun, _up_to(delimiter, lines)
        elif line:
            assert equals, f"not in the form of an output: {line!r}"
        if line:
            assert name, f"an output without a name: {line!r}"
            outputs[name] = value
    return outputs


def _up_to(delimiter: str, lines: Iterator[str]) -> str:
    assert delimiter, "an output without a delimiter"
    value: list[str] = []
    for line in lines:
        if line == delimiter:
            return "\n".join(value)
        value.append(line)
    raise AssertionError(f"the delimiter {delimiter!r} is missing")
