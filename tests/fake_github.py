"""A GitHub API of our own making that behaves as GitHub documents it; as a script it serves inside a container too.

Standard library alone, since the image has no more. What it is to do wrong is told by ``State.faults``.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "ghs_aVerySecretToken1234567890"  # noqa: S105  # it opens nothing
BOT = {"login": "github-actions[bot]", "type": "Bot", "id": 41898282}
REPOSITORY = "owner/repository"
MOST_CHARACTERS = 65_536
MOST_PER_PAGE, USUAL_PER_PAGE = 100, 30


@dataclass
class Fault:
    """What goes wrong with requests that begin so, e.g. ``POST /repos``; ``times`` of them, or all for 0."""

    on: str
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    delay: float = 0.0
    reset: bool = False
    carried_out: bool = False
    times: int = 0
    seen: int = 0


@dataclass
class State:
    """One repository's pull requests and comments, who asks, and what has been asked."""

    user: dict[str, Any] = field(default_factory=lambda: dict(BOT))
    is_app: bool = True
    graphql: bool = True
    may_write: bool = True
    prefix: str = ""
    numbers: list[int] = field(default_factory=lambda: [7])
    pulls: list[dict[str, Any]] = field(default_factory=list)
    comments: list[dict[str, Any]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def add(self, body: str, user: dict[str, Any] | None, number: int = 7) -> dict[str, Any]:
        """A comment that stands there, its id higher than those before."""
        identity = 1000 + len(self.comments) + sum(request.startswith("DELETE") for request in self.requests)
        url = f"https://github.com/{REPOSITORY}/pull/{number}#issuecomment-{identity}"
        comment = {"id": identity, "body": body, "html_url": url, "user": user, "issue": number}
        self.comments.append(comment)
        return comment

    def told(self, verb: str) -> list[str]:
        """The paths that were asked for by a verb."""
        return [request.partition(" ")[2] for request in self.requests if request.startswith(f"{verb} ")]


class Server(ThreadingHTTPServer):
    """Serves a State."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], state: State) -> None:
        super().__init__(address, Handler)
        self.state = state

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}{self.state.prefix}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is no news."""


class Handler(BaseHTTPRequestHandler):
    """Routes as in GitHub's reference of its REST API."""

    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def do_PATCH(self) -> None:
        self._serve("PATCH")

    def do_DELETE(self) -> None:
        self._serve("DELETE")

    def log_message(self, *_: object) -> None:
        """Nothing: the log belongs to the action."""

    def _serve(self, verb: str) -> None:
        state = self.server.state
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/_state":
            self._answer(200, asdict(state))
            return
        asked = f"{verb} {self.path.removeprefix(state.prefix)}"
        state.requests.append(asked)
        fault = next(
            (one for one in state.faults if asked.startswith(one.on) and one.seen < (one.times or 10**9)), None
        )
        if fault is not None:
            fault.seen += 1
            if fault.carried_out:
                self._route(verb, sent)
            time.sleep(fault.delay)
            if fault.reset:
                self.close_connection = True
                self.connection.close()
                return
            if fault.status:
                self._answer(fault.status, fault.body, fault.headers)
                return
        status, body, headers = self._route(verb, sent)
        self._answer(status, body, headers)

    def _route(self, verb: str, sent: bytes) -> tuple[int, Any, dict[str, str]]:  # noqa: PLR0911  # a table of routes
        state = self.server.state
        if self.headers.get("authorization", "") not in {f"token {TOKEN}", f"Bearer {TOKEN}"}:
            return 401, {"message": "Bad credentials"}, {}
        parts = urlsplit(self.path)
        path, query = parts.path, parse_qs(parts.query)
        if (verb, path) == ("POST", _graphql_of(state.prefix)):
            allowed = state.graphql and "viewer" in json.loads(sent)["query"]
            return 200, {"data": {"viewer": {"login": state.user["login"]}}} if allowed else {"errors": []}, {}
        place = path.removeprefix(state.prefix).strip("/").split("/")
        if (verb, place) == ("GET", ["user"]):
            return (
                (403, {"message": "Resource not accessible by integration"}, {})
                if state.is_app
                else (200, state.user, {})
            )
        if "/".join(place[1:3]) != REPOSITORY:
            return 404, {"message": "Not Found"}, {}
        if (verb, place[3:]) == ("GET", ["pulls"]):
            return 200, _open_pulls(state, query.get("head", [""])[0]), {}
        if verb != "GET" and not state.may_write:
            return 403, {"message": "Resource not accessible by integration"}, {}
        match place[3:]:
            case ["issues", "comments", identity]:
                return _one(state, verb, identity, sent)
            case ["issues", number, "comments"] if int(number) in state.numbers:
                return self._all(verb, int(number), query, sent)
        return 404, {"message": "Not Found"}, {}

    def _all(self, verb: str, number: int, query: dict[str, list[str]], sent: bytes) -> tuple[int, Any, dict[str, str]]:
        state = self.server.state
        if verb == "POST":
            body = json.loads(sent)["body"]
            wrong = _refused(body)
            return wrong or (201, state.add(body, state.user, number), {})
        of_this = [comment for comment in state.comments if comment["issue"] == number]
        size = min(int(query.get("per_page", [str(USUAL_PER_PAGE)])[0]), MOST_PER_PAGE)
        page = int(query.get("page", ["1"])[0])
        last = max(1, -(-len(of_this) // size))
        base = f"{self.server.url}/repos/{REPOSITORY}/issues/{number}/comments?per_page={size}&page="
        links = [f'<{base}{page + 1}>; rel="next", <{base}{last}>; rel="last"'] if page < last else []
        return 200, of_this[(page - 1) * size : page * size], dict.fromkeys(["Link"], links[0]) if links else {}

    def _answer(self, status: int, body: Any, headers: dict[str, str] | None = None) -> None:
        content = b"" if status == 204 else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json; charset=utf-8", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _graphql_of(prefix: str) -> str:
    """An Enterprise server has REST at /api/v3 and GraphQL at /api/graphql."""
    return f"{prefix.removesuffix('/v3')}/graphql"


def _open_pulls(state: State, head: str) -> list[dict[str, Any]]:
    """A filter that is not of the form OWNER:BRANCH is ignored, as GitHub does."""
    owner, colon, branch = head.partition(":")
    pulls = [pull for pull in state.pulls if pull["state"] == "open"]
    if not (owner and colon and branch):
        return pulls
    return [pull for pull in pulls if pull["head"]["label"] == head]


def _one(state: State, verb: str, identity: str, sent: bytes) -> tuple[int, Any, dict[str, str]]:
    found = [comment for comment in state.comments if str(comment["id"]) == identity]
    if not found:
        return 404, {"message": "Not Found"}, {}
    (comment,) = found
    if verb == "DELETE":
        state.comments.remove(comment)
        return 204, None, {}
    body = json.loads(sent)["body"]
    wrong = _refused(body)
    if wrong is None:
        comment["body"] = body
    return wrong or (200, comment, {})


def _refused(body: str) -> tuple[int, Any, dict[str, str]] | None:
    if not body.strip():
        return (
            422,
            {"message": "Validation Failed", "errors": [{"field": "data", "message": "Body can't be blank"}]},
            {},
        )
    if len(body) > MOST_CHARACTERS:
        error = {"field": "body", "message": f"body is too long (maximum is {MOST_CHARACTERS} characters)"}
        return 422, {"message": "Validation Failed", "errors": [error]}, {}
    return None


@contextmanager
def serving(state: State) -> Iterator[Server]:
    """Serve on a free port of this machine alone."""
    server = Server(("127.0.0.1", 0), state)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def main() -> None:
    """Serve, on the port given, the state given as JSON: its comments are pairs of a body and whose it is."""
    described = json.loads(sys.argv[2])
    comments = described.pop("comments", [])
    state = State(**described | {"faults": [Fault(**fault) for fault in described.get("faults", [])]})
    for body, user in comments:
        state.add(body, user)
    Server(("127.0.0.1", int(sys.argv[1])), state).serve_forever()


if __name__ == "__main__":
    main()
