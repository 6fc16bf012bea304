"""`ResultTable`, an answer with rows: it prints itself, and becomes a DataFrame if wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class ResultTable:
    """A table of named columns of equal length, which prints itself.

    Parameters
    ----------
    columns
        Values by name.
    words
        How it prints itself.
    notes
        What a person must know of it.
    """

    columns: Mapping[str, Sequence[Any]]
    words: Callable[[], str] = field(repr=False)
    notes: tuple[str, ...] = ()

    @classmethod
    def of_rows(cls, titles: Sequence[str], rows: Sequence[Sequence[Any]]) -> ResultTable:
        """A table of rows, which prints itself in columns."""
        from j48geo.show.text import text_table

        columns = {title: [row[k] for row in rows] for k, title in enumerate(titles)}
        return cls(columns, lambda: text_table(titles, rows, titles))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def __getitem__(self, name: str) -> Sequence[Any]:
        return self.columns[name]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, as dictionaries."""
        for values in zip(*self.columns.values(), strict=True):
            yield dict(zip(self.columns, values, strict=True))

    def __str__(self) -> str:
        return self.words()

    def __repr__(self) -> str:
        return self.words().rstrip("\n")

    def to_frame(self) -> Any:
        """A pandas DataFrame; pandas is imported now."""
        import pandas

        return pandas.DataFrame({name: list(values) for name, values in self.columns.items()})
