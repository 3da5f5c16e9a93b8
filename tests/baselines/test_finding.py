"""Baselines in git: what a path means, what is read of it, and that nothing is left behind."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from gate.baselines import finding_baselines, from_folder, from_spec, is_there, located, read_in_git, reading_once
from gate.baselines.spec import GitSpec
from gate.errors import GateError, GitError
from gate.scores import read_tasks
from gate.scores.model import Run
from tests.conftest import Sandbox

SCORES = "id,score\n1,1\n2,0\n"


def read(path: str) -> Run:
    with located(path) as found:
        return read_tasks(found.path, mirror=found.mirror)


def refused(path: str) -> GateError:
    with pytest.raises(GateError) as caught:
        read(path)
    return caught.value


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that copies are made in."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_file_is_read_as_the_commit_has_it_and_told_by_its_spec(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/a.csv": SCORES})
    sandbox.write("results/a.csv", "id,score\n1,0\n")
    run = read("git:main:results/a.csv")
    assert run.item_scores("score").values.tolist() == [1.0, 0.0]
    assert run.source.path == "git:main:results/a.csv"
    assert run.source.digest == hashlib.sha256(SCORES.encode()).hexdigest()


def test_a_folder_and_a_pattern_are_read_as_in_the_working_tree(sandbox: Sandbox) -> None:
    sandbox.commit(
        **{"results/a.csv": SCORES, "results/deep/b.csv": SCORES, "results/.hidden.csv": SCORES, "c.csv": ""}
    )
    for path in ("results", "results/**/*.csv", "*/?.csv", "results/deep"):
        ours, theirs = read(f"git:HEAD:{path}"), read_tasks(path)
        assert (ours.ids, ours.strata) == (theirs.ids, theirs.strata)
        assert ours.source.digest == theirs.source.digest
        assert [note.replace("git:HEAD:", "") for note in ours.notes] == list(theirs.notes)


def test_a_name_with_the_signs_of_a_pattern_means_itself(sandbox: Sandbox) -> None:
    sandbox.commit(**{"run[1].csv": SCORES, "run1.csv": "id,score\n1,0\n"})
    assert read("git:main:run[1].csv").item_scores("score").values.tolist() == [1.0, 0.0]


def test_what_readers_look_for_beside_a_file_comes_along(sandbox: Sandbox) -> None:
    sandbox.commit(**{"out/per_instance_stats.json": SCORES, "out/run_spec.json": "{}", "out/other.json": "{}"})
    with located("git:main:out/per_instance_stats.json") as found:
        assert sorted(path.name for path in Path(found.path).parent.iterdir()) == [
            "per_instance_stats.json",
            "run_spec.json",
        ]


def test_nothing_is_left_behind_whatever_happens(sandbox: Sandbox, temporary: Path) -> None:
    sandbox.commit(**{"a.csv": SCORES, "bad.csv": "id,score\n1\n"})
    read("git:main:a.csv")
    refused("git:main:bad.csv")
    seen: list[Path] = []

    def interrupted() -> None:
        with located("git:main:a.csv"):
            seen.extend(temporary.iterdir())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert seen
    assert not list(temporary.iterdir())


def test_a_message_never_names_the_copy(sandbox: Sandbox, temporary: Path) -> None:
    sandbox.commit(**{"r/bad.csv": "id,score\n1,x\n2,1\n", "r/deep/bad.csv": "id,score\n1,1\n1,1\n"})
    for path in ("git:main:r/bad.csv", "git:main:r", "git:main:r/*.csv", "git:main:r/deep"):
        fault = refused(path)
        assert fault.where is not None
        assert fault.where.path.startswith("git:main:r/")
        assert str(temporary) not in str(fault)


def test_a_path_is_meant_from_the_working_directory_or_from_the_folder_of_gate_yml(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.commit(**{"evals/results/a.csv": SCORES})
    assert from_folder("git:main:results/a.csv", "evals") == "git:main:evals/./results/a.csv"
    assert from_folder("git:main:results/a.csv", ".") == "git:main:results/a.csv"
    assert read("git:main:evals/./results/a.csv").source.path == "git:main:evals/results/a.csv"
    monkeypatch.chdir("evals")
    assert read("git:main:results/a.csv").source.path == "git:main:results/a.csv"
    assert read("git:main:../evals/results/a.csv").source.path == "git:main:evals/results/a.csv"
    assert read(f"git:main:{sandbox.root}/evals/results/a.csv").source.path == "git:main:evals/results/a.csv"


def test_a_path_in_a_file_of_a_commit_is_meant_within_the_folders_of_that_commit(sandbox: Sandbox) -> None:
    sandbox.commit(**{"evals/a.csv": SCORES, "old/a.csv": "id,score\n1,0\n"})
    shutil.rmtree(sandbox.root / "evals")
    (sandbox.root / "evals").symlink_to("old")
    spec = from_spec("git:main:a.csv", "git:main:evals/gate.yml")
    assert spec == "git:main:evals/a.csv"
    assert read(spec).n_items == 2
    assert read(f"git:main:{sandbox.root}/evals/a.csv").n_items == 2
    assert from_spec("git:main:../a.csv", "git:main:evals/./deep/gate.yml") == "git:main:evals/./a.csv"
    assert from_spec("git:main", "git:main:evals/gate.yml") == "git:main"


def test_of_two_checkouts_the_one_that_gate_yml_lies_in_is_meant(sandbox: Sandbox) -> None:
    sandbox.commit(**{"a.csv": SCORES})
    sandbox.clone(sandbox.root / "target")
    sandbox.commit(**{"a.csv": "id,score\n1,0\n"})
    assert read("git:HEAD:target/./a.csv").n_items == 2
    assert read("git:HEAD:a.csv").n_items == 1


@pytest.mark.parametrize(
    "path", ["../a.csv", "../../etc/passwd", "x/../../a.csv", "/etc/passwd", "evals/./../../a.csv"]
)
def test_a_path_that_leads_out_of_the_repository_is_refused(path: str, sandbox: Sandbox) -> None:
    sandbox.commit(a=SCORES)
    assert refused(f"git:main:{path}").what == "the path leads out of the repository"


@pytest.mark.parametrize("spec", ["git:main", "git:", "git::x", "git:main:", "git:main:a\0b"])
def test_half_a_spec_is_refused_with_a_whole_one(spec: str) -> None:
    fault = refused(spec)
    assert fault.what == "this is not git:REF:PATH"
    assert "`git:origin/main:results/run.csv`" in fault.remedy


def test_a_colon_in_the_path_is_the_paths_own() -> None:
    assert GitSpec.parse("git:v1:a:b.csv") == GitSpec("v1", "", "a:b.csv")


def test_links_submodules_and_pointers_are_refused_with_the_way_out(sandbox: Sandbox) -> None:
    sandbox.write("a.csv", SCORES)
    (sandbox.root / "link.csv").symlink_to("/etc/passwd")
    (sandbox.root / "folder").mkdir()
    (sandbox.root / "folder/link.csv").symlink_to("../a.csv")
    (sandbox.root / "through").symlink_to("folder")
    sandbox.write("lfs.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
    commit = sandbox.commit()
    sandbox.git("update-index", "--add", "--cacheinfo", f"160000,{commit},module")
    sandbox.git("commit", "--quiet", "--message", "a submodule")
    assert refused("git:main:link.csv").what == "this is a symbolic link to '/etc/passwd'"
    assert refused("git:main:folder").what == "this is a symbolic link to '../a.csv'"
    assert refused("git:main:module").what.startswith("this is a submodule")
    fault = refused("git:main:lfs.csv")
    assert fault.what.startswith("this is the pointer of Git LFS")
    assert fault.remedy.startswith("`lfs: true` only fetches the files of the commit that is checked out")
    assert refused("git:main:through/link.csv").what == "there is no such file, and there never was one"


def test_upper_and_lower_case_are_told_apart_and_a_slip_is_named(sandbox: Sandbox) -> None:
    sandbox.commit(**{"results/Main.csv": SCORES})
    fault = refused("git:main:results/main.csv")
    assert fault.what == 'there is no such file; there is "results/Main.csv"'


def test_a_name_that_is_not_utf_8_is_read(sandbox: Sandbox) -> None:
    name = os.fsdecode(b"caf\xe9.csv")
    sandbox.commit(**{name: SCORES})
    assert read(f"git:main:{name}").n_items == 2


def test_a_tree_that_git_would_not_write_leads_nowhere(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.commit(a="x")
    blob = sandbox.git("rev-parse", "HEAD:a")
    raw = b"100644 ../../evil\0" + bytes.fromhex(blob)
    (tmp_path / "tree").write_bytes(raw)
    tree = sandbox.git("hash-object", "-t", "tree", "-w", "--literally", str(tmp_path / "tree"))
    commit = sandbox.git("commit-tree", tree, "-m", "evil")
    assert refused(f"git:{commit}:.").what == "the repository holds a tree that git would not write"
    assert not (tmp_path / "evil").exists()


def test_one_spec_of_many_suites_is_copied_once(sandbox: Sandbox, temporary: Path) -> None:
    sandbox.commit(**{"a.csv": SCORES})
    spec = "git:main:a.csv"
    with finding_baselines({"one": spec, "two": spec, "three": None, "four": "a.csv"}, None) as found:
        assert len(list(temporary.iterdir())) == 1
        assert found["one"] is found["two"]
        assert found["four"].path == "a.csv"
        assert "three" not in found


def test_where_no_copy_can_be_made_memory_serves(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.commit(**{"a.csv": SCORES})
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "not-there"))
    monkeypatch.setattr("gate.baselines.finding._IN_MEMORY", str(tmp_path))
    assert read("git:main:a.csv").n_items == 2
    monkeypatch.setattr("gate.baselines.finding._IN_MEMORY", str(tmp_path / "neither"))
    assert refused("git:main:a.csv").remedy == "set TMPDIR to a folder that this user may write to"


def test_more_than_a_disk_should_take_is_refused(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.commit(**{"a.csv": SCORES})
    monkeypatch.setattr("gate.baselines.finding.MOST_BYTES", 5)
    assert refused("git:main:a.csv").what.startswith("there are more than")


def test_a_configuration_is_read_whole_or_refused(sandbox: Sandbox) -> None:
    sandbox.commit(**{"evals/gate.yml": "version: 1\n"})
    assert read_in_git("git:main:evals/gate.yml", {}) == b"version: 1\n"
    with pytest.raises(GitError) as caught:
        read_in_git("git:main:evals/gate.yaml", {})
    assert caught.value.remedy == 'did you mean "evals/gate.yml"?'
    with pytest.raises(GitError, match="this is a folder"):
        read_in_git("git:main:evals", {})


def test_what_is_read_once_stays_what_it_was_though_its_ref_moves(sandbox: Sandbox) -> None:
    sandbox.commit(**{"gate.yml": "version: 1\n"})
    with reading_once():
        first = read_in_git("git:main:gate.yml", {})
        sandbox.commit(**{"gate.yml": "version: 2\n"})
        assert read_in_git("git:main:gate.yml", {}) == first == b"version: 1\n"
    assert read_in_git("git:main:gate.yml", {}) == b"version: 2\n"


def test_a_baseline_whose_version_nobody_asks_for_needs_no_walk_through_the_history(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.commit(**{"a.csv": SCORES})

    def walk(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("gate.baselines.stored.last_change", walk)
    assert read("git:main:a.csv").n_items == 2
    with pytest.raises(AssertionError), finding_baselines({"suite": "git:main:a.csv"}, None):
        pass


@pytest.mark.parametrize(("path", "there"), [("a.csv", True), (".", True), ("*.csv", True), ("b.csv", False)])
def test_it_is_known_whether_a_path_is_there_without_a_copy(
    path: str, there: bool, sandbox: Sandbox, temporary: Path
) -> None:
    sandbox.commit(**{"a.csv": SCORES})
    temporary.rmdir()
    assert is_there(f"git:main:{path}") is there
