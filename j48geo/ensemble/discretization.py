"""Weka's two Discretize filters fitted to training rows.

Cut points of the unsupervised one follow from the rows. Those of the supervised one are printed
with few decimals, and lie halfway between two neighbouring values: that tells them exactly, or they
are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.wrappers import Discretize, FittedFilter
from j48geo.ensemble.filter_options import FilterOptions
from j48geo.errors import FilterError
from j48geo.java.numbers import decimal_to_string, is_compatible, threshold_to_string_36

_NUMBER = r"-?[\d.]+(?:E-?\d+)?"
_INTERVAL = re.compile(rf"'\((-inf|{_NUMBER})-({_NUMBER}\]|inf\))'")
_ALL = "'All'"


def fit_discretize(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    """Unsupervised: intervals of equal width, or of equal weight."""
    chosen = options.select_columns("-R", "first-last", len(data.header))
    if chosen is None:
        return
    bins = options.whole("-B", 10)
    cuts: list[Floats | None] = []
    for column, attribute in enumerate(data.header.attributes):
        if column not in chosen or not attribute.is_numeric:
            cuts.append(None)
            continue
        known = ~np.isnan(data.X[:, column])
        x, weights = data.X[known, column], data.weights[known]
        if options.has("-F"):
            found = _equal_weights(x, weights, bins, options.number("-M", -1.0))
        else:
            count = bins
            if options.has("-O"):  # how many are best shows in the header
                count = len(_printed_cuts(attribute.name, printed, options.has("-D")) or ()) + 1
            found = _equal_widths(x, bins, count)
        if found is None:
            return
        cuts.append(found)
    yield from _with_headers(cuts, options, data.header)


def fit_supervised_discretize(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    """Supervised: the cut points that print as the header does, halfway between values."""
    chosen = options.select_columns("-R", "first-last", len(data.header))
    if chosen is None:
        return
    decimals = options.whole("-precision", 6)
    cuts: list[Floats | None] = []
    for column, attribute in enumerate(data.header.attributes):
        if column not in chosen or not attribute.is_numeric:
            cuts.append(None)
            continue
        texts = _printed_cuts(attribute.name, printed, options.has("-D"))
        if texts is None:
            return
        x = data.X[:, column]
        values = np.unique(x[~np.isnan(x)])
        found = _halfway(texts, values, decimals, attribute.name)
        if found is None:
            return
        cuts.append(found)
    yield from _with_headers(cuts, options, data.header)


def _with_headers(
    cuts: Sequence[Floats | None], options: FilterOptions, header: Header
) -> Iterator[tuple[FittedFilter, Header]]:
    """The filter with the attributes behind it, in the words of Weka 3.9 and of 3.6."""
    decimals = options.whole("-precision", 6)
    made = Discretize(tuple(cuts), binary=options.has("-D"))
    for old in (False, True):
        attributes: list[Attribute] = []
        place = None
        for column, (attribute, points) in enumerate(zip(header.attributes, cuts, strict=True)):
            if column == header.class_index:
                place = len(attributes)
            if points is None:
                attributes.append(attribute)
                continue
            texts = [_cut_text(cut, decimals, old=old) for cut in points.tolist()]
            nominal = replace(attribute, type="nominal", format=None)
            if not made.binary or not texts:
                labels = _labels(texts, numbered=options.has("-Y"))
                attributes.append(replace(nominal, values=labels))
                continue
            for number, text in enumerate(texts, start=1):
                labels = _labels([text], numbered=options.has("-Y"))
                name = f"{attribute.name}_{number}"
                attributes.append(replace(nominal, name=name, values=labels))
        yield made, replace(header, attributes=tuple(attributes), class_index=place)
        if decimals != 6:
            return


def _cut_text(cut: float, decimals: int, *, old: bool = False) -> str:
    return threshold_to_string_36(cut) if old else decimal_to_string(cut, decimals)


def _labels(cuts: Sequence[str], *, numbered: bool) -> tuple[str, ...]:
    """The labels of intervals, quotes included."""
    if not cuts:
        return (_ALL,)
    if numbered:
        n = len(cuts) + 1
        return tuple(f"'B{k}of{n}'" for k in range(1, n + 1))
    ends = [f"{cut}]" for cut in cuts] + ["inf)"]
    starts = ["-inf", *cuts]
    return tuple(f"'({start}-{end}'" for start, end in zip(starts, ends, strict=True))


def _printed_cuts(name: str, printed: Header, binary: bool) -> list[str] | None:
    """The cut points that a printed header shows for a column; None if it shows none."""
    place = {attribute.name: attribute for attribute in printed.attributes}
    if name in place:
        return _interval_ends(place[name].values)
    texts: list[str] = []
    while binary and (own := place.get(f"{name}_{len(texts) + 1}")) is not None:
        ends = _interval_ends(own.values)
        if ends is None or len(ends) != 1:
            return None
        texts += ends
    return texts or None


def _interval_ends(labels: tuple[str, ...]) -> list[str] | None:
    if labels == (_ALL,):
        return []
    ends: list[str] = []
    for label in labels:
        interval = _INTERVAL.fullmatch(label)
        if interval is None:
            return None
        ends.append(interval[2])
    return [end.rstrip("]") for end in ends[:-1]]


def _halfway(texts: Sequence[str], values: Floats, decimals: int, name: str) -> Floats | None:
    """The middles of neighbouring values that print so; None where one does not."""
    middles = (values[1:] + values[:-1]) / 2
    cuts: list[float] = []
    for text in texts:
        near = middles[is_compatible(middles, float(text), 0.5 * 10.0**-decimals)]
        alike = [
            cut
            for cut in near.tolist()
            if text in (_cut_text(cut, decimals), _cut_text(cut, decimals, old=decimals == 6))
        ]
        if not alike:
            return None
        if len(alike) > 1:
            raise FilterError(
                f"the filter Discretize cuts {name!r} at {text}, and {len(alike)} middles of its "
                "values print so; expected the .model, or a Discretize of higher -precision"
            )
        cuts += alike
    return np.array(cuts, dtype=np.float64)


def _equal_widths(x: Floats, bins: int, count: int) -> Floats | None:
    """The first cut points of so many intervals of equal width."""
    if not len(x) or bins < 1:
        return np.empty(0)
    low, high = float(x.min()), float(x.max())
    width = (high - low) / bins
    if bins == 1 or not width > 0:
        return np.empty(0)
    return np.array([low + width * k for k in range(1, count)])


def _equal_weights(x: Floats, weights: Floats, bins: int, desired: float) -> Floats | None:
    """Cut points of intervals of about equal weight; None where Weka gives up."""
    order = np.argsort(x, kind="stable")
    values, heavy = x[order].tolist(), weights[order].tolist()
    left = 0.0
    for weight in heavy:
        left += weight
    room = int(left / desired) if desired > 0 else bins - 1
    wanted = desired if desired > 0 else left / bins
    cuts: list[float] = []
    counter = before = 0.0
    last = -1
    for i in range(len(values) - 1):
        counter += heavy[i]
        left -= heavy[i]
        if not values[i] < values[i + 1]:
            continue
        if counter < wanted:
            last, before = i, counter
            continue
        if len(cuts) >= room:
            return None
        # The break before may be nearer to the wanted weight than this one.
        if wanted - before < counter - wanted and last != -1:
            cuts.append((values[last] + values[last + 1]) / 2)
            counter -= before
            before, last = counter, i
        else:
            cuts.append((values[i] + values[i + 1]) / 2)
            counter = before = 0.0
            last = -1
        wanted = (left + counter) / (room + 1 - len(cuts))
    if len(cuts) < room and last != -1:
        cuts.append((values[last] + values[last + 1]) / 2)
    return np.array(cuts, dtype=np.float64)
