"""Where the result of a command goes and in which format, and what is said beside it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field

import click

from j48geo.cli.notes import Notes
from j48geo.cli.output import write_output
from j48geo.data.source import same_file
from j48geo.words import visible

__all__ = ["Output"]

FOR_PEOPLE = ("table", "rules")
SUFFIXES = {".csv": "csv", ".json": "json", ".jsonl": "jsonl", ".arff": "arff"}


@dataclass(frozen=True)
class Output:
    """What the user says about the result; see the options of the same names.

    Parameters
    ----------
    formats
        Those of the command, the first is the default.
    named_by_suffix
        Whether the ending of the file decides where no format is given.
    """

    formats: tuple[str, ...]
    named_by_suffix: bool
    path: str | None = None
    output_format: str | None = None
    id_column: str | None = None
    append: bool = False
    safe_csv: bool = False
    quiet: bool = False
    verbose: bool = False
    notes: Notes = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", Notes(self.quiet, self.verbose))

    @property
    def format(self) -> str:
        """The format in force."""
        if self.output_format is not None:
            return self.output_format
        if self.path is not None and self.named_by_suffix:
            named = SUFFIXES.get(os.path.splitext(self.path)[1].lower())
            if named in self.formats:
                return named
        return self.formats[0]

    def write(self, pieces: Iterable[str]) -> None:
        """Write the result; what is meant for people obeys no control characters."""
        if self.named_by_suffix and self.format in FOR_PEOPLE:
            pieces = map(visible, pieces)
        write_output(self.path, pieces)

    def check_other(self, path: str | None, option: str) -> None:
        """Refuse to write two things into one file."""
        if path is not None and self.path not in (None, "-") and same_file(path, self.path):
            raise click.UsageError(f"{option} and --output are both {path}; expected two files")
