"""How much of an eval stands in a training corpus, asked where the corpus lives: `gate scan`."""

from gate.scanning.question import Question
from gate.scanning.rendering import render_text
from gate.scanning.work import carry_out, merge

__all__ = ["Question", "carry_out", "merge", "render_text"]
