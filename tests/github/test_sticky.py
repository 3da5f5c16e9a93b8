"""One comment, ours, updated in place: against an API of our own making over the loopback."""

from collections.abc import Iterator
from typing import Any

import pytest

from gate.github.client import Client, RefusedError, UnreachableError
from gate.github.patience import Deadline
from gate.github.sticky import Deed, Placed, Written, persist, place
from tests.fake_github import BOT, REPOSITORY, TOKEN, Fault, Server, State, serving

MARKER = "<!-- gate-comment 0123 -->"
PERSON = {"login": "someone", "type": "User"}
WRITTEN = Written(MARKER, (12, 1), "### PASS\n")


@pytest.fixture
def state() -> State:
    return State()


@pytest.fixture
def api(state: State) -> Iterator[Server]:
    with serving(state) as server:
        yield server


def client_of(api: Server, token: str = TOKEN, seconds: float = 30) -> Client:
    return Client(api.url, token, REPOSITORY, Deadline(seconds))


def placed(api: Server, written: Written = WRITTEN, *, wanted: bool = True) -> Placed:
    return place(client_of(api), 7, written, wanted=wanted)


def bodies(state: State) -> list[str]:
    return [comment["body"] for comment in state.comments]


def test_the_first_comment_is_created(api: Server, state: State) -> None:
    assert placed(api) == Placed(Deed.CREATED, f"https://github.com/{REPOSITORY}/pull/7#issuecomment-1000")
    assert bodies(state) == [f"{MARKER}\n<!-- gate-run 12.1 -->\n### PASS\n"]


def test_the_second_verdict_goes_into_the_same_comment(api: Server, state: State) -> None:
    placed(api)
    assert placed(api, Written(MARKER, (13, 1), "### BLOCK\n")).deed is Deed.UPDATED
    assert bodies(state) == [f"{MARKER}\n<!-- gate-run 13.1 -->\n### BLOCK\n"]


def test_the_same_body_is_not_written_again(api: Server, state: State) -> None:
    placed(api)
    assert placed(api).deed is Deed.SAME
    assert state.told("PATCH") == []


def test_line_ends_that_github_has_changed_are_no_difference(api: Server, state: State) -> None:
    state.add(WRITTEN.body.replace("\n", "\r\n").strip(), BOT)
    assert placed(api).deed is Deed.SAME


@pytest.mark.parametrize("before", [0, 29, 30, 99, 100, 101, 250])
def test_it_is_found_on_whatever_page_it_stands(before: int, api: Server, state: State) -> None:
    for row in range(before):
        state.add(f"comment {row}", PERSON)
    state.add(f"{MARKER}\nold", BOT)
    state.add("the last", PERSON)
    assert placed(api).deed is Deed.UPDATED
    assert len(state.comments) == before + 2


def test_every_page_is_asked_for_once(api: Server, state: State) -> None:
    for row in range(250):
        state.add(f"comment {row}", PERSON)
    placed(api)
    pages = [path for path in state.told("GET") if "comments" in path]
    assert [path.partition("page=")[2][:1] for path in pages] == ["1", "2", "3"]


@pytest.mark.parametrize("user", [PERSON, {"login": "other[bot]", "type": "Bot"}, None, BOT | {"type": "User"}])
def test_a_comment_of_anyone_else_with_the_marker_is_left_alone(
    user: dict[str, Any] | None, api: Server, state: State
) -> None:
    state.add(f"{MARKER}\ntheirs", user)
    assert placed(api).deed is Deed.CREATED
    assert bodies(state)[0] == f"{MARKER}\ntheirs"
    assert (state.told("PATCH"), state.told("DELETE")) == ([], [])


@pytest.mark.parametrize("body", [
    f"> {MARKER}",
    f"look:\n{MARKER}", f"{MARKER} and more", f"```\n{MARKER}\n```", "", "<!-- gate-comment 9 -->\nx", None,
])  # fmt: skip
def test_a_comment_of_ours_that_only_quotes_the_marker_is_another_one(
    body: str | None, api: Server, state: State
) -> None:
    state.add(body, BOT)  # type: ignore[arg-type]  # GitHub may tell of a comment without a body
    assert placed(api).deed is Deed.CREATED
    assert bodies(state)[0] == body


