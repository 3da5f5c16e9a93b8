"""The comment as part of a step: when there is one, what is told where there is none, and that no verdict waits."""

import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from gate.github import comment, posting
from gate.github.comment_settings import Mode
from tests.fake_github import BOT, REPOSITORY, TOKEN, Fault, Server, State, serving

Inputs = dict[str, object]
Step = Any  # the runner of conftest.py
Told = Any

SHA = "a" * 40
PERMISSION = "`permissions: pull-requests: write` gives the job's token that right"
MISSING = "No comment on the pull request: "


def pull_request(*, fork: bool = False) -> dict[str, Any]:
    head = {"ref": "feature", "sha": SHA, "repo": {"id": 2 if fork else 1}}
    return {"pull_request": {"number": 7, "head": head, "base": {"ref": "main", "sha": "b" * 40, "repo": {"id": 1}}}}


@pytest.fixture
def state() -> State:
    return State()


@pytest.fixture
def api(state: State) -> Iterator[Server]:
    with serving(state) as server:
        yield server


@pytest.fixture
def on_pull(step: Step, api: Server, tmp_path: Path) -> Step:
    """A step of a pull request's run, with a token."""
    step.environ.update(
        {
            "GITHUB_API_URL": api.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_RUN_ID": "12",
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_WORKFLOW": "evals",
            "GITHUB_JOB": "gate",
            "GITHUB_ACTION": "__self",
            "INPUT_GITHUB-TOKEN": TOKEN,
        }
    )
    tell_event(step, pull_request())
    return step


def tell_event(step: Step, payload: Mapping[str, object]) -> None:
    Path(step.environ["GITHUB_EVENT_PATH"]).write_text(json.dumps(payload), encoding="utf-8")


def assert_missing(told: Told, reason: str) -> None:
    """There is no comment, the verdict stands, and log and summary say why in one line each."""
    assert (told.code, told.outputs["verdict"], told.outputs["comment-url"]) == (0, "PASS", "")
    assert [line for line in told.summary.splitlines() if "comment" in line] == [f"{MISSING}{reason}."]
    assert [line for line in told.log.splitlines() if "comment" in line] == [
        f"no comment on the pull request: {reason}"
    ]


def assert_silent(told: Told, state: State) -> None:
    assert "comment" not in told.log + told.summary
    assert told.outputs["comment-url"] == ""
    assert state.comments == []


# the story


def test_a_pull_request_gets_its_verdict_as_a_comment(on_pull: Step, state: State, blocking: Inputs) -> None:
    told = on_pull.run(**blocking)
    (written,) = state.comments
    assert "\n### 🔴 BLOCK: " in written["body"]
    assert f"commit/{SHA}" in written["body"]
    assert told.outputs["comment-url"] == written["html_url"]
    assert f"the comment on pull request 7 is written: {written['html_url']}" in told.log
    assert "comment" not in told.summary


def test_the_next_push_brings_it_up_to_date(on_pull: Step, state: State, blocking: Inputs) -> None:
    on_pull.run(**blocking)
    on_pull.environ["GITHUB_RUN_ID"] = "13"
    told = on_pull.run(**{**blocking, "candidate": "a.csv"})
    (written,) = state.comments
    assert "\n### 🟢 PASS: " in written["body"]
    assert told.outputs["comment-url"] == written["html_url"]


def test_an_error_is_told_in_the_comment_too(on_pull: Step, state: State, blocking: Inputs) -> None:
    on_pull.run(**blocking)
    told = on_pull.run(candidate="nowhere.csv", threshold="0.5")
    assert told.code == 2
    assert "\n### 🟣 ERROR: there is no such file" in state.comments[0]["body"]


@pytest.mark.parametrize("inputs", [{"comment": "sometimes"}, {"comment_key": "a\nb"}, {"treshold": "0.7"}, {}])
def test_inputs_that_are_wrong_are_told_in_the_comment_too(inputs: Inputs, on_pull: Step, state: State) -> None:
    assert on_pull.run(**inputs).code == 2
    assert "\n### 🟣 ERROR: " in state.comments[0]["body"]


def test_two_legs_with_keys_have_a_comment_each(on_pull: Step, state: State, passing: Inputs) -> None:
    for key in ("model a", "model b", "model a"):
        on_pull.run(**passing, comment_key=key)
    assert [row["body"].splitlines()[2][:30] for row in state.comments] == [
        "### 🟢 PASS (`model a`): nothin",
        "### 🟢 PASS (`model b`): nothin",
    ]


def test_two_steps_of_a_job_have_a_comment_each(on_pull: Step, state: State, passing: Inputs) -> None:
    on_pull.run(**passing)
    on_pull.environ["GITHUB_ACTION"] = "__self_2"
    on_pull.run(**passing)
    assert len(state.comments) == 2


