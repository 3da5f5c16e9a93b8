"""The markdown report: its first line, its structure whatever the names say, its size."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from gate.evidence import CoverageEvidence, Leak, LeakEvidence
from gate.reports.markdown import LIMIT, Page, render
from gate.results import (
    GLOSSARY,
    ConfigChange,
    Effect,
    Fault,
    ItemTable,
    Provenance,
    Report,
    ShowText,
    Status,
    WaiverState,
    Word,
)

OUR_HTML = {"<details>", "<details open>", "</details>"}


def parse(markdown: str) -> list[Token]:
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)


def section(markdown: str, title: str) -> str:
    """The folded part whose title begins like this."""
    start = markdown.index(f"<summary>{title}")
    return markdown[markdown.rindex("<details", 0, start) : markdown.index("</details>", start)]


def first_line(report: Report) -> str:
    return render(report).split("\n", 1)[0]


def test_the_first_line_is_the_verdict_and_why(make: ModuleType) -> None:
    assert first_line(make.worked()) == "## 🔴 BLOCK: low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25"


@pytest.mark.parametrize("word", list(Word))
def test_every_verdict_has_its_word_beside_its_colour(word: Word, make: ModuleType) -> None:
    report = make.worked()
    line = first_line(replace(report, verdict=replace(report.verdict, word=word)))
    assert line.split(" ")[2] == f"{word}:"
    assert not line.split(" ")[1].isascii()


def test_an_error_tells_the_place_and_the_remedy(make: ModuleType) -> None:
    markdown = render(make.broken())
    assert markdown.startswith('## 🟣 ERROR: the score "n/a" is not a number\n')
    assert '- Where: `runs/b.csv, line 4, column "score"`' in markdown
    assert "- What to do: write a number" in markdown


def test_an_error_without_a_place_has_no_line_for_it(make: ModuleType) -> None:
    report = make.broken()
    assert "Where" not in render(replace(report, fault=Fault("usage", "no such option", "", "look at --help")))


def test_an_error_before_there_was_a_command_leaves_no_empty_block(make: ModuleType) -> None:
    report = make.broken()
    assert "```" in render(report)
    assert "```" not in render(replace(report, provenance=replace(report.provenance, command="")))


def rows_in(markdown: str) -> list[str]:
    """The rows of the first table, without its head."""
    lines = markdown.split("\n")
    start = lines.index("| Check | Finding |") + 2
    return lines[start : lines.index("", start)]


def test_every_check_has_a_row_with_its_status_and_numbers_the_worst_first(make: ModuleType) -> None:
    figures = r"mean 0.725, 95 % interval \[0.550, 0.875\], n = 20"
    assert rows_in(render(make.worked()))[:3] == [
        f"| 🔴&nbsp;threshold | **fail**: low 0.550 is under the bar 0.70<br>{figures} |",
        "| 🔴&nbsp;drift | **fail**: PSI 0.334 is over 0.25<br>significant, p = 0.296, n = 20 |",
        "| 🟢&nbsp;coverage | **pass**: all 20 items compared<br>n = 20 |",
    ]


def test_suite_and_metric_stand_under_the_check_only_where_there_are_several(make: ModuleType) -> None:
    assert rows_in(render(make.worked()))[0].startswith("| 🔴&nbsp;threshold | ")
    assert rows_in(render(make.crowded()))[0].startswith("| 🔴&nbsp;threshold<br>`qa`<br>`score` | ")


def test_a_check_that_was_not_asked_for_is_a_grey_line(make: ModuleType) -> None:
    idle = make.threshold(status=Status.NOT_RUN, sentence="no bar checked", detail="", evidence=None)
    assert rows_in(render(make.report_of(make.suite_of(idle)))) == [
        "| ⚪&nbsp;threshold | **not run**: no bar checked |"
    ]


def test_where_there_are_many_checks_those_that_need_no_look_are_folded(make: ModuleType) -> None:
    checks = [make.coverage()] * 6 + [make.drift()] * 3
    markdown = render(make.report_of(make.suite_of(*checks)))
    assert len(rows_in(markdown)) == 3
    folded = section(markdown, "6 checks passed")
    assert folded.count("| 🟢&nbsp;coverage | ") == 6
    assert len(rows_in(render(make.report_of(make.suite_of(*checks[1:]))))) == 8


def test_many_checks_that_all_pass_are_one_line(make: ModuleType) -> None:
    idle = make.threshold(status=Status.NOT_RUN)
    markdown = render(make.report_of(make.suite_of(*[make.coverage()] * 9, idle)))
    assert markdown.split("\n")[2:5] == ["<details>", "<summary>9 checks passed, 1 not run</summary>", ""]


@pytest.mark.parametrize("name", ["worked", "passing", "crowded"])
def test_no_table_is_wider_than_five_narrow_columns(name: str, make: ModuleType) -> None:
    heads = [line for line in render(make.CASES[name]()).split("\n") if line.startswith("| ---")]
    assert heads
    assert max(head.count("---") for head in heads) <= 5


def test_what_failed_is_unfolded_and_the_rest_is_folded(make: ModuleType) -> None:
    markdown = render(make.worked())
    assert "<details open>\n<summary>Intervals</summary>" in markdown
    assert "<details>\n<summary>Items that got worse: 7</summary>" in markdown
    assert "<details>\n<summary>Intervals</summary>" in render(make.passing())


def test_of_several_intervals_those_that_need_no_look_are_folded(make: ModuleType) -> None:
    markdown = render(make.worked())
    assert "threshold of `score`, 🔴 fail" in section(markdown, "Intervals")
    assert "regression of `score`, 🟢 pass" in section(markdown, "Other intervals")
    assert "<details>\n<summary>Other intervals</summary>" in markdown


def test_twenty_of_many_worsened_items_are_listed_and_the_others_counted(make: ModuleType) -> None:
    suite = make.suite_of(make.threshold(), items=make.item_table((1.0,) * 50, (0.0,) * 50))
    listed = section(render(make.report_of(suite)), "Items that got worse: 50")
    assert listed.count("| `q") == 20
    assert "\n30 more\n" in listed


def test_texts_are_quoted_only_where_they_may_be(make: ModuleType) -> None:
    report = make.crowded()
    assert "What is the capital of France?" in render(report)
    assert "⟦what is the capital of france⟧" in render(report)
    discreet = render(replace(report, show_text=ShowText.IDS))
    assert "capital" not in discreet
    assert "`E1`<br>confirmed | overlap 1.000" in discreet


def test_a_suspect_is_told_from_a_confirmed_leak(make: ModuleType) -> None:
    listed = section(render(make.crowded()), "Contamination")
    figures = "overlap 1.000: in one document 1.000, longest run 6 words, verbatim"
    assert f"| `E1`<br>confirmed | {figures}<br>`corpus.txt, line 1` |" in listed
    figures = "overlap 0.800: in one document 0.200, longest run 3 words"
    assert f"| `E4`<br>suspect | {figures}<br>`corpus.txt, line 1` |" in listed
    assert "Too short to be tested, 1: `E5`" in listed


def test_what_is_known_of_a_leak_beside_its_overlap_is_told(make: ModuleType) -> None:
    listed = section(render(make.report_of(make.suite_of(make.scanned_leak()))), "Contamination")
    assert "of `train/` as `scan.json` has it" in listed
    figures = "in one document 0.850, by rarity 0.750, longest run 9 characters, by 5-grams 0.500, answer 0.250"
    assert f"| `zh`<br>confirmed | overlap 0.900: {figures}<br>`c.jsonl:line 7` `doc`&#124;`7` |" in listed


def test_a_scan_without_leaks_still_says_what_was_scanned(make: ModuleType) -> None:
    clean = replace(
        make.contamination(), status=Status.PASS, evidence=LeakEvidence((), {"E2": 0.0}, (), 3, 0.8, 4, "c")
    )
    listed = section(render(make.report_of(make.suite_of(clean))), "Contamination")
    assert "1 item tested against 4 documents of `c`" in listed
    assert "| Item" not in listed


def test_items_not_compared_are_listed_by_reason(make: ModuleType) -> None:
    listed = section(render(make.report_of(make.suite_of(make.gaps()))), "Coverage")
    assert "- 2 without a score in the candidate, timeout: `q03`, `q07`" in listed
    assert "- 1 lost, in the baseline only: `q18`" in listed
    assert "- 2 new, in the candidate only (mean 0.750): `q21`, `q22`" in listed


def test_complete_coverage_has_no_section(make: ModuleType) -> None:
    assert "<summary>Coverage" not in render(make.worked())


def test_long_lists_are_cut_and_counted(make: ModuleType) -> None:
    evidence = CoverageEvidence(0, tuple(map(str, range(1000))), (), (), {}, (), None)
    lost = replace(make.coverage(), evidence=evidence)
    assert "`19` and 980 more" in render(make.report_of(make.suite_of(lost)))


def test_many_notes_are_cut_and_counted(make: ModuleType) -> None:
    noted = make.threshold(notes=tuple(f"note {place}" for place in range(30)))
    assert "- and 11 more" in section(render(make.report_of(make.suite_of(noted))), "Notes")


def test_many_remedies_are_cut_and_counted(make: ModuleType) -> None:
    checks = [make.threshold(remedy=f"remedy {place}") for place in range(30)]
    assert "- and 10 more" in render(make.report_of(make.suite_of(*checks)))


def test_command_seed_versions_and_digests_are_there_to_reproduce_it(make: ModuleType) -> None:
    listed = section(render(make.worked()), "How to have this report again")
    assert "gate check --baseline runs/a.csv --candidate runs/b.csv --threshold 0.70" in listed
    assert "- seed: 0" in listed
    assert "- versions: `gate 0.1.0`, `numpy 2.3.5`" in listed
    assert f"SHA-256 `{'a1' * 32}`" in listed


def changed(report: Report, *changes: ConfigChange) -> str:
    return render(replace(report, config_changes=changes))


def test_what_a_pull_request_changes_in_gate_yml_stands_right_under_the_verdict(make: ModuleType) -> None:
    markdown = changed(
        make.worked(),
        ConfigChange("policies.fail_on", "block", "never", Effect.LAXER),
        ConfigChange("policies.seed", "0", "1", Effect.CHANGED),
    )
    assert markdown.split("\n")[1:8] == [
        "",
        "> [!WARNING]",
        "> this pull request changes gate.yml: 2 changes, 1 laxer; the verdict is by the gate.yml in force.",
        ">",
        "> - laxer: `policies.fail_on`: `block` → `never`",
        "> - changed: `policies.seed`: `0` → `1`",
        "",
    ]


def test_a_change_that_makes_nothing_laxer_is_a_note(make: ModuleType) -> None:
    markdown = changed(make.worked(), ConfigChange("policies.seed", "0", "1", Effect.CHANGED))
    assert "> [!NOTE]\n> this pull request changes gate.yml: 1 change, none laxer;" in markdown


def test_a_gate_yml_that_a_pull_request_deletes_or_breaks_is_a_warning(make: ModuleType) -> None:
    gone = changed(make.worked(), ConfigChange("gate.yml", "", "", Effect.DELETED))
    assert "> [!WARNING]\n> gate.yml is not there in this pull request: deleted or moved;" in gone
    broken = changed(make.worked(), ConfigChange("gate.yml", "", "line 2: unknown key '<b>'", Effect.INVALID))
    assert "> gate.yml is not valid in this pull request: line 2: unknown key `'<b>'`; the verdict is by" in broken


def test_an_error_tells_what_a_pull_request_changes_too(make: ModuleType) -> None:
    markdown = changed(make.broken(), ConfigChange("policies.seed", "0", "1", Effect.CHANGED))
    assert markdown.index("- What to do") < markdown.index("> [!NOTE]") < markdown.index("<details")


def test_many_changes_of_gate_yml_are_cut_and_counted(make: ModuleType) -> None:
    change = ConfigChange("waivers[drift of a]", "none", "until 2026-12-31 by Ada", Effect.LAXER)
    assert "\n> - and 10 more\n" in changed(make.worked(), *[change] * 30)


# the page


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (Page("out/page.html"), "`out/page.html`"),
        (Page("out/page.html", is_link=True), "[`out/page.html`](out/page.html)"),
        (Page("a b)(.html", is_link=True), "[`a b)(.html`](a%20b%29%28.html)"),
        (
            Page("javascript:alert(1)//.html", is_link=True),
            "[`javascript:alert(1)//.html`](javascript%3Aalert%281%29//.html)",
        ),
        (Page("\udcff.html", is_link=True), "[`\\udcff.html`](%FF.html)"),
        (
            Page("page.html", run="https://h/o/n/actions/runs/1"),
            "`page.html`, among the [artifacts of this run](https://h/o/n/actions/runs/1#artifacts) once uploaded",
        ),
    ],
)
def test_a_line_says_where_the_page_is(page: Page, told: str, make: ModuleType) -> None:
    assert f"\n\nCharts, every item and a what-if panel: {told}\n\n" in render(make.worked(), page=page)


def test_the_line_of_the_page_counts_against_the_limit(make: ModuleType) -> None:
    room = len(render(make.worked()).encode())
    assert len(render(make.worked(), limit=room, page=Page("page.html")).encode()) <= room


def test_an_error_has_nothing_more_to_show_on_a_page(make: ModuleType) -> None:
    assert render(make.broken(), page=Page("page.html")) == render(make.broken())


def test_waivers_are_listed_after_what_to_do(make: ModuleType) -> None:
    waivers = (make.waiver(), make.waiver(WaiverState.EXPIRED, check="drift", metric="f1"))
    markdown = render(replace(make.worked(), waivers=waivers))
    assert (
        "**Waivers**\n\n"
        "- drift (`f1`): the waiver expired on 2026-01-31: renew it, or take it out of gate.yml (approved by Ada)\n"
        "- threshold: waived until 2026-01-31 by Ada: the mend is under review\n\n"
    ) in markdown
    assert markdown.index("**What to do**") < markdown.index("**Waivers**") < markdown.index("<details")


def test_many_waivers_are_cut_and_counted(make: ModuleType) -> None:
    markdown = render(replace(make.worked(), waivers=(make.waiver(),) * 30))
    assert markdown.count("waived until") == 20
    assert "\n- and 10 more\n" in markdown


def test_without_a_waiver_neither_waivers_nor_the_day_are_told(make: ModuleType) -> None:
    markdown = render(make.worked())
    assert "Waivers" not in markdown
    assert "- day:" not in markdown


def test_the_day_is_told_by_which_waivers_hold(make: ModuleType) -> None:
    provenance = replace(make.worked().provenance, today=date(2026, 1, 31))
    assert "\n- seed: 0\n- day: 2026-01-31\n- versions: " in render(replace(make.worked(), provenance=provenance))


def test_a_run_that_is_not_there_is_not_told_of(make: ModuleType) -> None:
    markdown = render(make.report_of(make.suite_of(make.threshold(), baseline=None)))
    assert "- baseline" not in markdown
    assert "- candidate: `runs/b.csv`" in markdown


def everywhere(make: ModuleType, text: str) -> Report:
    """A report in which every field that a user's file, option or corpus can reach says ``text``."""
    leak = Leak(text, 1.0, 0.9, 6, True, True, text, ((text, True), (text, False)))
    leaks = LeakEvidence((leak,), {text: 1.0}, (text,), 3, 0.8, 4, text)
    gaps = CoverageEvidence(1, (text,), (text,), (text,), {text: text}, (text,), 0.5)
    column = make.item_table().metrics["score"]
    told = {"sentence": text, "detail": text, "remedy": text, "notes": (text,), "metric": text}
    results = [
        make.threshold(**told),
        replace(make.drift(), **told, evidence=replace(make.buckets(), labels=(text, text, text))),
        replace(make.contamination(), **told, evidence=leaks),
        replace(make.gaps(), **told, evidence=gaps),
    ]
    items = ItemTable((text, *map(str, range(19))), (), (), {text: replace(column, candidate=(0.0,) * 20)})
    run = replace(make.suite_of().baseline, path=text, format=text, notes=(text,))
    suite = make.suite_of(*results, name=text, baseline=run, candidate=run, items=items, texts={text: text})
    other = make.suite_of(make.threshold(metric="other"), name="other")
    report: Report = make.report_of(suite, other, show_text=ShowText.SNIPPETS)
    said = {"suite": text, "metric": text, "reason": text, "approved_by": text}
    waivers = tuple(make.waiver(state, **said) for state in WaiverState)
    return replace(report, provenance=Provenance(text, 0, {text: text}, {}), fault=None, waivers=waivers)


