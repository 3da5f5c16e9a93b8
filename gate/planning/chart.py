"""The chance to show a drop against the number of items, drawn in plain characters."""

from collections.abc import Sequence

from gate.planning.plan import Plan, Point

_ROWS = 10
_LABEL = 7
_WIDTH = 80


def draw_chart(plan: Plan) -> tuple[str, ...]:
    """The curve on a logarithmic axis of items, a ``*`` each, with a dashed line at the power asked for.

    At most 80 columns wide.
    """
    heights = [round(point.chance * _ROWS) for point in plan.curve]
    wanted = round(plan.power * _ROWS)
    lines = []
    for row in range(_ROWS, -1, -1):
        label = f"{row * 100 // _ROWS:>3} %" if row % 2 == 0 else ""
        blank = "-" if row == wanted else " "
        cells = "".join("*" if height == row else blank for height in heights)
        lines.append(f"{label:>{_LABEL - 2}} |{cells}".rstrip())
    rule = " " * (_LABEL - 1) + "+" + "-" * len(heights)
    return (*lines, rule, _axis(plan.curve, [row.n for row in plan.table]))


def _axis(curve: Sequence[Point], numbers: Sequence[int]) -> str:
    """The table's numbers under their places, as many as fit from the left."""
    line = ""
    for number in numbers:
        place = min(range(len(curve)), key=lambda index: abs(curve[index].n - number))
        label = str(number)
        start = _LABEL + place - len(label) // 2
        if start > len(line) + bool(line) and start + len(label) <= _WIDTH:
            line = line.ljust(start) + label
    return line
