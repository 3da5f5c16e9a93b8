"""Foreign text through the action: its log, annotations, outputs and summary say it, and do nothing else."""

from pathlib import Path

import pytest

from tests.github.conftest import Step
from tests.injection.nothing_live import in_html, in_markdown, in_text, in_xml
from tests.injection.payloads import GROUPS, PAYLOADS
from tests.injection.scenes import FEW, SCENES

SCENES_OF_A_CONFIG = ("ids", "texts", "suites", "battles")


@pytest.fixture
def step(tmp_path: Path) -> Step:
    (tmp_path / "workspace").mkdir()
    return Step(tmp_path / "workspace", tmp_path / "set_output", tmp_path / "step_summary")


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("scene", SCENES_OF_A_CONFIG)
def test_the_runner_sees_the_gate_s_own_commands_and_outputs(
    scene: str, group: str, step: Step, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(step.workspace)
    for arguments in SCENES[scene](PAYLOADS[group]):
        if "--config" in arguments:
            break
    told = step.run(config="gate.yml", proposed_config=f"{PAYLOADS[group][0]}.yml".replace("\0", "").splitlines()[0])
    assert told.code in {0, 1, 2}
    assert {command.name for command in told.commands} <= {"error", "warning", "notice"}
    assert all(command.properties["title"].startswith("gate: ") for command in told.commands)
    assert set(told.outputs["verdict"]) <= set("PASSWARNBLOCKERROR")
    for value in told.outputs.values():
        in_text(value)
        assert "\n" not in value
    in_markdown(told.summary)
    folder = step.workspace / "gate-report"
    for name, look in (("report.md", in_markdown), ("report.html", in_html), ("report.xml", in_xml)):
        look((folder / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("group", GROUPS)
def test_an_input_of_hostile_words_is_an_error_that_says_so(group: str, step: Step) -> None:
    for payload in PAYLOADS[group][: 2 * FEW]:
        word = payload.replace("\0", "").encode("utf-8", "replace").decode()
        told = step.run(candidate=word, format=word, metric=word, report_dir=word)
        assert told.outputs["verdict"] == "ERROR"
        assert {command.name for command in told.commands} == {"error"}
        in_text(told.outputs["reason"])
        in_markdown(told.summary)
        step.summary.write_text("")