@pytest.mark.parametrize("payload", [
    {"issue": {"number": 7, "pull_request": {}}},
    {"workflow_run": {"event": "pull_request", "head_sha": SHA, "head_branch": "feature", "pull_requests": [],
                      "head_repository": {"id": 2, "owner": {"login": "someone"}}}, "repository": {"id": 1}},
], ids=["a comment", "a workflow of a fork"])  # fmt: skip
def test_other_events_lead_to_their_pull_request(
    payload: dict[str, Any], on_pull: Step, state: State, passing: Inputs
) -> None:
    head = {"label": "someone:feature", "ref": "feature", "sha": SHA}
    state.pulls = [{"number": 7, "state": "open", "head": head}]
    tell_event(on_pull, payload)
    assert on_pull.run(**passing).outputs["comment-url"] == state.comments[0]["html_url"]


def test_a_fork_s_pull_request_that_has_moved_on_gets_none(on_pull: Step, state: State, passing: Inputs) -> None:
    head = {"label": "someone:feature", "ref": "feature", "sha": "c" * 40}
    state.pulls = [{"number": 7, "state": "open", "head": head}]
    run = {
        "event": "pull_request",
        "head_sha": SHA,
        "head_branch": "feature",
        "head_repository": {"id": 2, "owner": {"login": "someone"}},
    }
    tell_event(on_pull, {"workflow_run": run, "repository": {"id": 1}})
    assert_missing(on_pull.run(**passing), "no open pull request has the commit that was judged as its newest")


# modes


@pytest.mark.parametrize(
    ("verdict", "inputs", "wanted"),
    [
        ("passing", {}, True),
        ("passing", {"comment": "auto"}, True),
        ("passing", {"comment": "always"}, True),
        ("passing", {"comment": "changes"}, False),
        ("warning", {"comment": "changes"}, True),
        ("blocking", {"comment": "changes"}, True),
        ("moved", {"comment": "changes"}, True),
        ("passing", {"comment": "failures"}, False),
        ("moved", {"comment": "failures"}, False),
        ("warning", {"comment": "failures"}, False),
        ("warning", {"comment": "failures", "fail_on": "warn"}, True),
        ("blocking", {"comment": "failures"}, True),
        ("blocking", {"comment": "failures", "fail_on": "never"}, True),
        ("blocking", {"comment": "off"}, False),
    ],
)
def test_a_mode_decides_whether_there_is_one(
    verdict: str, inputs: Inputs, wanted: bool, on_pull: Step, state: State, request: pytest.FixtureRequest
) -> None:
    told = on_pull.run(**request.getfixturevalue(verdict), **inputs)
    assert bool(state.comments) == wanted
    assert MISSING not in told.summary


@pytest.fixture
def moved(step: Step) -> Inputs:
    """One item better, one worse: nothing speaks against it."""
    return {
        "baseline": step.write("a.csv", [1] * 30 + [0] * 30),
        "candidate": step.write("b.csv", [1] * 29 + [0] * 30 + [1]),
    }


@pytest.mark.parametrize("mode", sorted(set(Mode) - {Mode.OFF}))
def test_in_every_mode_but_off_one_that_stands_there_is_brought_up_to_date(
    mode: Mode, on_pull: Step, state: State, blocking: Inputs
) -> None:
    on_pull.run(**blocking, comment="always")
    on_pull.run(**{**blocking, "candidate": "a.csv"}, comment=mode)
    assert "\n### 🟢 PASS: " in state.comments[0]["body"]


def test_off_asks_github_nothing(on_pull: Step, state: State, blocking: Inputs) -> None:
    on_pull.run(**blocking, comment="off")
    assert state.requests == []


# where there is none


@pytest.mark.parametrize("mode", ["auto", "changes", "failures"])
def test_an_event_without_a_pull_request_is_no_news(mode: str, on_pull: Step, state: State, blocking: Inputs) -> None:
    tell_event(on_pull, {"ref": "refs/heads/main"})
    assert_silent(on_pull.run(**blocking, comment=mode), state)
    assert state.requests == []


def test_always_says_that_the_event_has_no_pull_request(on_pull: Step, passing: Inputs) -> None:
    tell_event(on_pull, {"ref": "refs/heads/main"})
    assert_missing(on_pull.run(**passing, comment="always"), "the event that started this run has none")


def test_without_a_token_auto_is_silent(on_pull: Step, state: State, blocking: Inputs) -> None:
    del on_pull.environ["INPUT_GITHUB-TOKEN"]
    assert_silent(on_pull.run(**blocking), state)


def test_without_a_token_a_mode_that_was_asked_for_says_so(on_pull: Step, passing: Inputs) -> None:
    del on_pull.environ["INPUT_GITHUB-TOKEN"]
    reason = "there is no token: the input `github-token` is empty, or holds what cannot be one"
    assert_missing(on_pull.run(**passing, comment="always"), reason)


