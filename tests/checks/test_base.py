"""What paths in gate.yml are meant from: its folder, or its commit."""

import pytest
from pydantic import ValidationError

from gate.checks.base import GatePath, Options, Outcome
from gate.results import Status


class OnePath(Options):
    """Options with a path."""

    path: GatePath


def read(path: str, context: dict[str, str] | None = None) -> str:
    return OnePath.model_validate({"path": path}, context=context).path


@pytest.mark.parametrize("context", [None, {}, {"base": ""}, {"base": "", "spec": ""}])
@pytest.mark.parametrize("path", ["a/../b.csv", "/tmp/a.csv", "s3://bucket/a.csv", "git:main:a.csv"])  # noqa: S108  # no file is made
def test_without_a_folder_paths_stay_as_they_are(path: str, context: dict[str, str] | None) -> None:
    assert read(path, context) == path


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("a.csv", "evals/a.csv"),
        ("sub/../../a.csv", "a.csv"),
        ("/data/a.csv", "/data/a.csv"),
        ("./git:x", "evals/git:x"),
        ("s3://bucket/a.csv", "s3://bucket/a.csv"),
        ("https://host/a.csv", "https://host/a.csv"),
        ("git:main:a.csv", "git:main:evals/./a.csv"),
    ],
)
def test_paths_are_meant_from_the_folder_of_gate_yml_and_urls_are_not(path: str, meant: str) -> None:
    assert read(path, {"base": "evals"}) == meant


def test_what_a_gate_yml_of_a_commit_names_in_git_is_meant_within_that_commit() -> None:
    context = {"base": "evals", "spec": "git:main:evals/gate.yml"}
    assert read("git:main:../a.csv", context) == "git:main:a.csv"
    # files that are not in git are those of the working tree
    assert read("a.csv", context) == "evals/a.csv"


def test_an_empty_path_and_a_key_too_many_are_refused() -> None:
    for given in ({"path": ""}, {"path": "a", "other": "b"}):
        with pytest.raises(ValidationError):
            OnePath.model_validate(given)


def test_an_outcome_needs_no_remedy() -> None:
    assert Outcome(Status.PASS, "stable", "nothing moved").remedy == ""
