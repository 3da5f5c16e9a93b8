"""Files in which foreign text stands in one kind of place, and what the gate is asked to do with them.

A scene takes payloads and writes them into the working directory, each into a place of its own where there are many of
its kind (ids, suites, metrics). What it returns are command lines; where the gate refuses a file, that is told, too.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

Words = Sequence[str]
Scene = Callable[[Words], Iterator[list[str]]]

DAY = "2099-12-31"
# of what needs a run of its own; that every payload goes into every field is test_every_field's
FEW = 2


def rows(path: str, records: Sequence[Mapping[str, object]]) -> str:
    """A file of JSON Lines, which can hold any text."""
    Path(path).write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def config(path: str, suites: Sequence[Mapping[str, object]], **others: object) -> str:
    """A gate.yml: JSON is YAML, but for the escapes of what is beyond four digits."""
    content = {"version": 1, "policies": {"show_text": "snippets"}, "suites": list(suites), **others}
    Path(path).write_text(as_yaml(content), encoding="utf-8")
    return path


def as_yaml(content: object) -> str:
    text = json.dumps(content, ensure_ascii=False)
    return "".join(char if " " <= char <= "~" else f"\\U{ord(char):08x}" for char in text)


def apart(words: Words) -> list[str]:
    """The words with a number behind each: none is blank, and no two are the same without the spaces around them."""
    return [f"{word} {number}" for number, word in enumerate(words)]


def pair(words: Words = ("q1", "q2"), name: str = "score") -> tuple[str, str]:
    """A baseline and a candidate of these ids, everything of which got worse."""
    ids = [*apart(words), *(f"plain {number}" for number in range(12))]
    told = [{"id": id_, "question": f"what is {id_} and why is it so", name: 1} for id_ in ids]
    return rows("a.jsonl", told), rows("b.jsonl", [{**record, name: 0} for record in told])


def usual(words: Words) -> dict[str, object]:
    """A suite of such a pair."""
    baseline, candidate = pair(words)
    return {"name": "suite", "baseline": baseline, "candidate": candidate}


def ids(words: Words) -> Iterator[list[str]]:
    """Ids, and questions that stand in the corpus."""
    asked = "\n".join(f"what is {word} and why is it so" for word in apart(words))
    Path("corpus.txt").write_text(asked.replace("\0", ""), "utf-8", "replace")
    checks = {"contamination": {"corpus": "corpus.txt", "max_leaked_share": 1}, "coverage": {"missing": "fail"}}
    yield ["check", "--config", config("gate.yml", [{**usual(words), "checks": checks}])]
    rows("b.jsonl", [{"id": f"new {word}", "score": 0} for word in apart(words)] + [{"id": "plain 1", "score": None}])
    yield ["check", "--baseline", "a.jsonl", "--candidate", "b.jsonl", "--threshold", "0.5"]
    yield ["show", "a.jsonl"]
    yield ["show", "a.jsonl", "--json"]
    yield ["scan", "--items", "a.jsonl", "--corpus", "corpus.txt", "--out", "scan.json"]
    yield ["scan", "--items", "a.jsonl", "--corpus", "corpus.txt", "--json"]
    checks = {"contamination": {"scan": "scan.json"}}
    yield ["check", "--config", config("gate.yml", [{**usual(words), "checks": checks}])]


def texts(words: Words) -> Iterator[list[str]]:
    """Questions, targets, groups and strata."""
    told = [
        {"id": str(number), "question": word, "target": word, "group": word, "category": word, "score": 1}
        for number, word in enumerate([*words, *(f"plain {row}" for row in range(12))])
    ]
    Path("corpus.txt").write_text("\n".join(words).replace("\0", ""), "utf-8", "replace")
    suite = {**usual(()), "columns": {"stratum": "category"}}
    rows("a.jsonl", told)
    rows("b.jsonl", [{**record, "score": 0} for record in told])
    yield ["check", "--config", config("gate.yml", [suite])]
    yield ["scan", "--items", "a.jsonl", "--corpus", "corpus.txt"]
    yield ["scan", "--items", "a.jsonl", "--corpus", "corpus.txt", "--json", "--ngram", "1"]


def metrics(words: Words) -> Iterator[list[str]]:
    """Names of metrics."""
    told = [{"id": str(row), **dict.fromkeys(words, 1), "score": 1} for row in range(14)]
    rows("a.jsonl", told)
    rows("b.jsonl", [{**record, **dict.fromkeys(words, 0)} for record in told])
    yield ["check", "--baseline", "a.jsonl", "--candidate", "b.jsonl", "--metric", "*"]
    named = {"name": "suite", "baseline": "a.jsonl", "candidate": "b.jsonl", "metrics": list(words)}
    yield ["check", "--config", config("gate.yml", [named])]
    yield ["show", "b.jsonl"]
    yield ["show", "b.jsonl", "--json"]
    word = words[0]
    yield ["pass-at-k", "b.jsonl", "--metric", word]
    yield ["pass-at-k", "b.jsonl", "--metric", word, "--json"]
    yield ["init", "a.jsonl", "b.jsonl", "--force"]


def measured(words: Words) -> Iterator[list[str]]:
    """Names of files and metrics, where the answer takes seconds."""
    path = rows(f"{words[0]}.jsonl".replace("/", "-"), [{"id": str(row), words[0]: row % 2} for row in range(6)])
    for form in ([], ["--json"]):
        yield ["power", f"./{path}", "--metric", words[0], *form]
        yield ["selfcheck", f"./{path}", "--threshold", "0.1", "--metric", words[0], "--runs", "20", *form]


def suites(words: Words) -> Iterator[list[str]]:
    """Names of suites; and what a pull request proposes to change in them."""
    rows("b.jsonl", [{"id": str(row), "score": row % 2} for row in range(6)])
    words = list(dict.fromkeys(word[:90] for word in words))
    named = [{"name": word, "candidate": "b.jsonl", "checks": {"threshold": {"bar": 0.9}}} for word in words]
    waivers = [
        {"check": "threshold", "suite": word, "reason": f"{word} a", "approved_by": f"{word} a"} for word in words
    ]
    dated = [{**waiver, "expires": DAY if row % 2 else "2020-01-01"} for row, waiver in enumerate(waivers)]
    config("gate.yml", named, waivers=dated)
    changed = [
        {**suite, "candidate": word, "checks": {"threshold": {"bar": 0.1}}}
        for suite, word in zip(named, words, strict=True)
    ]
    config(
        "proposed.yml",
        changed,
        waivers=[{**waiver, "reason": word, "expires": DAY} for waiver, word in zip(waivers, words, strict=True)],
    )
    yield ["validate", "gate.yml"]
    yield ["check", "--config", "gate.yml", "--proposed-config", "proposed.yml"]
    yield ["history", "add", "report.json", "--to", "history.jsonl", "--commit", "abcdef1"]
    yield ["check", "--config", "gate.yml", "--history", "history.jsonl"]
    yield ["history", "show", "history.jsonl"]
    yield ["history", "show", "history.jsonl", "--json"]


def promotions(words: Words) -> Iterator[list[str]]:
    """Why a baseline was promoted, and by whom; a report as baseline; a promotion and a history that are damaged."""
    baseline, candidate = pair(words)
    yield ["check", "--baseline", baseline, "--candidate", candidate, "--threshold", "0.1"]
    Path("kept.json").write_bytes(Path("report.json").read_bytes())
    for word in words[:FEW]:
        yield ["promote", candidate, "main.jsonl", "--force", "--reason", f"{word} a", "--commit", "abcdef1"]
        Path("main.jsonl.promotion.json").write_text(json.dumps({word: word, "schema_version": word}), "utf-8")
        yield ["promote", candidate, "main.jsonl", "--report", "report.json", "--commit", word]
        Path("history.jsonl").write_text(json.dumps({word: word, "verdict": word}) + "\n", "utf-8")
        yield ["history", "show", "history.jsonl"]
        yield ["promote", candidate, word, "--commit", word]
    yield ["check", "--baseline", "main.jsonl", "--candidate", candidate]
    Path("main.jsonl.promotion.json").unlink(missing_ok=True)
    yield ["check", "--baseline", "kept.json", "--candidate", candidate]


def battles(words: Words) -> Iterator[list[str]]:
    """Names of models and judges, and prompts."""
    told = [
        {"question_id": f"{word} {row}", "model_a": word, "model_b": other, "winner": winner, "judge": word}
        for word, other in zip(words, [*words[1:], "old"], strict=True)
        for row, winner in enumerate(["model_a", "model_b", "tie"] * 4)
    ]
    rows("battles.jsonl", told)
    for form in ([], ["--markdown"], ["--json"], ["--trace"]):
        yield ["arena", "battles.jsonl", "--orders", "3", *form]
    arena = {"arena": {"model": words[0], "against": words[-1]}}
    named = {"name": "bots", "kind": "battles", "candidate": "battles.jsonl", "checks": arena}
    yield ["check", "--config", config("gate.yml", [named])]
    yield [
        "check",
        "--config",
        config("gate.yml", [{**named, "checks": {"arena": {"model": words[-1], "against": "x"}}}]),
    ]


def corpora(words: Words) -> Iterator[list[str]]:
    """Ids of documents, fields, reasons of an allow-list."""
    baseline, _ = pair(("q1",))
    told = [
        {"name": word, "text": f"so it is said: what is plain {row} and why is it so"} for row, word in enumerate(words)
    ]
    rows("corpus.jsonl", told)
    reasons = [word for word in words if word == word.encode("utf-8", "replace").decode()] or ["none"]
    Path("allow.yml").write_text(as_yaml([{"text": "what is q1 and why", "reason": word} for word in reasons]), "utf-8")
    scan = ["scan", "--items", baseline, "--corpus", "corpus.jsonl", "--id-field", "name", "--allow", "allow.yml"]
    yield scan
    yield [*scan, "--json"]
    yield [*scan, "--out", "scan.json"]
    checks = {"contamination": {"scan": "scan.json", "items": baseline}}
    yield ["check", "--config", config("gate.yml", [{"name": "suite", "checks": checks}])]
    Path("allow.yml").write_text(as_yaml([{word: word} for word in words]), "utf-8")
    yield scan
    yield ["scan", "--items", baseline, "--corpus", "corpus.jsonl", "--text-field", words[0]]


def files(words: Words) -> Iterator[list[str]]:
    """Names of files and folders."""
    names = [
        name for word in dict.fromkeys(words) if (name := word.replace("/", "⁄").replace("\0", "")[:40]).strip(".")
    ]
    encodable = [name for name in names if name == name.encode("utf-8", "replace").decode()]
    baseline, candidate = pair()
    named: list[dict[str, object]] = []
    for name in encodable:
        Path(name).mkdir()
        Path(name, name).write_bytes(Path(candidate).read_bytes())
        Path(name, f"{name}.txt").write_text("so what is q1 and why is it so", "utf-8")
        named.append({"name": f"s{len(named)}", "baseline": baseline, "candidate": f"{name}/{name}"})
    for name in encodable[:FEW]:
        path = f"./{name}/{name}"
        yield ["show", path]
        yield ["show", path, "--json"]
        yield ["scan", "--items", path, "--corpus", f"./{name}"]
        yield [
            "check",
            "--config",
            config("gate.yml", [{**named[0], "candidate": path, "checks": {"contamination": {"corpus": name}}}]),
        ]
    if named:
        yield ["validate", config("gate.yml", named)]
        yield ["check", "--config", "gate.yml"]
        yield ["init", f"./{encodable[0]}/{encodable[0]}", "--force"]
        yield ["power", f"./{encodable[0]}/{encodable[0]}", "--p", "0.5", "--json"]


def facts(words: Words) -> Iterator[list[str]]:
    """What a file tells of how its run was made."""
    for word in words[:FEW]:
        record = {"spec": {"model": word, "eval_name": word, "created_by": word, "run_id": word}}
        event = {"type": "match", "sample_id": word, "data": {"correct": True, "expected": word, "picked": word}}
        end = {"final_report": {word: 1, "accuracy": 1}}
        rows("run.jsonl", [record, *({**event, "sample_id": f"{word} {row}"} for row in range(3)), end])
        yield ["show", "run.jsonl"]
        yield ["check", "--candidate", "run.jsonl", "--threshold", "0.5"]


def errors(words: Words) -> Iterator[list[str]]:
    """Errors of every kind, each with the words in it."""
    _, candidate = pair()
    for word in words[:FEW]:
        yield ["check", "--candidate", f"missing {word}"]
        yield ["check", "--candidate", candidate, "--threshold", "0.5", "--metric", word]
        yield ["check", "--candidate", candidate, "--format", word]
        yield ["check", f"--{word}"]
        yield [word]
        yield ["explain", word]
        yield ["check", "--baseline", f"git:{word}:a.jsonl", "--candidate", candidate]
        yield ["check", "--candidate", candidate, "--threshold", "0.5", "--report", word]
        yield ["check", "--candidate", candidate, "--threshold", "0.5", "--reduce", word]
        yield ["check", "--candidate", candidate, "--threshold", "0.5", "--corpus", f"missing {word}"]
        yield ["check", "--candidate", rows("c.jsonl", [{"id": word, "score": 1}] * 2), "--threshold", "0.5"]
        yield ["check", "--candidate", rows("c.jsonl", [{"id": "a", "score": word}]), "--threshold", "0.5"]
        yield ["check", "--candidate", rows("c.jsonl", [{"id": "a", word: word}]), "--threshold", "0.5"]
        Path("c.json").write_text(f'{{"{word}', "utf-8", "replace")
        yield ["check", "--candidate", "c.json", "--threshold", "0.5"]
        Path("c.csv").write_text(f"id,score\n{word},1,{word}\n", "utf-8", "replace")
        yield ["check", "--candidate", "c.csv", "--threshold", "0.5"]
        yield ["check", "--baseline", rows("c.jsonl", [{"id": word, "score": 1}]), "--candidate", candidate]
        yield ["check", "--config", config("gate.yml", [{"name": "a", word: word}])]
        yield [
            "check",
            "--config",
            config("gate.yml", [{"name": "a", "candidate": candidate, "metrics": {word: {word: 1}}}]),
        ]
        yield ["check", "--config", config("gate.yml", [{"name": "a", "candidate": candidate, "checks": {word: 1}}])]
        yield [
            "check",
            "--config",
            config("gate.yml", [{"name": "a", "candidate": candidate}], waivers=[{"check": word}]),
        ]
        Path("gate.yml").write_text(f"version: 1\n{word}: &a [*b\n", "utf-8", "replace")
        yield ["validate", "gate.yml"]
        yield ["arena", candidate, "--anchor", word]
        yield ["pass-at-k", "--n", word]
        yield ["history", "add", f"missing {word}", "--to", "h.jsonl"]
        yield ["history", "add", "c.json", "--to", "h.jsonl", "--commit", word]
        yield ["init", f"missing {word}", "--uses", word]


SCENES: Mapping[str, Scene] = {
    scene.__name__: scene
    for scene in (ids, texts, metrics, suites, promotions, battles, corpora, files, facts, errors, measured)
}
