"""What is read around the files: git's objects, GitHub's event, the parts of a scan."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from gate.contamination import plan_scan
from gate.contamination.engines import ShardStore
from gate.contamination.kernel import Kernel
from gate.contamination.packed import pack
from gate.contamination.parts import keep_plan, read_plan
from gate.contamination.probes import EvalIndex, Item, build_index
from gate.contamination.shards import Shard
from gate.contamination.shipping import dump_index, parse_index
from gate.contamination.tally import DocumentKey
from gate.errors import Place
from gate.github.pull_request import EVENT_PATH, NoCommentError, find_pull_request
from tests.fuzz import repositories
from tests.fuzz.target import Target

_TEXTS = ("zero one two three", "five six one", "one two three four")
_PULL = {
    "number": 7,
    "head": {"ref": "work", "sha": "a" * 40, "repo": {"id": 2, "owner": {"login": "fork"}}},
    "base": {"ref": "main", "sha": "b" * 40, "repo": {"id": 1}},
}
_RUN = {
    "event": "pull_request",
    "head_sha": "a" * 40,
    "head_branch": "work",
    "head_repository": {"id": 2, "owner": {"login": "fork"}},
    "pull_requests": [],
}
_EVENTS: Mapping[str, object] = {
    "pull_request.json": {"repository": {"id": 1}, "pull_request": _PULL},
    "issue_comment.json": {"issue": {"number": 7, "pull_request": {}}},
    "workflow_run.json": {"repository": {"id": 1}, "workflow_run": _RUN},
    "own_run.json": {"repository": {"id": 1}, "workflow_run": {**_RUN, "pull_requests": [_PULL]}},
}


def surroundings() -> Iterator[Target]:
    """Each of them."""
    yield Target("git", repositories.seeds(), repositories.read_repository)
    events = {name: json.dumps(event).encode() for name, event in _EVENTS.items()}
    yield Target("event", events, _read_event)
    index = build_index([Item(f"q{number}", text) for number, text in enumerate(_TEXTS)], (2, 1))
    yield Target("eval-index", {"own.json": dump_index(index)}, _read_index)
    yield Target("tally", {"own": _packed(index)}, partial(_read_tally, index=index))
    yield Target("scan-plan", {"plan.json": _planned(index)}, read_plan)


def _read_event(path: Path) -> None:
    with suppress(NoCommentError):
        find_pull_request({EVENT_PATH: str(path)})


def _read_index(path: Path) -> None:
    parse_index(path.read_bytes(), Place(str(path)))


def _packed(index: EvalIndex) -> bytes:
    kernel = Kernel(index)
    for number, text in enumerate(_TEXTS, 1):
        kernel.read(DocumentKey(0, 0, number, None), text)
    return pack(kernel.take())


def _read_tally(path: Path, *, index: EvalIndex) -> None:
    """Through a store, whose files carry their own digest: what is damaged here was packed so."""
    shard = Shard(0, str(path), "corpus.txt", ".txt", 0, None, 1, "")
    store = ShardStore(path.with_name("store"), index)
    store.save(shard, path.read_bytes())
    store.load(shard)


def _planned(index: EvalIndex) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.txt")
        corpus.write_text(_TEXTS[0], encoding="utf-8")
        plan = plan_scan([Item("q1", _TEXTS[0])], str(corpus))
        store = ShardStore(Path(folder), index)
        keep_plan(store, plan)
        return next(Path(folder).rglob("plan.json")).read_bytes()
