"""Small evals and corpora that hold parts of them."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from gate.contamination import Item, plan_scan
from gate.contamination.scan import Question, ScanPlan

WORDS = [*(f"w{number}" for number in range(25)), "STRASSE", "ΣΊΣΥΦΟΣ", "naïve", "日本語"]
Planner = Callable[..., ScanPlan]


def text(random: Random, words: int) -> str:
    return " ".join(random.choices(WORDS, k=words))


def write_files(folder: Path, files: Sequence[Sequence[str]]) -> None:
    """Each file's documents as lines of JSON, with ids for every other one."""
    folder.mkdir(exist_ok=True)
    for number, documents in enumerate(files):
        rows = [
            {"text": document} | ({"id": f"d{number}.{line}"} if line % 2 else {})
            for line, document in enumerate(documents)
        ]
        path = folder / f"{number}.jsonl"
        path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")


@pytest.fixture(scope="session")
def items() -> list[Item]:
    random = Random(7)  # noqa: S311  # data, not keys
    asked = [Item(f"q{number}", text(random, 9), text(random, 1 + number % 4)) for number in range(15)]
    return [*asked, Item("short", "w1"), Item("empty", ""), Item("characters", "日本語の質問は何ですか")]


@pytest.fixture
def plan(tmp_path: Path, items: list[Item]) -> ScanPlan:
    """Six files of documents, some of which hold an item."""
    random = Random(11)  # noqa: S311  # data, not keys
    files = [[text(random, 30) for _ in range(12)] for _ in range(6)]
    for item in items[:5]:
        file = random.choice(files)
        file.insert(random.randrange(len(file)), f"{text(random, 4)} {item.question} {text(random, 4)}")
    write_files(tmp_path / "corpus", files)
    return plan_scan(items, "corpus", Question(sizes=(3, 2)), base=tmp_path)
