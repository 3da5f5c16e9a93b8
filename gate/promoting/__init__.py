"""`gate promote`: a candidate that was judged becomes the baseline."""

from gate.promoting.candidate import Promoted, Question, forced_by, promote
from gate.promoting.rendering import render_text

__all__ = ["Promoted", "Question", "forced_by", "promote", "render_text"]
