"""docs/validity.svg: false passes against the number of items, drawn by hand for light and for dark pages."""

import math
from typing import NamedTuple

from studies.validity import bounds
from studies.validity.study import TAIL, Cell, Results

_PANELS = ("pass/fail .9", "beta(40, 4) + 3 % zeros")
_WIDTH, _HEIGHT = 760, 350
_TOP, _BOTTOM, _PANEL_WIDTH = 84, 296, 300
_LEFT = (62, 436)
_HIGHEST = 0.5
_TICKS = (0.0, TAIL, 0.1, 0.2, 0.3, 0.4, 0.5)


class _Series(NamedTuple):
    method: str
    label: str
    marker: str


_SERIES = (
    _Series("bootstrap", "bootstrap", '<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>'),
    _Series("t", "Student's t", '<path d="M{x:.1f} {y:.1f}m0 -4.5l4.5 8h-9z"/>'),
    _Series("exact", "exact", '<path d="M{x:.1f} {y:.1f}m-3.5 -3.5h7v7h-7z"/>'),
)

_STYLE = """\
svg { color: #1f2328; background: #ffffff; font: 12px system-ui, sans-serif }
text { fill: currentColor }
.page { fill: #ffffff }
.grid { stroke: currentColor; stroke-opacity: .15 }
.limit { stroke: currentColor; stroke-width: 1.5; stroke-dasharray: 2 3 }
.line { fill: none; stroke-width: 2 }
.bootstrap { color: #b8450b } .t { color: #6f42c1 } .exact { color: #0969a2 }
.t .line { stroke-dasharray: 6 4 }
.bootstrap, .t, .exact { fill: currentColor; stroke: currentColor }
@media (prefers-color-scheme: dark) {
  svg { color: #e6edf3; background: #0d1117 }
  .page { fill: #0d1117 }
  .bootstrap { color: #f0883e } .t { color: #b392f0 } .exact { color: #58b0f0 }
}"""


def draw(results: Results) -> str:
    """The whole figure."""
    panels = [_panel(results, name, left) for name, left in zip(_PANELS, _LEFT, strict=True)]
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" aria-labelledby="title desc">',
        '<title id="title">False passes against the number of items</title>',
        f'<desc id="desc">{_describe(results)}</desc>',
        f"<style>\n{_STYLE}\n</style>",
        f'<rect class="page" width="{_WIDTH}" height="{_HEIGHT}"/>',
        *_legend(),
        *[line for panel in panels for line in panel],
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _rates(results: Results, name: str, method: str) -> list[float]:
    return [results[Cell(bounds.SECTION, name, n)][f"{method} passes"].share for n in bounds.SIZES]


def _describe(results: Results) -> str:
    """The figure in words, for those who do not see it."""
    ends = f"{bounds.SIZES[0]} and {bounds.SIZES[-1]}"
    told = []
    for name in _PANELS:
        for series in _SERIES:
            rates = _rates(results, name, series.method)
            told.append(f"{name}, {series.method}: {100 * rates[0]:.1f} and {100 * rates[-1]:.1f} %")
    return f"False-pass rates at {ends} items, where 2.5 % is promised. {'; '.join(told)}."


def _legend() -> list[str]:
    parts = [
        '<text x="62" y="22" font-weight="600">Runs just under the bar that pass it, in % (square-root axis)</text>'
    ]
    x = 62
    for series in _SERIES:
        parts.append(
            f'<g class="{series.method}"><path class="line" d="M{x} 40h28"/>{series.marker.format(x=x + 14, y=40)}</g>'
        )
        parts.append(f'<text x="{x + 36}" y="44">{series.label}</text>')
        x += 130
    parts.append(f'<path class="limit" d="M{x} 40h28"/><text x="{x + 36}" y="44">2.5 %, as promised</text>')
    return parts


def _panel(results: Results, name: str, left: int) -> list[str]:
    right = left + _PANEL_WIDTH
    parts = [f'<text x="{left}" y="{_TOP - 12}" font-weight="600">{name}</text>']
    for tick in _TICKS:
        y = _y(tick)
        kind = "limit" if tick == TAIL else "grid"
        parts.append(f'<path class="{kind}" d="M{left} {y:.1f}H{right}"/>')
        parts.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{100 * tick:g}</text>')
    parts += [f'<text x="{_x(n, left):.1f}" y="{_BOTTOM + 20}" text-anchor="middle">{n}</text>' for n in bounds.SIZES]
    parts.append(f'<text x="{(left + right) / 2:g}" y="{_BOTTOM + 40}" text-anchor="middle">items (log axis)</text>')
    for series in _SERIES:
        rates = _rates(results, name, series.method)
        points = [(_x(n, left), _y(rate)) for n, rate in zip(bounds.SIZES, rates, strict=True)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        markers = "".join(series.marker.format(x=x, y=y) for x, y in points)
        parts.append(f'<g class="{series.method}"><polyline class="line" points="{line}"/>{markers}</g>')
    return parts


def _x(n: int, left: int) -> float:
    first, last = math.log(bounds.SIZES[0]), math.log(bounds.SIZES[-1])
    inset = 12
    return left + inset + (_PANEL_WIDTH - 2 * inset) * (math.log(n) - first) / (last - first)


def _y(rate: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * math.sqrt(min(rate, _HIGHEST) / _HIGHEST)
