"""What it is worth to be shown first."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import binom

from gate.battles import BattleLog
from gate.battles.positions import PositionBias, measure_position_bias
from gate.errors import ScoreFileError

Battle = Callable[..., dict[str, object]]
Read = Callable[..., BattleLog]
_WORDS = {1.0: "model_a", 0.5: "tie", 0.0: "model_b"}


def both_orders(prompt: object, first: float, swapped: float, **others: object) -> list[dict[str, object]]:
    """x is shown first in the one, y in the other; outcomes as the answer shown first sees them."""
    return [
        {"model_a": "x", "model_b": "y", "winner": _WORDS[first], "question_id": prompt, **others},
        {"model_a": "y", "model_b": "x", "winner": _WORDS[swapped], "question_id": prompt, **others},
    ]


def measured(log: BattleLog) -> PositionBias:
    bias = measure_position_bias(log)
    assert bias is not None
    return bias


def test_the_figures_by_hand(read: Read) -> None:
    rows = both_orders(1, 1, 1) + both_orders(2, 1, 0) + both_orders(3, 0, 0) + both_orders(4, 1, 0.5)
    bias = measured(read(rows))
    # means of the first answer: 1, 1/2, 0, 3/4; the order decides the first and the third
    assert (bias.n, bias.first_wins, bias.flips) == (4, 0.5625, 0.5)
    assert bias.low < 0.5625 < bias.high
    assert not bias.is_shown


def test_a_better_model_is_no_bias(read: Read) -> None:
    bias = measured(read([row for prompt in range(50) for row in both_orders(prompt, 1, 0)]))
    assert (bias.first_wins, bias.flips, bias.is_shown) == (0.5, 0.0, False)


@pytest.mark.parametrize(("outcome", "word"), [(1.0, "1.000"), (0.0, "0.000")])
def test_a_judge_who_always_takes_the_same_place_is_found(outcome: float, word: str, read: Read) -> None:
    bias = measured(read([row for prompt in range(8) for row in both_orders(prompt, outcome, outcome)]))
    assert bias.is_shown
    assert bias.flips == 1.0
    assert bias.sentence.startswith(f"position bias: the answer shown first scores {word} [")
    assert bias.sentence.endswith("in 8 comparisons judged in both orders, and the order decides 100 % of them")


def test_without_prompts_or_swapped_orders_nothing_is_measured(read: Read, battle: Battle) -> None:
    assert measure_position_bias(read([battle("x", "y", "model_a"), battle("y", "x", "model_a")])) is None
    one_order = [battle("x", "y", "model_a", question_id=prompt) for prompt in range(9)]
    assert measure_position_bias(read(one_order)) is None


def test_orders_of_two_prompts_judges_or_turns_are_no_pair(read: Read) -> None:
    one, other = both_orders(1, 1, 1)
    for key, values in (("question_id", (1, 2)), ("judge", ("i", "j")), ("turn", (1, 2))):
        assert measure_position_bias(read([{**one, key: values[0]}, {**other, key: values[1]}])) is None


def test_the_turns_of_a_prompt_are_comparisons_but_no_more_evidence_than_one(read: Read) -> None:
    once = measured(read([row for prompt in range(6) for row in both_orders(prompt, 1, 1)]))
    rows = [row for prompt in range(6) for turn in (1, 2, 3) for row in both_orders(prompt, 1, 1, turn=turn)]
    often = measured(read(rows))
    assert (once.n, often.n) == (6, 18)
    assert (often.low, often.high) == pytest.approx((once.low, once.high))


def test_alpaca_eval_tells_no_order(read: Read) -> None:
    row = '{"instruction":"i","output_1":"","output_2":"","generator_1":"%s","generator_2":"%s","annotator":"j",%s}'
    pair = [row % ("x", "y", '"preference":1'), row % ("y", "x", '"preference":1')]
    assert measure_position_bias(read(f"[{','.join(pair)}]")) is None


def test_both_games_of_arena_hard_and_mt_bench_are_one_comparison(read: Read) -> None:
    games = [{"score": score, "judgment": ""} for score in ("A>B", "A>>B")]
    bias = measured(read([{"question_id": n, "model": "m", "judge": "j", "games": games} for n in range(9)]))
    assert (bias.n, bias.first_wins, bias.is_shown) == (9, 1.0, True)
    pair = {"model_1": "x", "model_2": "y", "g1_winner": "model_1", "g2_winner": "model_2"}
    bias = measured(read([{"question_id": n, **pair} for n in range(9)]))
    assert (bias.n, bias.first_wins, bias.is_shown) == (9, 1.0, True)


def simulated(rng: np.random.Generator, prompts: int, *, favour: float) -> list[dict[str, object]]:
    """A judge who takes the first answer with this chance beyond the better one's, and sees prompts alike in turns."""
    rows = []
    for prompt in range(prompts):
        better = rng.random() < 0.7
        for turn in (1, 2):
            outcomes = []
            for x_first in (True, False):
                takes_first = rng.random() < (0.75 if better is x_first else 0.25) * (1 - favour) + favour
                outcomes.append(1.0 if takes_first else 0.0)
            rows += both_orders(prompt, outcomes[0], outcomes[1], turn=turn)
    return rows


def test_an_unbiased_judge_is_seldom_called_biased(read: Read) -> None:
    rng, runs = np.random.default_rng(0), 200
    called = sum(measured(read(simulated(rng, 20, favour=0.0))).is_shown for _ in range(runs))
    assert called <= binom.ppf(1 - 1e-4, runs, 0.05)


def test_a_judge_who_prefers_the_first_answer_is_found(read: Read) -> None:
    rng = np.random.default_rng(1)
    biases = [measured(read(simulated(rng, 60, favour=0.4))) for _ in range(20)]
    assert sum(bias.is_shown for bias in biases) >= 19
    assert np.mean([bias.first_wins for bias in biases]) == pytest.approx(0.7, abs=0.02)


def test_a_bias_says_nothing_of_a_broken_file(refused: Callable[..., ScoreFileError]) -> None:
    assert refused([both_orders(1, 1, 1)[0] | {"winner": "first"}]).what == 'the winner is "first"'