REFUSALS: list[tuple[str, Fault, str]] = [
    ("a wrong token", Fault("GET", 401), "GitHub does not take the token (401): it is wrong, or has expired"),
    ("gone", Fault("POST", 410), "GitHub says that it is gone (410)"),
    ("unfit", Fault("POST", 422), "GitHub did not take the text (422): the conversation may be locked"),
    ("limited", Fault("GET", 429), "GitHub asks for patience (429): its rate limit is reached"),
    ("teapot", Fault("GET", 418), "GitHub refused (418)"),
    (
        "moved",
        Fault("GET", 307, {"Location": "http://127.0.0.1:1/"}),
        "GitHub points elsewhere (307): the repository may have moved, or `GITHUB_API_URL` is wrong",
    ),
    (
        "moved to another host",
        Fault("GET", 301, {"Location": "http://elsewhere.invalid/"}),
        "GitHub points elsewhere (301): the repository may have moved, or `GITHUB_API_URL` is wrong",
    ),
    (
        "hidden",
        Fault("GET", 404),
        f"GitHub shows the token no such pull request (404): {PERMISSION}",
    ),
    ("not JSON", Fault("GET", 200, body="<html>"), "what stands at `GITHUB_API_URL` does not answer as GitHub does"),
    ("not a list", Fault("GET", 200, body={}), "what stands at `GITHUB_API_URL` does not answer as GitHub does"),
]


@pytest.mark.parametrize(("fault", "reason"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_a_refusal_is_one_plain_line(fault: Fault, reason: str, on_pull: Step, state: State, passing: Inputs) -> None:
    fault.body = {"message": f"no, {TOKEN}", "documentation_url": TOKEN} if fault.body is None else fault.body
    fault.headers["x-echo"] = TOKEN
    fault.seen = 0
    state.faults.append(fault)
    told = on_pull.run(**passing)
    assert_missing(told, reason)
    assert_never_shown(on_pull, told)


def assert_never_shown(step: Step, told: Told) -> None:
    """The token stands in nothing that the step has left behind."""
    left = [path.read_text(encoding="utf-8") for path in step.workspace.rglob("*") if path.is_file()]
    for text in (told.log, told.summary, step.output.read_text(encoding="utf-8"), *left):
        assert TOKEN not in text
        assert TOKEN[4:] not in text


def test_a_token_that_may_only_read_is_told_what_it_lacks(on_pull: Step, state: State, passing: Inputs) -> None:
    state.may_write = False
    reason = f"the token may not write it (403): {PERMISSION}, and `comment: off` if none is wanted"
    assert_missing(on_pull.run(**passing), reason)


def test_a_fork_is_told_of_another_way(on_pull: Step, state: State, passing: Inputs) -> None:
    state.may_write = False
    tell_event(on_pull, pull_request(fork=True))
    reason = "a fork's token may only read (403): docs/pull-requests.md of the action tells another way"
    assert_missing(on_pull.run(**passing), reason)


def test_where_none_was_wanted_the_summary_does_not_miss_it(on_pull: Step, state: State, passing: Inputs) -> None:
    state.faults.append(Fault("GET", 404))
    told = on_pull.run(**passing, comment="failures")
    assert "comment" not in told.summary
    assert (
        "whether an older comment stands on the pull request could not be seen: GitHub shows the token no" in told.log
    )


def test_a_token_that_never_reaches_github_is_not_shown_either(on_pull: Step, passing: Inputs) -> None:
    told = on_pull.run(**passing, comment="sometimes")
    assert_never_shown(on_pull, told)
    on_pull.environ["INPUT_GITHUB_TOKEN"] = f"{TOKEN}2"
    assert_never_shown(on_pull, on_pull.run(**passing))


# patience


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> float:
    """A budget that a test can wait for."""
    monkeypatch.setattr(comment, "BUDGET", 1.5)
    return 1.5


def test_a_github_that_does_not_answer_does_not_hold_the_job_up(
    on_pull: Step, state: State, passing: Inputs, hurried: float
) -> None:
    state.faults.append(Fault("GET", delay=8.0))
    begun = time.monotonic()
    assert_missing(on_pull.run(**passing), "GitHub did not answer in time")
    assert time.monotonic() - begun < hurried + 4


def test_an_answer_that_comes_in_drops_does_not_hold_the_job_up(on_pull: Step, passing: Inputs, hurried: float) -> None:
    def drip(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            for _ in range(60):
                time.sleep(0.1)
                try:
                    connection.sendall(b"[")
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=drip, args=(listener,), daemon=True).start()
        on_pull.environ["GITHUB_API_URL"] = f"http://127.0.0.1:{listener.getsockname()[1]}"
        begun = time.monotonic()
        assert_missing(on_pull.run(**passing), "GitHub did not answer in time")
    assert time.monotonic() - begun < hurried + 4


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "http://no-such-host.invalid", "https://127.0.0.1:9"])
def test_a_github_that_is_not_there_is_one_plain_line(address: str, on_pull: Step, passing: Inputs) -> None:
    on_pull.environ["GITHUB_API_URL"] = address
    told = on_pull.run(**passing)
    assert (told.code, told.outputs["verdict"]) == (0, "PASS")
    assert MISSING in told.summary  # which of two reasons hangs on how long a name is looked up
    assert "Traceback" not in told.log


