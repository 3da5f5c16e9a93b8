"""The README says what the program does: its snippets are run, its tables held against the code."""

import csv
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml

from gate.checks import CHECKS
from gate.cli import cli
from gate.config import load_config, validate_config
from gate.config.waiver import WaiverSettings
from gate.errors import ExitCode
from gate.github.comment_settings import Mode
from gate.pipeline import run_gate
from gate.reports import REPORTS
from gate.results import GLOSSARY, REPOSITORY
from gate.scores import FORMATS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXPECTED_REPORTS = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests" / "cases").rglob("expected.*"))
)


def snippets(language: str, page: str = "README.md") -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def section(title: str, page: str = "README.md") -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    match = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#+ |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert match is not None, f"{page} has no section {title!r}"
    return match[1]


def first_column(title: str) -> set[str]:
    return set(re.findall(r"^\| `([^`]+)`", section(title), flags=re.MULTILINE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


EXPLAINING = (
    "README.md",
    *(f"docs/{name}.md" for name in ("arena", "files", "items", "pass-at-k", "planning", "scan")),
)
CONSOLE = [(page, snippet) for page in EXPLAINING for snippet in snippets("console", page)]


@pytest.mark.parametrize(("page", "snippet"), CONSOLE, ids=[text.splitlines()[0][2:60] for _, text in CONSOLE])
def test_a_console_snippet_prints_what_it_shows(page: str, snippet: str, folder: Path) -> None:
    command, expected = snippet.removeprefix("$ ").split("\n", 1)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    printed = done.stdout + done.stderr
    if os.environ.get("GATE_REWRITE"):
        rewritten = (ROOT / page).read_text(encoding="utf-8").replace(snippet, f"$ {command}\n{printed}")
        (ROOT / page).write_text(rewritten, encoding="utf-8")
        return
    assert printed == expected


@pytest.mark.parametrize(
    "snippet", [text for page in EXPLAINING for text in snippets("yaml", page) if "\njobs:\n" not in text]
)
def test_a_yaml_snippet_is_a_sound_gate_yml(snippet: str) -> None:
    validate_config(yaml.safe_load(snippet))


WORKFLOWS = sorted((ROOT / "examples").glob("*/*workflow.yml"))
PAGES = {
    "promote/workflow.yml": "docs/baselines.md",
    "pre-deploy/drift.workflow.yml": "docs/running.md",
    "pre-deploy/workflow.yml": "docs/running.md",
    "pull-request/caller.workflow.yml": "docs/running.md",
    "pull-request/one-checkout.workflow.yml": "docs/running.md",
    "fork-pull-request/evaluate.workflow.yml": "docs/pull-requests.md",
    "fork-pull-request/comment.workflow.yml": "docs/pull-requests.md",
}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_example_workflow_stands_in_its_page_word_for_word(workflow: Path) -> None:
    page = PAGES.get(f"{workflow.parent.name}/{workflow.name}", "README.md")
    assert workflow.read_text(encoding="utf-8") in snippets("yaml", page)


def test_every_example_with_a_workflow_stands_in_the_table_of_workflows() -> None:
    begin, end = README.index("## In a GitHub workflow"), README.index("## Two files")
    listed = re.findall(r"^\| \[([\w-]+)\]\(examples/\1\) \|", README[begin:end], flags=re.MULTILINE)
    assert set(listed) == {workflow.parent.name for workflow in WORKFLOWS}


def test_the_tables_of_comment_modes_are_those_of_the_program() -> None:
    page = (ROOT / "docs" / "pull-requests.md").read_text(encoding="utf-8")
    for text in (section("The comment"), page):
        heading, *modes = re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)
        assert (heading, modes) == ("comment", list(Mode))


def test_the_tables_of_inputs_and_outputs_are_those_of_the_action() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    inputs, outputs = section("The action").split("| Output |")
    assert set(re.findall(r"^\| `([^`]+)` \|", inputs, flags=re.MULTILINE)) == set(action["inputs"])
    first_cells = re.findall(r"^\| (`[^|]+) \|", outputs, flags=re.MULTILINE)
    assert {name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)} == set(action["outputs"])


def test_a_workflow_to_paste_stands_on_the_first_screen() -> None:
    assert README.index("```yaml") < README.index("## Two files")


@pytest.mark.parametrize("snippet", snippets("csv"))
def test_a_csv_snippet_begins_an_example_file(snippet: str) -> None:
    shown = list(csv.reader(snippet.splitlines()))
    for path in (ROOT / "examples").rglob("*.csv"):
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
        if all(row in rows for row in shown):
            return
    pytest.fail("no example file holds these rows")


@pytest.mark.parametrize("target", re.findall(r"^make (\w+)", "\n".join(snippets("sh")), flags=re.MULTILINE))
def test_a_make_target_of_the_readme_exists(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)


def test_the_table_of_flags_is_the_one_of_the_program() -> None:
    options = [option for option in cli.commands["check"].params if isinstance(option, click.Option)]
    flags = {next(name for name in option.opts if name.startswith("--")) for option in options}
    assert {flag.split()[0] for flag in first_column("The command line") if flag.startswith("--")} == flags


