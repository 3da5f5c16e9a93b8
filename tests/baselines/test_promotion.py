"""The file beside a baseline: what it says counts as long as the baseline is the one that it speaks of."""

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.baselines.promotion import (
    PROMOTION_VERSION,
    MainFigures,
    Promotion,
    is_edited,
    promotion_origin,
    promotion_path,
    read_promotion,
    tree_digest,
    write_promotion,
)
from gate.config import validate_config
from gate.errors import RecordError
from gate.pipeline import run_gate
from gate.results import CheckResult, Origin, Report, Status

DAY = dt.date(2026, 1, 1)


def promote(baseline: str, **changes: object) -> Promotion:
    promotion = Promotion(
        PROMOTION_VERSION, tree_digest(Path(baseline)), DAY, "abcdef1", "PASS", "0" * 64,
        figures={"scores": {"score": MainFigures(0.5, 20)}}, **changes,  # type: ignore[arg-type]  # the tests name the fields
    )  # fmt: skip
    write_promotion(baseline, promotion)
    return promotion


@pytest.fixture
def baseline(write_csv: Callable[..., str]) -> str:
    return write_csv("main.csv", [1, 0] * 10)


def test_what_is_written_is_read_back(baseline: str) -> None:
    promotion = promote(baseline)
    assert read_promotion(baseline) == promotion
    assert not is_edited(baseline, promotion)


def test_it_lies_beside_a_file_and_beside_a_folder() -> None:
    assert promotion_path("a/main.csv") == Path("a/main.csv.promotion.json")
    assert promotion_path("a/main/") == Path("a/main.promotion.json")


def test_a_baseline_that_nobody_promoted_has_none(baseline: str) -> None:
    assert read_promotion(baseline) is None
    assert read_promotion("runs/**/*.csv") is None


def test_an_edit_is_seen(baseline: str) -> None:
    promotion = promote(baseline)
    Path(baseline).write_text("id,score\na,1\n", encoding="utf-8")
    assert is_edited(baseline, promotion)


@pytest.mark.parametrize("change", ["content", "name", "more", "link"])
def test_a_folder_is_known_by_the_names_and_contents_of_its_files(change: str, tmp_path: Path) -> None:
    folder = tmp_path / "main"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.csv").write_text("id,score\na,1\n", encoding="utf-8")
    (folder / "inner" / "b.csv").write_text("id,score\nb,1\n", encoding="utf-8")
    promotion = promote(str(folder))
    assert not is_edited(str(folder), promotion)
    match change:
        case "content":
            (folder / "inner" / "b.csv").write_text("id,score\nb,0\n", encoding="utf-8")
        case "name":
            (folder / "a.csv").rename(folder / "c.csv")
        case "more":
            (folder / "c.csv").touch()
        case "link":
            (folder / "a.csv").rename(tmp_path / "a.csv")
            (folder / "a.csv").symlink_to("../a.csv")
    assert is_edited(str(folder), promotion)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("{", "", "invalid json"),
        ('"schema_version": 1', '"schema_version": 2', "no promotion of schema version 1"),
        ('"date": "2026-01-01"', '"date": "today"', "date"),
        ('"mean": 0.5', '"mean": "high"', "number"),
    ],
)
def test_one_that_cannot_be_read_is_an_error_with_its_place(old: str, new: str, told: str, baseline: str) -> None:
    promote(baseline)
    path = promotion_path(baseline)
    path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(RecordError, match=told) as caught:
        read_promotion(baseline)
    assert caught.value.where is not None
    assert caught.value.where.path == str(path)


def test_a_baseline_that_is_gone_is_an_error(baseline: str) -> None:
    promotion = promote(baseline)
    Path(baseline).unlink()
    with pytest.raises(RecordError, match="cannot be read"):
        is_edited(baseline, promotion)


def test_its_age_is_told_where_the_day_is_known() -> None:
    promotion = Promotion(PROMOTION_VERSION, "0", DAY, "abcdef1")
    assert promotion_origin(promotion, dt.date(2026, 1, 11)) == Origin("abcdef1", DAY, 10, "promotion", "")
    assert promotion_origin(promotion, None).age_days is None


# what a run makes of it


@pytest.fixture
def report(baseline: str, write_csv: Callable[..., str]) -> Callable[[], Report]:
    candidate = write_csv("candidate.csv", [1, 0] * 10)
    suite = {"name": "scores", "baseline": baseline, "candidate": candidate}
    return lambda: run_gate(validate_config({"version": 1, "suites": [suite]}), today=dt.date(2026, 1, 31))


def coverage(report: Report) -> CheckResult:
    (found,) = [result for result in report.suites[0].results if result.check == "coverage"]
    return found


def test_a_promoted_baseline_says_where_it_comes_from(baseline: str, report: Callable[[], Report]) -> None:
    promote(baseline)
    run = report().suites[0].baseline
    assert run is not None
    assert run.origin == Origin("abcdef1", DAY, 30, "promotion", "")
    assert coverage(report()).status is Status.PASS


def test_without_a_promotion_nothing_is_said(report: Callable[[], Report]) -> None:
    run = report().suites[0].baseline
    assert run is not None
    assert run.origin is None


def test_a_baseline_that_was_edited_is_in_doubt_and_has_no_origin(baseline: str, report: Callable[[], Report]) -> None:
    promote(baseline)
    scores = Path(baseline).read_text(encoding="utf-8")
    Path(baseline).write_text(scores.replace("i0000,1", "i0000,0"), encoding="utf-8")
    found, run = coverage(report()), report().suites[0].baseline
    assert (found.status, found.reason) == (Status.WARN, "baseline-edited")
    assert found.sentence == "the baseline is not what was promoted on 2026-01-01: it was changed since"
    assert "gate promote" in found.remedy
    assert run is not None
    assert run.origin is None


def test_an_edit_back_to_what_was_promoted_is_none(baseline: str, report: Callable[[], Report]) -> None:
    promotion = promote(baseline)
    raw = Path(baseline).read_bytes()
    Path(baseline).write_bytes(raw + b"\n")
    assert coverage(report()).status is Status.WARN
    Path(baseline).write_bytes(raw)
    assert coverage(report()).status is Status.PASS
    assert json.loads(promotion_path(baseline).read_text(encoding="utf-8"))["digest"] == promotion.digest
