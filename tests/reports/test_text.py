"""The text report: plain in a log, coloured on a terminal, harmless on both."""

import io
import re
import sys
from dataclasses import replace
from datetime import date
from types import ModuleType

import pytest

from gate.evidence import CoverageEvidence
from gate.reports.text import print_text, render
from gate.results import ConfigChange, Effect, ShowText, Status, WaiverState

CHANGE = ConfigChange("policies.fail_on", "block", "never", Effect.LAXER)
ANSI = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


def printed(report: object, stream: io.StringIO, **options: bool) -> str:
    print_text(report, stream, **options)  # type: ignore[arg-type]  # made by the untyped fixture
    return stream.getvalue()


def test_the_first_line_is_the_verdict_and_why(make: ModuleType) -> None:
    assert render(make.worked()).startswith("BLOCK: low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25\n")


def test_quiet_is_that_line_only(make: ModuleType) -> None:
    assert render(make.worked(), quiet=True) == "BLOCK: low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25\n"


def test_an_error_tells_the_place_and_the_remedy(make: ModuleType) -> None:
    assert render(make.broken()) == (
        'ERROR: the score "n/a" is not a number\n'
        '  where: runs/b.csv, line 4, column "score"\n'
        "  remedy: write a number, or leave the cell empty where there is no score\n"
    )


def test_five_items_are_listed_and_with_verbose_twenty(make: ModuleType) -> None:
    report = make.report_of(make.suite_of(make.threshold(), items=make.item_table((1.0,) * 50, (0.0,) * 50)))
    assert render(report).count("1 -> 0") == 5
    assert "\n  45 more\n" in render(report)
    assert render(report, verbose=True).count("1 -> 0") == 20


def test_verbose_adds_distributions_notes_and_how_to_reproduce(make: ModuleType) -> None:
    brief, full = render(make.worked()), render(make.worked(), verbose=True)
    for told in ("PSI in all: 0.334", "alone would clear the bar", "seed: 0", "SHA-256 a1a1"):
        assert told not in brief
        assert told in full


def test_verbose_lists_the_items_not_compared(make: ModuleType) -> None:
    full = render(make.report_of(make.suite_of(make.gaps())), verbose=True)
    assert "  without a score (timeout): 2: q03, q07\n" in full


def test_words_of_leaks_are_quoted_only_where_they_may_be(make: ModuleType) -> None:
    report = make.crowded()
    assert "⟦what is the capital of france⟧" in render(report)
    assert "capital" not in render(replace(report, show_text=ShowText.IDS))


def test_what_is_known_of_a_leak_beside_its_overlap_is_told(make: ModuleType) -> None:
    told = render(make.report_of(make.suite_of(make.scanned_leak())))
    assert "confirmed zh: overlap 0.900, best in c.jsonl:line 7" in told
    assert "in one document 0.850, by rarity 0.750, longest run 9 characters, by 5-grams 0.500, answer 0.250" in told


def test_many_leaks_are_cut_and_counted(make: ModuleType) -> None:
    result = make.contamination()
    many = replace(result, evidence=replace(result.evidence, leaks=result.evidence.leaks * 10))
    assert "\n  15 more\n" in render(make.report_of(make.suite_of(many)))


def test_many_rows_are_cut_to_the_worst_and_counted(make: ModuleType) -> None:
    suites = [make.suite_of(make.coverage(), name=f"s{place}") for place in range(100)]
    text = render(make.report_of(*suites, make.suite_of(make.drift(), name="last")))
    assert "\n41 more, none worse\n" in text
    assert re.search(r"^FAIL +last +drift", text, re.MULTILINE)
    assert "\n91 suites not shown in detail\n" in text
    details = re.findall(r"^== (\w+)$", text, re.MULTILINE)
    assert details == [*(f"s{place}" for place in range(9)), "last"]


def test_many_remedies_are_cut_and_counted(make: ModuleType) -> None:
    checks = [make.threshold(remedy=f"remedy {place}") for place in range(30)]
    assert "\n  10 more\n" in render(make.report_of(make.suite_of(*checks)))


def test_a_shared_remedy_counts_the_checks_that_it_does_not_name(make: ModuleType) -> None:
    suites = [make.suite_of(make.drift(), name=f"s{place}") for place in range(5)]
    assert "  drift (s0), drift (s1), drift (s2) and 2 more: look at" in render(make.report_of(*suites))


def test_waivers_stand_under_what_to_do_and_with_verbose_the_day(make: ModuleType) -> None:
    provenance = replace(make.worked().provenance, today=date(2026, 1, 31))
    report = replace(make.worked(), waivers=(make.waiver(),), provenance=provenance)
    assert "\n\nwaivers\n  threshold: waived until 2026-01-31 by Ada: the mend is under review\n\n" in render(report)
    assert "day:" not in render(report)
    assert "\n  day: 2026-01-31\n" in render(report, verbose=True)


def test_without_a_waiver_neither_waivers_nor_the_day_are_told(make: ModuleType) -> None:
    text = render(make.worked(), verbose=True)
    assert "waive" not in text
    assert "day:" not in text


