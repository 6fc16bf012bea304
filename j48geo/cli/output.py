"""Where results go: standard output, or a file that is written whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from j48geo.writing import NobodyReadsError, OutputError, write_pieces, write_whole

__all__ = ["NobodyReadsError", "OutputError", "write_output"]


def write_output(path: str | None, pieces: Iterable[str]) -> None:
    """Write `pieces` as UTF-8 to the file `path`, or to standard output if None or ``-``."""
    if path is not None and path != "-":
        write_whole(path, pieces)
        return
    if sys.stdout is None:
        raise OutputError("<stdout>: standard output is closed; expected an open one")
    write_pieces(sys.stdout.buffer, pieces, "<stdout>")