def test_a_certificate_that_is_not_trusted_is_said_to_be(on_pull: Step, passing: Inputs, tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        str(key),
        "-out",
        str(certificate),
    ]
    subprocess.run([*command, "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def refuse(listener: ssl.SSLSocket) -> None:
        with pytest.raises(OSError):  # noqa: PT011  # the client goes away within the handshake
            listener.accept()

    with context.wrap_socket(socket.create_server(("127.0.0.1", 0)), server_side=True) as listener:
        threading.Thread(target=refuse, args=(listener,), daemon=True).start()
        on_pull.environ["GITHUB_API_URL"] = f"https://localhost:{listener.getsockname()[1]}"
        told = on_pull.run(**passing)
    reason = "the certificate at `GITHUB_API_URL` is not trusted: `REQUESTS_CA_BUNDLE` may name its authority's file"
    assert_missing(told, reason)


@pytest.mark.parametrize("variable", ["GITHUB_API_URL", "GITHUB_REPOSITORY"])
def test_an_address_that_no_runner_sets_is_not_asked(
    variable: str, on_pull: Step, state: State, passing: Inputs
) -> None:
    on_pull.environ[variable] = "file:///etc/passwd"
    assert_missing(on_pull.run(**passing), "`GITHUB_API_URL` or `GITHUB_REPOSITORY` is not what a runner sets")
    assert state.requests == []


def test_whatever_else_goes_wrong_the_verdict_stands(
    on_pull: Step, passing: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fall_over(*_: object, **__: object) -> None:
        raise ZeroDivisionError(TOKEN)

    monkeypatch.setattr(posting, "render", fall_over)
    assert_missing(on_pull.run(**passing), "an internal fault, ZeroDivisionError: the verdict stands")


def test_a_summary_that_cannot_take_the_line_changes_nothing(on_pull: Step, state: State, passing: Inputs) -> None:
    state.faults.append(Fault("GET", 404))
    on_pull.summary.write_text("x" * (1 << 20), encoding="utf-8")
    told = on_pull.run(**passing)
    assert (told.code, told.outputs["verdict"]) == (0, "PASS")
    assert len(told.summary) == 1 << 20


def test_two_doubles_of_ours_that_cannot_be_deleted_are_told(on_pull: Step, state: State, passing: Inputs) -> None:
    on_pull.run(**passing)
    for _ in range(2):
        state.add(state.comments[0]["body"], BOT)
    state.faults.append(Fault("DELETE", 500))
    assert "is up to date already; 2 older ones beside it could not be deleted: https://" in on_pull.run(**passing).log


# what is loaded


def loaded_after(step: Step, inputs: Mapping[str, object], before: str = "") -> str:
    script = (
        "import io, os, sys\n"
        f"{before}\n"
        "from gate.github.__main__ import run_guarded\n"
        "log = io.StringIO()\n"
        "run_guarded(os.environ, log)\n"
        "print(log.getvalue())\n"
        "print(sorted({'github', 'requests', 'urllib3'} & {*sys.modules}))\n"
    )
    environ = {**step.with_inputs(inputs), "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-W", "default", "-c", script]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True, cwd=step.workspace)
    assert done.stderr == ""
    return done.stdout


def test_the_client_is_loaded_only_where_there_is_a_comment(on_pull: Step, passing: Inputs) -> None:
    assert loaded_after(on_pull, passing).endswith("['github', 'requests', 'urllib3']\n")
    assert loaded_after(on_pull, {**passing, "comment": "off"}).endswith("[]\n")
    tell_event(on_pull, {})
    assert loaded_after(on_pull, passing).endswith("[]\n")


def test_where_the_client_is_not_installed_the_extra_is_named(on_pull: Step, passing: Inputs) -> None:
    printed = loaded_after(on_pull, passing, before="sys.modules['github'] = None")
    assert (
        "no comment on the pull request: github is not installed: `pip install 'gate[github]'` brings it\n" in printed
    )
    assert "'requests'" not in printed


def test_one_file_imports_the_client() -> None:
    folder = Path(comment.__file__).parents[1]
    files = [path for path in folder.rglob("*.py") if "\nimport github" in path.read_text(encoding="utf-8")]
    assert [path.relative_to(folder).as_posix() for path in files] == ["github/client.py"]
