"""Where reports go, and what they may not be written over."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from gate.config import GateConfig, SuiteConfig
from gate.config.checks import CheckSettings
from gate.config.overlay import Flags
from gate.errors import UsageError
from gate.reports import REPORTS
from gate.targets import STDOUT, TERMINAL, ReportTarget, find_page, harmless, input_files, refuse_clashes


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("json:out.json", ReportTarget("json", "out.json")),
        ("markdown:-", ReportTarget("markdown", STDOUT)),
        ("text:-", TERMINAL),
        ("json:a:b.json", ReportTarget("json", "a:b.json")),
        ("markdown:/out/ä b.md", ReportTarget("markdown", "/out/ä b.md")),
    ],
)
def test_a_report_is_asked_for_by_form_and_path(wanted: str, expected: ReportTarget) -> None:
    assert ReportTarget.parse(wanted) == expected


@pytest.mark.parametrize("wanted", ["json", "json:", "", ":", "out.json", "pdf:out.pdf", "JSON:out.json", " json:x"])
def test_anything_else_is_a_usage_error_that_lists_the_forms(wanted: str) -> None:
    with pytest.raises(UsageError) as caught:
        ReportTarget.parse(wanted)
    assert caught.value.what == f"--report {wanted!r} is not FORM:PATH"
    assert all(form in caught.value.remedy for form in REPORTS)


# the page

PAGE = ReportTarget("html", "out/page.html")


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("out/summary.md", ("page.html", True)),
        ("summary.md", ("out/page.html", True)),
        ("elsewhere/deep/summary.md", ("../../out/page.html", True)),
        (STDOUT, ("out/page.html", False)),
    ],
)
def test_the_page_is_found_from_where_another_report_lies(other: str, expected: tuple[str, bool]) -> None:
    summary = ReportTarget("markdown", other)
    assert find_page([summary, PAGE], summary) == expected


def test_a_page_on_standard_output_lies_nowhere() -> None:
    summary = ReportTarget("markdown", "summary.md")
    assert find_page([summary, ReportTarget("html", STDOUT)], summary) is None


# clashes


def targets_of(*paths: object) -> list[ReportTarget]:
    return [ReportTarget("json", str(path)) for path in paths]


def inputs_of(*paths: Path) -> dict[str, str]:
    return {os.path.realpath(path): "the baseline" for path in paths}


def test_reports_in_places_of_their_own_are_fine(tmp_path: Path) -> None:
    refuse_clashes([*targets_of(tmp_path / "a", tmp_path / "b", STDOUT)], inputs_of(tmp_path / "c", Path("-")))


def test_a_report_may_not_overwrite_an_input_by_whatever_name(tmp_path: Path) -> None:
    scores = tmp_path / "a.csv"
    scores.touch()
    (tmp_path / "link").symlink_to(scores)
    (tmp_path / "folder").symlink_to(tmp_path)
    for path in (scores, tmp_path / "link", tmp_path / "folder" / "a.csv", f"{tmp_path}/./a.csv"):
        with pytest.raises(UsageError) as caught:
            refuse_clashes(targets_of(path), inputs_of(scores))
        assert caught.value.what == f"--report json:{path} would overwrite the baseline"
        assert list(harmless(targets_of(path, tmp_path / "b"), inputs_of(scores))) == targets_of(tmp_path / "b")


@pytest.mark.parametrize("names", [("r", "r"), ("r", "./r"), (STDOUT, STDOUT), ("x", "r", "x")])
def test_two_reports_may_not_share_a_place(names: Sequence[str], tmp_path: Path) -> None:
    paths = [name if name == STDOUT else f"{tmp_path}/{name}" for name in names]
    with pytest.raises(UsageError) as caught:
        refuse_clashes(targets_of(*paths), {})
    assert caught.value.what == (
        f"--report json:{paths[-1]} and --report json:{paths[0]} would be written to the same place"
    )
    assert list(harmless(targets_of(*paths), {})) == targets_of(*dict.fromkeys(map(os.path.normpath, paths)))


def config_of(**checks: object) -> GateConfig:
    settings = CheckSettings.model_validate(checks)
    suite = SuiteConfig(name="a", baseline="a.csv", candidate="b.csv", checks=settings)
    return GateConfig(version=1, suites=(suite,))


def told(inputs: dict[str, str]) -> dict[str, str]:
    return {os.path.relpath(path): what for path, what in inputs.items()}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_inputs_are_gate_yml_and_all_that_it_names(here: Path) -> None:
    (here / "corpus").mkdir()
    for name in ("corpus/one.txt", "corpus/two.md", "corpus/three.bin", "four.txt"):
        (here / name).touch()
    config = config_of(contamination={"corpus": ["corpus", "f*.txt", "nowhere"], "items": "q.jsonl"})
    assert told(input_files(config, Flags(), path="gate.yml", corpora=True)) == {
        "gate.yml": "gate.yml", "a.csv": "the baseline", "b.csv": "the candidate", "q.jsonl": "the file of questions",
        "corpus/one.txt": "a file of the corpus", "corpus/two.md": "a file of the corpus",
        "four.txt": "a file of the corpus",
    }  # fmt: skip


@pytest.mark.usefixtures("here")
def test_the_corpus_is_listed_only_where_asked() -> None:
    Path("c.txt").touch()
    config = config_of(contamination={"corpus": "c.txt"})
    assert "c.txt" not in told(input_files(config, Flags(), path=None, corpora=False))


@pytest.mark.usefixtures("here")
def test_flags_name_inputs_where_no_configuration_is_known() -> None:
    Path("c.txt").touch()
    flags = Flags(baseline="x.csv", candidate="y.csv", corpus=("c.txt",))
    assert told(input_files(None, flags, path="gate.yml", corpora=True)) == {
        "gate.yml": "gate.yml", "x.csv": "the baseline", "y.csv": "the candidate", "c.txt": "a file of the corpus",
    }  # fmt: skip


def test_a_path_that_no_file_can_have_is_no_error() -> None:
    assert input_files(None, Flags(baseline="a\0b"), path=None, corpora=False) == {"a\0b": "the baseline"}


@pytest.mark.parametrize(("name", "expected"), [("there", True), ("not there", False), (STDOUT, False)])
@pytest.mark.usefixtures("here")
def test_a_target_replaces_something_where_something_is(name: str, *, expected: bool) -> None:
    Path("there").touch()
    assert ReportTarget("json", name).replaces_something is expected


def test_a_store_is_not_listed_since_no_report_can_be_written_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed: list[str] = []
    monkeypatch.setattr("gate.contamination.sources.find_stored", listed.append)
    (tmp_path / "here.txt").touch()
    corpora = ("s3://bucket/texts", f"file://{tmp_path}/here.txt", "local://nowhere")
    found = input_files(None, Flags(corpus=corpora), path=None, corpora=True)
    assert found == {os.path.realpath(tmp_path / "here.txt"): "a file of the corpus"}
    assert listed == []
