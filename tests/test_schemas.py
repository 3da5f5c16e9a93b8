"""The JSON Schemas: fresh, sound, and of one mind with the program."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from gate.config import load_config
from gate.errors import ConfigError

ROOT = Path(__file__).parent.parent
SCHEMAS = ROOT / "schemas"
CONFIGS = sorted(
    path
    for path in [*(ROOT / "examples").rglob("gate.yml"), *(ROOT / "tests" / "cases").rglob("gate.yml")]
    if path.parent.name not in {"unknown-key", "duplicate-key", "waiver-without-an-end"}
)
SCANS = sorted(path for path in (ROOT / "tests" / "cases").rglob("scan.json") if path.parent.name != "scan-file-broken")
REPORTS = sorted((ROOT / "tests" / "cases").rglob("expected.json"))

SOUND = """\
version: 1
policies: {fail_on: warn, show_text: snippets, seed: 7}
suites:
  - name: answers
    baseline: a.csv
    candidate: b.csv
    format: csv
    metrics: {accuracy: , latency: {direction: lower, scale: [0, 60]}}
    columns: {id: [task, row], inputs: question}
    checks:
      coverage: {missing: fail, min_coverage: 1}
      threshold: {bar: 0.7, method: resample, alpha: 0.1, n_resamples: 1000}
      regression: {margin: 0.05, cannot_tell: warn}
      drift: {rule: bands, edges: [0.25, 0.5]}
      contamination:
        corpus: [train/, "more/*.txt"]
        ngram: [3, 5]
        mode: normalised
        text_field: body
        allow: [{text: "Which of these is true?", reason: A template.}]
        on_leak: fail
waivers:
  - {check: drift, suite: answers, metric: latency, reason: New graders., approved_by: Ada, expires: "2999-12-31"}
"""
# in SOUND, replace this by that
UNSOUND = {
    "an unknown key of the file": ("version: 1", "version: 1\npolicy: {}"),
    "an unknown policy": ("seed: 7", "sead: 7"),
    "an unknown key of a suite": ("baseline: a.csv", "basline: a.csv"),
    "an unknown key of a metric": ("{direction: lower", "{way: lower"),
    "an unknown column": ("inputs: question", "question: question"),
    "an unknown check": ("drift:", "shift:"),
    "an unknown option": ("rule: bands", "rules: bands"),
    "an unknown choice": ("on_leak: fail", "on_leak: drop"),
    "an n-gram of no words": ("ngram: [3, 5]", "ngram: [3, 0]"),
    "an allowed text without a reason": (", reason: A template.", ""),
    "another version": ("version: 1", "version: 2"),
    "no version": ("version: 1\n", ""),
    "an unknown format": ("format: csv", "format: xls"),
    "text where a number stands": ("bar: 0.7", "bar: high"),
    "a share over one": ("min_coverage: 1", "min_coverage: 90"),
    "a scale with three ends": ("scale: [0, 60]", "scale: [0, 30, 60]"),
    "a key without a value": ("baseline: a.csv", "baseline:"),
    "a waiver of an unknown check": ("check: drift", "check: shift"),
    "a waiver without an end": (', expires: "2999-12-31"', ""),
    "a waiver until no day": ("2999-12-31", "31.12.2999"),
    "a waiver without a reason": ("reason: New graders.", 'reason: ""'),
    "an unknown key of a waiver": ("approved_by", "approver"),
    "a suite without a name": ("name: answers\n    ", ""),
}


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((SCHEMAS / name).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def errors(name: str, document: object) -> list[str]:
    return [error.message for error in validator(name).iter_errors(document)]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with schemas as the script writes them."""
    folder = tmp_path_factory.mktemp("fresh")
    script = "import runpy, sys; runpy.run_path(sys.argv[1])['write_schemas'](__import__('pathlib').Path(sys.argv[2]))"
    subprocess.run([sys.executable, "-c", script, ROOT / "tests" / "schemas.py", folder], check=True)
    return folder


@pytest.mark.parametrize("name", ["gate.schema.json", "report.schema.json", "scan.schema.json"])
def test_a_committed_schema_is_what_the_code_says_today(name: str, written: Path) -> None:
    fresh = (written / name).read_text(encoding="utf-8")
    assert (SCHEMAS / name).read_text(encoding="utf-8") == fresh, "run `make schemas`"


def test_no_other_file_lies_among_the_schemas(written: Path) -> None:
    assert {path.name for path in SCHEMAS.iterdir()} == {path.name for path in written.iterdir()}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.parent.name)
def test_a_sound_gate_yml_satisfies_the_schema(path: Path) -> None:
    assert errors("gate.schema.json", yaml.safe_load(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.parent.name)
def test_a_report_satisfies_the_schema(path: Path) -> None:
    assert errors("report.schema.json", json.loads(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", SCANS, ids=lambda path: path.parent.name)
def test_a_scan_satisfies_the_schema(path: Path) -> None:
    assert errors("scan.schema.json", json.loads(path.read_text(encoding="utf-8"))) == []


def test_an_error_report_satisfies_the_schema(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    command = [sys.executable, "-m", "gate", "check", "--candidate", "nowhere.csv", "--report", f"json:{path}"]
    subprocess.run(command, capture_output=True, check=False)
    assert errors("report.schema.json", json.loads(path.read_text(encoding="utf-8"))) == []


def test_schema_and_program_agree_on_what_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text(SOUND, encoding="utf-8")
    load_config(path)
    assert errors("gate.schema.json", yaml.safe_load(SOUND)) == []


@pytest.mark.parametrize("fault", UNSOUND)
def test_schema_and_program_agree_on_what_is_not(fault: str, tmp_path: Path) -> None:
    sound, unsound = UNSOUND[fault]
    assert sound in SOUND
    text = SOUND.replace(sound, unsound, 1)
    path = tmp_path / "gate.yml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError):
        load_config(path)
    assert errors("gate.schema.json", yaml.safe_load(text))


def test_a_report_with_an_unknown_verdict_does_not_satisfy_the_schema() -> None:
    report: dict[str, Any] = json.loads(REPORTS[0].read_text(encoding="utf-8"))
    report["verdict"]["word"] = "MAYBE"
    assert errors("report.schema.json", report)


def test_every_key_is_described_for_editors() -> None:
    schema = json.loads((SCHEMAS / "gate.schema.json").read_text(encoding="utf-8"))
    places = [schema, *schema["$defs"].values()]
    keys = [(key, value) for place in places for key, value in place.get("properties", {}).items()]
    # a description that is also that of the type stands there alone
    told = [
        (key, {**schema["$defs"].get(value.get("$ref", "").rpartition("/")[2], {}), **value}) for key, value in keys
    ]
    assert [key for key, value in told if not value.get("description")] == []
