"""How often a configuration errs, measured on the user's own baseline: `gate selfcheck`."""

from gate.reports.answers import render_json
from gate.selfcheck.measurement import Measurement, measure
from gate.selfcheck.progress import progress_on
from gate.selfcheck.question import Question
from gate.selfcheck.rendering import render_text

__all__ = ["Measurement", "Question", "measure", "progress_on", "render_json", "render_text"]
