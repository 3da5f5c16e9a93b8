"""What detection shows the readers of a file: how it holds its records, and the first of them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Container(StrEnum):
    """How a file holds its records; the values are the formats of plain files, where there is one."""

    JSON = "json"
    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"
    ZIP = "zip"
    XML = "xml"


class FirstRecord(NamedTuple):
    """The first record of a file, as detection saw it.

    Attributes:
        container: how it holds its records.
        fields: the record; for CSV the header, each name with an empty value; for one JSON object that object; for
            Parquet each column with an object of the same kind for its own fields; for a zip archive the members'
            names; for XML the attributes of the outermost element under its name.
        is_map: the whole file is one JSON object.
    """

    container: Container
    fields: Mapping[str, object]
    is_map: bool = False

    @property
    def is_json(self) -> bool:
        """Whether the file is JSON or JSON Lines: only there is a record with a tool's keys the tool's own.

        Another program may have put the same columns into a table, such as a Parquet file, which none of them writes.
        """
        return self.container in {Container.JSON, Container.JSONL}