def test_doubles_of_ours_are_deleted_and_the_oldest_stays(api: Server, state: State) -> None:
    for text in ("first", "second", "third"):
        state.add(f"{MARKER}\n{text}", BOT)
    state.add(f"{MARKER}\ntheirs", PERSON)
    assert placed(api).url.endswith("-1000")
    assert bodies(state) == [WRITTEN.body, f"{MARKER}\ntheirs"]


def test_doubles_that_cannot_be_deleted_are_counted(api: Server, state: State) -> None:
    for text in ("first", "second"):
        state.add(f"{MARKER}\n{text}", BOT)
    state.faults.append(Fault("DELETE", 403, body={"message": "no"}))
    assert placed(api) == Placed(Deed.UPDATED, state.comments[0]["html_url"], leftover=1)


@pytest.mark.parametrize("run", [(12, 2), (13, 1), (200, 1)])
def test_the_verdict_of_a_newer_run_is_not_written_over(run: tuple[int, int], api: Server, state: State) -> None:
    state.add(Written(MARKER, run, "newer").body, BOT)
    assert placed(api).deed is Deed.NEWER
    assert bodies(state) == [Written(MARKER, run, "newer").body]


@pytest.mark.parametrize("run", [(11, 9), (12, 0), (9, 1)])
def test_the_verdict_of_an_older_run_is(run: tuple[int, int], api: Server, state: State) -> None:
    state.add(Written(MARKER, run, "older").body, BOT)
    assert placed(api).deed is Deed.UPDATED


def test_where_none_is_wanted_none_is_created(api: Server, state: State) -> None:
    assert placed(api, wanted=False) == Placed(Deed.NOT_WANTED)
    assert state.comments == []


def test_where_none_is_wanted_one_that_stands_there_is_still_updated(api: Server, state: State) -> None:
    state.add(f"{MARKER}\nBLOCK", BOT)
    assert placed(api, wanted=False).deed is Deed.UPDATED
    assert bodies(state) == [WRITTEN.body]


@pytest.mark.parametrize(
    ("state", "login"),
    [
        (State(), "github-actions[bot]"),
        (State(graphql=False), "github-actions[bot]"),
        (State(user={"login": "my-app[bot]", "type": "Bot"}), "my-app[bot]"),
        (State(user=PERSON, is_app=False), "someone"),
        (State(user=PERSON, is_app=False, prefix="/api/v3"), "someone"),
        (State(user={"login": "my-app[bot]", "type": "Bot"}, prefix="/api/v3"), "my-app[bot]"),
    ],
    ids=["GITHUB_TOKEN", "GITHUB_TOKEN without GraphQL", "an app", "a person", "Enterprise", "an app of Enterprise"],
)
@pytest.mark.usefixtures("state")
def test_who_writes_is_known_for_every_kind_of_token(login: str, api: Server) -> None:
    assert client_of(api).own_login() == login


@pytest.mark.parametrize("state", [State(user=PERSON, is_app=False), State(prefix="/api/v3")])
def test_a_comment_is_found_again_by_every_kind_of_token(state: State, api: Server) -> None:
    placed(api)
    assert placed(api, Written(MARKER, (13, 1), "new")).deed is Deed.UPDATED
    assert len(state.comments) == 1


def test_the_case_of_a_login_does_not_matter(api: Server, state: State) -> None:
    state.user, state.is_app = {"login": "Someone", "type": "User"}, False
    state.add(f"{MARKER}\nold", PERSON)
    assert placed(api).deed is Deed.UPDATED


# patience


