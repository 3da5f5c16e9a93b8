"""The inputs of the comment: mode, key and token, and the addresses that the runner tells."""

import pytest

from gate.errors import UsageError
from gate.github.comment_settings import CommentSettings, Mode, RunPage, refuse_wrong_settings
from gate.github.inputs import Inputs, build_request
from tests.fake_github import TOKEN

RUNNER = {
    "GITHUB_API_URL": "https://api.github.com",
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_REPOSITORY": "owner/repository",
    "GITHUB_RUN_ID": "12",
    "GITHUB_RUN_ATTEMPT": "2",
    "GITHUB_WORKFLOW": "evals",
    "GITHUB_JOB": "gate",
    "GITHUB_ACTION": "__self",
}


def settings(environ: dict[str, str] | None = None, **inputs: str) -> CommentSettings:
    given = {f"INPUT_{name.upper().replace('_', '-')}": text for name, text in inputs.items()}
    return CommentSettings.read(Inputs.read(given), RUNNER | (environ or {}))


def test_the_mode_is_auto_where_none_is_given() -> None:
    assert settings().mode is Mode.AUTO


@pytest.mark.parametrize("mode", list(Mode))
def test_a_mode_may_be_written_in_any_case(mode: Mode) -> None:
    assert settings(comment=mode.value.title()).mode is mode


def test_a_wrong_mode_ends_the_run_and_that_is_told_as_auto_would() -> None:
    inputs = Inputs.read({"INPUT_COMMENT": "sometimes"})
    with pytest.raises(UsageError, match="the input 'comment' cannot be 'sometimes'") as caught:
        refuse_wrong_settings(inputs)
    assert caught.value.remedy == "write one of auto, always, changes, failures, off"
    assert settings(comment="sometimes").mode is Mode.AUTO


@pytest.mark.parametrize("name", ["comment-key", "github-token"])
def test_several_lines_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=f"the input '{name}' has several lines"):
        refuse_wrong_settings(Inputs.read({f"INPUT_{name.upper()}": "a\nb"}))


def test_the_marker_is_the_same_from_run_to_run() -> None:
    assert settings({"GITHUB_RUN_ID": "99", "GITHUB_SHA": "f" * 40}).marker == settings().marker


@pytest.mark.parametrize("name", ["GITHUB_WORKFLOW", "GITHUB_JOB", "GITHUB_ACTION"])
def test_each_step_of_each_job_has_a_marker_of_its_own(name: str) -> None:
    assert settings({name: "other"}).marker != settings().marker


@pytest.mark.parametrize("name", ["config", "working_directory", "comment_key"])
def test_each_suite_set_has_a_marker_of_its_own(name: str) -> None:
    assert settings(None, **{name: "a"}).marker != settings().marker


def test_the_commit_of_a_configuration_from_git_is_no_part_of_the_marker() -> None:
    one, other = settings(config="git:abc:gate.yml"), settings(config="git:def:gate.yml")
    assert one.marker == other.marker != settings(config="git:abc:other.yml").marker


def test_a_key_says_it_all() -> None:
    elsewhere = settings({"GITHUB_JOB": "other", "GITHUB_WORKFLOW": "other"}, comment_key="a", config="x.yml")
    assert settings(comment_key="a").marker == elsewhere.marker


@pytest.mark.parametrize("key", ["-->", "--> <script>", "\x00", "é", "x" * 10_000, '", "'])
def test_no_key_can_end_the_marker_before_its_time(key: str) -> None:
    marker = settings(comment_key=key).marker
    assert marker.startswith("<!-- gate-comment ")
    assert marker.count("-->") == 1
    assert len(marker) < 80


def test_parts_of_a_place_cannot_be_moved_from_one_to_the_next() -> None:
    one = settings({"GITHUB_WORKFLOW": "a", "GITHUB_JOB": "bc"})
    assert one.marker != settings({"GITHUB_WORKFLOW": "ab", "GITHUB_JOB": "c"}).marker


def test_the_token_is_never_shown() -> None:
    given = settings(github_token=TOKEN)
    assert given.token == TOKEN
    assert TOKEN not in repr(given)
    assert TOKEN not in repr(Inputs.read({"INPUT_GITHUB-TOKEN": TOKEN}))


def test_the_token_is_no_part_of_the_command_that_repeats_the_run() -> None:
    inputs = {"INPUT_GITHUB-TOKEN": TOKEN, "INPUT_COMMENT": "off", "INPUT_COMMENT-KEY": "k", "INPUT_CANDIDATE": "b.csv"}
    assert build_request(Inputs.read(inputs), ()).command == "gate check --candidate=b.csv"


@pytest.mark.parametrize("environ", [
    {"INPUT_GITHUB-TOKEN": TOKEN, "INPUT_GITHUB_TOKEN": f"{TOKEN}2"}, {"INPUT_GITHUB-TOKEN": f"{TOKEN}\n{TOKEN}"},
])  # fmt: skip
def test_an_error_about_the_token_does_not_show_it(environ: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="github-token") as caught:
        refuse_wrong_settings(Inputs.read(environ))
    assert TOKEN not in f"{caught.value.what}{caught.value.remedy}"


@pytest.mark.parametrize("token", ["two words", "tab\there", "ünïcode", "a\x00b"])
def test_what_cannot_stand_in_a_header_is_no_token(token: str) -> None:
    assert settings(github_token=token).token == ""


def test_the_pages_are_those_of_the_server() -> None:
    page = settings({"GITHUB_SERVER_URL": "https://git.example:8443/"}).page
    assert page.address == "https://git.example:8443/owner/repository/actions/runs/12"
    assert page.commit("abc") == "https://git.example:8443/owner/repository/commit/abc"
    assert page.run == (12, 2)


@pytest.mark.parametrize(
    "environ",
    [
        {"GITHUB_SERVER_URL": "https://x.io) [evil](http://y.io"},
        {"GITHUB_SERVER_URL": "javascript:alert(1)"},
        {"GITHUB_REPOSITORY": "owner/../other"},
        {"GITHUB_REPOSITORY": "owner/.."},
        {"GITHUB_REPOSITORY": ""},
        {"GITHUB_RUN_ID": "1 [x]"},
        {"GITHUB_RUN_ID": ""},
    ],
    ids=str,
)
def test_an_address_that_is_none_makes_no_link(environ: dict[str, str]) -> None:
    assert settings(environ).page.address == ""


def test_of_an_unknown_commit_there_is_no_page() -> None:
    assert RunPage("https://github.com", "owner/repository", (1, 1)).commit("") == ""


@pytest.mark.parametrize(("address", "read"), [
    ("https://git.example/api/v3", "https://git.example/api/v3"), ("https://git.example/api/v3/", "https://git.example/api/v3"),
    ("", "https://api.github.com"), ("ftp://git.example", ""), ("https://user:secret@git.example", ""), ("/api", ""),
])  # fmt: skip
def test_the_api_is_where_the_runner_says(address: str, read: str) -> None:
    assert settings({"GITHUB_API_URL": address}).api == read


@pytest.mark.parametrize(
    ("environ", "told"),
    [({}, "evals / gate"), ({"GITHUB_WORKFLOW": ""}, "gate"), ({"GITHUB_WORKFLOW": "", "GITHUB_JOB": ""}, "")],
)
def test_workflow_and_job_tell_two_comments_apart(environ: dict[str, str], told: str) -> None:
    assert settings(environ).page.job == told
