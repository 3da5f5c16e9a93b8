"""Runs to be paired."""

from collections.abc import Callable

import numpy as np

from gate.scores.model import ItemStatus, Run

MakeRun = Callable[..., Run]


def with_repeats(make_run: MakeRun, *samples: tuple[str, float | ItemStatus]) -> Run:
    """A run with one row for each sample: its item and its score."""
    items = list(dict.fromkeys(item for item, _ in samples))
    column = make_run([score for _, score in samples]).metrics["score"]
    rows = np.array([items.index(item) for item, _ in samples], dtype=np.intp)
    return make_run(dict.fromkeys(items, 0.0), item_of_sample=rows, metrics={"score": column})
