"""The comment, written from inside the container, whose network holds a GitHub of our own making and nothing else."""

import json
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests import fake_github
from tests.fake_github import BOT, REPOSITORY, TOKEN

Act = Callable[..., Any]
Docker = Callable[..., str]
Folder = Callable[..., Path]

PYTHON = "/opt/gate/bin/python"
PORT = 8080
HEADER = "id,score\n"
GOOD = HEADER + "".join(f"q{row:02d},1\n" for row in range(20))
BAD = HEADER + "".join(f"@octocat#{row},{int(row > 9)}\n" for row in range(20))
EVENT = {
    "pull_request": {
        "number": 7,
        "head": {"ref": "feature", "sha": "a" * 40, "repo": {"id": 1}},
        "base": {"ref": "main", "sha": "b" * 40, "repo": {"id": 1}},
    }
}
ASK = f"import urllib.request as r; print(r.urlopen('http://127.0.0.1:{PORT}/_state').read().decode())"
FILES = {"a.csv": BAD.replace(",0", ",1"), "b.csv": BAD, "c.csv": GOOD, "event.json": json.dumps(EVENT)}
INPUTS = {"baseline": "a.csv", "candidate": "b.csv", "github-token": TOKEN}


@dataclass(frozen=True, slots=True)
class GitHub:
    """The fake in a container of its own."""

    name: str
    docker: Docker

    def state(self) -> Any:
        return json.loads(self.docker("exec", self.name, PYTHON, "-I", "-c", ASK))

    def wait(self) -> None:
        for _ in range(100):
            try:
                self.state()
            except subprocess.CalledProcessError:
                time.sleep(0.1)
            else:
                return
        pytest.fail("the fake does not answer")

    def environment(self, **changes: str) -> dict[str, str]:
        return {
            "GITHUB_API_URL": f"http://127.0.0.1:{PORT}",
            "GITHUB_EVENT_NAME": "pull_request",
            "GITHUB_EVENT_PATH": "/github/workspace/event.json",
            "GITHUB_REPOSITORY": REPOSITORY,
            **changes,
        }


@pytest.fixture
def github(docker: Docker) -> Callable[..., Any]:
    """Starts the fake with a state, on a network that nothing else is on."""

    @contextmanager
    def start(**state: object) -> Iterator[GitHub]:
        name = f"github-{uuid.uuid4()}"
        script = f"{Path(fake_github.__file__).resolve()}:/fake.py:ro"
        run = ["run", "--detach", "--rm", "--name", name, "--network", "none", "-v", script, "--entrypoint", PYTHON]
        docker(*run, "IMAGE", "-I", "/fake.py", str(PORT), json.dumps(state))
        try:
            fake = GitHub(name, docker)
            fake.wait()
            yield fake
        finally:
            docker("kill", name)

    return start


def test_a_verdict_becomes_a_comment_and_the_next_one_the_same_comment(
    github: Any, act: Act, new_workspace: Folder
) -> None:
    others = [(f"comment {row}", {"login": "someone", "type": "User"}) for row in range(130)]
    with github(comments=others) as fake:
        for run, candidate in (("1", "b.csv"), ("2", "a.csv"), ("2", "a.csv")):
            step = act(
                new_workspace(FILES),
                {**INPUTS, "candidate": candidate},
                env=fake.environment(GITHUB_RUN_ID=run),
                network=f"container:{fake.name}",
            )
        state = fake.state()
    ours = [comment for comment in state["comments"] if comment["user"]["login"] == BOT["login"]]
    assert len(ours) == 1
    assert "\n### 🟢 PASS: " in ours[0]["body"]
    assert step.outputs["comment-url"] == ours[0]["html_url"]
    writes = [request.split()[0] for request in state["requests"] if not request.startswith("GET")]
    assert [verb for verb in writes if verb in {"PATCH", "DELETE"}] == ["PATCH"]


def test_ids_ping_nobody_and_the_token_is_shown_nowhere(github: Any, act: Act, new_workspace: Folder) -> None:
    with github() as fake:
        step = act(new_workspace(FILES), INPUTS, env=fake.environment(), network=f"container:{fake.name}")
        (comment,) = fake.state()["comments"]
    assert (step.exit_code, step.outputs["verdict"]) == (1, "BLOCK")
    assert "| `@octocat#0` | 1 | 0 | -1 |" in comment["body"]
    reports = [path.read_text(encoding="utf-8") for path in (step.workspace / "gate-report").iterdir()]
    assert not [text for text in (step.log, step.summary, comment["body"], *reports) if TOKEN in text]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ({"on": "POST", "status": 403, "body": {"message": f"no {TOKEN}"}}, "the token may not write it (403)"),
        ({"on": "GET", "status": 404, "body": {}}, "GitHub shows the token no such pull request (404)"),
        ({"on": "POST", "status": 422, "body": {}}, "GitHub did not take the text (422)"),
        ({"on": "GET", "status": 429, "headers": {"Retry-After": "3600"}}, "GitHub asks for patience (429)"),
        ({"on": "GET", "status": 502}, "GitHub failed (502)"),
        ({"on": "GET", "reset": True}, "what `GITHUB_API_URL` names cannot be reached"),
        ({"on": "GET", "delay": 600}, "GitHub did not answer in time"),
    ],
    ids=["403", "404", "422", "429", "502", "reset", "slow"],
)
def test_whatever_github_does_the_verdict_stands_and_one_line_says_why(
    fault: dict[str, Any], reason: str, github: Any, act: Act, new_workspace: Folder
) -> None:
    begun = time.monotonic()
    with github(faults=[fault]) as fake:
        step = act(
            new_workspace(FILES),
            {**INPUTS, "candidate": "a.csv"},
            env=fake.environment(),
            network=f"container:{fake.name}",
        )
    assert time.monotonic() - begun < 60
    assert (step.exit_code, step.outputs["verdict"], step.outputs["comment-url"]) == (0, "PASS", "")
    assert [line for line in step.log.splitlines() if reason in line.replace("\\", "")] != []
    assert f"No comment on the pull request: {reason}" in step.summary.replace("\\", "")
    assert "Traceback" not in step.log
    assert TOKEN not in step.log + step.summary


def test_without_a_network_a_pull_request_is_judged_all_the_same(act: Act, new_workspace: Folder) -> None:
    env = {"GITHUB_EVENT_PATH": "/github/workspace/event.json"}
    step = act(new_workspace(FILES), {**INPUTS, "candidate": "a.csv"}, env=env)
    assert (step.exit_code, step.outputs["verdict"]) == (0, "PASS")
    assert "No comment on the pull request: " in step.summary
