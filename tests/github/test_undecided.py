"""Where nothing is decided, the runner still has a verdict, and a reader a reason."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from gate.errors import WriteError
from gate.github.undecided import presume_error, tell_undecided

Step = Any  # the runner of conftest.py
Obey = Callable[[str], Sequence[Any]]


def tell(step: Step, what: str = "terminated", **more: str) -> Any:
    log = io.StringIO()
    tell_undecided(step.environ, log, what=what, remedy="start the job again", **more)
    return step.told(3, log.getvalue())


def test_the_verdict_is_an_error_until_it_is_known(step: Step) -> None:
    presume_error(step.environ)
    assert step.told(0, "").outputs == {"verdict": "ERROR", "reason": "the gate ended before it could decide"}


def test_outputs_that_cannot_be_written_are_found_out_at_once(step: Step) -> None:
    with pytest.raises(WriteError):
        presume_error({"GITHUB_OUTPUT": str(step.workspace)})


def test_what_happened_is_told_in_every_place(step: Step) -> None:
    told = tell(step)
    assert told.outputs == {"verdict": "ERROR", "reason": "terminated"}
    assert told.summary == "\n## 🟣 ERROR: terminated\n\n- What to do: start the job again\n"
    assert told.log == "::error title=gate%3A ERROR::terminated%0Astart the job again\n"


def test_an_error_takes_the_place_of_a_verdict_told_before(step: Step) -> None:
    step.output.write_text("verdict<<d\nPASS\nd\n", encoding="utf-8")
    assert tell(step).outputs["verdict"] == "ERROR"


def test_a_traceback_is_quoted(step: Step, hostile: Sequence[str], obeyed: Obey, obeyed_unstopped: Obey) -> None:
    told = tell(step, what="x", traceback="Traceback:\n" + "\n".join(hostile))
    assert "Traceback:" in told.log
    assert [command.name for command in obeyed(told.log)] == ["error"]
    assert len(obeyed_unstopped(told.log)) == 1


def test_foreign_text_in_what_happened_is_harmless(step: Step, hostile: Sequence[str]) -> None:
    for text in hostile:
        told = tell(step, what=f"internal error: {text}")
        assert [command.name for command in told.commands] == ["error"]
        assert set(told.outputs) == {"verdict", "reason"}
    assert not any(line.startswith(("::", "<", "##[")) for line in step.summary.read_text().splitlines())


@pytest.mark.parametrize("broken", ["GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"])
def test_what_cannot_be_told_in_one_place_is_told_in_the_others(broken: str, step: Step) -> None:
    step.environ[broken] = str(step.workspace)
    told = tell(step)
    assert (told.outputs.get("verdict") == "ERROR") == (broken != "GITHUB_OUTPUT")
    assert ("ERROR" in told.summary) == (broken != "GITHUB_STEP_SUMMARY")
    assert [command.name for command in told.commands] == ["error"]


def test_a_closed_log_does_not_keep_it_from_the_outputs(step: Step) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(text)

    tell_undecided(step.environ, Closed(), what="terminated", remedy="start the job again")
    assert step.told(3, "").outputs["verdict"] == "ERROR"


def test_outside_of_a_runner_the_log_alone_says_it(obeyed: Obey) -> None:
    log = io.StringIO()
    tell_undecided({}, log, what="terminated", remedy="start the job again")
    assert [command.name for command in obeyed(log.getvalue())] == ["error"]


def test_a_hostile_reason_is_one_harmless_line(step: Step) -> None:
    told = tell(step, "::error::evil\n##[group]" + "x" * 5000)
    assert told.outputs["reason"].startswith(r"\x3a:error::evil\n\x23#[group]xxx")
    assert len(told.outputs["reason"]) < 1100
