"""Write the result of a command: `Output` knows its file, its format and the notes beside it."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from j48geo.cli.notes import Notes
from j48geo.compilation import announce_compilation
from j48geo.data.source import is_same_file
from j48geo.output_files import (
    OutputError,
    open_atomic,
    write_all_bytes,
    write_binary_file,
    write_text,
    write_text_file,
)

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset, Header
    from j48geo.show.rows.columns import Column
    from j48geo.show.rows.row_report import ParquetRows, RowReport
    from j48geo.show.text import Style

SUFFIXES = {
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".arff": "arff",
    ".parquet": "parquet",
}


def write_output(path: str | None, pieces: Iterable[str]) -> None:
    """Write `pieces` as UTF-8 to the file `path`, or to standard output if None or ``-``."""
    if path is not None and path != "-":
        write_text_file(path, pieces)
        return
    write_text(_stdout(), pieces, "<stdout>")


def _stdout() -> BinaryIO:
    if sys.stdout is None:
        raise OutputError("<stdout>: standard output is closed; expected an open one")
    return sys.stdout.buffer


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
    overwrite: bool = False
    quiet: bool = False
    verbose: bool = False
    notes: Notes = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", Notes(self.quiet, self.verbose))
        announce_compilation(self.notes.compilation)
        if not self.overwrite:
            self._check_inputs()
        other = self._suffix_format
        if self.output_format is None and self.formats and other not in (None, *self.formats):
            self.notes.note(
                f"{self.path} is written as {self.formats[0]}: this command has no {other} "
                f"(--format {'|'.join(self.formats)})"
            )

    @property
    def format(self) -> str:
        """Format of the result: as ``--format`` says, else by the ending of the file."""
        if self.output_format is not None:
            return self.output_format
        named = self._suffix_format
        return named if named in self.formats else self.formats[0]

    @property
    def _suffix_format(self) -> str | None:
        """The format that the ending of the file stands for, if it decides."""
        if self.path is None or not self.named_by_suffix:
            return None
        return SUFFIXES.get(os.path.splitext(self.path)[1].lower())

    @property
    def style(self) -> Style:
        """How tables for people are to look: as wide as the terminal, in colour on one."""
        from j48geo.show.text import PLAIN, Style

        if self.path not in (None, "-") or sys.stdout is None or not sys.stdout.isatty():
            return PLAIN
        width = shutil.get_terminal_size().columns
        return Style(width if width > 20 else None, "NO_COLOR" not in os.environ)

    @property
    def kept(self) -> str | bool:
        """Which columns of the input go along: one by name, all, or none."""
        return self.append or self.id_column or False

    def carried(self, header: Header, timezone: str) -> list[Column[Dataset]]:
        """The columns of the input that ``--id`` and ``--append`` carry through."""
        if self.id_column is None and not self.append:
            return []
        from j48geo.show.rows.data_columns import data_columns

        names = None
        if self.id_column is not None:
            header.position(self.id_column)
            rest = [n for n in header.names if n != self.id_column] if self.append else []
            names = [self.id_column, *rest]
        return data_columns(header, names, timezone=timezone)

    def rows(
        self, report: RowReport[Any], header: Header, timezone: str
    ) -> Iterator[str] | ParquetRows[Any]:
        """The rows of a report in the format in force, with the columns that go along."""
        carried = [] if self.format == "arff" else self.carried(header, timezone)
        return report.format_rows(
            self.format,
            header,
            carried,
            style=self.style,
            safe=self.safe_csv,
            timezone=timezone,
        )

    def write(self, result: Iterable[str] | bytes | ParquetRows[Any]) -> None:
        """Write the result: pieces of text, bytes, or what writes itself."""
        if isinstance(result, bytes):  # a .model file or ONNX: no text to be encoded
            if self.path not in (None, "-"):
                write_binary_file(str(self.path), result)
                return
            write_all_bytes(_stdout(), result, "<stdout>")
            _stdout().flush()
        elif isinstance(result, Iterable):
            write_output(self.path, result)
        elif self.path not in (None, "-"):
            with open_atomic(str(self.path)) as stream:
                result.write_to(stream)
        else:
            result.write_to(_stdout())
            _stdout().flush()

    def _check_inputs(self) -> None:
        """Refuse to write over a file that the command reads."""
        context = click.get_current_context(silent=True)
        if context is None:
            return
        inputs = [p for p in context.command.params if _names_input(p)]
        for option, target in (("--output", self.path), ("--plot", context.params.get("plot"))):
            if not isinstance(target, str) or not os.path.isfile(target):
                continue
            for parameter in inputs:
                value = context.params.get(parameter.name or "")
                if isinstance(value, str) and is_same_file(value, target):
                    raise click.UsageError(
                        f"{option} {target} is also {_shown_name(parameter)}, which would be "
                        "lost; name another file, or add --overwrite"
                    )

    def check_other(self, path: str | None, option: str) -> None:
        """Refuse to write two things into one file."""
        if path is not None and self.path not in (None, "-") and is_same_file(path, self.path):
            raise click.UsageError(f"{option} and --output are both {path}; expected two files")


def _names_input(parameter: click.Parameter) -> bool:
    """Whether the value of a parameter names a file that is read."""
    if isinstance(parameter, click.Argument):
        return True
    metavar = parameter.metavar or ""
    return parameter.name not in ("path", "plot") and ("FILE" in metavar or metavar == "TEST")


def _shown_name(parameter: click.Parameter) -> str:
    """What the help calls a parameter: ``MODEL``, ``--train``."""
    if isinstance(parameter, click.Option):
        return parameter.opts[-1]
    return (parameter.metavar or parameter.human_readable_name).strip("[]")
