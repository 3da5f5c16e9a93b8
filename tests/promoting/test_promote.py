"""`gate promote`: what becomes the baseline, and what does not."""

import json
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gate.baselines.promotion import promotion_path, read_promotion
from gate.cli import run

Captured = pytest.CaptureFixture[str]
DAY = "1767225600"  # 2026-01-01
COMMIT = "abcdef1234567"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, on a known day, in which nothing but the test says what is judged."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", DAY)
    for name in ("GITHUB_SHA", "GITHUB_ACTOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def write(path: str, scores: Sequence[object]) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    rows = "".join(f"q{row},{score}\n" for row, score in enumerate(scores))
    Path(path).write_text(f"id,score\n{rows}", encoding="utf-8")
    return path


GOOD = [1] * 90 + [0] * 10


@pytest.fixture
def judged(capsys: Captured) -> Callable[..., str]:
    """Judges a file and writes report.json."""

    def judge(*arguments: str, report: str = "report.json") -> str:
        run(["check", *arguments, "--report", f"json:{report}", "--quiet"])
        capsys.readouterr()
        return report

    return judge


@pytest.fixture
def passing(judged: Callable[..., str]) -> list[str]:
    write("candidate.csv", GOOD)
    report = judged("--candidate", "candidate.csv", "--threshold", "0.5")
    return ["promote", "candidate.csv", "main.csv", "--report", report, "--commit", COMMIT]


@pytest.fixture
def blocked(judged: Callable[..., str]) -> list[str]:
    write("candidate.csv", GOOD)
    report = judged("--candidate", "candidate.csv", "--threshold", "0.95")
    return ["promote", "candidate.csv", "main.csv", "--report", report]


def refused(arguments: list[str], capsys: Captured) -> str:
    """What is told of a promotion that is refused; nothing may have been written."""
    before = sorted((path, path.read_bytes()) for path in Path().rglob("*") if path.is_file() and not path.is_symlink())
    assert run(arguments) == 2
    after = sorted((path, path.read_bytes()) for path in Path().rglob("*") if path.is_file() and not path.is_symlink())
    assert before == after
    told = capsys.readouterr().err
    assert "\n  remedy: " in told
    return told


def written(baseline: str = "main.csv") -> dict[str, object]:
    found: dict[str, object] = json.loads(promotion_path(baseline).read_text(encoding="utf-8"))
    return found


def test_a_candidate_that_passed_becomes_the_baseline(passing: list[str], capsys: Captured) -> None:
    assert run(passing) == 0
    assert Path("main.csv").read_bytes() == Path("candidate.csv").read_bytes()
    told = written()
    assert (told["date"], told["commit"], told["verdict"], told["reason"]) == ("2026-01-01", COMMIT, "PASS", None)
    assert told["figures"] == {"scores": {"score": {"mean": 0.9, "n": 100}}}
    assert capsys.readouterr().out.startswith(f"promoted to main.csv: judged PASS, commit {COMMIT[:12]}, SHA-256 ")


def test_what_was_written_down_satisfies_what_reads_it(passing: list[str]) -> None:
    run(passing)
    promotion = read_promotion("main.csv")
    assert promotion is not None
    assert promotion.digest == written()["digest"]


def test_the_same_promotion_on_another_day_changes_no_byte(
    passing: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    run(passing)
    before = Path("main.csv.promotion.json").read_bytes(), Path("main.csv").stat().st_mtime_ns
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    monkeypatch.setenv("GITHUB_ACTOR", "somebody-else")
    capsys.readouterr()
    assert run(passing) == 0
    assert (Path("main.csv.promotion.json").read_bytes(), Path("main.csv").stat().st_mtime_ns) == before
    assert "is this candidate already: nothing was changed" in capsys.readouterr().out


def test_a_baseline_that_was_edited_is_promoted_anew(passing: list[str]) -> None:
    run(passing)
    write("main.csv", [1])
    assert run(passing) == 0
    assert Path("main.csv").read_bytes() == Path("candidate.csv").read_bytes()


def test_a_promotion_that_cannot_be_read_is_written_anew(passing: list[str]) -> None:
    run(passing)
    whole = written()
    Path("main.csv.promotion.json").write_text("{", encoding="utf-8")
    assert run(passing) == 0
    assert written() == whole


def test_a_warn_is_promoted_and_said(judged: Callable[..., str], capsys: Captured) -> None:
    write("main.csv", GOOD)
    write("candidate.csv", [1] * 90 + [0] * 9 + ["error"])
    report = judged("--candidate", "candidate.csv", "--baseline", "main.csv")
    assert run(["promote", "candidate.csv", "main.csv", "--report", report]) == 0
    assert "WARN: what the report warns of is part of the baseline" in capsys.readouterr().out
    assert written()["verdict"] == "WARN"


def test_a_block_is_refused_with_its_reason(blocked: list[str], capsys: Captured) -> None:
    told = refused(blocked, capsys)
    assert "report.json: the report says BLOCK: low 0.840 is under the bar 0.95" in told


def test_a_block_is_promoted_by_a_person_s_word(blocked: list[str], capsys: Captured) -> None:
    assert run([*blocked, "--force", "--reason", "the new\n tokenizer"]) == 0
    assert (written()["verdict"], written()["reason"]) == ("BLOCK", "the new tokenizer")
    assert "forced: the new tokenizer" in capsys.readouterr().out


def test_a_run_that_could_not_be_judged_is_refused(judged: Callable[..., str], capsys: Captured) -> None:
    write("candidate.csv", GOOD)
    report = judged("--candidate", "nowhere.csv", "--threshold", "0.5")
    arguments = ["promote", "candidate.csv", "main.csv", "--report", report]
    assert "the report says ERROR: there is no such file" in refused(arguments, capsys)
    assert "not about this candidate" in refused([*arguments, "--force", "--reason", "why"], capsys)


@pytest.mark.parametrize("more", [["--force"], ["--reason", "why"], ["--force", "--reason", " - "]])
def test_force_and_reason_go_together(more: list[str], blocked: list[str], capsys: Captured) -> None:
    assert "--force needs --reason" in refused([*blocked, *more], capsys)


def test_a_reason_is_short(blocked: list[str], capsys: Captured) -> None:
    assert "over 300 characters" in refused([*blocked, "--force", "--reason", "why " * 100], capsys)


def test_without_a_report_it_takes_a_person_s_word(capsys: Captured) -> None:
    write("candidate.csv", GOOD)
    arguments = ["promote", "candidate.csv", "main.csv"]
    assert "no report says that this candidate may become the baseline" in refused(arguments, capsys)
    assert run([*arguments, "--force", "--reason", "the first baseline"]) == 0
    assert (written()["verdict"], written()["report"], written()["figures"]) == (None, None, {})


@pytest.mark.parametrize("force", [[], ["--force", "--reason", "why"]])
def test_a_report_about_another_file_is_refused_in_any_case(
    force: list[str], passing: list[str], capsys: Captured
) -> None:
    write("candidate.csv", [1] * 100)
    assert "not about this candidate" in refused([*passing, *force], capsys)


@pytest.mark.parametrize(
    ("content", "told"),
    [("{}", "no report of schema version 1"), ('{"schema_version": 2}', "schema version 1"), ("[", "not JSON")],
)
def test_what_is_no_report_of_this_version_is_refused(
    content: str, told: str, passing: list[str], capsys: Captured
) -> None:
    Path("report.json").write_text(content, encoding="utf-8")
    assert told in refused(passing, capsys)


def test_the_file_is_known_by_its_bytes_wherever_it_lies(passing: list[str]) -> None:
    Path("elsewhere").mkdir()
    shutil.move("candidate.csv", "elsewhere/new.csv")
    assert run(["promote", "elsewhere/new.csv", *passing[2:]]) == 0


def test_a_compressed_file_stays_as_it_is(judged: Callable[..., str]) -> None:
    import gzip  # noqa: PLC0415  # only here

    Path("candidate.csv.gz").write_bytes(gzip.compress(Path(write("plain.csv", GOOD)).read_bytes(), mtime=0))
    report = judged("--candidate", "candidate.csv.gz", "--threshold", "0.5")
    assert run(["promote", "candidate.csv.gz", "main.csv.gz", "--report", report]) == 0
    assert Path("main.csv.gz").read_bytes() == Path("candidate.csv.gz").read_bytes()


def place(kind: str, path: str) -> None:
    make: dict[str, Callable[[], object]] = {
        "link": lambda: Path(path).symlink_to("report.json"),
        "dangling link": lambda: Path(path).symlink_to("nowhere"),
        "pipe": lambda: os.mkfifo(path),
        "folder": lambda: Path(path).mkdir(),
    }
    make[kind]()


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("link", "this is a link"),
        ("dangling link", "this is a link"),
        ("pipe", "not a regular file"),
        ("folder", "both be files, or both folders"),
    ],
)
def test_only_a_regular_file_is_replaced(kind: str, told: str, passing: list[str], capsys: Captured) -> None:
    place(kind, "main.csv")
    assert told in refused(passing, capsys)


