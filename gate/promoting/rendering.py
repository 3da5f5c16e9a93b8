"""What became of a promotion, in a few lines."""

from gate.baselines.promotion import promotion_path
from gate.promoting.candidate import Promoted
from gate.reports.answers import render_lines
from gate.results import Word
from gate.wording import count, number

_MOST_FIGURES = 10


def render_text(done: Promoted) -> str:
    """For the terminal or a log."""
    return render_lines(_lines(done))


def _lines(done: Promoted) -> list[str]:
    promotion = done.promotion
    commit = f", commit {promotion.commit[:12]}" if promotion.commit else ""
    judged = "without a report" if promotion.verdict is None else f"judged {promotion.verdict}"
    if not done.changed:
        first = f"{done.baseline} is this candidate already: nothing was changed"
    else:
        first = f"promoted to {done.baseline}: {judged}{commit}, SHA-256 {promotion.digest[:12]}"
    lines = [first]
    if promotion.verdict == Word.WARN:
        lines.append("  WARN: what the report warns of is part of the baseline from now on")
    if promotion.reason is not None:
        lines.append(f"  forced: {promotion.reason}")
    figures = [
        f"  {suite}, {metric}: mean {number(one.mean)}, {count(one.n, 'item')}"
        for suite, metrics in promotion.figures.items()
        for metric, one in metrics.items()
    ]
    more = len(figures) - _MOST_FIGURES
    lines += [*figures[:_MOST_FIGURES], *([f"  and {more} more"] if more > 0 else [])]
    return [*lines, f"  {'it stands in' if not done.changed else 'wrote'} {promotion_path(done.baseline)}"]
