"""Open a file of rows, whatever its format: ARFF; CSV, Parquet or Arrow where a header is known.

`open_data` finds the format by the first bytes and gives a `RowStream`; `read_data` reads it whole.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from j48geo.core.dataset import Dataset, Header
from j48geo.data.arff.tokens import Kind, Lines, Tokens
from j48geo.data.source import ByteSource, SourceLike, display_name, open_source
from j48geo.errors import DataReadError, J48GeoError

if TYPE_CHECKING:
    from j48geo.data.arff.stream import ScanEngine


class ArrowFormat(Enum):
    """Formats that pyarrow reads; the values are their names in messages."""

    PARQUET = "Parquet"
    FILE = "Arrow"
    STREAM = "an Arrow stream"


_HEAD = 1 << 16
_FIRST_BYTES = {
    b"PAR1": ArrowFormat.PARQUET,
    b"ARRO": ArrowFormat.FILE,
    b"\xff\xff\xff\xff": ArrowFormat.STREAM,
}


@dataclass(frozen=True)
class TableReading:
    """How a table is read, where its bytes do not tell it.

    Parameters
    ----------
    class_attribute
        Class column where the header only guesses its name: ``first``, ``last``, a number
        from 1, or a name.
    delimiter
        Between the fields of CSV; None to find it from the first line.
    decimal
        Decimal mark of CSV, a point or a comma; a comma needs ``;`` between fields.
    unknown
        What becomes of a label that the model does not know: ``refuse``, or ``missing``.
    keep
        Columns of CSV that the model does not know are kept as text: the one of this name,
        all (True), or none.
    """

    class_attribute: str | int = "last"
    delimiter: str | None = None
    decimal: Literal[".", ","] = "."
    unknown: Literal["refuse", "missing"] = "refuse"
    keep: str | bool = False


class RowStream:
    """An open file of rows; iterating gives a `Dataset` for each block, once.

    Attributes
    ----------
    header : Header
        Known as soon as the file is open.
    notes : list of str
        What the user should know, complete when the last block is read.
    name : str
        Name of the file for messages.
    """

    header: Header
    name: str
    opened: ByteSource | None = None

    @property
    def notes(self) -> list[str]:
        raise NotImplementedError

    def __iter__(self) -> Iterator[Dataset]:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, if it was opened here."""
        if self.opened is not None:
            self.opened.close()

    @property
    def arrives(self) -> bool:
        """Whether rows come when somebody sends them."""
        return self.opened is not None and self.opened.arrives

    def bytes_left(self) -> float:
        """How much is still to be read, as a multiple of what was; 0 if nobody knows."""
        return 0.0 if self.opened is None else self.opened.left

    def read(self) -> Dataset:
        """All blocks as one data set; the file is closed after it."""
        with self:
            return self._collect_rows()

    def _collect_rows(self) -> Dataset:
        width = len(self.header)
        X, weights = np.empty(0), np.empty(0)
        rows = 0
        last = Dataset(self.header, np.empty((0, width)), weights)
        for last in self:
            needed = rows + len(last)
            if needed > len(weights):
                # In place, so that there are never two copies of a large file in memory.
                capacity = max(needed, len(weights) * 5 // 4)
                try:
                    X.resize(capacity * width, refcheck=False)
                    weights.resize(capacity, refcheck=False)
                except MemoryError as problem:
                    much = f"{needed:,} rows of {width:,} values do not fit into memory"
                    raise DataReadError(much, source=self.name) from problem
            X[rows * width : needed * width] = last.X.reshape(-1)
            weights[rows:needed] = last.weights
            rows = needed
        X.resize(rows * width, refcheck=False)
        weights.resize(rows, refcheck=False)
        return replace(last, X=X.reshape(rows, width), weights=weights, notes=tuple(self.notes))


# ----------------------------------------------------------------------------------- opening


def arrow_format(head: bytes) -> ArrowFormat | None:
    """The format of a file that pyarrow reads, by its first bytes; None for other files."""
    return _FIRST_BYTES.get(head[:4])


def looks_like_arff(head: bytes) -> bool:
    """Whether the first word of a file is one that begins an ARFF file, and no CSV."""
    tokens = Tokens(Lines(iter([head]), source=""))
    while (kind := tokens.next()) is Kind.END_OF_LINE:
        pass
    # Nothing but comments so far: the rest will tell, and ARFF has the better message.
    return kind is Kind.END_OF_FILE or tokens.text.lower().startswith("@")


def _tells(head: bytes) -> bool:
    """Whether there is a line in it that says something; a pipe may give no other so far."""
    *lines, _ = head.replace(b"\r", b"\n").split(b"\n")
    return any(line.strip() and not line.lstrip().startswith(b"%") for line in lines)


def open_data(
    source: SourceLike,
    *,
    header: Header | Callable[[], Header] | None = None,
    class_attribute: str | int | None = "last",
    timezone: str = "UTC",
    encoding: str | None = None,
    engine: ScanEngine = "auto",
    how: TableReading | None = None,
) -> RowStream:
    """Open an ARFF file, or CSV, Parquet or Arrow if `header` says what the columns are.

    Which of them it is, is decided by the content, not by the name. A folder is one of Parquet
    files.

    Parameters
    ----------
    header
        What the columns are, or what to call to find out; without it only ARFF can be read.
    class_attribute
        Of an ARFF file; others take the class of `header`.
    timezone, encoding, engine
        As in `open_arff`.
    how
        See `TableReading`.
    """
    if isinstance(source, (str, os.PathLike)) and source != "-" and os.path.isdir(source):
        if not _holds_parquet(source):
            name = display_name(source)
            raise DataReadError("this is a folder", "expected a file, or Parquet in it", name)
        from j48geo.data.arrow import ArrowStream

        parquet = ArrowFormat.PARQUET
        return ArrowStream(
            source, None, parquet, _require_header(header, parquet.value, source), how
        )
    opened = open_source(source, encoding=encoding)
    try:
        if file_format := arrow_format(opened.peek(4)):
            from j48geo.data.arrow import ArrowStream

            return ArrowStream(
                source, opened, file_format, _require_header(header, file_format.value, source), how
            )
        if header is None or looks_like_arff(opened.peek(_HEAD, _tells)):
            from j48geo.data.arff.stream import ArffStream

            return ArffStream(
                opened, class_attribute=class_attribute, timezone=timezone, engine=engine
            )
        from j48geo.data.csv import CsvStream

        return CsvStream(opened, _require_header(header, "CSV", source), timezone=timezone, how=how)
    except BaseException:
        opened.close()
        raise


def _holds_parquet(folder: str | os.PathLike[str]) -> bool:
    """Whether the first file in a folder, or below it, is Parquet; marked ones are no data."""
    for path, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if not name.startswith(("_", ".")):
                with open(os.path.join(path, name), "rb") as file:
                    return arrow_format(file.read(4)) is ArrowFormat.PARQUET
    return False


def _require_header(
    header: Header | Callable[[], Header] | None, kind: str, source: SourceLike
) -> Header:
    if header is None:
        raise DataReadError(f"this is {kind}", "expected ARFF", display_name(source))
    return header() if callable(header) else header


def read_data(source: SourceLike, **options: Any) -> Dataset:
    """Read a whole file of data; see `open_data`."""
    return open_data(source, **options).read()


def is_arff_file(path: str) -> bool:
    """Whether there is a plain file of that name, and it begins as ARFF does."""
    if not os.path.isfile(path):
        return False
    try:
        with open_source(path) as opened:
            head = opened.peek(_HEAD)
    except (J48GeoError, OSError):
        return False
    return bool(head.strip()) and looks_like_arff(head)
