"""The scan on Ray, on clusters of this machine: the same bytes as in one process, whoever dies meanwhile."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from gate.contamination import find_sources, plan_scan
from gate.contamination.engines import Progress, ShardStore, run_shards
from gate.contamination.engines.ray import ADDRESS
from gate.contamination.packed import pack
from gate.contamination.parts import keep_plan, merge_stores
from gate.contamination.scan import ScanPlan
from gate.contamination.shards import plan_shards
from gate.errors import CorpusError, UsageError

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="make ray")
pytestmark = [
    # what Ray itself leaves open or will change one day
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning", "ignore::DeprecationWarning"),
]

SMALL = {"object_store_memory": 100 << 20}
SCRIPT = """
import sys, time
from pathlib import Path
from gate.contamination.engines import ShardStore, run_shards
from gate.contamination.parts import read_plan

def stop(progress):
    print(progress.shards_done, flush=True)
    time.sleep(120)

store, name = Path(sys.argv[1]), sys.argv[2]
plan = read_plan(store / name / "plan.json")
index = plan.index()
run_shards(
    index, plan.shards, plan.fields, engine="ray", workers=2, store=ShardStore(store, index, plan.fields), progress=stop
)
"""


@pytest.fixture
def no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ADDRESS, raising=False)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head that does no work, and two more nodes; this process is not connected to it."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415  # an extra

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **SMALL})
    cluster.workers = [cluster.add_node(num_cpus=1, **SMALL) for _ in range(2)]
    monkeypatch.setenv(ADDRESS, cluster.address)
    yield cluster
    cluster.shutdown()


@pytest.fixture
def short_folder() -> Iterator[str]:
    """A folder for Ray's own files, not under pytest's: the names of its sockets may not be long."""
    with TemporaryDirectory(prefix="t-", ignore_cleanup_errors=True) as folder:
        yield folder


@pytest.fixture
def slow_plan(tmp_path: Path, plan: ScanPlan) -> ScanPlan:
    """Each file takes a second or so, time enough to kill who reads it."""
    (tmp_path / "long").mkdir()
    for number in range(6):
        text = Path(plan.shards[number].path).read_text(encoding="utf-8")
        (tmp_path / "long" / f"{number}.jsonl").write_text(text * 1500, encoding="utf-8")
    return plan_scan(plan.items, "long", base=tmp_path)


def _ray_processes() -> set[int]:
    """Of this machine: those that hold a cluster together, the workers, and who speaks with them."""
    return _processes(b"raylet", b"gcs_server", b"ray::", b"default_worker.py", b"ray_driver")


def _processes(*names: bytes) -> set[int]:
    """Those with one of these in their command."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes()
        except OSError:
            continue
        if any(name in command for name in names):
            found.add(int(path.parent.name))
    return found


def _wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.1)


def _alone(plan: ScanPlan) -> bytes:
    return pack(run_shards(plan.index(), plan.shards, plan.fields))


def _workers() -> list[int]:
    """The processes of the cluster that run tasks of ours."""
    return sorted(_processes(b"ray::scan_in_task"))


