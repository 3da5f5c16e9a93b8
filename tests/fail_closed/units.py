"""Scores in another unit or on another scale, scores that are all missing, and weights that are none."""

from collections.abc import Mapping

from tests.fail_closed.case import (
    CONFIG,
    IDS,
    SCORES,
    Case,
    Content,
    block,
    cell,
    csv,
    error,
    scored,
    suite,
)


def weighed(weight: str) -> Mapping[str, Content]:
    """Both files with weights, the first of which is wrong."""
    table = csv({"id": IDS, "score": SCORES, "weight": [weight, *[1] * 39]})
    return {"baseline.csv": table, "candidate.csv": table, **suite("    columns: {weight: weight}\n")}


CASES = (
    Case(
        "A score lies on another scale than the baseline's",
        {"candidate.csv": scored([100 * int(str(s)) for s in SCORES])},
        error(
            "score-file",
            "candidate.csv",
            "the two files do not seem to give the metric 'score' in one unit",
            "write both files in one unit, or give the scale that holds for both in",
        ),
    ),
    Case(
        "A score lies on another scale than gate.yml says",
        {**cell("1.5"), **suite("    scale: [0, 1]\n")},
        error(
            "score-file",
            "candidate.csv, metric 'score', item 'q05'",
            "the score 1.5 lies outside the scale 0 to 1",
            "mend the score, or give the metric's real scale: `scale: [low, high]`",
        ),
        CONFIG,
    ),
    Case(
        "Every score is empty",
        {"candidate.csv": scored([""] * 40)},
        error(
            "score-file",
            "candidate.csv",
            "the metric 'score' has no score at all",
            "run the evaluation again: `gate show` prints what was read and why scores",
        ),
    ),
    Case(
        "Every item timed out",
        {"candidate.csv": scored(["timeout"] * 40)},
        error(
            "score-file",
            "candidate.csv",
            "the metric 'score' has no score at all",
            "run the evaluation again: `gate show` prints what was read and why scores",
        ),
    ),
    Case(
        "Every item that was hard timed out",
        {"candidate.csv": scored([score or "timeout" for score in SCORES])},
        block(
            "coverage: coverage-too-low",
            "only 30 of 40 items could be compared, under 90 %",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "A weight is negative",
        weighed("-1"),
        error(
            "score-file",
            'candidate.csv, line 2, column "weight"',
            '"-1" is no weight',
            "write a number above zero: how many times the item counts; leave items",
        ),
        CONFIG,
    ),
    Case(
        "A weight is infinite",
        weighed("inf"),
        error(
            "score-file",
            'candidate.csv, line 2, column "weight"',
            '"inf" is no weight',
            "write a number above zero: how many times the item counts; leave items",
        ),
        CONFIG,
    ),
    Case(
        "A weight is 0",
        weighed("0"),
        error(
            "score-file",
            'candidate.csv, line 2, column "weight"',
            '"0" is no weight',
            "write a number above zero: how many times the item counts; leave items",
        ),
        CONFIG,
    ),
    Case(
        "A weight is NaN",
        weighed("nan"),
        error(
            "score-file",
            'candidate.csv, line 2, column "weight"',
            '"nan" is no weight',
            "write a number above zero: how many times the item counts; leave items",
        ),
        CONFIG,
    ),
    Case(
        "The bar is in another unit than the scores",
        {"candidate.csv": scored([99.5] * 40)},
        error(
            "config",
            "threshold, metric 'score'",
            "the bar 0.70 needs the scale of the scores, which do not lie in 0 to 1",
            "give scale: `scale: [0, 100]` in the suite of gate.yml, and the bar in",
        ),
        ("--candidate", "candidate.csv", "--threshold", "0.7"),
    ),
)
