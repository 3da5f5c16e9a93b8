"""A leaderboard from battles: `gate arena`."""

from gate.arena.board import make_board
from gate.arena.question import Question
from gate.arena.rendering import render_markdown, render_text
from gate.reports.answers import render_json

__all__ = ["Question", "make_board", "render_json", "render_markdown", "render_text"]