def test_without_ray_the_extra_is_named(plan: ScanPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(UsageError, match="the package ray, which is not installed") as fault:
        run_shards(plan.index(), plan.shards, plan.fields, engine="ray")
    assert "gate[ray]" in fault.value.remedy


def test_no_shards_need_no_cluster(plan: ScanPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert run_shards(plan.index(), [], plan.fields, engine="ray").documents == 0


@needs_ray
@pytest.mark.ray
@pytest.mark.usefixtures("no_address")
def test_a_cluster_of_our_own_finds_the_same_and_is_gone_afterwards(
    short_folder: str, plan: ScanPlan, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray  # noqa: PLC0415  # an extra

    monkeypatch.setattr("tempfile.tempdir", short_folder)
    before, handler = _ray_processes(), signal.getsignal(signal.SIGTERM)
    tally = run_shards(plan.index(), plan.shards, plan.fields, engine="ray", workers=2)
    assert pack(tally) == _alone(plan)
    assert not ray.is_initialized()
    assert (os.environ.get("RAY_USAGE_STATS_ENABLED"), signal.getsignal(signal.SIGTERM)) == (None, handler)
    _wait_until(lambda: _ray_processes() <= before)
    assert list(Path(short_folder).iterdir()) == []


@needs_ray
@pytest.mark.ray
@pytest.mark.usefixtures("no_address")
def test_a_cluster_that_happens_to_run_is_left_alone(plan: ScanPlan) -> None:
    from ray.cluster_utils import Cluster  # noqa: PLC0415  # an extra

    other = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False, **SMALL})
    heads: set[int] = set()
    try:
        before = _processes(b"gcs_server")
        run_shards(
            plan.index(),
            plan.shards,
            plan.fields,
            engine="ray",
            progress=lambda _: heads.update(_processes(b"gcs_server") - before),
        )
        assert len(heads) == 1
        assert _processes(b"gcs_server") == before
    finally:
        other.shutdown()


@needs_ray
@pytest.mark.ray
def test_a_cluster_that_is_named_finds_the_same_and_stays(plan: ScanPlan, cluster: Any) -> None:
    import ray  # noqa: PLC0415  # an extra

    for _ in range(2):
        tally = run_shards(plan.index(), plan.shards[::-1], plan.fields, engine="ray", workers=4)
        assert pack(tally) == _alone(plan)
    assert not ray.is_initialized()
    assert all(node.all_processes["raylet"][0].process.poll() is None for node in cluster.list_all_nodes())


@needs_ray
@pytest.mark.ray
@pytest.mark.usefixtures("cluster")
def test_a_worker_that_is_killed_changes_nothing(slow_plan: ScanPlan) -> None:
    killed: list[int] = []

    def kill(_: Progress) -> None:
        if not killed:
            _wait_until(lambda: bool(_workers()))
            killed.append(_workers()[0])
            os.kill(killed[0], signal.SIGKILL)

    tally = run_shards(slow_plan.index(), slow_plan.shards, slow_plan.fields, engine="ray", workers=3, progress=kill)
    assert len(killed) == 1
    assert pack(tally) == _alone(slow_plan)


@needs_ray
@pytest.mark.ray
def test_a_node_that_is_killed_changes_nothing(slow_plan: ScanPlan, cluster: Any) -> None:
    killed: list[Any] = []

    def kill(_: Progress) -> None:
        if not killed:
            killed.append(cluster.workers[0])
            cluster.remove_node(cluster.workers[0], allow_graceful=False)

    tally = run_shards(slow_plan.index(), slow_plan.shards, slow_plan.fields, engine="ray", workers=3, progress=kill)
    assert len(killed) == 1
    assert pack(tally) == _alone(slow_plan)


@needs_ray
@pytest.mark.ray
@pytest.mark.parametrize("where", ["cluster", "no_address"])
def test_a_scan_whose_driver_is_killed_goes_on_where_it_stopped(
    tmp_path: Path, short_folder: str, plan: ScanPlan, where: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(where)
    before = _ray_processes()
    index, folder = plan.index(), tmp_path / "store"
    store = ShardStore(folder, index, plan.fields)
    keep_plan(store, plan)
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), store.folder.name],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": short_folder},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        process.kill()
    assert len(merge_stores([folder]).missing) == len(plan.shards) - 1
    _wait_until(lambda: _ray_processes() <= before, seconds=15)
    assert list(Path(short_folder).iterdir()) == []
    tally = run_shards(index, plan.shards, plan.fields, engine="ray", workers=2, store=store)
    assert pack(tally) == _alone(plan)
    assert merge_stores([folder]).missing == ()


