"""What a pull request's own gate.yml would change in the one in force, and what that takes from the pull request."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class Effect(StrEnum):
    """What a change of gate.yml does to the gate; in the order in which to read them."""

    DELETED = "deleted"
    INVALID = "invalid"
    LAXER = "laxer"
    CHANGED = "changed"
    STRICTER = "stricter"

    @property
    def is_loud(self) -> bool:
        """Whether it takes something away from the gate."""
        return self in {Effect.DELETED, Effect.INVALID, Effect.LAXER}

    @property
    def is_of_file(self) -> bool:
        """Whether it is about the proposed file as a whole, which could not be compared."""
        return self in {Effect.DELETED, Effect.INVALID}


@dataclass(frozen=True, slots=True)
class WorkingTreeInput:
    """An input that the gate.yml in force, a commit's, takes from the working tree: whoever changes that, changes it.

    Attributes:
        what: ``the baseline``, ``the history``, ``the scan``, ..., with its suite where there are several.
        path: as the configuration has it, from the working directory.
    """

    BASELINE: ClassVar[str] = "the baseline"

    what: str
    path: str

    @property
    def is_loud(self) -> bool:
        """Whether it is what the candidate is held against."""
        return self.what.startswith(self.BASELINE)


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """One key that the proposed gate.yml changes. It is told, and nothing is judged by it.

    Attributes:
        key: where, suites and metrics by name: ``suites[answers].checks.threshold.bar``; the path of the proposed file
            where that is deleted or invalid.
        before: the value in force, as text.
        after: the proposed value, as text; of an invalid file what is wrong with it.
        effect: what it does.
    """

    key: str
    before: str
    after: str
    effect: Effect
