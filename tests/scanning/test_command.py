"""`gate scan` as a user runs it, and `gate check` on what it wrote."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.contamination import read_scan
from tests.contamination.conftest import require_compiled

Gate = Callable[..., tuple[int, str, str]]
SCAN = ("scan", "--items", "items.txt", "--corpus", "corpus.jsonl")


def test_the_published_example_is_told_with_its_evidence(gate: Gate) -> None:
    code, out, err = gate(*SCAN)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "4 items: 1 flagged from an overlap of 0.80, 1 confirmed, 0 suspect; 0 not testable"
    assert lines[1] == "searched 4 documents in 1 file, 23 words, 0.0 MB, by 3-grams, mode reference"
    told = "confirmed 1 1.000 1.000 1.000 6 of 6, verbatim corpus.jsonl:line 2 (d2)"
    assert " ".join(lines[4].split()) == told


def test_words_are_printed_to_no_log(gate: Gate) -> None:
    assert "capital" not in gate(*SCAN)[1]


@pytest.mark.parametrize("kernel", ["numpy", "compiled"])
def test_which_kernel_searches_is_told_to_whoever_asks_and_changes_no_byte(
    gate: Gate, folder: Path, kernel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kernel == "compiled":
        require_compiled()
    gate(*SCAN, "--out", "any.json")
    monkeypatch.setenv("GATE_KERNEL", kernel)
    code, _, err = gate(*SCAN, "--verbose", "--out", "scan.json")
    assert (code, err) == (0, f"kernel: {kernel}\n")
    assert (folder / "scan.json").read_bytes() == (folder / "any.json").read_bytes()


def test_a_kernel_that_does_not_exist_is_a_fault_of_usage(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATE_KERNEL", "fast")
    code, out, err = gate(*SCAN)
    assert (code, out) == (2, "")
    assert "GATE_KERNEL=fast names no kernel" in err


def test_json_is_the_file(gate: Gate, folder: Path) -> None:
    code, out, _ = gate(*SCAN, "--out", "scan.json", "--json")
    assert code == 0
    assert out == (folder / "scan.json").read_text()
    assert json.loads(out)["items"][0]["question"]["words"] == ["what", "is", "the", "capital", "of", "france"]


def test_words_stay_out_of_the_file_where_they_must(gate: Gate) -> None:
    _, out, _ = gate(*SCAN, "--json", "--no-text")
    assert "capital" not in out
    assert json.loads(out)["items"][0]["question"]["sizes"][0]["longest_span"] == 6


def test_several_sizes_stand_side_by_side(gate: Gate) -> None:
    _, out, _ = gate(*SCAN, "--ngram", "5", "--ngram", "3", "--bar", "0.1")
    assert "by 5-grams and 3-grams" in out
    assert out.splitlines()[3].split()[:7] == ["item", "overlap", "one", "document", "by", "rarity", "3-grams"]


def test_an_item_that_is_too_short_is_named_and_counted(gate: Gate, folder: Path) -> None:
    (folder / "items.txt").write_text("what is the capital of france\n\ntoo short\n")
    _, out, _ = gate(*SCAN)
    assert "1 not testable" in out.splitlines()[0]
    assert "not testable, searched for as a whole alone: 1: 3" in out


def test_a_scan_is_the_same_to_the_byte_whoever_reads_the_corpus(gate: Gate, folder: Path) -> None:
    (folder / "more").mkdir()
    for place in range(5):
        (folder / f"more/{place}.txt").write_text(f"document {place}: how many legs does a spider have")
    command = (*SCAN, "--corpus", "more", "--json")
    alone = gate(*command)[1]
    assert gate(*command, "--workers", "2")[1] == alone
    for part in ("2/3", "1/3", "3/3"):
        gate(*command, "--shard", part, "--store", f"store-{part[0]}")
    assert gate("scan", "merge", "store-1", "store-2", "store-3", "--json")[1] == alone


def test_a_part_says_that_it_is_not_the_whole(gate: Gate, folder: Path) -> None:
    (folder / "more.txt").write_text("more")
    command = (*SCAN, "--corpus", "more.txt", "--shard", "1/2", "--store", "store", "--out", "part.json")
    assert gate(*command)[1].startswith("NOT COMPLETE: ")
    assert not read_scan(folder / "part.json").complete
    assert gate("scan", "merge", "store")[1].startswith("NOT COMPLETE: ")


def test_the_answers_of_a_table_are_searched_for_too(gate: Gate, folder: Path) -> None:
    (folder / "items.csv").write_text("key,ask,reply\nE1,What is the capital of France,not insects\n")
    columns = ("--column", "id=key", "--column", "inputs=ask", "--column", "target=reply")
    _, out, _ = gate("scan", "--items", "items.csv", "--corpus", "corpus.jsonl", *columns)
    assert out.splitlines()[4].split()[-4:] == ["short", "corpus.jsonl:line", "2", "(d2)"]
    assert out.splitlines()[4].split()[1] == "E1"


def test_texts_of_an_allow_list_are_left_out_with_their_reason(gate: Gate, folder: Path) -> None:
    (folder / "allow.yml").write_text("- {text: 'What is the capital of France?', reason: a template}\n")
    _, out, _ = gate(*SCAN, "--allow", "allow.yml", "--json")
    told = json.loads(out)
    assert told["allowed"] == [{"text": "What is the capital of France?", "reason": "a template"}]
    assert told["left_out"] == [{"size": 3, "template": 0, "allowed": 3}]


def test_fields_say_where_records_have_their_text_and_id(gate: Gate, folder: Path) -> None:
    (folder / "odd.jsonl").write_text('{"meta": {"key": "k7"}, "body": "what is the capital of france", "text": "x"}\n')
    command = (
        "scan",
        "--items",
        "items.txt",
        "--corpus",
        "odd.jsonl",
        "--text-field",
        "body",
        "--id-field",
        "meta.key",
    )
    assert "odd.jsonl:line 1 (k7)" in gate(*command)[1]


WRONG = {
    "no items": (("scan", "--corpus", "corpus.jsonl"), "a scan needs items and a corpus"),
    "no corpus": (("scan", "--items", "items.txt"), "a scan needs items and a corpus"),
    "no such items": (("scan", "--items", "nowhere.txt", "--corpus", "corpus.jsonl"), "nowhere.txt"),
    "no such corpus": (("scan", "--items", "items.txt", "--corpus", "nowhere"), "there is no such file or folder"),
    "items over the scan": ((*SCAN, "--out", "items.txt"), "--out items.txt would overwrite items.txt"),
    "corpus over the scan": ((*SCAN, "--out", "corpus.jsonl"), "--out corpus.jsonl would overwrite corpus.jsonl"),
    "the scan in its corpus": (
        ("scan", "--items", "items.txt", "--corpus", ".", "--out", "scan.json"),
        "--out scan.json lies in the corpus: the next scan would find every item there",
    ),
    "the store in its corpus": (
        ("scan", "--items", "items.txt", "--corpus", ".", "--store", "kept"),
        "--store kept lies in the corpus: the next scan would find every item there",
    ),
    "no part": ((*SCAN, "--shard", "one", "--store", "s"), "--shard 'one' is not I/N"),
    "a part that there is not": ((*SCAN, "--shard", "3/2", "--store", "s"), "there is no part 3 of 2"),
    "a part without a store": ((*SCAN, "--shard", "1/2"), "--shard needs a --store to keep its part in"),
    "no role": ((*SCAN, "--column", "question=ask", "--format", "csv"), "--column 'question=ask' is not ROLE=NAME"),
    "no allow-list": ((*SCAN, "--allow", "bad.yml"), "bad.yml, 0.reason: this is no allow-list: field required"),
    "no store": (("scan", "merge", "nowhere"), "there is no part of a scan here"),
    "options before merge": (("scan", "--bar", "0.5", "merge", "nowhere"), "takes no options before `merge`"),
    "an n-gram of nothing": ((*SCAN, "--ngram", "0"), "--ngram"),
    "blank items": (("scan", "--items", "blank.txt", "--corpus", "corpus.jsonl"), "there is no question in the file"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_what_cannot_be_done_is_an_error_with_a_remedy(fault: str, gate: Gate, folder: Path) -> None:
    (folder / "bad.yml").write_text("- {text: a b c}\n")
    (folder / "blank.txt").write_text(" \n\n")
    arguments, what = WRONG[fault]
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    code, out, err = gate(*arguments)
    assert (code, out) == (2, "")
    assert what in err
    assert "remedy: " in err
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_a_scan_that_left_shards_behind_is_gone_on_with_where_asked(gate: Gate, folder: Path) -> None:
    (folder / "broken.json").write_text("[{")
    code, _, err = gate(*SCAN, "--corpus", "broken.json", "--out", "scan.json")
    assert code == 2
    assert "finished shards are kept in scan.json.shards; the same command with --resume goes on with them" in err
    code, _, err = gate(*SCAN, "--corpus", "broken.json", "--out", "scan.json")
    assert code == 2
    assert "a scan that did not end has left finished shards here" in err
    (folder / "broken.json").write_text('["mended"]')
    code, _, err = gate(*SCAN, "--corpus", "broken.json", "--out", "scan.json", "--resume")
    assert (code, err) == (0, "")
    assert read_scan(folder / "scan.json").complete
    assert not (folder / "scan.json.shards").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_keeps_what_is_finished_and_says_how_to_go_on(
    folder: Path, number: signal.Signals, code: int
) -> None:
    (folder / "large").mkdir()
    block = "some words that are read for a while " * 4000
    for place in range(60):
        (folder / f"large/{place:02d}.txt").write_text(block * 8)
    # a shell may have started us in the background, where SIGINT is ignored
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    start = f"{listen}; import runpy; runpy.run_module('gate', run_name='__main__')"
    command = [sys.executable, "-c", start, *SCAN, "--corpus", "large", "--out", "scan.json"]
    started = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ})
    deadline = time.monotonic() + 60
    while not list(folder.glob("scan.json.shards/*/*.shard")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    started.send_signal(number)
    _, err = started.communicate(timeout=60)
    assert started.returncode == code
    assert "finished shards are kept in scan.json.shards; the same command with --resume goes on" in err
    assert not (folder / "scan.json").exists()
    assert subprocess.run([*command, "--resume"], capture_output=True, check=False).returncode == 0
    assert read_scan(folder / "scan.json").complete


def test_what_a_scan_wrote_is_what_a_check_reads(gate: Gate, folder: Path) -> None:
    rows = "".join(
        f"{number},{question},1\n" for number, question in enumerate((folder / "items.txt").read_text().splitlines())
    )
    (folder / "run.csv").write_text(f"id,question,score\n{rows}")
    gate(*SCAN, "--out", "scan.json")
    check = ("check", "--candidate", "run.csv", "--scan", "scan.json")
    code, out, _ = gate(*check)
    assert code == 1
    assert out.startswith("BLOCK: 1 of 4 items leaked: 0; 25 % is over 10 %")
    (folder / "run.csv").write_text(f"id,question,score\n{rows}new,what is new here,1\n")
    code, out, _ = gate(*check)
    assert code == 1
    assert out.startswith("BLOCK: the scan does not cover 1 item: new")
    assert "gate scan --items FILE --corpus PATH --ngram 3 --mode reference --out scan.json" in out
