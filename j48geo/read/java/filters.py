"""Weka's filters inside wrappers, with the parameters that they learnt.

`read_filter` reads one, `check_filter` compares it with the attributes behind it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from j48geo.arrays import Bools, Floats
from j48geo.core.dataset import Header
from j48geo.core.wrappers import (
    Center,
    Discretize,
    FittedFilter,
    MultiFilter,
    NominalToBinary,
    Normalize,
    NumericToNominal,
    Remove,
    ReplaceMissingValues,
    ReplaceMissingWithUserConstant,
    Standardize,
    StringToNominal,
)
from j48geo.java.objects import JavaObject, StreamError, check_doubles
from j48geo.read.java.instances import Headers

DEEPEST_FILTER: Final = 20
"""MultiFilters inside MultiFilters."""
_UNSUPERVISED: Final = "unsupervised.attribute."
_SUPERVISED: Final = "supervised.attribute."


def read_filter(
    thing: JavaObject, header: Header, headers: Headers, depth: int = 0
) -> tuple[FittedFilter | None, str]:
    """A filter, or None and why it is not known.

    Parameters
    ----------
    header
        Attributes of the rows before it.
    """
    name = thing.cls.name.removeprefix("weka.filters.")
    n = len(header)
    if name == "MultiFilter":
        return _multi_filter(thing, header, headers, depth)
    if name in (f"{_UNSUPERVISED}Remove", f"{_UNSUPERVISED}Reorder"):
        return _kept_columns(thing, n, thing.cls.name.rpartition(".")[2]), ""
    if name == f"{_UNSUPERVISED}RemoveType":
        return _kept_columns(thing.inside("m_attributeFilter"), n, "RemoveType"), ""
    if name == f"{_UNSUPERVISED}ReplaceMissingValues":
        return ReplaceMissingValues(_doubles(thing, "m_ModesAndMeans", n)), ""
    if name == f"{_UNSUPERVISED}ReplaceMissingWithUserConstant":
        return _constants(thing, header)
    if name == f"{_UNSUPERVISED}Standardize":
        deviations = _doubles(thing, "m_StdDevs", n)
        return Standardize(_doubles(thing, "m_Means", n), deviations), ""
    if name == f"{_UNSUPERVISED}Center":
        return Center(_doubles(thing, "m_Means", n)), ""
    if name == f"{_UNSUPERVISED}Normalize":
        ends = _doubles(thing, "m_MinArray", n), _doubles(thing, "m_MaxArray", n)
        return Normalize(*ends, thing.number("m_Scale"), thing.number("m_Translation")), ""
    if name in (f"{_UNSUPERVISED}Discretize", f"{_SUPERVISED}Discretize"):
        return _discretize(thing, header), ""
    if name in (f"{_UNSUPERVISED}NominalToBinary", f"{_SUPERVISED}NominalToBinary"):
        return _nominal_to_binary(thing, header), ""
    if name in (f"{_UNSUPERVISED}NumericToNominal", f"{_UNSUPERVISED}StringToNominal"):
        return _labels(thing, header, headers)
    return None, f"the filter {thing.cls.name} is not known"


def filter_format(thing: JavaObject) -> object:
    """What a filter expects: an Instances."""
    return thing.values.get("m_InputFormat")


def selected_columns(thing: JavaObject, count: int) -> Bools:
    """``Range``: which columns it selects."""
    flags = thing.values.get("m_SelectFlags")
    if not isinstance(flags, np.ndarray) or flags.dtype != np.bool_ or len(flags) != count:
        raise StreamError(f"a range of columns without its {count} marks")
    chosen: Bools = ~flags if thing.flag("m_Invert") else flags
    return chosen


def _doubles(thing: JavaObject, name: str, count: int) -> Floats:
    """An array of doubles; Weka's own sums may overflow, or have nothing to add."""
    value = thing.values.get(name)
    known = np.nan_to_num(value) if isinstance(value, np.ndarray) else value
    check_doubles(known, name, count)
    assert isinstance(value, np.ndarray)
    return value.astype(np.float64)


def _multi_filter(
    thing: JavaObject, header: Header, headers: Headers, depth: int
) -> tuple[FittedFilter | None, str]:
    if depth >= DEEPEST_FILTER:
        raise StreamError(f"filters nested more than {DEEPEST_FILTER} deep")
    steps: list[tuple[Header, FittedFilter]] = []
    for inner in thing.items("m_Filters"):
        if not isinstance(inner, JavaObject):
            raise StreamError("something else among the filters of a MultiFilter")
        before = headers.of(filter_format(inner))
        made, refusal = read_filter(inner, before, headers, depth + 1)
        if made is None:
            return None, refusal
        if steps:
            check_filter(steps[-1][1], steps[-1][0], before)
        elif len(before) != len(header):
            raise StreamError("a MultiFilter whose first filter expects other columns")
        steps.append((before, made))
    if not steps:
        raise StreamError("a MultiFilter without filters")
    return MultiFilter(tuple(steps)), ""


def _kept_columns(thing: JavaObject, count: int, name: str) -> Remove:
    kept = thing.integers("m_SelectedAttributes")
    if len(kept) and not (kept.min() >= 0 and kept.max() < count):
        raise StreamError(f"{name} keeps a column that is none")
    if len(kept) == count and name != "Reorder":
        kept = np.arange(count)  # Weka passes rows on as they are where nothing is removed
    return Remove(tuple(kept.tolist()), name)


