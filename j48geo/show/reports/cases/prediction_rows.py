"""Predictions as data: counted, and as columns added to the rows they belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from j48geo.core.dataset import Dataset, Header
from j48geo.score.flags import Flag
from j48geo.show.reports.cases.predict import PredictedBlock, added_columns
from j48geo.show.wider import wider_header, wider_rows
from j48geo.words import plural

__all__ = ["Tally", "extended_header", "extended_rows"]


class Tally:
    """Counts what was predicted, to say it in words at the end.

    Parameters
    ----------
    whole
        Whether several trees answer together: then a row has no leaf.
    """

    def __init__(self, *, whole: bool = False) -> None:
        self.whole = whole
        self.rows = 0
        self.known = 0
        self.right = 0
        self.divided = 0
        self.without_distribution = 0
        self.without_class = 0
        self.near = 0

    def add(self, block: PredictedBlock) -> None:
        """Count the rows of a block."""
        p = block.prediction
        actual = block.rows.class_values
        known = ~np.isnan(actual) & (p.predicted >= 0)
        self.rows += len(p.predicted)
        self.known += int(known.sum())
        self.right += int((p.predicted[known] == actual[known]).sum())
        near = np.zeros(len(p.leaf), dtype=np.bool_)
        if p.doubts is not None:
            near = (p.doubts & Flag.NEAR_THRESHOLD) != 0
        self.near += int((near & (p.predicted < 0)).sum())
        self.divided += 0 if self.whole else int(((p.leaf < 0) & ~near).sum())
        self.without_distribution += int(np.isnan(p.distribution).any(axis=1).sum())
        self.without_class += int((p.predicted < 0).sum())

    def sentences(self) -> list[str]:
        """What is worth saying, one sentence each."""
        said = [f"{plural(self.rows, 'row')} predicted"]
        if self.known:
            share = self.right / self.known
            said[0] += f"; {self.right} of {self.known} with a known class are right ({share:.2%})"
        if self.divided:
            said[0] += f"; missing values divide {self.divided} over several leaves"
        if self.without_distribution:
            rows = plural(self.without_distribution, "row")
            said.append(f"the text alone does not give the distribution of {rows}")
        if self.without_class:
            rows = plural(self.without_class, "row")
            if self.whole:
                said.append(f"the text does not give the class of {rows}: its numbers are rounded")
            elif self.near:
                lie = "lies" if self.near == 1 else "lie"
                said.append(
                    f"the text alone does not give the class of {rows}, of which {self.near} "
                    f"{lie} within the rounding of a threshold"
                )
            else:
                said.append(f"the text alone does not give the class of {rows} with missing values")
        return said


def extended_header(header: Header) -> Header:
    """The attributes of the data, then ``predicted`` and one ``p(class)`` a class.

    A name that the data already uses gets an underscore behind it.
    """
    return wider_header(header, added_columns(header.classes))


def extended_rows(header: Header, blocks: Iterable[PredictedBlock]) -> Iterator[Dataset]:
    """The rows of `blocks` with the columns of `extended_header`, which `header` is."""
    return wider_rows(header, added_columns(header.classes), blocks, lambda block: block.rows)