FRAGMENTS = [
    "|", "`", "```", "~~~", "\n", "\n\n", "</details>", "<!--", "<img src=x>", "&amp;", "[a](b)", "![a](b)", "@user",
    "#1", "http://x.io", "www.x.io", "*a*", "_a_", "# a", "- ", "1. ", ":smile:", "\x1b[31m", "\u202e", "\u2028",
    "::error::", "##[group]", "$a$", "\\", "    ", "===", "\ud800", "word",
]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(text=st.one_of(st.text(min_size=1), st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=8).map("".join)))
def test_no_foreign_text_changes_the_structure_of_a_report(make: ModuleType, text: str) -> None:
    tokens = parse(render(everywhere(make, text)))
    expected = parse(render(everywhere(make, "x")))
    assert [(token.type, token.tag, token.level) for token in tokens] == [
        (token.type, token.tag, token.level) for token in expected
    ]
    assert [token.content for token in tokens if token.type == "html_block"] == [
        token.content for token in expected if token.type == "html_block"
    ]


@pytest.mark.parametrize("name", ["worked", "passing", "broken", "crowded"])
def test_a_report_holds_no_link_picture_or_html_but_our_folds_and_the_link_to_its_terms(
    name: str, make: ModuleType
) -> None:
    tokens = parse(render(make.CASES[name]()))
    inline = [child for token in tokens for child in token.children or []]
    links = [child for child in inline if child.type.startswith("link")]
    assert [link.attrs for link in links] == ([] if name == "broken" else [{"href": GLOSSARY}, {}])
    rest = {child.type for child in inline if child not in links}
    assert rest <= {"text", "code_inline", "strong_open", "strong_close", "softbreak", "html_inline"}
    assert {child.content for child in inline if child.type == "html_inline"} <= {"<br>"}
    html = [line for token in tokens if token.type == "html_block" for line in token.content.splitlines()]
    assert all(line in OUR_HTML or line.startswith("<summary>") for line in html)
    assert all("`" not in line for line in html)


