"""Arena-Hard-Auto's judgments: question_id (v0.1) or uid (v2.0), model, and games, two with the positions swapped.

Each game is a sample of its question, and its metric ``score`` is that of the model against the baseline: 1 for a win,
0.5 for a tie, 0 for a loss. In the first game A is the baseline and B the model, in the second A is the model. Models,
judges, categories and baselines are variants.

The tool's own ``show_result.py`` counts a game won by far (``>>``) three times, where here each game counts once. Of a
question with one game without a verdict, v2.0 leaves out the other game too; here, as in v0.1, it stands, and the game
that lacks its verdict is missing. Labels with ``<``, and ``B=A``, are read as v2.0 reads them; v0.1 left them out.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.recorded import RATE, Form, run_of_records, without_questions
from gate.scores.records import Numbered, iter_records, text_under
from gate.scores.strict_json import as_object

_METRIC = "score"
_FORM = Form("arena_hard", repeats=True, traits={_METRIC: RATE}.get)
_IDS = ("uid", "question_id")
_GAMES = 2
# the labels that show_result.py knows, and what the answer in position A has of each
_SCORE_OF_A: Mapping[str, float] = {
    **dict.fromkeys(["A>>B", "A>B", "B<A", "B<<A"], 1.0),
    **dict.fromkeys(["A=B", "B=A"], 0.5),
    **dict.fromkeys(["A<<B", "A<B", "B>A", "B>>A"], 0.0),
}
# the tool's pattern also finds [[A]] or [[A>>>B]]: the judge spoke, but gave none of the verdicts it was offered
_NO_LABEL = re.compile("[AB<>=]+")
_CALL_FAILED = "$ERROR$"  # v0.1 writes it as the judge's answer; v2.0 writes null in place of the game


def matches(first: FirstRecord) -> bool:
    """Whether the first record holds the games of a model on one question."""
    fields = first.fields
    games = fields.get("games")
    return (
        first.is_json
        and "model" in fields
        and any(key in fields for key in _IDS)
        and isinstance(games, list)
        and all(game is None or (isinstance(game, dict) and game.keys() >= {"score", "judgment"}) for game in games)
    )


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The judgments of one model by one judge; the metric is ``score``, of the model, on the scale 0 to 1.

    Raises:
        ScoreFileError: where a judgment has no question, no model, not two games, or a verdict that is none; or a
            question stands twice.
    """
    return run_of_records(file, _FORM, _records(file), wanted)


read_items = without_questions(
    "Arena-Hard's judgments hold the questions only together with the answers",
    remedy="give the tool's question.jsonl, with columns: {id: uid, inputs: prompt}, or for v0.1"
    " {id: question_id, inputs: turns}",
)


def _records(file: ScoreFile) -> Iterator[Record]:
    seen: dict[tuple[object, str], int] = {}
    for numbered in iter_records(file):
        samples = _samples(numbered, file)
        _refuse_second(samples[0], seen, file)
        yield from samples


def _refuse_second(record: Record, seen: dict[tuple[object, str], int], file: ScoreFile) -> None:
    """A second judgment of a question is no repeat that was meant: it is what an interrupted run leaves."""
    key = (record.variant, record.id)
    if key in seen:
        raise ScoreFileError(
            f"the question {quote(record.id)} is judged twice: on line {seen[key]} already",
            where=file.place(record.line),
            remedy="Arena-Hard appends to a file that is there: judge into a new one, or keep the lines of one run",
        )
    seen[key] = record.line


class Judgment(NamedTuple):
    """The two games of a model on one question.

    Attributes:
        question: its id.
        model: who is judged.
        others: the judge, the category and the baseline, each empty where it is not told.
        verdicts: the two verdicts as the file has them.
        scores: what the model has of each game, or why there is none; in the second the positions are swapped.
    """

    question: str
    model: str
    others: tuple[str, str, str]
    verdicts: tuple[object, object]
    scores: tuple[float | ItemStatus, float | ItemStatus]


def judgment_of(numbered: Numbered, file: ScoreFile) -> Judgment:
    """The judgment of a line.

    Raises:
        ScoreFileError: where it has no question, no model, not two games, or a verdict that is none.
    """
    line, record = numbered
    remedy = "judge again; Arena-Hard writes the model's name"
    model = text_under(numbered, "model", file, missing="the judgment names no model", remedy=remedy)
    games = record.get("games")
    if not isinstance(games, list) or len(games) != _GAMES:
        raise ScoreFileError(
            "a judgment needs two games, with the positions swapped between them",
            where=file.place(line, 'key "games"'),
            remedy="judge again with Arena-Hard's gen_judgment.py; who is A in a game is told by its place alone",
        )
    question = record.get(_IDS[0]) if _IDS[0] in record else record.get(_IDS[1])
    judge, category, baseline = (as_text(record.get(key)) or "" for key in ("judge", "category", "baseline"))
    return Judgment(
        question=make_id([question], is_text=False, file=file, line=line).id,
        model=model,
        others=(judge, category, baseline),
        verdicts=(as_object(games[0]).get("score"), as_object(games[1]).get("score")),
        scores=(_score(games, 0, file, line), _score(games, 1, file, line)),
    )


def _samples(numbered: Numbered, file: ScoreFile) -> list[Record]:
    judgment = judgment_of(numbered, file)
    judge, _, baseline = judgment.others
    # another baseline is another task: a win against it is worth something else
    facts = {"judge": judge, "model": judgment.model, "task": f"against {baseline}" if baseline else ""}
    return [
        Record(
            id=judgment.question,
            scores={_METRIC: score},
            line=numbered.line,
            variant=(judgment.model, *judgment.others),
            facts={name: value for name, value in facts.items() if value},
        )
        for score in judgment.scores
    ]


def _score(games: list[object], place: int, file: ScoreFile, line: int) -> float | ItemStatus:
    """What the model has of the game in this place, 0 or 1."""
    game = games[place]
    if game is None:
        return ItemStatus.ERROR
    told = as_object(game)
    verdict = told.get("score")
    if verdict is None and "score" in told:
        failed = _CALL_FAILED in str(told.get("judgment")).splitlines()
        return ItemStatus.ERROR if failed else ItemStatus.UNSCORED
    if isinstance(verdict, str) and verdict in _SCORE_OF_A:
        of_a = _SCORE_OF_A[verdict]
        return 1 - of_a if place == 0 else of_a
    if isinstance(verdict, str) and _NO_LABEL.fullmatch(verdict):
        return ItemStatus.ERROR
    raise ScoreFileError(
        f"the verdict is {quote(verdict)}" if "score" in told else "the game has no verdict, not even null",
        where=file.place(line, f"games[{place}].score"),
        remedy=f"judge again; Arena-Hard writes {', '.join(map(quote, _SCORE_OF_A))}, or null where there is none",
    )
