"""docs/validity.md: the frame around what the sections tell."""

from studies.validity.study import ALLOWED_ERRORS, SEED


def write_page(sections: list[str], *, short: bool) -> str:
    """The whole page."""
    form = _SHORT if short else ""
    return _PAGE.format(
        seed=SEED,
        form=form,
        errors=f"{ALLOWED_ERRORS:g}",
        sections="\n".join(section.rstrip() + "\n" for section in sections),
    )


_SHORT = """
**This is the short form**: few runs, so rates are rough, and only some of the methods.
"""

_PAGE = """\
# How often the gate errs

A gate that goes red by noise is switched off, and one that goes green by luck is worth nothing. This page measures
both. `make validity` writes it and its figure, the same for the same seed ({seed}), however many processes share the
work. A rate's Monte Carlo standard error is given beside the number of runs; where all possible runs were enumerated
there is none.
{form}
The study fails, and with it continuous integration in a short form, where

- `exact` passes more than 2.6 % of runs that are just under the bar, or covers the mean in less than 95 %,
- the regression check shows a drop in more than 2.5 % of unchanged runs,
- the calibrated drift check alarms in more than 2.5 % of unchanged runs,
- the gate as a whole blocks more than 5 % of unchanged runs, at any number of items.

A simulated rate counts as beyond its limit where it is so by more than {errors} standard errors, which chance does
about once in 2000 rates. In the full form the false passes of `exact` are held against 2.6 % without that allowance.

{sections}"""
