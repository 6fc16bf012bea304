"""What one unit of each attribute is worth: the metric as a value.

How it is learnt from data is in `j48geo.geometry.metric`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from j48geo.arrays import Floats

__all__ = ["METRICS", "Metric", "MetricKind"]

MetricKind = Literal["standard", "minmax", "none", "custom"]
METRICS: tuple[MetricKind, ...] = ("standard", "minmax", "none", "custom")

_WORDS = {
    "standard": "standard (divided by the standard deviation)",
    "minmax": "minmax (divided by the range)",
    "none": "none (values as they are)",
    "custom": "custom (divided by the given scales)",
}


@dataclass(frozen=True, eq=False)
class Metric:
    """Euclidean distance after dividing each attribute by its scale.

    Parameters
    ----------
    scale : array of float64, shape (n_attributes,)
        Divisor of the difference in each attribute, positive; 1 where it has no meaning.
    nominal_weight
        What a nominal attribute outside the leaf's set contributes (extension: Euclidean
        with an overlap axis; the papers have numeric attributes only).
    source
        Where the scales come from, in words; empty if nowhere.
    notes
        What the user should know about it, one sentence each.

    Notes
    -----
    AB05 equation (7), ABD07 equation (3). A missing value contributes 0: the smallest
    distance over all completions (extension).
    """

    kind: MetricKind
    scale: Floats
    nominal_weight: float = 1.0
    source: str = ""
    notes: tuple[str, ...] = ()

    def in_words(self) -> str:
        """Kind and source, for people."""
        return f"{_WORDS[self.kind]}{f', from {self.source}' if self.source else ''}"
