"""`gate history`: runs added to a history, and what it holds."""

from gate.recording.adding import add, render_added
from gate.recording.showing import render_json, render_text

__all__ = ["add", "render_added", "render_json", "render_text"]
