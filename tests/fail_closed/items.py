"""Items that are missing, doubled, changed, or not the baseline's."""

from tests.fail_closed.case import (
    GOOD,
    IDS,
    SCORES,
    Case,
    block,
    candidate,
    csv,
    error,
    jsonl,
    scored,
    warn,
)

_BOTH = ("baseline.csv", "candidate.csv")

CASES = (
    Case(
        "The header alone, and no row",
        candidate(b"id,score\n"),
        error(
            "score-file",
            "candidate.csv",
            "the file has no items",
            "check the step that writes it; it may have no results",
        ),
    ),
    Case(
        "A table without a header",
        candidate(b"q00,1\nq01,0\n"),
        error(
            "score-file",
            "candidate.csv, line 1",
            'the first row looks like data, not like column names: "q00", "1"',
            "put a header with the columns' names on the first line, e.g. id,score",
        ),
    ),
    Case(
        "A row has a cell too many",
        candidate(GOOD.replace(b"q07,1\n", b"q07,1,1\n")),
        error(
            "score-file",
            "candidate.csv, line 9",
            "the row has 3 fields, the header has 2",
            "put a field with a comma in it in double quotes; if this is the last row,",
        ),
    ),
    Case(
        "A row has a cell too few",
        candidate(GOOD.replace(b"q07,1\n", b"q07\n")),
        error(
            "score-file",
            "candidate.csv, line 9",
            "the row has 1 field, the header has 2",
            "put a field with a comma in it in double quotes; if this is the last row,",
        ),
    ),
    Case(
        "There is no column of scores",
        candidate(csv({"id": IDS, "answer": ["a b"] * 40})),
        error(
            "score-file",
            "candidate.csv",
            "no column holds scores",
            'name it: columns: {score: NAME}; the file\'s columns: "id", "answer" (a',
        ),
    ),
    Case(
        "There is no column of ids",
        candidate(csv({"score": SCORES})),
        error(
            "score-file",
            "candidate.csv",
            "the file's content matches no format that this version reads",
            "say which format it has, e.g. format: csv; there are alpaca_eval, arena,",
        ),
    ),
    Case(
        "Two columns share a name",
        candidate(GOOD.replace(b"id,score", b"id,id")),
        error(
            "score-file",
            "candidate.csv, line 1",
            'the header names a column twice: "id"',
            "give each column a name of its own",
        ),
    ),
    Case(
        "A row has no id",
        candidate(GOOD.replace(b"q07,", b",")),
        error(
            "score-file",
            "candidate.csv, line 9",
            "the row has no id",
            "give every row an id, the same in both runs, or map another column:",
        ),
    ),
    Case(
        "An id is a list",
        candidate(jsonl([{"id": ["q00"], "score": 1}])),
        error(
            "score-file",
            "candidate.csv, line 1",
            "the id is \"['q00']\"; ids are texts or numbers",
            "give every row an id, the same in both runs, or map another column:",
        ),
    ),
    Case(
        "An id stands twice",
        candidate(GOOD + b"q07,1\n"),
        error(
            "score-file",
            "candidate.csv, line 42",
            '1 id stands more than once: "q07" (lines 9, 42)',
            "remove the rows that are too many; or, if they are repeats of one item,",
        ),
    ),
    Case(
        "An id stands twice, once with a space after it",
        candidate(GOOD + b"q07 ,1\n"),
        error(
            "score-file",
            "candidate.csv, line 42",
            '1 id stands more than once: "q07" (lines 9, 42)',
            "remove the rows that are too many; or, if they are repeats of one item,",
        ),
    ),
    Case(
        "Rows are not of one kind: a number among the objects",
        candidate(jsonl([{"id": "q00", "score": 1}, 3])),
        error(
            "score-file",
            "candidate.csv, line 2",
            'a JSON object is expected here, not "3"',
            'write one object per item, e.g. {"id": "q1", "score": 1}',
        ),
    ),
    Case(
        "An item is missing",
        candidate(scored(SCORES[:-1])),
        warn(
            "coverage: missing-tolerated",
            "1 of 40 items could not be compared; even with the worst score for them",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "Half the items are missing",
        candidate(scored(SCORES[:20])),
        block(
            "coverage: coverage-too-low",
            "only 20 of 40 items could be compared, under 90 %",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "The items that the baseline failed are missing",
        candidate(csv({"id": [item for item, score in zip(IDS, SCORES, strict=True) if score], "score": [1] * 30})),
        block(
            "coverage: coverage-too-low",
            "only 30 of 40 items could be compared, under 90 %",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "No item is the baseline's",
        candidate(scored(SCORES, [f"other{row}" for row in range(40)])),
        error(
            "alignment",
            "candidate.csv",
            "no item id stands in both files (baseline e.g. 'q00', candidate e.g.",
            "compare two runs of one data set, or name the id column in `columns: {id:",
        ),
    ),
    Case(
        "The ids differ in upper and lower case",
        candidate(GOOD.replace(b"q", b"Q")),
        error(
            "alignment",
            "candidate.csv",
            "no item id stands in both files (baseline e.g. 'q00', candidate e.g.",
            "compare two runs of one data set, or name the id column in `columns: {id:",
        ),
    ),
    Case(
        "Items are missing, and the candidate has others in their place",
        candidate(scored(SCORES, [*IDS[:30], *(f"easy{row}" for row in range(10))])),
        block(
            "coverage: coverage-too-low",
            "only 30 of 40 items could be compared, under 90 %",
            "run the missing items again; the report lists them",
        ),
    ),
    Case(
        "A question is not the baseline's",
        {
            name: csv({"id": IDS, "question": [word, *IDS[1:]], "score": SCORES})
            for name, word in zip(_BOTH, ("hard", "easy"), strict=True)
        },
        warn(
            "coverage: missing-tolerated",
            "1 of 40 items could not be compared; even with the worst score for them",
            "run the baseline again on the new data set",
        ),
    ),
    Case(
        "Every question was blanked",
        {
            name: csv({"id": IDS, "question": words, "score": SCORES})
            for name, words in zip(_BOTH, (IDS, [""] * 40), strict=True)
        },
        error(
            "alignment",
            "candidate.csv",
            "inputs and target of every item are empty, so none can be held against",
            "write them as they stand in the baseline's file",
        ),
    ),
)
