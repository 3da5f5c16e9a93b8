import errno
import hashlib
import io
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest

from gate import entry
from gate.baselines.stored import read_stored
from gate.console import Console, complain, printing
from gate.entry import (
    STDOUT,
    TERMINAL,
    ReportTarget,
    Request,
    build_config,
    carry_out,
    conclude,
    error_report,
    fail,
    fault_of,
    this_day,
)
from gate.errors import ConfigError, ExitCode, Place, ScoreFileError, UsageError, WriteError
from gate.reports import REPORTS
from gate.reports.json import load
from gate.results import Effect, FailOn, Fault, Report, Word
from tests.conftest import Sandbox

WriteCsv = Callable[..., str]

ANSWERS = """\
version: 1
policies: {fail_on: warn, seed: 3}
suites:
  - name: answers
    baseline: a.csv
    candidate: b.csv
    metrics: {acc: {scale: [0, 10]}, f1: {}}
    checks:
      threshold: {bar: 5, alpha: 0.1}
      regression: true
      drift: false
"""


class Broken(io.StringIO):
    """A stream that cannot be written."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def flush(self) -> None:
        raise OSError(self._number, os.strerror(self._number))

    def fileno(self) -> int:
        raise OSError(errno.EBADF, "no descriptor")


@pytest.fixture
def console() -> Console:
    return Console(io.StringIO(), io.StringIO())


def told(console: Console) -> str:
    assert isinstance(console.err, io.StringIO)
    return console.err.getvalue()


def shown(console: Console) -> str:
    assert isinstance(console.out, io.StringIO)
    return console.out.getvalue()


@pytest.fixture
def pair(write_csv: WriteCsv) -> Request:
    return Request(baseline=write_csv("a.csv", [1.0] * 20), candidate=write_csv("b.csv", [1.0] * 20))


@pytest.fixture
def worse(write_csv: WriteCsv) -> Request:
    return Request(baseline=write_csv("a.csv", [1.0] * 20), candidate=write_csv("b.csv", [0.0] * 10 + [1.0] * 10))


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "gate.yml"
    path.write_text(ANSWERS, encoding="utf-8")
    return str(path)


# the configuration in force


def test_flags_alone_make_one_suite_with_the_defaults() -> None:
    (suite,) = build_config(Request(baseline="a.csv", candidate="b.csv")).suites
    assert (suite.name, suite.baseline, suite.candidate) == ("scores", "a.csv", "b.csv")
    assert suite.checks.options("contamination") is None
    assert not any(suite.checks.is_asked(name) for name in ("coverage", "threshold", "regression", "drift"))


def test_flags_alone_set_bar_corpus_metrics_and_format() -> None:
    request = Request(candidate="b.csv", threshold=0.0, corpus=("x", "y"), metrics=("acc", "f1"), format="csv")
    (suite,) = build_config(request).suites
    assert dump(suite.checks.options("threshold"))["bar"] == 0.0
    assert dump(suite.checks.options("contamination"))["corpus"] == ("x", "y")
    assert (list(suite.metrics), suite.format) == (["acc", "f1"], "csv")


@pytest.mark.parametrize("request_", [Request(), Request(baseline="a.csv"), Request(threshold=0.7)])
def test_without_a_candidate_there_is_nothing_to_judge(request_: Request) -> None:
    with pytest.raises(UsageError, match="there is nothing to judge"):
        build_config(request_)


def test_a_file_alone_holds_as_it_stands(config: str, tmp_path: Path) -> None:
    built = build_config(Request(config=config))
    (suite,) = built.suites
    assert (built.policies.fail_on, built.policies.seed) == (FailOn.WARN, 3)
    assert suite.baseline == str(tmp_path / "a.csv")
    assert (suite.checks.is_asked("regression"), suite.checks.options("drift")) == (True, None)
    assert not suite.checks.is_asked("coverage")


def test_flags_go_over_the_file_and_leave_the_rest_of_it(config: str, tmp_path: Path) -> None:
    built = build_config(Request(config=config, candidate="new.csv", threshold=7.5, fail_on=FailOn.NEVER))
    (suite,) = built.suites
    threshold = dump(suite.checks.options("threshold"))
    assert (suite.baseline, suite.candidate) == (str(tmp_path / "a.csv"), "new.csv")
    assert (threshold["bar"], threshold["alpha"]) == (7.5, 0.1)
    assert (suite.checks.is_asked("regression"), suite.checks.options("drift")) == (True, None)
    assert (built.policies.fail_on, built.policies.seed) == (FailOn.NEVER, 3)


def test_a_metric_chosen_by_flag_keeps_its_settings(config: str) -> None:
    (suite,) = build_config(Request(config=config, metrics=("acc", "new"))).suites
    assert list(suite.metrics) == ["acc", "new"]
    assert suite.metrics["acc"].scale == (0, 10)


def test_a_corpus_by_flag_asks_for_contamination(config: str) -> None:
    (suite,) = build_config(Request(config=config, corpus=("train",))).suites
    assert suite.checks.is_asked("contamination")


@pytest.mark.parametrize(
    "asked",
    [
        {"baseline": "x"}, {"candidate": "x"}, {"threshold": 0.0}, {"corpus": ("x",)}, {"metrics": ("x",)},
        {"format": "csv"},
    ],
)  # fmt: skip
def test_flags_that_speak_of_scores_do_not_fit_several_suites(asked: Mapping[str, object], tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text(
        "version: 1\nsuites: [{name: a, baseline: x, candidate: a}, {name: b, baseline: x, candidate: b}]\n",
        encoding="utf-8",
    )
    request = Request(config=str(path))
    assert len(build_config(replace(request, fail_on=FailOn.NEVER)).suites) == 2
    with pytest.raises(UsageError, match="has 2 suites: the flags do not say which one they mean"):
        build_config(replace(request, **asked))  # type: ignore[arg-type]  # the fields are named


@pytest.mark.parametrize(
    ("given", "flag"),
    [
        ({"config": ""}, "--config"), ({"candidate": ""}, "--candidate"), ({"baseline": ""}, "--baseline"),
        ({"metrics": ("acc", "")}, "--metric"), ({"corpus": ("",)}, "--corpus"),
    ],
)  # fmt: skip
def test_an_empty_value_such_as_a_variable_that_is_not_set_is_an_error(given: Mapping[str, Any], flag: str) -> None:
    with pytest.raises(UsageError) as caught:
        build_config(replace(Request(candidate="b.csv"), **given))
    assert caught.value.what == f"{flag} is empty"
    assert "is a variable not set?" in caught.value.remedy


def test_a_flag_out_of_its_range_is_an_error_of_the_command_line() -> None:
    with pytest.raises(ConfigError) as caught:
        build_config(Request(candidate="b.csv", threshold=float("nan")))
    assert caught.value.where == Place("--threshold")
    assert caught.value.what == "nan is not a finite number"


def test_a_candidate_alone_has_nothing_to_be_judged_by() -> None:
    with pytest.raises(ConfigError, match="there is nothing to judge by") as caught:
        build_config(Request(candidate="b.csv"))
    assert caught.value.where == Place("the command line")
    assert "give --baseline FILE or --threshold BAR" in caught.value.remedy


def test_a_bar_over_questions_alone_is_not_silently_ignored(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text(
        "version: 1\nsuites: [{name: q, checks: {contamination: {items: q.csv, corpus: c}}}]\n", encoding="utf-8"
    )
    with pytest.raises(ConfigError, match="'threshold' needs a candidate") as caught:
        build_config(Request(config=str(path), threshold=0.9))
    assert caught.value.where == Place("--threshold")


def test_a_file_that_only_flags_make_whole_is_sound(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text("version: 1\nsuites: [{name: a, checks: {threshold: {alpha: 0.1}}}]\n", encoding="utf-8")
    (suite,) = build_config(Request(config=str(path), candidate="b.csv", threshold=0.7)).suites
    assert dump(suite.checks.options("threshold"))["alpha"] == 0.1
    with pytest.raises(ConfigError, match="without a bar") as caught:
        build_config(Request(config=str(path), candidate="b.csv"))
    assert caught.value.where == Place(str(path), None, "suites[0].checks.threshold")


def dump(options: object) -> dict[str, object]:
    assert hasattr(options, "model_dump")
    dumped: dict[str, object] = options.model_dump()
    return dumped


# judging and exiting


@pytest.mark.parametrize(
    ("fail_on", "expected"),
    [(None, ExitCode.BLOCKED), (FailOn.BLOCK, ExitCode.BLOCKED), (FailOn.WARN, ExitCode.BLOCKED), (FailOn.NEVER, 0)],
)
def test_a_block_exits_1_unless_it_never_shall(
    fail_on: FailOn | None, expected: int, worse: Request, console: Console
) -> None:
    assert carry_out(replace(worse, fail_on=fail_on), console) == expected


@pytest.mark.parametrize(("fail_on", "expected"), [(None, 0), (FailOn.WARN, ExitCode.BLOCKED), (FailOn.NEVER, 0)])
def test_a_warning_exits_1_only_where_asked(
    fail_on: FailOn | None, expected: int, write_csv: WriteCsv, console: Console
) -> None:
    request = Request(
        baseline=write_csv("a.csv", [1.0] * 40),
        candidate=write_csv("b.csv", [1.0] * 39 + [""]),
        fail_on=fail_on,
        targets=(TERMINAL,),
    )
    assert carry_out(request, console) == expected
    assert shown(console).startswith("WARN: ")


def test_a_pass_exits_0_and_says_nothing_on_standard_error(pair: Request, console: Console) -> None:
    assert carry_out(replace(pair, targets=(TERMINAL,)), console) == ExitCode.OK
    assert shown(console).startswith("PASS: ")
    assert told(console) == ""


def test_without_a_target_nothing_is_printed(pair: Request, console: Console) -> None:
    carry_out(pair, console)
    assert shown(console) == told(console) == ""


def test_every_target_gets_its_report(pair: Request, console: Console, tmp_path: Path) -> None:
    targets = (*(ReportTarget(form, str(tmp_path / form)) for form in REPORTS), ReportTarget("json", STDOUT))
    carry_out(replace(pair, targets=targets), console)
    assert {path.name for path in tmp_path.iterdir()} == set(REPORTS)
    assert shown(console) == (tmp_path / "json").read_text(encoding="utf-8")
    assert load(shown(console)).verdict.word is Word.PASS


def test_a_summary_says_where_the_page_is_that_is_written_with_it(
    pair: Request, console: Console, tmp_path: Path
) -> None:
    page = ReportTarget("html", str(tmp_path / "pages" / "page.html"))
    summary = ReportTarget("markdown", str(tmp_path / "summary.md"))
    (tmp_path / "pages").mkdir()
    carry_out(replace(pair, targets=(summary, page)), console)
    assert "[`pages/page.html`](pages/page.html)" in (tmp_path / "summary.md").read_text(encoding="utf-8")


def test_the_command_stands_in_the_report(pair: Request, console: Console) -> None:
    carry_out(replace(pair, command="gate check ...", targets=(ReportTarget("json", STDOUT),)), console)
    assert load(shown(console)).provenance.command == "gate check ..."


def test_a_conclusion_holds_the_report_and_no_error(worse: Request, console: Console) -> None:
    conclusion = conclude(worse, console)
    assert (conclusion.code, conclusion.error) == (ExitCode.BLOCKED, None)
    assert conclusion.report.verdict.word is Word.BLOCK


WAIVED = """\
version: 1
suites: [{name: answers, baseline: BASELINE, candidate: CANDIDATE, checks: {drift: false}}]
waivers: [{check: regression, reason: a shorter prompt, approved_by: Ada, expires: 2026-01-31}]
"""


@pytest.fixture
def waived(worse: Request, tmp_path: Path) -> Request:
    path = tmp_path / "gate.yml"
    text = WAIVED.replace("BASELINE", str(worse.baseline)).replace("CANDIDATE", str(worse.candidate))
    path.write_text(text, encoding="utf-8")
    return Request(config=str(path))


@pytest.mark.parametrize(
    ("day", "word", "code"),
    [(date(2026, 1, 31), Word.WARN, ExitCode.OK), (date(2026, 2, 1), Word.BLOCK, ExitCode.BLOCKED)],
)
def test_a_waiver_holds_by_the_clock_of_the_entrance(
    day: date, word: Word, code: ExitCode, waived: Request, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "this_day", lambda: day)
    conclusion = conclude(waived, console)
    assert (conclusion.report.verdict.word, conclusion.code) == (word, code)
    assert conclusion.report.provenance.today == day


def test_a_waiver_stands_when_flags_are_laid_over_its_file(
    waived: Request, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "this_day", lambda: date(2026, 1, 1))
    laid_over = replace(waived, metrics=("score",), fail_on=FailOn.WARN)
    conclusion = conclude(laid_over, console)
    assert (conclusion.report.verdict.word, conclusion.code) == (Word.WARN, ExitCode.BLOCKED)


def test_a_waiver_of_a_metric_that_a_flag_leaves_out_is_only_not_used(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    waiver = "{check: drift, metric: f1, reason: new graders, approved_by: Ada, expires: 2026-01-31}"
    path.write_text(f"{ANSWERS}waivers: [{waiver}]\n", encoding="utf-8")
    assert len(build_config(Request(config=str(path), metrics=("acc",))).waivers) == 1


def test_the_day_is_that_of_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> "Clock":
            asked.append(tz)
            return cls(2026, 1, 31, 23, 59, tzinfo=tz)

    monkeypatch.setattr(entry, "datetime", Clock)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert (this_day(), asked) == (date(2026, 1, 31), [UTC])


def test_the_day_can_be_pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")
    assert this_day() == date(1970, 1, 1)


@pytest.mark.parametrize("pinned", ["today", "1e9", "9" * 30])
def test_a_day_that_is_none_is_refused(pinned: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", pinned)
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH is no time"):
        this_day()


# errors


def test_a_conclusion_holds_the_error_and_its_report(missing: Request, console: Console) -> None:
    conclusion = conclude(missing, console)
    assert conclusion.code == ExitCode.USAGE
    assert isinstance(conclusion.error, ScoreFileError)
    assert conclusion.report.fault == fault_of(conclusion.error)


@pytest.fixture
def missing(tmp_path: Path) -> Request:
    targets = tuple(ReportTarget(form, str(tmp_path / form)) for form in REPORTS)
    return Request(candidate="nowhere.csv", threshold=0.5, command="gate check", targets=(*targets, TERMINAL))


def test_an_error_is_told_with_place_and_remedy_and_exits_2(missing: Request, console: Console) -> None:
    assert carry_out(missing, console) == ExitCode.USAGE
    first, second = told(console).splitlines()
    assert first == "ERROR: nowhere.csv: there is no such file"
    assert second.startswith("  remedy: ")
    assert shown(console) == ""


def test_an_error_lands_in_every_report_as_verdict_error(missing: Request, console: Console, tmp_path: Path) -> None:
    carry_out(missing, console)
    report = load((tmp_path / "json").read_text(encoding="utf-8"))
    assert report.verdict.word is Word.ERROR
    assert report.fault == Fault(
        "score-file", "there is no such file", "nowhere.csv", "check the path and the step that writes it"
    )
    for form in ("markdown", "text"):
        text = (tmp_path / form).read_text(encoding="utf-8")
        assert "ERROR: there is no such file" in text
        assert "nowhere.csv" in text


def test_an_error_report_on_standard_output_is_printed(missing: Request, console: Console) -> None:
    carry_out(replace(missing, targets=(ReportTarget("json", STDOUT),)), console)
    assert load(shown(console)).verdict.word is Word.ERROR


def test_an_error_replaces_the_report_of_an_earlier_run(missing: Request, console: Console, tmp_path: Path) -> None:
    (tmp_path / "json").write_text('{"verdict": {"word": "PASS"}}', encoding="utf-8")
    carry_out(missing, console)
    assert load((tmp_path / "json").read_text(encoding="utf-8")).verdict.word is Word.ERROR


def test_a_report_that_cannot_be_written_turns_the_others_into_errors(
    pair: Request, console: Console, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    paths = [tmp_path / "first.json", tmp_path / "folder", tmp_path / "last.json"]
    targets = tuple(ReportTarget("json", str(path)) for path in paths)
    assert carry_out(replace(pair, targets=targets), console) == ExitCode.USAGE
    for path in (paths[0], paths[2]):
        assert load(path.read_text(encoding="utf-8")).verdict.word is Word.ERROR
    assert told(console).count("ERROR: ") == 1
    assert f"{paths[1]}: the file cannot be written: Is a directory" in told(console)


def test_a_second_error_while_telling_the_first_is_told_too(missing: Request, console: Console, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    targets = (ReportTarget("json", str(tmp_path / "folder")), ReportTarget("json", str(tmp_path / "json")))
    assert carry_out(replace(missing, targets=targets), console) == ExitCode.USAGE
    assert [line for line in told(console).splitlines() if line.startswith("ERROR: ")] == [
        "ERROR: nowhere.csv: there is no such file",
        f"ERROR: {tmp_path / 'folder'}: the file cannot be written: Is a directory",
    ]
    assert load((tmp_path / "json").read_text(encoding="utf-8")).verdict.word is Word.ERROR


def test_everything_is_rendered_before_anything_is_written(
    pair: Request, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall_over(report: Report) -> str:
        raise ZeroDivisionError(report.verdict.word)

    monkeypatch.setitem(REPORTS, "markdown", fall_over)
    written: list[str] = []
    monkeypatch.setattr(entry, "write_atomically", lambda path, text: written.append(f"{path.name} {text}"))
    targets = (ReportTarget("json", str(tmp_path / "j")), ReportTarget("markdown", str(tmp_path / "m")))
    assert carry_out(replace(pair, targets=targets), console) == ExitCode.INTERNAL
    assert len(written) == 1
    assert load(written[0].removeprefix("j ")).verdict.word is Word.ERROR


def test_a_report_over_an_input_is_refused_and_the_others_say_so(
    pair: Request, console: Console, tmp_path: Path
) -> None:
    assert pair.baseline is not None
    scores = Path(pair.baseline).read_bytes()
    targets = (ReportTarget("json", pair.baseline), ReportTarget("json", str(tmp_path / "json")))
    assert carry_out(replace(pair, targets=targets), console) == ExitCode.USAGE
    assert f"ERROR: --report json:{pair.baseline} would overwrite the baseline\n" in told(console)
    assert Path(pair.baseline).read_bytes() == scores
    assert load((tmp_path / "json").read_text(encoding="utf-8")).verdict.word is Word.ERROR


def test_an_input_that_gate_yml_names_is_not_overwritten_by_an_error_either(console: Console, tmp_path: Path) -> None:
    path, scores = tmp_path / "gate.yml", tmp_path / "b.csv"
    path.write_text("version: 1\nsuites: [{name: a, candidate: b.csv}]\n", encoding="utf-8")
    scores.write_text("id,score\n", encoding="utf-8")
    targets = tuple(ReportTarget("json", str(each)) for each in (path, scores, tmp_path / "json"))
    assert carry_out(Request(config=str(path), targets=targets), console) == ExitCode.USAGE
    assert path.read_text(encoding="utf-8").startswith("version: 1")
    assert scores.read_text(encoding="utf-8") == "id,score\n"
    assert load((tmp_path / "json").read_text(encoding="utf-8")).verdict.word is Word.ERROR


def test_two_reports_in_one_place_are_refused_and_the_place_says_error(
    pair: Request, console: Console, tmp_path: Path
) -> None:
    path = str(tmp_path / "report")
    targets = (ReportTarget("json", path), ReportTarget("markdown", path))
    assert carry_out(replace(pair, targets=targets), console) == ExitCode.USAGE
    assert "would be written to the same place" in told(console)
    assert load(Path(path).read_text(encoding="utf-8")).verdict.word is Word.ERROR


def test_gate_yml_is_known_by_its_digest(pair: Request, console: Console, tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text(f"version: 1\nsuites: [{{name: a, baseline: {pair.baseline}}}]\n", encoding="utf-8")
    request = Request(config=str(path), candidate=pair.candidate)
    digests = conclude(request, console).report.provenance.digests
    assert digests == {str(path): hashlib.sha256(path.read_bytes()).hexdigest()}


def test_a_gate_yml_in_git_is_read_once_for_the_verdict_its_digest_and_what_a_pull_request_changes(
    sandbox: Sandbox, pair: Request, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, reads = "git:main:gate.yml", []
    text = f"version: 1\nsuites: [{{name: answers, baseline: {pair.baseline}, candidate: {pair.candidate}}}]\n"
    sandbox.commit(**{"gate.yml": text})
    sandbox.write("gate.yml", text.replace("version: 1", "version: 1\npolicies: {fail_on: never}"))

    def read(path: str, environ: Mapping[str, str]) -> bytes:
        reads.append(path)
        return read_stored(path, environ)

    monkeypatch.setattr("gate.baselines.stored.read_stored", read)
    report = conclude(Request(config=spec), console).report
    assert [change.key for change in report.config_changes] == ["policies.fail_on"]
    assert report.provenance.digests == {spec: hashlib.sha256(text.encode()).hexdigest()}
    assert reads == [spec]


def test_an_internal_error_exits_3_and_says_whose_fault_it_is(
    missing: Request, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "run_gate", lambda *_, **__: 1 / 0)
    assert carry_out(missing, console) == ExitCode.INTERNAL
    assert told(console).startswith("ERROR: internal error: ZeroDivisionError: division by zero\n")
    assert "a fault of gate, not of your files" in told(console)
    assert "Traceback" not in told(console)
    report = load((tmp_path / "json").read_text(encoding="utf-8"))
    assert report.verdict.word is Word.ERROR
    assert report.fault is not None
    assert report.fault.kind == "internal"


def test_an_internal_error_shows_its_traceback_where_verbose(
    missing: Request, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "run_gate", lambda *_, **__: 1 / 0)
    carry_out(missing, replace(console, verbose=True))
    assert told(console).startswith("Traceback (most recent call last):\n")


def test_an_interrupt_is_not_told_as_an_internal_error(
    missing: Request, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "run_gate", interrupt)
    with pytest.raises(KeyboardInterrupt):
        carry_out(missing, console)


def test_foreign_text_in_an_error_cannot_command_the_log(console: Console) -> None:
    error = ScoreFileError("\x1b[31mred\n::error::x", where=Place("##[error]a\r.csv"), remedy="\u202e::stop::y")
    fail(error, Request(), console)
    assert told(console).splitlines() == [
        r"ERROR: \x23#[error]a\r.csv: \x1b[31mred\n::error::x",
        r"  remedy: \u202e::stop::y",
    ]


def test_foreign_text_in_a_traceback_cannot_either(console: Console) -> None:
    fail(RuntimeError("\x1b[31mred\n::error::x"), Request(), replace(console, verbose=True))
    assert "\x1b" not in told(console)
    assert not any(line.startswith("::") for line in told(console).splitlines())


@pytest.mark.parametrize(
    ("config", "remedy", "told_as"),
    [
        (
            None,
            "name it: columns: {id: NAME}",
            "name it: columns: {id: NAME} (a key of gate.yml, which `gate init` writes)",
        ),
        (None, "give `scale: [0, 1]`", "give `scale: [0, 1]` (a key of gate.yml, which `gate init` writes)"),
        (None, "give `scale: [0, 1]` in gate.yml", "give `scale: [0, 1]` in gate.yml"),
        (None, "look at the file's columns", "look at the file's columns"),
        ("gate.yml", "name it: columns: {id: NAME}", "name it: columns: {id: NAME}"),
    ],
)
def test_whoever_gave_flags_alone_is_told_that_a_key_is_one_of_gate_yml(
    config: str | None, remedy: str, told_as: str, console: Console
) -> None:
    fail(ScoreFileError("what", remedy=remedy), Request(config=config), console)
    assert told(console) == f"ERROR: what\n  remedy: {told_as}\n"


def test_a_fault_keeps_kind_place_and_remedy() -> None:
    error = ConfigError("what", where=Place("gate.yml", 3, "suites"), remedy="remedy")
    assert fault_of(error) == Fault("config", "what", "gate.yml, line 3, suites", "remedy")
    assert fault_of(UsageError("what", remedy="remedy")).where == ""


def test_an_error_report_knows_its_command_and_no_suite() -> None:
    report = error_report(Fault("usage", "what", "", "remedy"), Request(command="gate check"))
    assert (report.verdict.word, report.suites, report.provenance.command) == (Word.ERROR, (), "gate check")


# streams


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    with printing(Broken(errno.EPIPE)):
        pass


def test_a_full_disk_under_standard_output_is_a_write_error() -> None:
    full = Broken(errno.ENOSPC)
    with pytest.raises(WriteError, match="output cannot be written: No space left on device"), printing(full):
        pass


def test_a_verdict_that_nobody_could_read_is_an_error(pair: Request, console: Console) -> None:
    request = replace(pair, targets=(TERMINAL,))
    assert carry_out(request, replace(console, out=Broken(errno.ENOSPC))) == ExitCode.USAGE
    assert "standard output cannot be written" in told(console)


@pytest.mark.parametrize("number", [errno.EPIPE, errno.ENOSPC])
def test_an_error_that_nobody_can_hear_still_has_its_exit_code(number: int, missing: Request, console: Console) -> None:
    assert carry_out(missing, replace(console, err=Broken(number))) == ExitCode.USAGE


def test_what_is_complained_about_is_written_line_by_line() -> None:
    err = io.StringIO()
    complain(err, ["one", "  two\nthree"])
    assert err.getvalue() == "one\n  two\\nthree\n"


def test_a_report_on_standard_output_is_utf_8_whatever_the_terminal_speaks(pair: Request, console: Console) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    carry_out(replace(pair, targets=(ReportTarget("markdown", STDOUT),)), replace(console, out=out))
    assert raw.getvalue().decode("utf-8").startswith("## 🟢 PASS")
    out.detach()


def test_text_for_a_terminal_is_written_in_what_it_speaks(pair: Request, console: Console) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    carry_out(replace(pair, targets=(TERMINAL,)), replace(console, out=out))
    assert raw.getvalue().decode("ascii").startswith("PASS")
    out.detach()


# a gate.yml that a pull request proposes


@pytest.fixture
def proposing(pair: Request, tmp_path: Path) -> Callable[[str], Request]:
    """A request whose gate.yml asks for a bar that the candidate clears, and proposes another text."""
    text = f"version: 1\nsuites: [{{name: a, baseline: {pair.baseline}, candidate: {pair.candidate}}}]\n"
    (tmp_path / "in_force.yml").write_text(text, encoding="utf-8")

    def propose(change: str) -> Request:
        (tmp_path / "proposed.yml").write_text(text.replace("}]", change), encoding="utf-8")
        return Request(config=str(tmp_path / "in_force.yml"), proposed_config=str(tmp_path / "proposed.yml"))

    return propose


def test_what_a_proposed_gate_yml_changes_is_told_and_changes_no_verdict(
    proposing: Callable[[str], Request], console: Console
) -> None:
    request = proposing(", checks: {drift: off}}]")
    without = conclude(replace(request, proposed_config=None), console)
    concluded = conclude(request, console)
    (change,) = concluded.report.config_changes
    assert (change.key, change.effect) == ("suites[a].checks.drift", Effect.LAXER)
    assert replace(concluded.report, config_changes=()) == without.report
    assert concluded.code == without.code


def test_a_broken_proposal_changes_no_verdict(proposing: Callable[[str], Request], console: Console) -> None:
    concluded = conclude(proposing("]}"), console)
    assert [change.effect for change in concluded.report.config_changes] == [Effect.INVALID]
    assert concluded.report.verdict.word is Word.PASS


def test_a_run_that_cannot_be_judged_tells_the_proposal_too(
    proposing: Callable[[str], Request], console: Console
) -> None:
    request = proposing(", checks: {drift: off}}]")
    concluded = conclude(replace(request, candidate="nowhere.csv"), console)
    assert concluded.report.verdict.word is Word.ERROR
    assert [change.key for change in concluded.report.config_changes] == ["suites[a].checks.drift"]


def test_a_gate_yml_in_force_that_is_broken_is_the_error(
    proposing: Callable[[str], Request], console: Console, tmp_path: Path
) -> None:
    request = proposing("}]")
    (tmp_path / "in_force.yml").write_text("version: [", encoding="utf-8")
    concluded = conclude(request, console)
    assert (concluded.report.verdict.word, concluded.report.config_changes) == (Word.ERROR, ())


def test_a_proposal_is_not_overwritten(proposing: Callable[[str], Request], console: Console) -> None:
    request = proposing("}]")
    assert request.proposed_config is not None
    target = ReportTarget("json", request.proposed_config)
    assert carry_out(replace(request, targets=(target,)), console) == ExitCode.USAGE
    assert "would overwrite the proposed gate.yml" in told(console)
    assert Path(request.proposed_config).read_text(encoding="utf-8").startswith("version: 1")


def test_a_proposal_without_a_gate_yml_in_force_is_a_usage_error(pair: Request) -> None:
    with pytest.raises(UsageError, match="--proposed-config has nothing to be compared with"):
        build_config(replace(pair, proposed_config="gate.yml"))


def test_an_empty_proposal_is_a_variable_that_is_not_set() -> None:
    with pytest.raises(UsageError, match="--proposed-config is empty"):
        build_config(Request(config="gate.yml", proposed_config=""))


def test_an_interrupt_is_not_hidden_by_what_goes_wrong_on_its_way_out(
    pair: Request, console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> Report:
        try:
            raise KeyboardInterrupt
        finally:
            raise BufferError("it cannot be closed: somebody looks at it")

    monkeypatch.setattr(entry, "run_gate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        carry_out(pair, console)


def test_on_a_full_disk_an_older_report_makes_room_for_the_error(
    pair: Request, console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "j", tmp_path / "m"

    def write(path: Path, content: str) -> None:
        if path == second or (path.exists() and "ERROR" in content):
            raise WriteError("the file cannot be written: No space left on device", remedy="make room")
        path.write_text(content, encoding="utf-8")

    monkeypatch.setattr(entry, "write_atomically", write)
    targets = (ReportTarget("json", str(first)), ReportTarget("markdown", str(second)))
    assert carry_out(replace(pair, targets=targets), console) == ExitCode.USAGE
    assert load(first.read_text(encoding="utf-8")).verdict.word is Word.ERROR