@pytest.mark.parametrize("name", ["worked", "passing", "broken", "crowded"])
def test_a_report_has_no_second_blank_line_and_no_space_at_a_lines_end(name: str, make: ModuleType) -> None:
    markdown = render(make.CASES[name]())
    assert "\n\n\n" not in markdown
    assert all(line == line.rstrip() for line in markdown.split("\n"))


def test_fifty_thousand_worsened_items_with_long_hostile_ids_stay_under_the_limit(make: ModuleType) -> None:
    n = 50_000
    ids = tuple(f"{place:05d}{make.HOSTILE * 5}" for place in range(n))
    items = make.item_table((1.0,) * n, (0.0,) * n, ids=ids)
    markdown = render(make.report_of(make.suite_of(make.threshold(), items=items)))
    assert len(markdown.encode()) < LIMIT
    assert "49980 more" in markdown


def test_an_id_of_megabytes_is_cut_in_the_middle(make: ModuleType) -> None:
    huge = "x" * 5_000_000
    result = make.threshold(sentence=huge, detail=huge, remedy=huge, notes=(huge,), metric=huge)
    suite = make.suite_of(result, name=huge, items=make.item_table((1.0,), (0.0,), ids=(huge,)))
    report = make.report_of(suite, make.suite_of(name="other"))
    assert len(render(report).encode()) < 20_000


