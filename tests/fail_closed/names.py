"""Metrics, groups and numbers of samples that are not the baseline's."""

from tests.fail_closed.case import (
    CONFIG,
    GOOD,
    IDS,
    PAIR,
    ROOT,
    SCORES,
    Case,
    block,
    candidate,
    csv,
    error,
    jsonl,
    suite,
)

_BOTH = ("baseline.csv", "candidate.csv")
# The samples of each item: 5 in one run and 4 in the other.
_FEWER = {
    name: jsonl(
        [{"task_id": item, "completion": "", "result": "", "passed": sample < 2} for item in IDS for sample in range(n)]
    )
    for name, n in zip(_BOTH, (5, 4), strict=True)
}
_AT_ODDS = {
    name: (ROOT / "tests/cases/error/directions-at-odds" / file).read_bytes()
    for name, file in zip(_BOTH, ("before.json", "after.json"), strict=True)
}

CASES = (
    Case(
        "The metric has another name than the baseline's",
        candidate(GOOD.replace(b"id,score", b"id,accuracy")),
        error(
            "score-file",
            "candidate.csv",
            "the two files share no metric",
            "name one that both have (baseline.csv: score; candidate.csv: accuracy)",
        ),
    ),
    Case(
        "The metric that is asked for is not there",
        {},
        error(
            "score-file", "candidate.csv", 'there is no metric "accuracy"', 'name one of the file\'s metrics: "score"'
        ),
        (*PAIR, "--metric", "accuracy"),
    ),
    Case(
        "Two metrics, and none is named",
        {name: csv({"id": IDS, "fluency": SCORES, "accuracy": SCORES}) for name in _BOTH},
        error(
            "score-file",
            "candidate.csv",
            "there are 2 metrics and none is named 'score'",
            "name one: `--metric NAME` or `metrics: [NAME]`, with NAME one of fluency,",
        ),
    ),
    Case(
        "The two files say opposite things of which way is better",
        _AT_ODDS,
        error(
            "score-file",
            "candidate.csv",
            "the two files are at odds on which way the metric 'Bias' is better: lower",
            "write both with one version of the tool, as their scores mean opposite",
        ),
        (*PAIR, "--metric", "Bias"),
    ),
    Case(
        "An item has another group than in the baseline",
        {
            name: csv({"id": IDS, "group": [word, *["a"] * 19, *["b"] * 20], "score": SCORES})
            for name, word in zip(_BOTH, "ab", strict=True)
        },
        error(
            "alignment",
            "candidate.csv",
            'item "q00" has the group "a" in the baseline and "b" in the candidate',
            "write the same group into both files, or map another column",
        ),
    ),
    Case(
        "One run has 5 samples an item and the other 4, and pass@k is asked for",
        {**_FEWER, **suite("    reduce: pass@3\n")},
        error(
            "alignment",
            "candidate.csv, metric 'passed'",
            "pass@3 can be compared at one number of samples only: the baseline has up",
            "run the candidate with 5 an item, or the baseline with 4",
        ),
        CONFIG,
    ),
    Case(
        "The candidate has fewer samples of each item than the baseline",
        _FEWER,
        block(
            "coverage: coverage-too-low",
            "only 80 % of the samples could be compared, under 90 %",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "pass@k is asked for with more samples than there are",
        _FEWER,
        error(
            "score-file",
            "baseline.csv, metric 'passed'",
            'pass@9 needs 9 samples an item or more, and 40 items have fewer: "q00"',
            "draw more samples of these, or ask for a k of at most 5",
        ),
        (*PAIR, "--reduce", "pass@9"),
    ),
    Case(
        "A summary stands in place of items",
        candidate(b'{"accuracy": 0.9, "f1": 0.8}\n'),
        error(
            "score-file",
            "candidate.csv",
            'this is a summary, one figure per metric ("accuracy", ...), not one score',
            "give the file with one row per item; if these are items, name the format,",
        ),
    ),
    Case(
        "One run is a file and the other a folder of several",
        {"runs/a.csv": GOOD, "runs/b.csv": GOOD},
        error(
            "alignment",
            "baseline.csv",
            "this is one file, and the other run is a folder or a pattern with several",
            "give folders for both runs, or one file for each",
        ),
        (*PAIR[:3], "runs"),
    ),
    Case(
        "A pattern of metrics that fits hundreds of the candidate's columns, each of which would be judged",
        {
            "gate.yml": b"version: 1\nsuites:\n  - name: a\n    candidate: candidate.csv\n    metrics: ['m*']\n"
            b"    checks: {threshold: {bar: 0.1}}\n",
            "candidate.csv": csv({"id": IDS, **{f"m{number}": [1] * 40 for number in range(501)}}),
        },
        error(
            "score-file",
            "candidate.csv",
            "the metrics that are asked for fit 501 columns, more than 500",
            "name the metrics to judge, or a narrower pattern",
        ),
        CONFIG,
    ),
    Case(
        "A folder of hundreds of tasks, each of which would be judged as a suite",
        {
            "gate.yml": b"version: 1\nsuites:\n  - name: a\n    candidate: runs\n    tasks_as: suites\n"
            b"    checks: {threshold: {bar: 0.1}}\n",
            **{f"runs/{number}.csv": GOOD for number in range(501)},
        },
        error(
            "alignment",
            "runs",
            "there are 501 tasks, more than 500 to be judged as suites of their own",
            "name those to judge (`tasks: [...]`), or judge them together",
        ),
        CONFIG,
    ),
)
