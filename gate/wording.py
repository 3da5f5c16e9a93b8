"""How numbers are written, the same in the sentences of checks and in every report."""

_DECIMALS = 3
# Below this lies the noise of the transforms that compute probabilities.
_LEAST_PROBABILITY = 1e-12
_PROBABILITY_DECIMALS = 12
# From here on decimals say nothing, and a score may have three hundred digits.
_LARGE = 1e6
_MOST_DECIMALS = 12
# More of them hardly anybody gives.
_GIVEN_DECIMALS = 4
_DIGITS = 6


def number(value: float) -> str:
    """A figure to three decimals, a large one to six digits."""
    return f"{value:z.{_DECIMALS}f}" if abs(value) < _LARGE else f"{value:.6g}"


def number_beside(value: float, limit: float) -> str:
    """A figure to three decimals, or to as many as it takes not to look like a limit that it differs from."""
    if abs(value) >= _LARGE:
        return repr(value) if value != limit else number(value)
    for decimals in range(_DECIMALS, _MOST_DECIMALS + 1):
        text = f"{value:z.{decimals}f}"
        if value == limit or float(text) != float(f"{limit:.{decimals}f}"):
            return text
    return repr(value)


def limit(value: float) -> str:
    """A bar or margin as its author wrote it, with at least two decimals: 0.70, 0.975."""
    two = f"{value:.2f}"
    return two if float(two) == value else repr(float(value))


def amount(size: float) -> str:
    """A drop as its author wrote it; one that was computed, to three decimals."""
    return limit(size) if round(size, _GIVEN_DECIMALS) == size else number(size)


def rounded(value: float) -> float:
    """A figure to six digits, so that every machine tells the same."""
    return float(f"{value:.{_DIGITS}g}")


def probability(value: float) -> str:
    """A p-value to three decimals, never as zero."""
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"  # noqa: PLR2004  # three decimals end there


def stated_p(value: float) -> float:
    """A p-value as reports state it: to twelve decimals, and never zero."""
    return max(round(value, _PROBABILITY_DECIMALS), _LEAST_PROBABILITY)


def percent(share: float) -> str:
    """A share in percent to one decimal, without one where it is whole."""
    return f"{share * 100:.1f}".removesuffix(".0") + " %"


def confidence(level: float) -> str:
    """A confidence level in percent with as many digits as it takes: 95 %, 99.99 %."""
    return f"{100 * level:.10g} %"


def count(number_of: int, noun: str, several: str | None = None) -> str:
    """A number with its noun, which takes an s where several have no word of their own: 1 item, 2 items."""
    return f"{number_of} {noun}" if number_of == 1 else f"{number_of} {several or f'{noun}s'}"


def names(items: tuple[str, ...], *, most: int = 3) -> str:
    """The first names of a list and how many more there are."""
    shown = ", ".join(items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most} more"
