"""What pass@k is, and what it takes to measure it: `gate pass-at-k`."""

from gate.pass_at_k.answer import answer
from gate.pass_at_k.question import Question
from gate.pass_at_k.rendering import render_json, render_text

__all__ = ["Question", "answer", "render_json", "render_text"]
