"""The metric: what one unit of each attribute is worth.

Only differences are scaled, |x - t| / s: to scale x and t separately might round them to
equality and put a case into another leaf.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Literal

import numpy as np

from j48geo.arrays import Bools, Floats
from j48geo.core.fitted_values import METRIC_KINDS, Metric, MetricKind
from j48geo.core.summaries import Moments
from j48geo.core.tree import BoxTree
from j48geo.errors import J48GeoError, UnknownNameError

NominalRule = Literal["overlap", "refuse"]


class MetricError(J48GeoError):
    """A metric that cannot be had for this tree: what is wrong, and what was expected."""

    exit_code = 2


def fit_metric(
    tree: BoxTree,
    kind: MetricKind = "standard",
    X: Floats | Iterable[Floats] | None = None,
    *,
    scales: Mapping[str, float] | None = None,
    nominal: NominalRule = "overlap",
    nominal_weight: float = 1.0,
    source: str = "",
) -> Metric:
    """The metric of a tree, from its training cases.

    Parameters
    ----------
    X : array of float64, shape (n_cases, n_attributes), or several such arrays
        Training cases, for ``standard`` and ``minmax``; blocks are held one at a time.
        Instance weights do not enter.
    scales
        Scale of each attribute by name, for ``custom``; every numeric attribute that the
        tree uses needs one.
    nominal
        ``refuse`` keeps to the papers: a tree with a nominal split is an error.
    source
        Where X or the scales come from, carried in the result.

    Raises
    ------
    MetricError
        If the tree has nominal splits and these are refused, or a scale is missing, not
        positive, or of a nominal attribute.
    UnknownNameError
        If `kind` or an attribute in `scales` is unknown.

    Notes
    -----
    AB05 equation (7), ABD07 equation (3). ``standard`` divides by the standard deviation
    (divisor n - 1) of the known values, ``minmax`` by max - min. An attribute that is
    constant or never known is divided by 1.

    Examples
    --------
    >>> from j48geo.core.build import at_most, build_tree, leaf
    >>> from j48geo.core.dataset import Attribute, Header
    >>> header = Header("h", (Attribute("x"), Attribute("c", "nominal", ("a", "b"))), 1)
    >>> tree = build_tree(header, at_most("x", 2, leaf("a"), leaf("b")))
    >>> X = np.array([[1.0, 0], [2.0, 0], [3.0, 1], [np.nan, 1]])
    >>> [float(fit_metric(tree, kind, X).scale[0]) for kind in ("standard", "minmax")]
    [1.0, 2.0]
    """
    if kind not in METRIC_KINDS:
        raise UnknownNameError("metric", kind, METRIC_KINDS)
    if not (isfinite(nominal_weight) and nominal_weight >= 0):
        raise MetricError(f"nominal weight {nominal_weight}; expected a number of at least 0")
    if nominal == "refuse":
        _refuse_nominal(tree)
    metric = Metric(kind, np.ones(len(tree.header)), nominal_weight, source)
    if kind == "none":
        return metric
    if kind == "custom":
        return replace(metric, scale=_scales_by_name(tree, scales or {}))
    if X is None:
        raise MetricError(f"the {kind} metric needs training cases; expected X")
    numeric = np.array([a.is_numeric for a in tree.header.attributes], dtype=np.bool_)
    moments = _moments([X] if isinstance(X, np.ndarray) else X, numeric)
    spreads = [m.deviation if kind == "standard" else m.high - m.low for m in moments]
    scale = np.array(spreads, dtype=np.float64)
    flat = ~(np.isfinite(scale) & (scale > 0))
    return replace(
        metric,
        scale=np.where(flat, 1.0, scale),
        notes=tuple(_flat_notes(tree, flat, moments)) if flat[numeric].any() else (),
    )


def _refuse_nominal(tree: BoxTree) -> None:
    for node, split in tree.splits:
        if split.kind != "numeric":
            name = tree.attribute(split).name
            raise MetricError(
                f"node {node.index} tests the nominal attribute {name!r}, which has no metric of "
                "its own; expected numeric tests only, or nominal='overlap'"
            )


def _scales_by_name(tree: BoxTree, scales: Mapping[str, float]) -> Floats:
    header = tree.header
    scale = np.ones(len(header))
    for name, value in scales.items():
        column = header.position(name)
        if not header.attributes[column].is_numeric:
            raise MetricError(
                f"a scale is given for the {header.attributes[column].type} attribute {name!r}; "
                "expected numeric attributes (nominal ones have the nominal weight)"
            )
        if not (isfinite(value) and value > 0):
            raise MetricError(f"scale {value} of attribute {name!r}; expected a positive number")
        scale[column] = value
    used = [header.attributes[a] for a in tree.used_attributes]
    lacking = [a.name for a in used if a.is_numeric and a.name not in scales]
    if lacking:
        raise MetricError(
            f"no scale for {', '.join(map(repr, lacking[:20]))}; expected one for every numeric "
            "attribute that the tree uses"
        )
    return scale


def _moments(blocks: Iterable[Floats], numeric: Bools) -> list[Moments]:
    """Those of each column, the same for any blocks; none of columns that are not numbers."""
    moments = [Moments() for _ in numeric]
    for X in blocks:
        for column in np.flatnonzero(numeric).tolist():
            moments[column] += Moments.of(X[:, column])
    return moments


def _flat_notes(tree: BoxTree, flat: Bools, moments: Sequence[Moments]) -> Iterator[str]:
    for column in tree.used_attributes:
        attribute = tree.header.attributes[column]
        if attribute.is_numeric and flat[column]:
            why = "is never known" if not moments[column].count else "has no spread"
            yield f"attribute {attribute.name!r} {why} in the metric's cases: its divisor is 1"
