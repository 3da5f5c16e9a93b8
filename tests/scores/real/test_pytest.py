"""What pytest wrote of a made-up task of ten tests, against the outcomes counted by other means."""

import json
import xml.etree.ElementTree as ET

import pytest

from gate.scores import read_run
from gate.scores.summary import describe
from tests.real_files import REAL_FILES, ROOT

pytestmark = REAL_FILES


def test_a_junit_report_has_the_counts_that_it_states_itself() -> None:
    path = ROOT / "pytest" / "junit.xml"
    run, stated = read_run(path), ET.parse(path).getroot()[0].attrib  # noqa: S314  # a file of our own
    told = describe(run).metrics["passed"]
    assert run.source.format == "junit"
    assert run.n_items == int(stated["tests"]) == 10
    # of the two that it calls skipped one is an expected failure, which is a failure
    assert told.missing == int(stated["errors"]) + int(stated["skipped"]) - 1 == 3
    assert told.mean == pytest.approx(1 - (int(stated["failures"]) + 1) / 7, abs=1e-12)


def test_a_json_report_has_the_counts_that_it_states_itself() -> None:
    path = ROOT / "pytest" / "report.json"
    run, stated = read_run(path), json.loads(path.read_text())["summary"]
    told = describe(run).metrics["passed"]
    assert run.source.format == "pytest_json"
    assert run.n_items == stated["total"]
    assert told.missing == stated["error"] + stated["skipped"]
    passed, failed = stated["passed"] + stated["xpassed"], stated["failed"] + stated["xfailed"]
    assert told.mean == pytest.approx(passed / (passed + failed), abs=1e-12)


def test_both_reports_hold_the_same_scores() -> None:
    junit, json_report = read_run(ROOT / "pytest" / "junit.xml"), read_run(ROOT / "pytest" / "report.json")
    assert junit.metrics["passed"].status.tolist() == json_report.metrics["passed"].status.tolist()
    assert describe(junit).metrics["score"] == describe(json_report).metrics["score"]