def test_many_waivers_are_cut_and_counted(make: ModuleType) -> None:
    text = render(replace(make.worked(), waivers=(make.waiver(),) * 30))
    assert text.count("waived until") == 20
    assert "by Ada: the mend is under review\n  10 more\n" in text


def test_the_plain_text_has_no_escape_sequence_and_no_workflow_command(make: ModuleType) -> None:
    hostile = "::error::x\x1b[31m\n::error::y ##[error]z"
    evidence = CoverageEvidence(0, (hostile,), (), (), {hostile: hostile}, (), None)
    result = make.threshold(sentence=hostile, detail=hostile, remedy=hostile, notes=(hostile,), metric=hostile)
    suite = make.suite_of(
        result,
        replace(make.coverage(), evidence=evidence),
        name=hostile,
        items=make.item_table((1.0,), (0.0,), ids=(hostile,)),
    )
    report = make.report_of(suite, make.suite_of(make.threshold(metric="b"), name="other"))
    report = replace(report, provenance=replace(report.provenance, command=hostile, versions={hostile: hostile}))
    said = {"suite": hostile, "metric": hostile, "reason": hostile, "approved_by": hostile}
    report = replace(report, waivers=tuple(make.waiver(state, **said) for state in WaiverState))
    text = render(report, verbose=True)
    assert "\x1b" not in text
    assert "##[" not in text
    assert not any(line.lstrip().startswith("::") for line in text.split("\n"))


def test_to_a_file_it_writes_the_plain_text_and_leaves_rich_alone(
    make: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rich.console", None)
    assert printed(make.worked(), io.StringIO()) == render(make.worked())
    assert printed(make.worked(), io.StringIO(), verbose=True) == render(make.worked(), verbose=True)
    assert printed(make.worked(), io.StringIO(), quiet=True) == render(make.worked(), quiet=True)


def test_to_a_terminal_it_writes_in_colour(make: ModuleType) -> None:
    text = printed(make.worked(), Terminal())
    assert text.startswith("\x1b[1;31mBLOCK: ")
    assert "\x1b[32mPASS  coverage" in text


def test_the_words_are_the_same_with_and_without_colour(make: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "1000")
    coloured = [line.rstrip() for line in ANSI.sub("", printed(make.crowded(), Terminal())).split("\n")]
    assert coloured == render(make.crowded()).split("\n")


def test_with_no_color_a_terminal_gets_the_plain_text(make: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(make.worked(), Terminal()) == render(make.worked())


def test_a_terminal_gets_lines_of_its_width_and_a_file_does_not(
    make: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, ANSI.sub("", printed(make.worked(), Terminal())).split("\n"))) <= 60
    assert max(map(len, render(make.worked()).split("\n"))) > 60


def test_rich_markup_in_a_name_is_text(make: ModuleType) -> None:
    report = make.report_of(make.suite_of(make.threshold(sentence="[red]x[/red] :smile: [link=http://x]")))
    assert "[red]x[/red] :smile: [link=http://x]" in ANSI.sub("", printed(report, Terminal()))


def test_a_stream_that_cannot_show_a_character_gets_an_escape(make: ModuleType) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    print_text(make.worked(), stream)
    stream.flush()
    assert rb"0 \u251c\u2500" in raw.getvalue()


def test_a_check_that_did_not_run_says_so(make: ModuleType) -> None:
    idle = make.threshold(status=Status.NOT_RUN, sentence="no bar checked", detail="", evidence=None)
    assert "\nNOT RUN  threshold  no bar checked\n" in render(make.report_of(make.suite_of(idle)))


def test_what_a_pull_request_changes_in_gate_yml_stands_under_the_verdict(make: ModuleType) -> None:
    lines = render(replace(make.worked(), config_changes=(CHANGE,))).split("\n")
    assert lines[1:4] == [
        "this pull request changes gate.yml: 1 change, 1 laxer; the verdict is by the gate.yml in force",
        "  policies.fail_on: block -> never (laxer)",
        "",
    ]


def test_many_changes_of_gate_yml_are_cut_and_counted(make: ModuleType) -> None:
    assert "\n  10 more\n" in render(replace(make.worked(), config_changes=(CHANGE,) * 30))


def test_a_deleted_gate_yml_is_one_line(make: ModuleType) -> None:
    gone = ConfigChange("gate.yml", "", "", Effect.DELETED)
    lines = render(replace(make.worked(), config_changes=(gone,))).split("\n")
    assert lines[1:3] == [
        "gate.yml is not there in this pull request: deleted or moved; the verdict is by the gate.yml in force", ""
    ]  # fmt: skip


def test_a_line_that_a_terminal_breaks_commands_no_log_either(
    make: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    words = f"{'a' * 30} ::error::evil {'b' * 40}::warning::evil"
    shown = printed(make.report_of(make.suite_of(make.threshold(sentence=words))), Terminal())
    assert "error" in shown
    assert [line for line in ANSI.sub("", shown).split("\n") if line.lstrip().startswith("::")] == []