@pytest.mark.parametrize(("kind", "told"), [("link", "this is a link"), ("pipe", "not a regular file")])
def test_only_a_regular_file_is_promoted(kind: str, told: str, passing: list[str], capsys: Captured) -> None:
    place(kind, "other.csv")
    assert told in refused(["promote", "other.csv", *passing[2:]], capsys)


@pytest.mark.parametrize(
    ("baseline", "told"),
    [
        ("candidate.csv", "are one"),
        ("./candidate.csv", "are one"),
        ("git:main:main.csv", "no path of a file"),
        ("", "no path of a file"),
        ("s3://bucket/main.csv", "no path of a file"),
        ("main.csv.promotion.json", "that of a promotion"),
        ("candidate.csv/main.csv", "lies in the other"),
        ("a\0b", "cannot be read"),
    ],
)
def test_a_place_that_cannot_be_a_baseline_is_refused(
    baseline: str, told: str, passing: list[str], capsys: Captured
) -> None:
    assert told in refused(["promote", "candidate.csv", baseline, *passing[3:]], capsys)


def test_a_missing_candidate_is_told(passing: list[str], capsys: Captured) -> None:
    assert "nowhere.csv: there is no such file" in refused(["promote", "nowhere.csv", *passing[2:]], capsys)


def test_a_folder_where_the_promotion_goes_is_told(passing: list[str], capsys: Captured) -> None:
    Path("main.csv.promotion.json").mkdir()
    assert "a folder lies where the promotion is to be written down" in refused(passing, capsys)