def test_ten_thousand_suites_stay_under_the_limit_and_the_rest_is_told(make: ModuleType) -> None:
    suites = [make.suite_of(make.threshold(), name=f"suite {place}") for place in range(10_000)]
    markdown = render(make.report_of(*suites))
    assert LIMIT - 1_000 < len(markdown.encode()) <= LIMIT
    assert "; and 9997 more" in markdown.split("\n", 1)[0]
    told = next(line for line in markdown.split("\n") if line.startswith("Left out"))
    assert "the details of 10000 suites; " in told
    assert "rows of the table, none worse than those shown. The JSON report has it all." in told


def test_under_a_limit_the_failing_rows_outlive_the_passing_ones(make: ModuleType) -> None:
    suites = [make.suite_of(make.coverage(), name=f"s{place}") for place in range(200)]
    markdown = render(make.report_of(*suites, make.suite_of(make.drift(), name="the last")), limit=4096)
    assert len(markdown.encode()) <= 4096
    assert "| 🔴&nbsp;drift<br>`the last` | **fail**: " in markdown


def test_under_a_limit_the_details_of_a_failing_suite_outlive_those_of_passing_ones(make: ModuleType) -> None:
    suites = [make.suite_of(make.regression(), name=f"s{place}") for place in range(40)]
    report = make.report_of(*suites, make.suite_of(make.threshold(), name="the last"))
    markdown = render(report, limit=len(render(report).encode()) // 2)
    assert "\n### `s0`\n" in markdown
    assert "\n### `s39`\n" not in markdown
    assert "\n### `the last`\n" in markdown


@pytest.mark.parametrize(
    ("saved", "gone", "kept"),
    [
        (1, "the words of leaked items", "<summary>Items that got worse"),
        (300, "the items that got worse", "<summary>Distributions"),
        (950, "the distributions", "<summary>Coverage"),
    ],
)
def test_what_is_needed_least_is_left_out_first(saved: int, gone: str, kept: str, make: ModuleType) -> None:
    report = make.crowded()
    limit = len(render(report).encode()) - saved
    markdown = render(report, limit=limit)
    assert len(markdown.encode()) <= limit
    assert gone in markdown[: markdown.index("<details")]
    assert kept in markdown


def test_nothing_is_told_as_left_out_where_everything_fits(make: ModuleType) -> None:
    report = make.crowded()
    assert render(report, limit=len(render(report).encode())) == render(report)
    assert "Left out" not in render(report)


def test_the_limit_counts_bytes_not_characters(make: ModuleType) -> None:
    report = make.report_of(make.suite_of(make.threshold(notes=("語" * 900,))))
    limit = len(render(report)) + 100
    assert len(render(report, limit=limit).encode()) <= limit


@pytest.mark.parametrize("limit", [150, 1000, 2500, 4096, 5000])
def test_any_limit_is_kept_and_the_word_stands(limit: int, make: ModuleType) -> None:
    markdown = render(make.crowded(), limit=limit)
    assert len(markdown.encode()) <= limit
    assert markdown.startswith("## 🔴 BLOCK")


@pytest.mark.parametrize(("limit", "told"), [(1024, "1 KiB"), (1 << 20, "1 MiB"), (1000, "1000 bytes")])
def test_the_limit_is_told_in_the_largest_unit_that_it_fills(
    limit: int, told: str, make: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    never_fits: Callable[..., None] = lambda *_: None  # noqa: E731  # a stand-in
    monkeypatch.setattr("gate.reports.markdown.fit", never_fits)
    assert f"All else is left out to stay under {told}" in render(make.worked(), limit=limit)