def waits(api: Server, *, seconds: float = 30) -> tuple[list[float], Placed | Exception]:
    """The pauses made, and what came of it."""
    pauses: list[float] = []
    try:
        return pauses, persist(
            lambda: place(client_of(api), 7, WRITTEN, wanted=True), Deadline(seconds), sleep=pauses.append
        )
    except (RefusedError, UnreachableError, TimeoutError) as error:
        return pauses, error


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_failure_of_github_that_passes_is_sat_out(status: int, api: Server, state: State) -> None:
    state.faults.append(Fault("GET /repos", status, body="<html>oops</html>", times=2))
    pauses, result = waits(api)
    assert isinstance(result, Placed)
    assert pauses == [1.0, 2.0]


def test_a_failure_that_does_not_pass_is_told(api: Server, state: State) -> None:
    state.faults.append(Fault("GET /repos", 502))
    pauses, result = waits(api)
    assert isinstance(result, RefusedError)
    assert (result.status, len(pauses), len(state.requests)) == (502, 2, 3)


@pytest.mark.parametrize("fault", [Fault("POST /repos", 502), Fault("POST /repos", reset=True)], ids=["502", "reset"])
def test_a_comment_that_was_written_without_an_answer_is_not_written_twice(
    fault: Fault, api: Server, state: State
) -> None:
    fault.carried_out, fault.times = True, 1
    state.faults.append(fault)
    _, result = waits(api)
    assert result == Placed(Deed.SAME, state.comments[0]["html_url"])
    assert len(state.comments) == 1


@pytest.mark.parametrize(("status", "header"), [(403, "Retry-After"), (429, "retry-after")])
def test_github_is_given_the_time_it_asks_for(status: int, header: str, api: Server, state: State) -> None:
    limited = {"message": "You have exceeded a secondary rate limit."}
    state.faults.append(Fault("POST /repos", status, {header: "7"}, limited, times=1))
    pauses, result = waits(api)
    assert isinstance(result, Placed)
    assert pauses == [7.0]


@pytest.mark.parametrize("seconds", ["30", "3600", "99999999999999999999"])
def test_more_time_than_there_is_is_not_waited_for(seconds: str, api: Server, state: State) -> None:
    state.faults.append(Fault("GET /repos", 429, {"Retry-After": seconds}))
    pauses, result = waits(api, seconds=30)
    assert isinstance(result, RefusedError)
    assert (result.rate_limited, pauses) == (True, [])


@pytest.mark.parametrize(
    "fault",
    [
        Fault("GET /repos", 429),
        Fault("GET /repos", 403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999"}),
        Fault("GET /repos", 403, body={"message": "API rate limit exceeded for installation ID 1."}),
        Fault("GET /repos", 403, body={"message": "You have exceeded a secondary rate limit. Please wait."}),
        Fault("GET /repos", 429, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}),
    ],
    ids=["429", "the hour's limit", "told in words", "the second limit", "a date"],
)
def test_a_limit_that_names_no_seconds_is_not_waited_for(fault: Fault, api: Server, state: State) -> None:
    state.faults.append(fault)
    pauses, result = waits(api)
    assert isinstance(result, RefusedError)
    assert (result.rate_limited, pauses) == (True, [])


@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 401, 403, 404, 410, 418, 422])
def test_a_refusal_is_not_asked_about_again(status: int, api: Server, state: State) -> None:
    state.faults.append(Fault("GET /repos", status, {"Location": "http://elsewhere.invalid/x"}, body={"message": "no"}))
    pauses, result = waits(api)
    assert isinstance(result, RefusedError)
    assert (result.status, result.rate_limited, pauses) == (status, False, [])
    assert len(state.requests) == 1


def test_a_connection_that_breaks_is_tried_again(api: Server, state: State) -> None:
    state.faults.append(Fault("GET /repos", reset=True, times=1))
    _, result = waits(api)
    assert isinstance(result, Placed)


def test_past_the_deadline_nothing_more_is_asked(api: Server, state: State) -> None:
    with pytest.raises(TimeoutError):
        client_of(api, seconds=0).comments(7)
    assert state.requests == []
