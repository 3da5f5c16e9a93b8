"""Scores that are no scores."""

from tests.fail_closed.case import (
    Case,
    cell,
    error,
    json_cell,
    warn,
)

CASES = (
    Case(
        "A score is a word",
        cell("good"),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            '"good" is not a score',
            "write a number, or leave the cell empty where there is none; if it is no",
        ),
    ),
    Case(
        "A score is infinite",
        cell("inf"),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            '"inf" is not a finite number',
            "write a finite score, or leave the cell empty where there is none",
        ),
    ),
    Case(
        "A score is minus infinity, in JSON",
        json_cell("-Infinity"),
        error(
            "score-file",
            'candidate.csv, line 6, column "score"',
            '"-inf" is not a finite number',
            "write a finite score, or leave the cell empty where there is none",
        ),
    ),
    Case(
        "A score is 1e400, which no float holds",
        cell("1e400"),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            '"1e400" is too large for a score',
            "write the score itself; scores lie within 1e100 of zero",
        ),
    ),
    Case(
        "A score is 1e400, in JSON",
        json_cell("1e400"),
        error(
            "score-file",
            'candidate.csv, line 6, column "score"',
            '"inf" is not a finite number',
            "write a finite score, or leave the cell empty where there is none",
        ),
    ),
    Case(
        "A score is 1e300: its square is beyond all floats",
        cell("1e300"),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            '"1e300" is too large for a score',
            "write the score itself; scores lie within 1e100 of zero",
        ),
    ),
    Case(
        "A score is NaN",
        cell("nan"),
        warn(
            "coverage: missing-tolerated",
            "1 of 40 items could not be compared; even with the worst score for them",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "A score is null, in JSON",
        json_cell("null"),
        warn(
            "coverage: missing-tolerated",
            "1 of 40 items could not be compared; even with the worst score for them",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "A score is empty",
        cell(""),
        warn(
            "coverage: missing-tolerated",
            "1 of 40 items could not be compared; even with the worst score for them",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "A score has a decimal comma",
        cell('"0,5"'),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            '"0,5" has a comma where a number has its point',
            "write decimal numbers with a point, e.g. 0.85",
        ),
    ),
    Case(
        "A score is written with an underscore, as Python writes it",
        cell("1_000"),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            '"1_000" is not a score',
            "write a number, or leave the cell empty where there is none; if it is no",
        ),
    ),
    Case(
        "A score is written in the digits of another script",
        cell("١"),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            '"١" is not a score',
            "write a number, or leave the cell empty where there is none; if it is no",
        ),
    ),
    Case(
        "A score is a hexadecimal number",
        cell("0x1p3"),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            '"0x1p3" is not a score',
            "write a number, or leave the cell empty where there is none; if it is no",
        ),
    ),
    Case(
        "A percent stands among plain numbers",
        cell("85%"),
        error(
            "score-file",
            'candidate.csv, line 7, column "score"',
            'the column mixes percents and plain numbers: "85%" here, "0" on line 2',
            "write all scores of a column in one unit",
        ),
    ),
    Case(
        "A score is an object",
        json_cell('{"value": 1}'),
        error(
            "score-file",
            'candidate.csv, line 6, column "score"',
            "\"{'value': 1}\" is an object or a list, not one score",
            'write the number itself under its own key, e.g. "score": 0.5',
        ),
    ),
    Case(
        "A score is a list",
        json_cell("[1, 0]"),
        error(
            "score-file",
            'candidate.csv, line 6, column "score"',
            '"[1, 0]" is an object or a list, not one score',
            'write the number itself under its own key, e.g. "score": 0.5',
        ),
    ),
    Case(
        "A score is a text in JSON that is no number",
        json_cell('"one"'),
        error(
            "score-file",
            'candidate.csv, line 6, column "score"',
            '"one" is not a score',
            "write a number, or leave the cell empty where there is none; if it is no",
        ),
    ),
    Case(
        "A score has thousands of digits",
        json_cell("1" * 5000),
        error(
            "score-file",
            "candidate.csv, line 6",
            "the line holds a number with thousands of digits",
            "write scores as plain numbers",
        ),
    ),
)