def _constants(thing: JavaObject, header: Header) -> tuple[FittedFilter | None, str]:
    chosen = selected_columns(thing.inside("m_selectedRange"), len(header))
    label = thing.values.get("m_resolvedNominalStringConstant")
    values = np.full(len(header), np.nan)
    added: list[int] = []
    nominal: list[int] = []
    for column, attribute in enumerate(header.attributes):
        if not chosen[column] or column == header.class_index:
            continue
        if attribute.is_nominal:
            if not isinstance(label, str):
                raise StreamError("ReplaceMissingWithUserConstant has no label")
            nominal.append(column)
            values[column] = attribute.index_of.get(label, 0)
            if label not in attribute.index_of:
                added.append(column)
        elif attribute.type == "numeric":
            values[column] = thing.number("m_numericConstVal")
        elif attribute.type == "date":
            values[column] = thing.number("m_dateConstVal")
        else:
            return None, f"ReplaceMissingWithUserConstant of the {attribute.type} is not known"
    if added and added != nominal:  # Weka then mixes the attributes up
        return None, "its constant is a label of some columns and new to others"
    return ReplaceMissingWithUserConstant(values, frozenset(added)), ""


def _discretize(thing: JavaObject, header: Header) -> Discretize:
    n = len(header)
    chosen = selected_columns(thing.inside("m_DiscretizeCols"), n)
    points = thing.items("m_CutPoints")
    if len(points) != n:
        raise StreamError(f"cut points of {len(points)} columns; expected {n}")
    cuts: list[Floats | None] = []
    for column, attribute in enumerate(header.attributes):
        if not (chosen[column] and attribute.is_numeric):
            cuts.append(None)
            continue
        given = points[column]
        count = len(given) if isinstance(given, np.ndarray) else 0
        none = np.empty(0)
        cuts.append(none if given is None else check_doubles(given, "m_CutPoints", count))
    return Discretize(tuple(cuts), thing.flag("m_MakeBinary"))


def _nominal_to_binary(thing: JavaObject, header: Header) -> NominalToBinary:
    n = len(header)
    chosen = np.ones(n, dtype=bool)
    if thing.has("m_Columns"):
        chosen = selected_columns(thing.inside("m_Columns"), n)
    takes_all = thing.flag("m_TransformAll")
    transforms = not thing.has("m_needToTransform") or thing.flag("m_needToTransform")
    columns: list[tuple[int, frozenset[int] | None]] = []
    for column, attribute in enumerate(header.attributes):
        size = len(attribute.values)
        stays = not (attribute.is_nominal and chosen[column] and transforms)
        if stays or column == header.class_index or (size <= 2 and not takes_all):
            columns.append((column, None))
        else:
            columns += [(column, frozenset({code})) for code in range(size)]
    return NominalToBinary(tuple(columns))


def _labels(thing: JavaObject, header: Header, headers: Headers) -> tuple[FittedFilter | None, str]:
    n = len(header)
    after = headers.of(thing.values.get("m_OutputFormat"))
    if len(after) != n:
        raise StreamError(f"a filter that gives {len(after)} columns; expected {n}")
    of_numbers = thing.has("m_Cols")
    chosen = selected_columns(thing.inside("m_Cols" if of_numbers else "m_AttIndices"), n)
    labels: list[tuple[str, ...] | None] = []
    for column, attribute in enumerate(header.attributes):
        changes = attribute.is_numeric if of_numbers else attribute.type == "string"
        if not (chosen[column] and changes):
            labels.append(None)
            continue
        if attribute.type == "date":
            return None, "NumericToNominal of a date is not known"
        labels.append(after.attributes[column].values)
    return (NumericToNominal if of_numbers else StringToNominal)(tuple(labels)), ""


def check_filter(how: FittedFilter, before: Header, after: Header) -> None:
    """Refuse a filter that gives other columns or labels than those behind it."""
    if isinstance(how, MultiFilter):
        before, how = how.steps[-1]
        check_filter(how, before, after)
        return
    if isinstance(how, Remove) and len(set(how.kept)) == len(how.kept):
        names = tuple(before.names[column] for column in how.kept)
        if names != after.names:
            raise StreamError(f"{how.name} keeps other columns than the classifier inside expects")
    if isinstance(how, ReplaceMissingValues):
        for column, attribute in enumerate(before.attributes):
            value = float(how.values[column])
            if not attribute.values or column == before.class_index:
                continue
            if not (value.is_integer() and 0 <= value < len(attribute.values)):
                raise StreamError(f"ReplaceMissingValues gives {attribute.name!r} a label it lacks")
    sizes = _label_counts(how, before)
    expected = [len(attribute.values) for attribute in after.attributes]
    if isinstance(how, NominalToBinary):  # its columns may be numbers or labels
        sizes, expected = [0] * len(sizes), [0] * len(expected)
    if sizes != expected:
        raise StreamError("the filter gives other labels than the classifier inside expects")


def _label_counts(how: FittedFilter, before: Header) -> list[int]:
    """How many labels each column behind a filter has; 0 for numbers."""
    sizes = [len(attribute.values) for attribute in before.attributes]
    if isinstance(how, Remove):
        return [sizes[column] for column in how.kept]
    if isinstance(how, NominalToBinary):
        return [0 for _ in how.columns]
    if isinstance(how, ReplaceMissingWithUserConstant):
        return [size + (column in how.added) for column, size in enumerate(sizes)]
    if isinstance(how, (NumericToNominal, StringToNominal)):
        both = zip(sizes, how.labels, strict=True)
        return [size if labels is None else len(labels) for size, labels in both]
    return _bin_counts(how, sizes) if isinstance(how, Discretize) else sizes


def _bin_counts(how: Discretize, sizes: list[int]) -> list[int]:
    """How many labels each column behind a Discretize has: its bins, or two for each cut."""
    counts: list[int] = []
    for size, cuts in zip(sizes, how.cuts, strict=True):
        if cuts is None:
            counts.append(size)
        elif how.binary and len(cuts):
            counts += [2] * len(cuts)
        else:
            counts.append(len(cuts) + 1)
    return counts
