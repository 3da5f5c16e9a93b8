"""How many items an eval needs: `gate power`."""

from gate.planning.plan import Plan, make_plan
from gate.planning.question import Question
from gate.planning.rendering import render_text
from gate.reports.answers import render_json

__all__ = ["Plan", "Question", "make_plan", "render_json", "render_text"]
