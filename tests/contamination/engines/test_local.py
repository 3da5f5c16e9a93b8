"""Processes die, are interrupted, or lose their parent: nothing wrong comes out, and nobody is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from gate.contamination.engines import Progress, ShardStore, run_shards
from gate.contamination.packed import pack
from gate.contamination.parts import keep_plan, merge_stores
from gate.contamination.scan import ScanPlan
from gate.errors import CorpusError

# Stops after its first shard, so that there is time to end it. Not to be imported: nobody but the user runs it.
SCRIPT = """
import signal, sys, time
from pathlib import Path
from gate.contamination.engines import ShardStore, run_shards
from gate.contamination.parts import read_plan

# a shell that runs the tests in the background has them ignore it
signal.signal(signal.SIGINT, signal.default_int_handler)

def stop(progress):
    print(progress.shards_done, flush=True)
    time.sleep(60)

store, name = Path(sys.argv[1]), sys.argv[2]
plan = read_plan(store / name / "plan.json")
index = plan.index()
run_shards(index, plan.shards, plan.fields, workers=2, store=ShardStore(store, index, plan.fields), progress=stop)
"""


def _children() -> list[int]:
    """The processes that threads of this one have started."""
    tasks = Path("/proc/self/task").glob("*/children")
    return [int(process) for task in tasks for process in task.read_text().split()]


def _kill_a_worker() -> int:
    worker = _children()[0]
    os.kill(worker, signal.SIGKILL)
    return worker


def test_the_shard_of_a_worker_that_dies_is_read_by_another_one(plan: ScanPlan) -> None:
    index = plan.index()
    killed: list[int] = []

    def kill_once(_: Progress) -> None:
        if not killed:
            killed.append(_kill_a_worker())

    tally = run_shards(index, plan.shards, plan.fields, workers=2, progress=kill_once)
    assert len(killed) == 1
    assert pack(tally) == pack(run_shards(index, plan.shards, plan.fields))


def test_a_shard_that_ends_two_workers_is_named(plan: ScanPlan) -> None:
    over = threading.Event()

    def kill_all() -> None:
        while not over.is_set():
            for worker in _children():
                # it may have been waited for meanwhile
                with suppress(ProcessLookupError):
                    os.kill(worker, signal.SIGKILL)
            time.sleep(0.01)

    killer = threading.Thread(target=kill_all)
    killer.start()
    try:
        with pytest.raises(CorpusError, match=r"the processes that read this died, 2 times \(exit code -9\)") as fault:
            run_shards(plan.index(), plan.shards, plan.fields, workers=2)
    finally:
        over.set()
        killer.join()
    assert str(fault.value.where) in {shard.name for shard in plan.shards}
    assert _children() == []


def test_no_process_is_left_where_the_one_who_asked_gives_up(plan: ScanPlan) -> None:
    def give_up(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_shards(plan.index(), plan.shards, plan.fields, workers=2, progress=give_up)
    assert _children() == []


@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_an_ended_scan_leaves_no_process_and_goes_on_where_it_stopped(
    tmp_path: Path, plan: ScanPlan, name: str
) -> None:
    index, folder = plan.index(), tmp_path / "store"
    store = ShardStore(folder, index, plan.fields)
    keep_plan(store, plan)
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, str(script), str(folder), store.folder.name],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "1\n"
        if name == "SIGINT":
            # as the terminal does it: to all of them at once
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.kill()
        process.wait(30)
        _require_gone(process.pid)
        told = process.stderr.read()
    assert told.count("Traceback") == (1 if name == "SIGINT" else 0)
    assert len(merge_stores([folder]).missing) in range(1, len(plan.shards))

    resumed: list[Progress] = []
    tally = run_shards(index, plan.shards, plan.fields, store=store, progress=resumed.append)
    assert pack(tally) == pack(run_shards(index, plan.shards, plan.fields))
    assert merge_stores([folder]).missing == ()


def _require_gone(group: int) -> None:
    """Fail unless the process group is empty soon."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    os.killpg(group, signal.SIGKILL)
    pytest.fail("processes were left behind")
