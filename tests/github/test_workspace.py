"""The workspace: nothing leads out of it, and what is written in it belongs to its owner."""

import os
import stat
from pathlib import Path

import pytest

from gate.errors import Place, UsageError
from gate.github.workspace import REPORT_FILES, ReportFiles, Workspace

RUNNER = 1001  # the hosted runner's user

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "workspace" / "evals" / "deep").mkdir(parents=True)
    return tmp_path / "workspace"


def find(root: Path, working_directory: str | None = None) -> Workspace:
    return Workspace.find({"GITHUB_WORKSPACE": str(root)}, working_directory)


def owner(path: Path) -> int:
    return path.lstat().st_uid


# the folders


def test_the_workspace_is_the_working_directory_by_default(root: Path) -> None:
    assert find(root) == Workspace(root, root)


@pytest.mark.parametrize("environ", [{}, {"GITHUB_WORKSPACE": ""}])
def test_outside_of_a_runner_the_workspace_is_where_one_stands(
    environ: dict[str, str], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    assert Workspace.find(environ, "evals") == Workspace(root, root / "evals")


@pytest.mark.parametrize("path", ["evals", "./evals/", "evals/deep/..", "evals/../evals"])
def test_a_working_directory_is_meant_from_the_workspace(path: str, root: Path) -> None:
    assert find(root, path).directory == root / "evals"


def test_an_absolute_working_directory_inside_the_workspace_is_one_too(root: Path) -> None:
    assert find(root, str(root / "evals")).directory == root / "evals"


@pytest.mark.parametrize("path", ["..", "../outside", "evals/../../outside", "/", "/tmp", "out", "evals/out"])  # noqa: S108  # that is the point
def test_a_working_directory_that_leads_out_is_an_error(path: str, root: Path) -> None:
    (root / "out").symlink_to(root.parent / "outside")
    (root / "evals" / "out").symlink_to("../../outside")
    with pytest.raises(UsageError) as caught:
        find(root, path)
    assert caught.value.what == f"the input 'working-directory' leads out of the workspace: {path!r}"
    assert "without a link or `..`" in caught.value.remedy


def test_a_link_that_stays_inside_is_followed(root: Path) -> None:
    (root / "link").symlink_to("evals")
    assert find(root, "link").directory == root / "evals"


@pytest.mark.parametrize("path", ["link", "link/deep", "evals/here", "dot/evals", "{root}/link"])
def test_a_link_may_not_choose_what_git_names_are_meant_from(path: str, root: Path) -> None:
    for name, target in {"link": "evals", "evals/here": ".", "dot": "."}.items():
        (root / name).symlink_to(target)
    given = path.format(root=root)
    with pytest.raises(UsageError, match="is or goes through a link, which a pull request may point elsewhere"):
        find(root, given).require_own_folder(given)


@pytest.mark.parametrize("path", ["evals", "evals/deep"])
def test_a_submodule_may_not_choose_what_git_names_are_meant_from(path: str, root: Path) -> None:
    (root / "evals" / ".git").write_text("gitdir: ../.git/modules/evals\n", encoding="utf-8")
    with pytest.raises(UsageError, match="lies in a submodule, which a pull request may point elsewhere"):
        find(root, path).require_own_folder(path)


@pytest.mark.parametrize("path", ["evals", "evals/../evals/deep", "{root}/evals", "."])
def test_git_names_may_be_meant_from_a_folder_of_the_checkout_or_from_a_worktree(path: str, root: Path) -> None:
    (root / "evals" / ".git").write_text("gitdir: ../.git/worktrees/evals\n", encoding="utf-8")
    given = path.format(root=root)
    find(root, given).require_own_folder(given)


def test_a_workspace_that_is_a_link_itself_is_followed(root: Path) -> None:
    (root.parent / "link").symlink_to(root)
    assert find(root.parent / "link", "evals") == Workspace(root, root / "evals")


def test_a_folder_whose_name_begins_like_the_workspace_is_outside(root: Path) -> None:
    (root.parent / "workspace-2").mkdir()
    with pytest.raises(UsageError, match="leads out"):
        find(root, "../workspace-2")


@pytest.mark.parametrize("path", ["nowhere", "file.csv", "file.csv/x", "loop"])
def test_a_working_directory_that_is_no_folder_is_an_error(path: str, root: Path) -> None:
    (root / "file.csv").touch()
    (root / "loop").symlink_to("loop")
    with pytest.raises(UsageError, match="the input 'working-directory' names no folder") as caught:
        find(root, path)
    assert "check out the repository" in caught.value.remedy


def test_a_path_that_no_path_can_be_is_an_error_of_the_input(root: Path) -> None:
    with pytest.raises(UsageError, match="the input 'working-directory' cannot be used as a path: File name too long"):
        find(root, "x" * 300)


def test_a_workspace_that_is_not_there_is_an_error(root: Path) -> None:
    with pytest.raises(UsageError, match="GITHUB_WORKSPACE names no folder"):
        find(root / "nowhere")


def test_a_place_in_the_workspace_is_named_from_its_root(root: Path) -> None:
    (root / "evals" / "gate.yml").touch()
    workspace = find(root, "evals")
    assert workspace.find_file(Place("gate.yml", 3)) == "evals/gate.yml"
    assert workspace.find_file(Place("./deep/../gate.yml")) == "evals/gate.yml"
    assert workspace.find_file(Place(str(root / "evals" / "gate.yml"))) == "evals/gate.yml"


@pytest.mark.parametrize(
    "path", ["nowhere.csv", "the command line", ".", "deep", "../../outside/x", "/etc/passwd", "c\0.csv"]
)
def test_a_place_that_is_no_file_of_the_workspace_is_not_named(path: str, root: Path) -> None:
    (root.parent / "outside" / "x").touch()
    assert find(root, "evals").find_file(Place(path)) is None


# the reports


def write(files: ReportFiles) -> None:
    for path in files.paths.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("report", encoding="utf-8")


def test_reports_lie_in_their_folder_from_the_working_directory(root: Path) -> None:
    files = ReportFiles.plan(find(root, "evals"), "gate-report")
    folder = root / "evals" / "gate-report"
    assert files.paths == {form: folder / name for form, name in REPORT_FILES.items()}
    assert list(REPORT_FILES.values()) == ["report.json", "report.md", "report.html", "report.xml"]
    assert not folder.exists()


@pytest.mark.parametrize("path", ["..", "../outside", "/tmp/x", "out", "out/deeper", "a/../../outside"])  # noqa: S108  # ditto
def test_a_report_folder_that_leads_out_is_an_error(path: str, root: Path) -> None:
    (root / "out").symlink_to(root.parent / "outside")
    with pytest.raises(UsageError, match="the input 'report-dir' leads out of the workspace"):
        ReportFiles.plan(find(root), path)


@pytest.mark.parametrize("name", REPORT_FILES.values())
@pytest.mark.parametrize("target", ["../../outside/victim", "../evals/other.txt", "nowhere"])
def test_a_report_is_not_written_through_a_link_that_a_repository_has_laid(name: str, target: str, root: Path) -> None:
    (root / "gate-report").mkdir()
    (root / "gate-report" / name).symlink_to(target)
    with pytest.raises(UsageError, match=f"a link lies where a report goes: 'gate-report/{name}'") as caught:
        ReportFiles.plan(find(root), "gate-report")
    assert "take it out of the repository" in caught.value.remedy


def test_only_what_this_run_has_written_counts_as_written(root: Path) -> None:
    folder = root / "gate-report"
    folder.mkdir()
    (folder / "report.json").write_text("of an earlier run", encoding="utf-8")
    files = ReportFiles.plan(find(root), "gate-report")
    assert files.written() == {}
    (folder / "report.md").write_text("new", encoding="utf-8")
    assert files.written() == {"markdown": folder / "report.md"}
    (folder / "next").write_text("newer", encoding="utf-8")
    (folder / "next").replace(folder / "report.json")
    assert files.written() == {form: files.paths[form] for form in ("json", "markdown")}


@as_root
def test_what_is_written_belongs_to_the_owner_of_the_workspace(root: Path) -> None:
    os.chown(root, RUNNER, RUNNER)
    files = ReportFiles.plan(find(root), "a/b/c")
    write(files)
    assert files.hand_over() == ()
    made = [root / "a", root / "a" / "b", root / "a" / "b" / "c", *files.paths.values()]
    assert {(path.stat().st_uid, path.stat().st_gid) for path in made} == {(RUNNER, RUNNER)}


@as_root
def test_what_was_there_before_keeps_its_owner(root: Path) -> None:
    os.chown(root, RUNNER, RUNNER)
    folder = root / "reports"
    folder.mkdir()
    (folder / "report.json").touch()
    (folder / "other").touch()
    os.chown(folder, 7, 7)
    files = ReportFiles.plan(find(root), "reports/new")
    write(files)
    files.hand_over()
    assert [owner(path) for path in (folder, folder / "other", folder / "report.json", root / "evals")] == [7, 0, 0, 0]


@as_root
def test_nothing_outside_of_the_workspace_changes_its_owner(root: Path) -> None:
    os.chown(root, RUNNER, RUNNER)
    files = ReportFiles.plan(find(root), "new")
    write(files)
    files.paths["json"].unlink()
    (root.parent / "outside" / "victim").touch()
    files.paths["json"].symlink_to("../../outside/victim")
    files.hand_over()
    assert owner(root.parent / "outside" / "victim") == 0
    assert owner(root.parent) != RUNNER


@as_root
def test_rights_are_left_as_they_are(root: Path) -> None:
    os.chown(root, RUNNER, RUNNER)
    files = ReportFiles.plan(find(root), "new")
    write(files)
    files.paths["json"].chmod(0o640)
    files.hand_over()
    assert stat.S_IMODE(files.paths["json"].stat().st_mode) == 0o640


@as_root
def test_what_may_not_be_given_away_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    os.chown(root, RUNNER, RUNNER)
    files = ReportFiles.plan(find(root), "new")
    write(files)
    monkeypatch.setattr(os, "chown", refuse)
    assert files.hand_over() == (root / "new", *(root / "new" / name for name in REPORT_FILES.values()))


@as_root
def test_a_group_that_may_not_be_changed_is_not_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    os.chown(root, 0, RUNNER)
    files = ReportFiles.plan(find(root), "new")
    write(files)
    monkeypatch.setattr(os, "chown", refuse)
    assert files.hand_over() == ()


def test_another_user_than_root_gives_nothing_away(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: RUNNER)
    monkeypatch.setattr(os, "chown", lambda *_, **__: pytest.fail("this user may not"))
    files = ReportFiles.plan(find(root), "new")
    write(files)
    assert files.hand_over() == ()