def test_a_place_that_cannot_be_written_is_told(passing: list[str], capsys: Captured) -> None:
    arguments = ["promote", "candidate.csv", "report.json/main.csv", *passing[3:]]
    assert "the file cannot be written" in refused(arguments, capsys)


# folders


@pytest.fixture
def folders(judged: Callable[..., str]) -> list[str]:
    write("runs/one.csv", GOOD)
    write("runs/two.csv", [1] * 80 + [0] * 20)
    report = judged("--candidate", "runs", "--threshold", "0.5")
    return ["promote", "runs", "main", "--report", report, "--commit", COMMIT]


def test_a_folder_is_promoted_whole(folders: list[str]) -> None:
    write("main/old.csv", [0])
    assert run(folders) == 0
    assert sorted(path.name for path in Path("main").iterdir()) == ["one.csv", "two.csv"]
    assert sorted(path.name for path in Path().iterdir() if path.name.startswith(".")) == []
    assert set(written("main")["figures"]) == {"scores/one", "scores/two"}  # type: ignore[call-overload]  # a mapping


def test_a_folder_is_promoted_once(folders: list[str], capsys: Captured) -> None:
    run(folders)
    capsys.readouterr()
    assert run(["promote", "runs", "main/", *folders[3:]]) == 0
    assert "nothing was changed" in capsys.readouterr().out


def test_a_task_that_changed_since_it_was_judged_is_named(folders: list[str], capsys: Captured) -> None:
    write("runs/two.csv", [1] * 100)
    assert "whose content is another one, in scores/two" in refused(folders, capsys)


def test_a_folder_with_a_link_in_it_is_refused(folders: list[str], capsys: Captured) -> None:
    Path("runs/three.csv").symlink_to("one.csv")
    assert "runs/three.csv: this is a link" in refused(folders, capsys)


def test_a_folder_judged_as_one_suite_is_known_by_its_tasks(judged: Callable[..., str]) -> None:
    write("runs/one.csv", GOOD)
    write("runs/two.csv", [1] * 80 + [0] * 20)
    config = "version: 1\nsuites: [{name: all, candidate: runs, tasks_as: strata, checks: {threshold: {bar: 0.5}}}]\n"
    Path("gate.yml").write_text(config, encoding="utf-8")
    report = judged("--config", "gate.yml")
    assert run(["promote", "runs", "main", "--report", report]) == 0


def test_where_the_new_folder_cannot_be_put_the_old_one_comes_back(
    folders: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    write("main/old.csv", [0])
    rename = Path.rename

    def fail(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr("gate.promoting.swapping._exchange", lambda *_: False)
    monkeypatch.setattr(Path, "rename", fail)
    assert "the baseline cannot be written: No space left on device" in refused(folders, capsys)


# who and what of


def test_the_commit_is_that_of_github_and_so_is_the_person(passing: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_SHA", "0123456789abcdef")
    monkeypatch.setenv("GITHUB_ACTOR", "ada")
    assert run(passing[:-2]) == 0
    assert (written()["commit"], written()["promoted_by"]) == ("0123456789abcdef", "ada")


def test_what_is_no_commit_is_refused(passing: list[str], capsys: Captured) -> None:
    assert "--commit is no commit: 'main'" in refused([*passing[:-1], "main"], capsys)


def test_hostile_names_are_shown_and_not_obeyed(blocked: list[str], capsys: Captured) -> None:
    run([*blocked, "--force", "--reason", "::error::x \x1b[31m"])
    assert "\x1b" not in capsys.readouterr().out
