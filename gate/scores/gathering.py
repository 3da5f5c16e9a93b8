"""Records -> columns, one record at a time: what is compared of their texts is kept as digests."""

from array import array
from collections.abc import Mapping

import numpy as np

from gate.scores.content import ScoreFile
from gate.scores.ids import content_digest, digest, short_form
from gate.scores.model import EVERYTHING, ItemStatus, MetricScores, Record, Wanted
from gate.scores.quoting import listing
from gate.scores.samples import Samples, Texts
from gate.scores.tabulation import refuse_sparse, require_text
from gate.scores.variants import Chosen, name_variants

_CONTENT = ("inputs", "target", "content")
_Variant = str | tuple[str, ...] | None


class _Column:
    """One metric on its way: a value and a status for each record up to the last that had it, and who has it."""

    __slots__ = ("status", "values", "variants")

    def __init__(self) -> None:
        self.variants: set[_Variant] = set()
        self.values = array("d")
        self.status = bytearray()

    def fill(self, n_records: int) -> None:
        """Unscored up to there."""
        lacking = n_records - len(self.status)
        self.values.extend([np.nan] * lacking)
        self.status.extend([ItemStatus.UNSCORED] * lacking)

    def add(self, score: float | ItemStatus, variant: _Variant) -> None:
        self.variants.add(variant)
        missing = isinstance(score, ItemStatus)
        self.values.append(np.nan if missing else score)
        self.status.append(int(score) if missing else ItemStatus.SCORED)


class Gathering:
    """The columns of the records that have been added."""

    def __init__(self, file: ScoreFile, part: str | None, wanted: Wanted = EVERYTHING) -> None:
        self._wanted = wanted
        self._variants: list[_Variant] = []
        self._facts: dict[_Variant, dict[str, set[str]]] = {}
        self._file = file
        self._part = part
        self._ids: list[str] = []
        self._lines = array("q")
        self._texts: dict[str, list[str | None]] = {
            name: [] for name in ("groups", "strata", "inputs", "targets", "content_digests", "prompt_digests")
        }
        self._told: set[str] = set()
        self._metrics: dict[str, _Column] = {}
        self._n_scores = 0

    def add(self, record: Record) -> None:
        """Take one record.

        Raises:
            ScoreFileError: where a metric's name is no text, or the metrics differ too much to be columns.
        """
        self._add_scores(record)
        self._ids.append(record.id)
        self._lines.append(record.line)
        self._variants.append(record.variant)
        for name, told in (record.facts or {}).items():
            self._facts.setdefault(record.variant, {}).setdefault(name, set()).add(told)
        for name, value in self._texts_of(record).items():
            self._texts[name].append(value)
        self._told.update(name for name in _CONTENT if getattr(record, name) is not None)

    def variants(self) -> list[str | None]:
        """The variant of each record."""
        return name_variants(self._variants)

    def samples(self, chosen: Chosen, *, repeats: bool, remedy: str) -> Samples:
        """The columns of the chosen records, whose ids and strata tell their variants where there are several."""
        ids = [self._ids[row] for row in chosen.rows]
        strata = self._column("strata", chosen)
        if chosen.apart:
            variants = self.variants()
            strata = [variants[row] for row in chosen.rows]
            ids = [f"{variant}/{item}" for variant, item in zip(strata, ids, strict=True)]
        told = ["content"] if "content" in self._told else [name for name in _CONTENT if name in self._told]
        return Samples(
            ids=ids,
            lines=[self._lines[row] for row in chosen.rows],
            repeats=repeats,
            remedy=remedy,
            groups=self._column("groups", chosen),
            strata=strata,
            inputs=self._column("inputs", chosen),
            targets=self._column("targets", chosen),
            content_digests=self._column("content_digests", chosen),
            content_fields=tuple(told),
            prompt_digests=self._column("prompt_digests", chosen),
            part=self._part,
        )

    def metrics(self, chosen: Chosen) -> dict[str, MetricScores]:
        """The chosen records' metrics in order of first appearance; where a record lacks one, it is unscored."""
        rows = np.fromiter(chosen.rows, dtype=np.intp, count=len(chosen.rows))
        variants = self._variants_of(chosen)
        found = {}
        for name, column in self._metrics.items():
            # a metric that only other variants have is none of these records'
            if not column.variants.isdisjoint(variants):
                column.fill(len(self._ids))
                status = np.frombuffer(column.status, dtype=np.uint8)[rows]
                found[name] = MetricScores(np.frombuffer(column.values, dtype=np.float64)[rows], status)
        return found

    def facts(self, chosen: Chosen) -> Mapping[str, str]:
        """What the chosen records tell of how they were made; several answers to one question are listed."""
        told: dict[str, set[str]] = {}
        for variant in self._variants_of(chosen):
            for name, values in self._facts.get(variant, {}).items():
                told.setdefault(name, set()).update(values)
        return {name: listing(sorted(values)) for name, values in told.items()}

    def _variants_of(self, chosen: Chosen) -> Mapping[_Variant, None]:
        return dict.fromkeys(self._variants[row] for row in chosen.rows)

    def _column(self, name: str, chosen: Chosen) -> Texts | None:
        """The chosen records' values, or None where none of them has one."""
        column = self._texts[name]
        values = [column[row] for row in chosen.rows]
        return None if all(value is None for value in values) else values

    def _add_scores(self, record: Record) -> None:
        n_records = len(self._ids)
        self._n_scores += len(record.scores)
        for name, score in record.scores.items():
            column = self._metrics.get(name)
            if column is None:
                require_text(name, self._file)
                refuse_sparse(len(self._metrics) + 1, n_records, self._n_scores, self._file)
                column = self._metrics[name] = _Column()
            column.fill(n_records)
            column.add(score, record.variant)

    def _texts_of(self, record: Record) -> dict[str, str | None]:
        inputs = record.inputs if self._wanted.whole_texts else _short(record.inputs)
        return {
            "groups": _short(record.group),
            "strata": _short(record.stratum),
            "inputs": inputs,
            "targets": record.target if self._wanted.targets else None,
            "content_digests": content_digest(inputs, record.target, record.content),
            "prompt_digests": None if record.prompt is None else digest(record.prompt),
        }


def _short(text: str | None) -> str | None:
    return None if text is None else short_form(text)
