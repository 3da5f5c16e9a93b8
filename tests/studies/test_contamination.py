"""The study of the contamination scan in a tiny form, on made-up text: its figures can be counted by hand."""

import os
import random
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from gate.contamination import Item
from studies.contamination import __main__ as command
from studies.contamination.leaks import edit, plant
from studies.contamination.packages import PackagesError, fetch_packages, read_pages
from studies.contamination.page import Made, write_page
from studies.contamination.questions import read_questions
from studies.contamination.study import BARS, RULES, SIZES, Mistaken, Plan, Results, measure
from studies.contamination.texts import Page, grow, read_text, read_texts
from tests.real_files import REAL_FILES

PAGE = (Path(__file__).parent.parent.parent / "docs" / "contamination.md").read_text(encoding="utf-8")
# two trigrams, one in each of the first two documents; and a question that no document knows
SHORT = Item("short", "one two three four")
LONG = Item("long", "red green blue white black pink brown grey")
CONTROL = "Package: p\nVersion: 1\nArchitecture: all\nMaintainer: M <m@example.org>\nDescription: d\n"
NONE, HALF, ALL = Fraction(0), Fraction(1, 2), Fraction(1)
DOCUMENTS = ["one two three five", "six two three four", "seven"]


def rng() -> random.Random:
    return random.Random(1)  # noqa: S311  # no secret


def study(folder: Path, *items: Item, leaks: int) -> Results:
    return measure(Plan(items, {1: DOCUMENTS[:1], 10: DOCUMENTS}, leaks), folder)


def test_unrelated_overlap_is_told_by_size_of_n_gram_and_of_corpus(tmp_path: Path) -> None:
    small, large = (one for one in study(tmp_path, SHORT, LONG, leaks=2).unrelated if one.size == 3)
    assert (small.overlap, small.best, small.flagged, small.confirmed) == (0.25, 0.25, NONE, NONE)
    assert (large.overlap, large.best, large.flagged, large.confirmed) == (0.5, 0.25, HALF, NONE)


def test_questions_with_too_few_words_are_counted_and_stay_out_of_the_mean(tmp_path: Path) -> None:
    by_five = [one for one in study(tmp_path, SHORT, LONG, leaks=2).unrelated if one.size == 5]
    assert [(one.not_testable, one.overlap) for one in by_five] == [(HALF, 0.0)] * 2


def test_every_rule_finds_each_leak_that_stands_word_for_word(tmp_path: Path) -> None:
    planted = study(tmp_path, SHORT, LONG, leaks=2).planted
    assert set(planted) == {(n, bar, rule) for n in SIZES for bar in BARS for rule in RULES}
    assert all(one.verbatim == 1 for one in planted.values())


def test_one_changed_word_leaves_half_of_the_trigrams_and_no_n_gram_of_eight_words(tmp_path: Path) -> None:
    planted = study(tmp_path, SHORT, LONG, leaks=2).planted
    assert [planted[3, 0.5, rule].edited for rule in ("pooled", "best document")] == [1, 1]
    assert [planted[8, bar, rule].edited for bar in BARS for rule in RULES] == [0] * 6


def test_what_is_found_without_a_leak_is_false(tmp_path: Path) -> None:
    planted = study(tmp_path, SHORT, LONG, leaks=2).planted
    assert planted[3, 0.8, "pooled"].unrelated == HALF
    assert [planted[3, bar, "best document"].unrelated for bar in BARS] == [NONE, HALF]


def test_a_question_that_differs_from_a_leak_by_its_last_word_is_a_false_sibling(tmp_path: Path) -> None:
    # five of six trigrams are shared, whichever of the two is planted, and the one n-gram of eight words is not
    planted = study(tmp_path, LONG, Item("sibling", LONG.question.replace("grey", "gold")), leaks=1).planted
    assert (planted[3, 0.8, "best document"].siblings, planted[3, 0.8, "best document"].unrelated) == (ALL, NONE)
    assert planted[8, 0.5, "best document"].siblings == 0


def test_edited_leaks_are_told_by_the_length_of_the_question(tmp_path: Path) -> None:
    short, long, *others = study(tmp_path, SHORT, LONG, leaks=2).lengths
    assert [(one.words, one.planted) for one in (short, long)] == [((1, 7), 1), ((8, 11), 1)]
    assert [one.planted for one in others] == [0, 0]
    assert long.edited["best document", 0.5] == 1


def test_a_whole_text_that_stands_there_without_being_planted_is_named(tmp_path: Path) -> None:
    results = study(tmp_path, Item("six", "six two"), LONG, leaks=1)
    assert results.mistaken == dict.fromkeys(SIZES, (Mistaken("six", 2, whole=True),))


def test_the_same_seed_gives_the_same_figures(tmp_path: Path) -> None:
    assert study(tmp_path, SHORT, LONG, leaks=1) == study(tmp_path, SHORT, LONG, leaks=1)


