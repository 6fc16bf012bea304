"""Data for a tree, whatever its format: ARFF; CSV, Parquet or Arrow where a header is known."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from j48geo.core.dataset import Dataset, Header
from j48geo.data.arff.stream import ArffStream, Engine
from j48geo.data.arff.tokens import Kind, Lines, Tokens
from j48geo.data.source import SourceLike, display_name, open_source
from j48geo.data.stream import ArrowFormat, RowStream, TableReading
from j48geo.errors import DataReadError, J48GeoError

_HEAD = 1 << 16
_FIRST_BYTES = {
    b"PAR1": ArrowFormat.PARQUET,
    b"ARRO": ArrowFormat.FILE,
    b"\xff\xff\xff\xff": ArrowFormat.STREAM,
}


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
    engine: Engine = "auto",
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
        return ArrowStream(source, None, parquet, _known(header, parquet.value, source), how)
    opened = open_source(source, encoding=encoding)
    try:
        if file_format := arrow_format(opened.peek(4)):
            from j48geo.data.arrow import ArrowStream

            return ArrowStream(
                source, opened, file_format, _known(header, file_format.value, source), how
            )
        if header is None or looks_like_arff(opened.peek(_HEAD, _tells)):
            return ArffStream(
                opened, class_attribute=class_attribute, timezone=timezone, engine=engine
            )
        from j48geo.data.csv import CsvStream

        return CsvStream(opened, _known(header, "CSV", source), timezone=timezone, how=how)
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


def _known(header: Header | Callable[[], Header] | None, kind: str, source: SourceLike) -> Header:
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