@pytest.fixture
def started(short_folder: str, tmp_path: Path, slow_plan: ScanPlan) -> Iterator[subprocess.Popen[str]]:
    """`gate scan` on Ray, one shard of which is finished and kept."""
    for number, shard in enumerate(slow_plan.shards * 20):
        os.link(shard.path, tmp_path / "long" / f"more-{number}.jsonl")
    (tmp_path / "items.txt").write_text("".join(f"{item.question}\n" for item in slow_plan.items), encoding="utf-8")
    asked = ["scan", "--items", "items.txt", "--corpus", "long", "--out", "scan.json"]
    # a shell may have started us in the background, where SIGINT is ignored
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    with subprocess.Popen(
        [sys.executable, "-c", f"{listen}; from gate.__main__ import main; main()", *asked, "--engine", "ray"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": short_folder},
        start_new_session=True,
    ) as process:
        _wait_until(lambda: bool(list(tmp_path.glob("scan.json.shards/*/*.shard"))), seconds=60)
        yield process
        process.kill()


@needs_ray
@pytest.mark.ray
@pytest.mark.parametrize("where", ["cluster", "no_address"])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_stops_our_tasks_and_our_cluster(
    where: str, number: signal.Signals, code: int, short_folder: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(where)
    before = _ray_processes() - set(_workers())
    process = request.getfixturevalue("started")
    process.send_signal(number)
    _, told = process.communicate(timeout=30)
    assert (process.returncode, "Traceback" in told) == (code, False)
    assert "with --resume goes on" in told
    _wait_until(lambda: _ray_processes() <= before)
    assert list(Path(short_folder).iterdir()) == []


@needs_ray
@pytest.mark.ray
@pytest.mark.parametrize("where", ["cluster", "no_address"])
def test_a_head_that_is_lost_is_an_error_and_no_verdict(
    where: str, short_folder: str, request: pytest.FixtureRequest
) -> None:
    cluster = request.getfixturevalue(where)
    before, others = _ray_processes(), _processes(b"gcs_server")
    process = request.getfixturevalue("started")
    if where == "cluster":
        (head,) = cluster.head_node.all_processes["gcs_server"]
        head.process.kill()
    else:
        (own,) = _processes(b"gcs_server") - others
        os.kill(own, signal.SIGKILL)
    _, told = process.communicate(timeout=120)
    assert (process.returncode, "Traceback" in told) == (2, False)
    assert "the cluster was lost: the process that spoke with it ended" in told
    if where == "cluster":
        _wait_until(lambda: not _workers())
    else:
        _wait_until(lambda: _ray_processes() <= before, seconds=5)
    assert list(Path(short_folder).iterdir()) == []


@needs_ray
@pytest.mark.ray
@pytest.mark.usefixtures("no_address")
def test_the_next_scan_ends_and_removes_what_is_left_of_one_that_was_killed_with_its_driver(
    short_folder: str, plan: ScanPlan, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    before = _ray_processes()
    process = request.getfixturevalue("started")
    drivers = _processes(b"ray_driver") - before
    # stopped first, so that it cannot notice that the other one is gone
    for driver in drivers:
        os.kill(driver, signal.SIGSTOP)
    process.kill()
    process.wait()
    for driver in drivers:
        os.kill(driver, signal.SIGKILL)
    _wait_until(lambda: not _processes(b"ray_driver") & drivers)
    assert len(list(Path(short_folder).iterdir())) == 1
    assert _ray_processes() > before
    monkeypatch.setattr("tempfile.tempdir", short_folder)
    run_shards(plan.index(), plan.shards, plan.fields, engine="ray")
    assert list(Path(short_folder).iterdir()) == []
    _wait_until(lambda: _ray_processes() <= before, seconds=5)


@needs_ray
@pytest.mark.ray
@pytest.mark.usefixtures("cluster")
def test_what_a_worker_cannot_read_is_told_by_its_place(tmp_path: Path, plan: ScanPlan) -> None:
    (tmp_path / "corpus" / "6.jsonl").write_text('{"text": "fine"}\nnot JSON\n')
    shards = plan_shards(find_sources("corpus", tmp_path))
    with pytest.raises(CorpusError) as fault:
        run_shards(plan.index(), shards, plan.fields, engine="ray", workers=2)
    assert str(fault.value.where).startswith("corpus/6.jsonl, line 2")


@needs_ray
@pytest.mark.ray
def test_a_cluster_that_does_not_answer_is_told_by_its_address(plan: ScanPlan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ADDRESS, "127.0.0.1:1")
    with pytest.raises(UsageError, match="the Ray cluster cannot be reached") as fault:
        run_shards(plan.index(), plan.shards, plan.fields, engine="ray")
    assert "RAY_ADDRESS=127.0.0.1:1" in str(fault.value)