@pytest.mark.parametrize(
    ("command", "page", "title"),
    [
        ("power", "docs/planning.md", "How many items?"),
        ("selfcheck", "docs/planning.md", "Does the gate hold?"),
        ("scan", "docs/scan.md", "A scan of the training corpus"),
    ],
)
def test_the_table_of_flags_of_a_command_is_the_one_of_the_program(command: str, page: str, title: str) -> None:
    options = [option for option in cli.commands[command].params if isinstance(option, click.Option)]
    cells = re.findall(r"^\| (`--[^|]+) \|", section(title, page), flags=re.MULTILINE)
    assert [flag for cell in cells for flag in re.findall(r"`([^`]+)`", cell)] == [option.opts[0] for option in options]


def test_the_table_of_commands_is_the_one_of_the_program() -> None:
    commands = {entry.split()[1] for entry in first_column("The command line") if entry.startswith("gate ")}
    assert commands == set(cli.commands)


def test_the_table_of_exit_codes_is_the_one_of_the_program() -> None:
    rows = re.findall(r"^\| ([\d, ]+) \|", section("How it decides"), flags=re.MULTILINE)
    assert {int(code) for row in rows for code in row.split(",")} == {int(code) for code in ExitCode}


def test_every_check_has_a_section_and_no_other_does() -> None:
    assert re.findall(r"^### (\w+)$", README, flags=re.MULTILINE) == list(CHECKS)


@pytest.mark.parametrize("check", CHECKS)
def test_the_options_of_a_check_stand_in_its_section(check: str) -> None:
    assert first_column(check) == set(CHECKS[check].options.model_fields)


def defaults() -> Iterator[tuple[str, str, object]]:
    for check, known in CHECKS.items():
        for option, field in known.options.model_fields.items():
            yield check, option, "required" if field.is_required() else field.default


@pytest.mark.parametrize(("check", "option", "default"), list(defaults()))
def test_the_default_of_an_option_stands_beside_it(check: str, option: str, default: object) -> None:
    told = re.search(rf"^\| `{option}` \| (.*?) \|", section(check), flags=re.MULTILINE)
    assert told is not None
    assert told[1].strip("`") == ("none" if default is None else str(default))


@pytest.mark.parametrize("sentence", re.findall(r"Fails as: `([^`]+)`", README))
def test_an_example_of_failure_is_what_a_case_prints(sentence: str) -> None:
    assert sentence in EXPECTED_REPORTS


def test_the_table_of_a_waiver_s_keys_is_the_one_of_gate_yml() -> None:
    assert first_column("Waivers") == set(WaiverSettings.model_fields)
    required = set(re.findall(r"^\| `(\w+)` \| required \|", section("Waivers"), flags=re.MULTILINE))
    assert required == {name for name, field in WaiverSettings.model_fields.items() if field.is_required()}


def test_the_table_of_formats_is_the_one_of_the_program() -> None:
    assert first_column("Formats") == set(FORMATS)


def test_the_table_of_reports_is_the_one_of_the_program() -> None:
    assert first_column("Reports") == set(REPORTS)


PROSE = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.md")])


def without_blocks(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """What GitHub lets one link to: headings in small letters, without signs; the second of a name ends in ``-1``."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ (.+)$", without_blocks(page), flags=re.MULTILINE):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found[name] = found.get(name, 0) + 1
    return {name if number == 0 else f"{name}-{number}" for name, times in found.items() for number in range(times)}


@pytest.mark.parametrize("page", PROSE, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_into_the_repository_leads_to_a_file_and_a_heading_in_it(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s:]+)\)", re.sub(r"`[^`\n]*`", "", without_blocks(page)))
    lost = []
    for target in links:
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            lost.append(target)
    assert lost == []


def test_every_page_of_the_docs_stands_in_the_table_of_pages() -> None:
    listed = set(re.findall(r"\]\((docs/[\w-]+\.md)\)", section("Further pages")))
    assert listed == {str(page.relative_to(ROOT)) for page in (ROOT / "docs").glob("*.md")}


def test_every_picture_of_the_readme_is_there_and_small_and_no_other_is() -> None:
    shown = re.findall(r'(?:src|srcset)="(docs/pictures/[^"]+)"', README)
    assert {ROOT / path for path in shown} == set((ROOT / "docs" / "pictures").iterdir())
    assert max((ROOT / path).stat().st_size for path in shown) < 150_000


def test_every_report_links_to_the_page_of_its_terms(folder: Path) -> None:
    assert (ROOT / GLOSSARY.partition("/blob/main/")[2]).read_text(encoding="utf-8").startswith("# Glossary")
    assert GLOSSARY.startswith(f"https://github.com/{REPOSITORY}/")
    example = folder / "examples" / "worked-example"
    for name, render in REPORTS.items():
        assert GLOSSARY in render(run_gate(load_config(example / "gate.yml"))), name


def test_the_examples_name_the_repository_that_reports_link_to() -> None:
    used = re.findall(r"uses: (\S+/gate)@", README)
    assert used
    assert set(used) == {REPOSITORY}
