"""promptfoo's results; the samples are what promptfoo 0.119.14 wrote of three tests, two prompts and two providers.

Those called before and after are what 0.55.0 and 0.122.2 wrote of two tests, before two prompts were edited and after.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale, Wanted

SAMPLES = Path(__file__).parent.parent / "samples" / "promptfoo"
JSON, JSONL, CSV = (SAMPLES / f"out-0.119.14.{ending}" for ending in ("json", "jsonl", "csv"))
VARIANT = Wanted(variant="loud/prompt 1")

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


def result(question: str, score: object = 1, **more: object) -> dict[str, Any]:
    return {
        "provider": {"id": "echo", "label": ""},
        "prompt": {"raw": f"Q: {question}", "label": "Q: {{question}}"},
        "vars": {"question": question},
        "success": score == 1,
        "failureReason": 0 if score == 1 else 1,
        "score": score,
        "namedScores": {},
        "promptIdx": 0,
        "testIdx": 0,
        "testCase": {"vars": {"question": question}, "assert": []},
        **more,
    }


def lines(*results: dict[str, Any]) -> str:
    return "".join(json.dumps({**one, "testIdx": number}) + "\n" for number, one in enumerate(results))


@pytest.mark.parametrize(("path", "name"), [(JSON, "promptfoo"), (JSONL, "promptfoo"), (CSV, "promptfoo_csv")])
def test_all_three_files_of_one_run_say_the_same(path: Path, name: str) -> None:
    run = read_run(path, VARIANT)
    assert (run.source.format, run.n_items) == (name, 3)
    assert run.inputs is not None
    assert run.inputs[0].startswith("a") or '"a"' in run.inputs[0]
    assert run.metrics["score"].values.tolist() == [1.0, 0.0, 0.0]
    assert run.metrics["success"].values.tolist() == [1.0, 0.0, 0.0]
    assert run.metrics["success"].scale == Scale(0.0, 1.0)


@pytest.mark.parametrize("path", [JSON, JSONL, CSV])
def test_a_prompt_under_a_provider_is_a_variant(path: Path) -> None:
    with pytest.raises(ScoreFileError, match="the file holds 4 variants") as caught:
        read_run(path)
    assert '"echo/prompt 1", "echo/prompt 2", "loud/prompt 1", "loud/prompt 2"' in caught.value.what


@pytest.mark.parametrize("path", [JSON, JSONL, CSV])
def test_the_variants_of_a_file_hold_the_same_items(path: Path) -> None:
    first, second = (read_run(path, Wanted(variant=f"{provider}/prompt 1")) for provider in ("echo", "loud"))
    assert first.ids == second.ids


def variants_of(run: Run) -> set[str]:
    return set(run.strata or ())


@pytest.mark.parametrize(
    ("version", "names"),
    [
        ("0.122.2", {"prompt 1", "prompts/ask.txt", "polite", "asking"}),
        ("0.55.0", {"prompt 1", "prompt 2"}),
    ],
)
def test_an_edited_prompt_keeps_its_name_and_its_items_pair(version: str, names: set[str]) -> None:
    everything = Wanted(variant="all")
    before = read_run(SAMPLES / f"before-{version}.json", everything)
    after = read_run(SAMPLES / f"after-{version}.csv", everything)
    assert variants_of(before) == variants_of(after) == names
    assert set(before.ids) == set(after.ids)


def test_a_label_of_the_user_s_names_the_prompt_in_the_earliest_table_too() -> None:
    assert variants_of(read_run(SAMPLES / "labelled-0.55.0.csv", Wanted(variant="all"))) == {"asking", "rude"}


# as promptfoo 0.122.2 labels prompts of every kind of file
@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Ask {{question}}", "prompt 1"),
        ("Answer in\ntwo lines", "prompt 1"),
        ("{% if short %}Be short{% endif %}", "prompt 1"),
        ("/home/me/prompts/long.txt", "prompt 1"),
        ("prompts/a.txt: Ask {{question}}", "prompts/a.txt"),
        ("prompts/m.md: # Head\nAsk...", "prompts/m.md"),
        ("prompts.py:with_examples", "prompts.py:with_examples"),
        ("brief: prompts/a.txt: Ask {{question}}", "brief"),
        ('brief: {"role": "user", "content": "{{question}}"}', "brief"),
        ("Prompt 2 - Ask {{question}}", "Prompt 2"),
        ("brief", "brief"),
        ("tone: formal", "tone: formal"),
    ],
)
def test_of_a_label_what_the_user_or_the_file_gave_is_the_name(read: Read, label: str, name: str) -> None:
    content = lines(
        result("a", prompt={"raw": "Ask a", "label": label}),
        result("a", prompt={"raw": "Ask a!", "label": "other"}, promptIdx=1),
    )
    assert variants_of(read(content, variant="all")) == {name, "other"}


def test_a_label_that_is_the_prompt_s_whole_text_is_none(read: Read) -> None:
    prompts = [{"raw": text, "label": text} for text in ("Tell a joke", "Tell a story")]
    content = lines(*(result("a", prompt=prompt, promptIdx=index) for index, prompt in enumerate(prompts)))
    assert variants_of(read(content, variant="all")) == {"prompt 1", "prompt 2"}


def schema_2(order: str, heads: str) -> str:
    """A file of schema 2 with results of the prompts A and B in this order; B has the score 1."""
    rows = [
        {
            "provider": {"id": "echo"},
            "prompt": {"raw": f"{name} q", "display": f"{name} {{{{question}}}}"},
            "vars": {"question": "q"},
            "success": True,
            "score": 1.0 if name == "B" else 0.0,
        }
        for name in order
    ]
    texts = [f"{name} {{{{question}}}}" for name in heads]
    prompts = [{"raw": text, "display": text, "provider": "echo"} for text in texts]
    table = {"head": {"prompts": prompts, "vars": ["question"]}, "body": []}
    return json.dumps({"results": {"version": 2, "results": rows, "stats": {}, "table": table}})


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_prompts_are_numbered_as_configured_whichever_result_came_first(read: Read, order: str) -> None:
    assert read(schema_2(order, heads="AB"), variant="prompt 2").metrics["score"].values.tolist() == [1.0]


def test_a_prompt_keeps_its_text_as_name_where_no_order_is_told(read: Read) -> None:
    assert variants_of(read(schema_2("BA", heads=""), variant="all")) == {"A {{question}}", "B {{question}}"}


def test_a_file_in_json_and_one_in_json_lines_pair_completely() -> None:
    one, other = read_run(JSON, VARIANT), read_run(JSONL, VARIANT)
    assert other.notes[0].startswith("JSON Lines lack the configuration")
    assert (one.ids, one.content_digests) == (other.ids, other.content_digests)


def test_a_test_is_known_by_its_vars_whatever_its_place(read: Read) -> None:
    runs = [read(lines(*(result(text) for text in order))) for order in ("ab", "ba")]
    assert set(runs[0].ids) == set(runs[1].ids)


@pytest.mark.parametrize(
    ("error", "status"),
    [("Evaluation timed out after 9ms", ItemStatus.TIMEOUT), ("API error: 500", ItemStatus.ERROR)],
)
def test_an_error_is_no_score_of_0_as_promptfoo_has_it(read: Read, error: str, status: ItemStatus) -> None:
    run = read(lines(result("a"), result("b", 0, failureReason=2, error=error)))
    assert run.metrics["score"].status.tolist() == [ItemStatus.SCORED, status]
    assert run.metrics["success"].status.tolist() == [ItemStatus.SCORED, status]


def test_named_scores_are_metrics_and_may_exceed_1(read: Read) -> None:
    run = read(lines(result("a", namedScores={"tone": 2.5}), result("b", namedScores={"tone": 1})))
    assert run.metrics["tone"].values.tolist() == [2.5, 1.0]


def test_repeats_are_samples_of_one_test(read: Read) -> None:
    run = read(lines(result("a"), result("a", 0)))
    assert (run.n_items, run.n_samples) == (1, 2)


def test_two_runs_in_one_file_are_an_error(refused: Refused) -> None:
    assert "stands twice for prompt 0" in refused(json.dumps(result("a")) + "\n" + json.dumps(result("a")) + "\n").what


def test_another_rendered_prompt_makes_no_other_item(read: Read) -> None:
    before, now = (read(lines(result("a", prompt={"raw": raw, "label": "Q"}))) for raw in ("Q: a", "Question: a"))
    assert (before.ids, before.content_digests) == (now.ids, now.content_digests)
    assert before.prompt_digests != now.prompt_digests


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"score": "high"}, '"high" is not a score'),
        ({"score": [1]}, '"[1]" is an object or a list'),
        ({"success": "yes"}, '"yes" is neither true nor false'),
        ({"namedScores": [1]}, '"[1]" is not an object'),
        ({"vars": 7}, '"7" is not an object'),
    ],
)
def test_a_broken_result_is_an_error_with_its_line(refused: Refused, change: dict[str, object], what: str) -> None:
    fault = refused(lines(result("a"), result("b", **{"score": 1, **change})))
    assert fault.what.startswith(what)
    assert fault.where is not None
    assert fault.where.line == 2


def test_an_early_table_calls_an_error_a_failure_and_it_is_told_apart(read: Read) -> None:
    content = (
        'question,[echo] Q\na,"[PASS] (1.00)\n\nx"\nb,"[FAIL] (0.00)\n\nFail Reason: no\n---\nx"\n'
        'c,"[FAIL] (0.00)\n\nError: it broke"\nd,"[ERROR] (0.00)\n\nError"\n'
    )
    run = read(content)
    assert run.metrics["success"].status.tolist() == [0, 0, ItemStatus.ERROR, ItemStatus.ERROR]
    assert run.metrics["success"].values.tolist()[:2] == [1.0, 0.0]


def test_a_header_that_stands_twice_is_two_variants(read: Read, refused: Refused) -> None:
    content = 'question,[echo] Q,[echo] Q\na,"[PASS] (1.00)\n\nx","[FAIL] (0.25)\n\nFail Reason: x"\n'
    assert refused(content).what == 'the file holds 2 variants: "Q", "Q (2)"'
    assert read(content, variant="Q (2)").metrics["score"].values.tolist() == [0.25]


def test_vars_that_were_lost_in_writing_are_an_error(refused: Refused) -> None:
    assert "[object Object]" in refused('question,[echo] Q\n[object Object],"[PASS] (1.00)\n\nx"\n').what


@pytest.mark.parametrize("path", [JSON, JSONL, CSV])
def test_questions_are_read_once_for_each_test(path: Path) -> None:
    assert len(read_items(path)) == 3


def test_what_a_run_adds_to_the_vars_does_not_name_the_test(read: Read) -> None:
    own = {"sessionId": "8147c846-90b2-4400-8043-e6bae7bf2ea1", "_conversation": []}
    plain, added = (read(lines(result("q", vars={"question": "q", **more}))) for more in ({}, own))
    assert plain.ids == added.ids
    assert plain.inputs == added.inputs
    assert plain.content_digests == added.content_digests