@pytest.mark.parametrize(("words", "changed"), [(1, 1), (12, 1), (17, 1), (24, 2), (60, 5)])
def test_one_word_in_twelve_is_edited_and_at_least_one(words: int, changed: int) -> None:
    question = [f"w{number}" for number in range(words)]
    edited = edit(" ".join(question), [*question, "Other"], rng()).split()
    assert sum(new != old for new, old in zip(edited, question, strict=True)) == changed


def test_each_leak_is_a_line_of_its_own_in_a_document_of_its_own() -> None:
    texts = [f"{number} first\n{number} last" for number in range(5)]
    planted = plant(texts, ["leak a", "leak b", "leak c"], rng())
    added = [set(new.splitlines()) - set(old.splitlines()) for new, old in zip(planted, texts, strict=True)]
    assert sorted(line for lines in added for line in lines) == ["leak a", "leak b", "leak c"]
    assert max(map(len, added)) == 1
    assert all(set(old.splitlines()) <= set(new.splitlines()) for new, old in zip(planted, texts, strict=True))


def test_each_corpus_is_the_beginning_of_the_next_and_reaches_its_size() -> None:
    texts = [f"{number:02}" * 5 for number in range(20)]
    small, large = grow(texts, [25, 100], rng())
    assert (len(small), len(large)) == (3, 10)
    assert large[:3] == small
    assert large != texts[:10]


def test_a_corpus_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the corpus has 0.0 MB of text, and 2 are needed"):
        grow(["little"], [2_000_000], rng())


def test_of_a_page_of_html_only_the_words_that_are_shown_are_read() -> None:
    page = b"<head><title>T</title></head><script>x()</script><p>One <b>t</b>wo</p><p>a &lt; b</p><style>s</style>"
    assert read_text(Page("a.html", page)) == "One two\na < b"
    assert read_text(Page("a.txt", b"<b>  kept\n\n as it is")) == "<b> kept\nas it is"


def test_a_text_counts_once_and_an_empty_one_not_at_all() -> None:
    assert read_texts([Page("a.txt", b"same"), Page("b.txt", b"same"), Page("c.txt", b" \n")]) == ["same"]


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="not a Debian")
def test_the_pages_of_a_package_are_read_without_unpacking_it(tmp_path: Path) -> None:
    for name, text in {
        "p/DEBIAN/control": CONTROL,
        "p/usr/doc/in/a.txt": "text",
        "p/usr/doc/b.html": "other",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["dpkg-deb", "--build", "p", "p_1.deb"], cwd=tmp_path, check=True, capture_output=True)
    assert list(read_pages(str(tmp_path / "p_1.deb"), "*/doc/*.txt")) == [Page("./usr/doc/in/a.txt", b"text")]


def test_a_machine_without_apt_is_told_the_way_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PackagesError, match="apt-get is not on this machine: name a folder of text with --corpus"):
        fetch_packages(["git-doc"], tmp_path)


def test_without_real_questions_the_study_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GATE_REAL_FILES", raising=False)
    assert command.main([]) == 2
    assert "set GATE_REAL_FILES to the folder" in capsys.readouterr().err


def test_a_folder_without_the_questions_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GATE_REAL_FILES", str(tmp_path))
    assert command.main([]) == 2
    assert "llama-2-70b-chat_truthfulqa_gen.head400.jsonl" in capsys.readouterr().err


def test_the_page_tells_the_figures_and_what_made_them(tmp_path: Path) -> None:
    page = write_page(study(tmp_path, SHORT, LONG, leaks=1), Made({"git-doc": "2"}, {"gate": "1.2"}))
    assert "| 3 | 10 | 0.0 | 0.500 | 0.250 | 50.0 | 0.0 | 0.0 |" in page
    assert "Debian's packages git-doc 2;" in page
    assert "- Made with gate 1.2." in page
    assert SHORT.question not in page


def test_the_committed_page_has_every_row_and_keeps_to_its_width() -> None:
    for n in SIZES:
        assert all(f"\n| {n} | {bar:g} | {rule} | " in PAGE for bar in BARS for rule in RULES)
    assert all(len(line) <= 120 or line.startswith("|") for line in PAGE.splitlines())


class TestRealQuestions:
    pytestmark = REAL_FILES

    def test_the_committed_page_counts_them(self) -> None:
        lengths = [len(question.split()) for question in self.questions()]
        assert f"\n{len(lengths)} benchmark questions" in PAGE
        for n in SIZES:
            too_short = 100 * sum(length < n for length in lengths) / len(lengths)
            assert f"\n| {n} | 100 | {too_short:.1f} | " in PAGE

    def test_the_committed_page_quotes_none(self) -> None:
        told = " ".join(PAGE.lower().split())
        assert not [question for question in self.questions() if " ".join(question.lower().split()) in told]

    def questions(self) -> list[str]:
        return [item.question for item in read_questions(Path(os.environ["GATE_REAL_FILES"]))]
