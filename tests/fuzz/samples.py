"""What the damage begins with: the tests' own samples and cases, and small files of the formats that have none."""

import gzip
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pyarrow as pa
import zstandard
from pyarrow import parquet

TESTS = Path(__file__).parent.parent
SAMPLES = TESTS / "scores" / "samples"
CASES = TESTS / "cases"
_LARGEST_REPORT = 30_000
_LARGEST_CONFIG = 4000

Seeds = Mapping[str, bytes]


def _table() -> bytes:
    written = io.BytesIO()
    rows = {"id": ["q1", "q2"], "score": [1.0, None], "text": ["one", "two"], "nested": [{"a": [1]}, {"a": []}]}
    parquet.write_table(pa.table(rows), written)
    return written.getvalue()


PLAIN: Seeds = {
    "own.csv": b'id,score,group,inputs\nq1,1,a,What is it?\nq2,0.5,a,"two\nlines"\nq3,error,b,x\n',
    "own.json": b'[{"id": "q1", "score": 1, "inputs": "What?"}, {"id": "q2", "score": null}, {"id": "q3"}]',
    "own.jsonl": b'{"id": "q1", "score": 1, "sample": 1}\n{"id": "q1", "score": 0, "sample": 2}\n',
    "own.parquet": _table(),
}
# all items of a group lie in one stratum
_GROUPS, _STRATA = "abcdef", "xy"
TWO_RUNS: Seeds = {
    name: b"id,score,group,stratum,weight,inputs\n"
    + "".join(
        f"q{row},{(row * step % 5) / 4},{_GROUPS[row % 6]},{_STRATA[row % 2]},{1 + row % 2},What is {row}?\n"
        for row in range(24)
    ).encode()
    for name, step in (("a.csv", 2), ("b.csv", 3))
}
_CHECKED = b"""version: 1
history: history.jsonl
suites:
  - name: s
    baseline: a.csv
    candidate: b.csv
    scale: [0, 1]
    columns: {group: group, stratum: stratum, weight: weight}
    checks:
      threshold: {bar: 0.4}
      regression: {margin: 0.1}
      drift: {}
      contamination: {corpus: corpus.txt}
waivers:
  - {suite: s, check: drift, expires: 2999-01-01, approved_by: me, reason: known}
"""
PACKED: Seeds = {
    "own.csv.gz": gzip.compress(PLAIN["own.csv"], mtime=0),
    "own.jsonl.zst": zstandard.ZstdCompressor().compress(PLAIN["own.jsonl"]),
}
REPEATS: Seeds = {
    "own.csv": b"id,sample,passed\n" + b"".join(b"q%d,%d,%d\n" % (row // 4, row % 4, row % 3 == 0) for row in range(40))
}
CORPUS: Seeds = {
    "own.txt": "one two three\n\nfour é 你好\n".encode(),
    "own.md": b"# one\n\ntwo `three`\n",
    # half a pair of surrogates, which the fast parser leaves to the other one
    "own.jsonl": b'{"text": "one two", "id": "d1"}\n"three"\n{"question": "four \\ud800", "id": 5}\n',
    "own.json": b'[{"text": "one two", "id": "d1"}, "three", {"question": "four", "id": 5}]',
    "own.csv": b'id,text\nd1,one two\nd2,"three\nfour"\n',
    "own.parquet": _table(),
}
PACKED_CORPUS: Seeds = {
    "own.csv.gz": gzip.compress(CORPUS["own.csv"], mtime=0),
    "own.jsonl.zst": zstandard.ZstdCompressor().compress(CORPUS["own.jsonl"]),
}
BATTLES: Seeds = {
    "own.csv": b"model_a,model_b,winner,prompt,judge,weight,time\nx,y,model_a,p,j,1,2026-01-31\ny,z,tie,q,k,2,\n"
}
# each beats another, so that ratings are finite
ROUNDS: Seeds = {
    "rounds.csv": "\n".join(
        ["model_a,model_b,winner,prompt"]
        + [f"{'xyz'[row % 3]},{'yzx'[row % 3]},model_{'aab'[row % 4 % 3]},p{row % 7}" for row in range(24)]
    ).encode()
}
BATTLE_SUITE: Seeds = {
    "gate.yml": b"""version: 1
suites:
  - name: s
    kind: battles
    candidate: rounds.csv
    checks: {arena: {model: x, against: z, margin: 0.1}}
""",
    **ROUNDS,
}
ALLOWED: Seeds = {"own.yml": b"- text: all of the above\n  reason: usual\n- {text: b, reason: c}\n"}
_FIGURES = {"mean": 0.5, "n": 20, "units": 20, "items": "i", "direction": "higher", "standard_error": 0.1, "low": 0.4}
_JUDGED = {"schema_version": 1, "date": "2026-01-31", "commit": "abcdef1", "verdict": "PASS"}
_RUN = {"promoted": True, "report": "0" * 64, "suites": {"s": {"candidate": "c", "metrics": {"score": _FIGURES}}}}
_PROMOTED = {"digest": "0" * 64, "figures": {"s": {"score": {"mean": 0.5, "n": 20}}}}
HISTORY: Seeds = {"own.jsonl": json.dumps(_JUDGED | _RUN).encode() + b"\n"}
PROMOTION: Seeds = {"own.csv.promotion.json": json.dumps(_JUDGED | _PROMOTED).encode()}
_MT_BENCH = (
    b'{"question_id": 81, "model": "m", "judge": ["gpt-4", "single-v1"], "user_prompt": "[Question]", "judgment": '
    b'"Rating: [[9]]", "score": 9, "turn": 1, "tstamp": 1.5}\n'
)


def of_scores(name: str) -> Seeds:
    """Samples of a format by its name."""
    match name:
        case "gate_report":
            return reports()
        case "mt_bench":
            return {"own.jsonl": _MT_BENCH}
        case "promptfoo_csv":
            return {path.name: path.read_bytes() for path in sorted((SAMPLES / "promptfoo").glob("*.csv"))}
        case _ if f"own.{name}" in PLAIN:
            return {f"own.{name}": PLAIN[f"own.{name}"]}
        case _:
            return {path.name: path.read_bytes() for path in sorted((SAMPLES / name).rglob("*")) if path.is_file()}


def of_all_formats(names: Iterable[str]) -> Seeds:
    """A small sample of each, to be known by its content."""
    found = {name: sorted(of_scores(name).items(), key=lambda sample: len(sample[1]))[:1] for name in names}
    return {f"{name}-{file}": data for name, samples in found.items() for file, data in samples}


def judged() -> Seeds:
    """A gate.yml with all that it names."""
    return {
        "gate.yml": _CHECKED,
        **TWO_RUNS,
        "history.jsonl": HISTORY["own.jsonl"],
        "corpus.txt": b"It was asked: What is 7? Nobody knew.\n",
    }


def reports() -> Seeds:
    """JSON reports of some cases."""
    written = [path for path in sorted(CASES.glob("*/*/expected.json")) if path.stat().st_size < _LARGEST_REPORT]
    return {f"{path.parent.name}.json": path.read_bytes() for path in written[::6]}


def configs() -> Seeds:
    """gate.yml of all cases but those of unusual size."""
    written = [path for path in sorted(CASES.rglob("gate.yml")) if path.stat().st_size < _LARGEST_CONFIG]
    return {f"{path.parent.name}.yml": path.read_bytes() for path in written}


def scans() -> Seeds:
    """Files of a scan."""
    return {f"{path.parent.name}.json": path.read_bytes() for path in sorted(CASES.rglob("scan.json"))}
