"""Which pull request a run is about, from payloads of every kind of event and from broken ones."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.github.pull_request import (
    Branch,
    NoCommentError,
    OpenPull,
    PullRequest,
    _Event,
    _read,
    find_pull_request,
)

SHA, OTHER = "a" * 40, "b" * 40
HERE, FORK = {"id": 1, "owner": {"login": "owner"}}, {"id": 2, "owner": {"login": "someone"}}


def pull(number: object = 7, *, sha: str = SHA, head: object = HERE, base: object = HERE) -> dict[str, Any]:
    return {
        "number": number,
        "head": {"ref": "feature", "sha": sha, "repo": head},
        "base": {"ref": "main", "sha": OTHER, "repo": base},
    }


def run_of(pulls: list[dict[str, Any]], **changes: object) -> dict[str, Any]:
    run = {
        "event": "pull_request",
        "head_sha": SHA,
        "head_branch": "feature",
        "head_repository": FORK,
        "pull_requests": pulls,
    }
    return {"workflow_run": run | changes, "repository": HERE}


def found(payload: object, folder: Path) -> PullRequest | Branch | None:
    file = folder / "event.json"
    file.write_text(payload if isinstance(payload, str) else json.dumps(payload), encoding="utf-8")
    return find_pull_request({"GITHUB_EVENT_PATH": str(file)})


def test_a_pull_request_event_names_number_and_commit(tmp_path: Path) -> None:
    assert found({"action": "opened", "pull_request": pull()}, tmp_path) == PullRequest(7, SHA)


@pytest.mark.parametrize("head", [FORK, None])
def test_a_fork_is_known_by_its_repository_even_where_that_is_gone(head: object, tmp_path: Path) -> None:
    assert found({"pull_request": pull(head=head)}, tmp_path) == PullRequest(7, SHA, from_fork=True)


def test_a_comment_on_a_pull_request_names_it_and_no_commit(tmp_path: Path) -> None:
    assert found({"issue": {"number": 9, "pull_request": {"url": "x"}}}, tmp_path) == PullRequest(9)


@pytest.mark.parametrize(
    "payload",
    [
        {"ref": "refs/heads/main", "commits": []},
        {"merge_group": {"head_sha": SHA}},
        {"issue": {"number": 9}},
        {},
        run_of([], event="push"),
        run_of([], head_repository=None),
        run_of([], head_branch=None),
    ],
    ids=["push", "merge group", "an issue", "nothing", "a run of a push", "a fork that is gone", "no branch"],
)
def test_an_event_without_a_pull_request_has_none(payload: Mapping[str, object], tmp_path: Path) -> None:
    assert found(payload, tmp_path) is None


def test_without_a_payload_there_is_none() -> None:
    assert find_pull_request({}) is None


def test_a_run_names_the_pull_request_of_this_repository_and_commit(tmp_path: Path) -> None:
    pulls = [pull(5, base=FORK), pull(6, sha=OTHER), pull(7)]
    assert found(run_of(pulls), tmp_path) == PullRequest(7, SHA)


def test_a_run_of_a_fork_is_looked_up_by_its_branch(tmp_path: Path) -> None:
    assert found(run_of([]), tmp_path) == Branch("someone", "feature", SHA)


def test_a_run_whose_pull_request_has_moved_on_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoCommentError, match="no open pull request has the commit that was judged"):
        found(run_of([pull(sha=OTHER)]), tmp_path)


def test_a_run_of_two_pull_requests_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoCommentError, match="several open pull requests"):
        found(run_of([pull(7), pull(8)]), tmp_path)


def listed(number: int, sha: str, ref: str = "feature") -> OpenPull:
    return OpenPull.model_validate({"number": number, "head": {"ref": ref, "sha": sha}})


def test_the_open_pull_request_of_branch_and_commit_is_picked() -> None:
    pulls = [listed(5, OTHER), listed(6, SHA, "other"), listed(7, SHA)]
    assert Branch("someone", "feature", SHA).pick(pulls) == PullRequest(7, SHA, from_fork=True)


@pytest.mark.parametrize("pulls", [[], [listed(5, OTHER)], [listed(5, SHA), listed(6, SHA)]])
def test_anything_but_one_is_not_picked(pulls: list[OpenPull]) -> None:
    with pytest.raises(NoCommentError):
        Branch("someone", "feature", SHA).pick(pulls)


@pytest.mark.parametrize(
    "payload",
    [
        "",
        "not json",
        "[]",
        "[" * 100_000,
        '{"pull_request": 7}',
        {"pull_request": pull(0)},
        {"pull_request": pull(-7)},
        {"pull_request": pull("7")},
        {"pull_request": pull(True)},
        {"pull_request": pull(7.5)},
        {"pull_request": pull(10**30)},
        {"pull_request": pull(sha="main")},
        {"pull_request": pull(sha="")},
        {"pull_request": pull(sha=SHA + "\n")},
        {"issue": {"number": "../../1", "pull_request": {}}},
    ],
    ids=str,
)
def test_a_payload_of_another_shape_is_refused(payload: object, tmp_path: Path) -> None:
    with pytest.raises(NoCommentError, match="not one that GitHub sends"):
        found(payload, tmp_path)


def test_a_payload_without_end_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "event.json"
    with file.open("wb") as sparse:
        sparse.truncate((25 << 20) + 1)
    with pytest.raises(NoCommentError, match="larger than any"):
        find_pull_request({"GITHUB_EVENT_PATH": str(file)})


def test_a_payload_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoCommentError, match="cannot be read"):
        find_pull_request({"GITHUB_EVENT_PATH": str(tmp_path / "nowhere")})


@given(content=st.binary(max_size=200) | st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.dictionaries(st.sampled_from(["pull_request", "issue", "number", "head", "workflow_run"]), inner),
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_whatever_the_payload_says_there_is_an_event_or_a_reason(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.getbasetemp() / "event.json"
    file.write_bytes(content)
    try:
        told: object = _read(str(file))
    except NoCommentError as refused:
        told = str(refused)
    assert isinstance(told, _Event) or told
