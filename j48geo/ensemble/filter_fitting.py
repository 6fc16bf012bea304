"""Weka's filters fitted to training rows: a text names them and does not tell their parameters.

`fit_filters` gives the filters that some rows may have taught, `unknown_part` says what of a filter
is not known. Every filter also gives the attributes behind it, which must be those that the text
prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from j48geo.arrays import Bools, Floats
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.j48_options import split_options
from j48geo.core.wrappers import (
    Center,
    FittedFilter,
    MultiFilter,
    NamedFilter,
    NominalToBinary,
    Normalize,
    NumericToNominal,
    Remove,
    ReplaceMissingValues,
    ReplaceMissingWithUserConstant,
    Standardize,
    StringToNominal,
)
from j48geo.ensemble.discretization import fit_discretize, fit_supervised_discretize
from j48geo.ensemble.filter_options import FilterOptions, read_options, select_columns
from j48geo.ensemble.filters import NOMINAL_DECIMALS, apply_filter
from j48geo.errors import FilterError
from j48geo.java.numbers import decimal_to_string, parse_double

Fit = Callable[[FilterOptions, Header, Dataset], Iterator[tuple[FittedFilter, Header]]]
"""The ways to fit a filter to rows: its options, the header that the text prints, the rows."""


@dataclass(frozen=True)
class FilterKind:
    """How to fit a filter, and the options that this takes into account."""

    fit: Fit
    flags: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


def fit_filters(how: NamedFilter, printed: Header, data: Dataset) -> Iterator[FittedFilter]:
    """The filters that these rows may have taught; none if they do not give the printed header.

    Several where versions of Weka differ in the last bits. Which of them is right, if any,
    is for the counts of the tree to say.

    Parameters
    ----------
    printed
        The header that the text prints: what the filter made.
    data
        Rows from before the filter.

        Their filter must be known, see `unknown_part`.

    Raises
    ------
    FilterError
        If the text does not tell what the filter did.
    """
    for fitted, after in _fit(how, printed, data):
        if _same_columns(after, printed):
            yield fitted


HELP = (
    "expected rows that Weka has filtered already, the .model of a filter that is known, or "
    "one of its trees to be named"
)
"""What helps where a filter is not known."""


def unknown_part(how: NamedFilter) -> str:
    """What of a filter is not known, such as ``the filter NumericCleaner``; empty if all is."""
    if how.name == "MultiFilter":
        return next(filter(None, map(unknown_part, _parts(how))), "")
    kind = _KINDS.get(how.scheme.removeprefix("weka.filters."))
    if kind is None:
        return f"the filter {how.name}"
    options = read_options(how.options, kind.flags, kind.values)
    return f"the option {options} of the filter {how.name}" if isinstance(options, str) else ""


def only_selects_columns(how: NamedFilter, printed: Header) -> bool:
    """Whether it leaves columns out or moves them and changes nothing else: names tell which."""
    if how.name == "MultiFilter":
        return all(only_selects_columns(part, printed) for part in _parts(how))
    if how.name == "Reorder":  # it numbers its columns where it takes one of them twice
        return not all(re.search(r"_\d+$", name) for name in printed.names)
    return how.name in ("Remove", "RemoveType")


def shows_in_columns(how: NamedFilter, printed: Header) -> bool:
    """Whether all that it changes shows in the names or types of the columns."""
    if how.name == "MultiFilter":
        return all(shows_in_columns(part, printed) for part in _parts(how))
    visible = {"Discretize", "NominalToBinary", "NumericToNominal", "StringToNominal"}
    return how.name in visible | {"StringToWordVector"} or only_selects_columns(how, printed)


def _parts(how: NamedFilter) -> list[NamedFilter]:
    """The filters of a MultiFilter."""
    words = how.options
    specs = [words[i + 1] for i in range(len(words) - 1) if words[i] == "-F"]
    parts = [split_options(spec) for spec in specs]
    return [NamedFilter(name, tuple(options)) for name, *options in filter(None, parts)]


def _fit(how: NamedFilter, printed: Header, data: Dataset) -> Iterator[tuple[FittedFilter, Header]]:
    if how.name == "MultiFilter":
        for steps, after in _fit_parts(_parts(how), printed, data):
            yield MultiFilter(steps), after.header
        return
    kind = _KINDS[how.scheme.removeprefix("weka.filters.")]
    options = read_options(how.options, kind.flags, kind.values)
    assert not isinstance(options, str)
    yield from kind.fit(options, printed, data)


def _fit_parts(
    parts: Sequence[NamedFilter], printed: Header, data: Dataset
) -> Iterator[tuple[tuple[tuple[Header, FittedFilter], ...], Dataset]]:
    """The filters one after the other, each fitted to what those before it leave."""
    if not parts:
        yield (), data
        return
    texts = {data.header.attributes[c].name: pool for c, pool in data.pools.items()}
    for fitted, header in _fit(parts[0], printed, data):
        X = apply_filter(fitted, data.header, data.X, header, texts)
        pools = {c: texts[a.name] for c, a in enumerate(header.attributes) if a.name in texts}
        behind = Dataset(header, X, data.weights, pools)
        for steps, last in _fit_parts(parts[1:], printed, behind):
            yield ((data.header, fitted), *steps), last


def _same_columns(made: Header, printed: Header) -> bool:
    return [(a.name, a.is_numeric, a.values) for a in made.attributes] == [
        (a.name, a.is_numeric, a.values) for a in printed.attributes
    ]


# ------------------------------------------------------------------------- values of columns


def _standardize(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    means = _each(data, _mean)
    yield Standardize(means, np.sqrt(_each(data, _variance))), data.header
    yield Standardize(means, np.sqrt(_each(data, _variance_36))), data.header


def _center(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    yield Center(_each(data, _mean)), data.header


def _normalize(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    scale, translation = options.number("-S", 1.0), options.number("-T", 0.0)
    smallest, largest = _each(data, _least), _each(data, _most)
    yield Normalize(smallest, largest, scale, translation), data.header


def _replace_missing(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    yield ReplaceMissingValues(_modes_and_means(data)), data.header
    # Weka 3.6 and others add up the weights of what is known.
    yield ReplaceMissingValues(_each(data, _mean, _mode)), data.header


def _modes_and_means(data: Dataset) -> Floats:
    """As Weka 3.9 finds them: from the weight of all rows that of missing values is taken."""
    total = 0.0
    for weight in data.weights.tolist():
        total += weight
    found = np.full(len(data.header), np.nan)
    for column, attribute in enumerate(data.header.attributes):
        x = data.X[:, column].tolist()
        if attribute.is_numeric:
            known, product = total, 0.0
            for value, weight in zip(x, data.weights.tolist(), strict=True):
                if value == value:
                    product += weight * value
                else:
                    known -= weight
            found[column] = product / known if known > 1e-6 else 0.0
        elif attribute.is_nominal and attribute.values:
            # Sparse rows do not hold the first label: it has what the others leave.
            counts = [0.0] * len(attribute.values)
            counts[0] = total
            for value, weight in zip(x, data.weights.tolist(), strict=True):
                if value == value and value > 0:
                    counts[int(value)] += weight
                if value != 0:
                    counts[0] -= weight
            found[column] = float(np.argmax(counts))
    return found


def _replace_by_constant(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    header = data.header
    name = "ReplaceMissingWithUserConstant"
    label = options.text("-N") or options.text("-R")
    number = parse_double(options.text("-R") or options.text("-N"))
    if "${" in label:
        raise FilterError(f"the filter {name} takes its constant from Weka's surroundings; {HELP}")
    chosen = _columns_by_name(options.text("-A"), header)
    values = np.full(len(header), np.nan)
    has_label = []
    for column, attribute in enumerate(header.attributes):
        if not chosen[column] or column == header.class_index:
            continue
        if attribute.type == "numeric" and number is not None:
            values[column] = number
        elif attribute.is_nominal:
            has_label.append(label in attribute.index_of)
            values[column] = attribute.index_of.get(label, 0)
        else:
            raise FilterError(
                f"the filter {name} of the {attribute.type} {attribute.name!r} is not known; {HELP}"
            )
    added = [c for c in range(len(header)) if chosen[c] and header.attributes[c].is_nominal]
    yield from replace_by_constant(values, added if False in has_label else [], label, header)


def replace_by_constant(
    values: Floats, added: Sequence[int], label: str, header: Header
) -> Iterator[tuple[FittedFilter, Header]]:
    """The filter that puts constants, and the attributes behind it."""
    columns = frozenset(c for c in added if c != header.class_index)
    attributes = list(header.attributes)
    for column in columns:
        old = attributes[column]
        if label in old.index_of:  # Weka then mixes the attributes up
            raise FilterError(
                "the filter ReplaceMissingWithUserConstant has a constant that some columns have "
                f"as a label and others have not; {HELP}"
            )
        attributes[column] = replace(old, values=(label, *old.values))
    made = replace(header, attributes=tuple(attributes))
    yield ReplaceMissingWithUserConstant(values, columns), made


def _columns_by_name(text: str, header: Header) -> Bools:
    """Columns by their numbers, or else by their names."""
    chosen = np.zeros(len(header), dtype=bool)
    places = select_columns(text, len(header))
    if places is None:
        names = [name.strip() for name in text.split(",")]
        if not set(names) <= set(header.names):
            raise FilterError(f"no columns {text!r} in the data from before the filter")
        places = [header.position(name) for name in names]
    chosen[places] = True
    return chosen


Numbers = Callable[[Floats, Floats], float]
"""A number of the known values of a column and their weights."""


def _each(data: Dataset, numeric: Numbers, nominal: Numbers | None = None) -> Floats:
    """A number of each column from its known values and their weights; NaN of the others."""
    numbers = np.full(len(data.header), np.nan)
    for column, attribute in enumerate(data.header.attributes):
        how = numeric if attribute.is_numeric else nominal if attribute.is_nominal else None
        known = ~np.isnan(data.X[:, column])
        if how is not None:
            numbers[column] = how(data.X[known, column], data.weights[known])
    return numbers


def _mean(x: Floats, weights: Floats) -> float:
    weight_sum = total = 0.0
    for value, weight in zip(x.tolist(), weights.tolist(), strict=True):
        weight_sum += weight
        total += weight * value
    return total / weight_sum if weight_sum > 0 else 0.0


def _mode(x: Floats, weights: Floats) -> float:
    return float(np.bincount(x.astype(np.intp), weights).argmax()) if len(x) else 0.0


def _least(x: Floats, _: Floats) -> float:
    return float(x.min()) if len(x) else np.nan


def _most(x: Floats, _: Floats) -> float:
    return float(x.max()) if len(x) else np.nan


def _variance(x: Floats, weights: Floats) -> float:
    """Weka 3.8 and 3.9: Welford's running sums."""
    mean = squares = weight_sum = 0.0
    for i, (value, weight) in enumerate(zip(x.tolist(), weights.tolist(), strict=True)):
        if i == 0:
            mean, weight_sum = value, weight
            continue
        delta = weight * (value - mean)
        weight_sum += weight
        mean += delta / weight_sum
        squares += delta * (value - mean)
    return max(0.0, squares / (weight_sum - 1)) if weight_sum > 1 else 0.0


def _variance_36(x: Floats, weights: Floats) -> float:
    """Weka 3.6: the sum of the squares less the square of the sum."""
    total = squares = weight_sum = 0.0
    for value, weight in zip(x.tolist(), weights.tolist(), strict=True):
        total += weight * value
        squares += weight * value * value
        weight_sum += weight
    return (
        max(0.0, (squares - total * total / weight_sum) / (weight_sum - 1))
        if weight_sum > 1
        else 0.0
    )


# ------------------------------------------------------------------------------ other columns


def keep_columns(kept: Sequence[int], header: Header, name: str) -> tuple[FittedFilter, Header]:
    """The filter that keeps these columns, and the attributes behind it."""
    names = header.names
    counts = dict.fromkeys(kept, 0)
    attributes: list[Attribute] = []
    numbered = len(counts) < len(kept)
    place = None
    for column in kept:
        counts[column] += 1
        if column == header.class_index:
            place = len(attributes)
        own = f"{names[column]}_{counts[column]}" if numbered else names[column]
        attributes.append(replace(header.attributes[column], name=own))
    return Remove(tuple(kept), name), replace(
        header, attributes=tuple(attributes), class_index=place
    )


def _remove(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    n, names = len(data.header), data.header.names
    if not options.text("-R"):  # of AttributeSelectedClassifier the names tell which are left
        if set(printed.names) <= set(names):
            yield keep_columns([names.index(x) for x in printed.names], data.header, "Remove")
        return
    chosen = select_columns(options.text("-R"), n)
    if chosen is None:
        return
    kept = chosen if options.has("-V") else [c for c in range(n) if c not in set(chosen)]
    # Where nothing is removed Weka leaves the order.
    yield keep_columns(range(n) if len(kept) == n else kept, data.header, "Remove")


def _reorder(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    kept = select_columns(options.text("-R") or "first-last", len(data.header), backwards=True)
    if kept is not None:
        yield keep_columns(kept, data.header, "Reorder")


def _remove_type(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    header, kind = data.header, (options.text("-T") or "string").lower()
    kept = [
        column
        for column, attribute in enumerate(header.attributes)
        if column == header.class_index or (attribute.type == kind) == options.has("-V")
    ]
    yield keep_columns(kept, header, "RemoveType")


def _nominal_to_binary(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    chosen = select_columns(options.text("-R") or "first-last", len(data.header))
    if chosen is None:
        return
    places = set(chosen)
    if options.has("-V"):
        places = set(range(len(data.header))) - places
    for names_value in (True, False):  # Weka 3.6 keeps the name of a column of two values
        yield make_binary(
            data.header,
            places,
            is_numeric=not options.has("-N"),
            takes_all=options.has("-A"),
            names_value=names_value,
        )


def make_binary(
    header: Header,
    places: set[int],
    *,
    is_numeric: bool,
    takes_all: bool,
    names_value: bool = True,
) -> tuple[NominalToBinary, Header]:
    """NominalToBinary of some columns, and the attributes behind it.

    Parameters
    ----------
    is_numeric
        Whether its columns are numbers, or nominal (``-N``).
    takes_all
        Whether columns of two values become two (``-A``).
    names_value
        Whether such a column otherwise bears the name of its second value too.
    """
    columns: list[tuple[int, frozenset[int] | None]] = []
    attributes: list[Attribute] = []
    place = None
    for column, old in enumerate(header.attributes):
        if column == header.class_index:
            place = len(columns)
        if not old.is_nominal or column == header.class_index or column not in places:
            columns.append((column, None))
            attributes.append(old)
        elif len(old.values) <= 2 and not takes_all:
            columns.append((column, None))
            value = f"={old.values[1]}" if names_value and len(old.values) == 2 else ""
            attributes.append(Attribute(f"{old.name}{value}") if is_numeric else old)
        else:
            for code, label in enumerate(old.values):
                columns.append((column, frozenset({code})))
                name = f"{old.name}={label}"
                nominal = Attribute(name, "nominal", ("f", "t"))
                attributes.append(Attribute(name) if is_numeric else nominal)
    made = replace(header, attributes=tuple(attributes), class_index=place)
    return NominalToBinary(tuple(columns)), made


def _numeric_to_nominal(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    chosen = options.select_columns("-R", "first-last", len(data.header))
    if chosen is None:
        return
    labels: list[tuple[str, ...] | None] = []
    for column, attribute in enumerate(data.header.attributes):
        if column not in chosen or not attribute.is_numeric:
            labels.append(None)
            continue
        if attribute.type == "date":
            raise FilterError(
                f"the filter NumericToNominal of the date {attribute.name!r} is not known; {HELP}"
            )
        x = data.X[:, column]
        bits = np.unique(x[~np.isnan(x)].view(np.int64))  # -0 is another label than 0
        numbers = sorted(bits.view(np.float64).tolist(), key=lambda x: (x, np.copysign(1, x)))
        texts = (decimal_to_string(number, NOMINAL_DECIMALS) for number in numbers)
        labels.append(tuple(dict.fromkeys(texts)))
    yield NumericToNominal(tuple(labels)), _with_labels(data.header, labels)


def _string_to_nominal(
    options: FilterOptions, printed: Header, data: Dataset
) -> Iterator[tuple[FittedFilter, Header]]:
    chosen = options.select_columns("-R", "last", len(data.header))
    if chosen is None:
        return
    labels: list[tuple[str, ...] | None] = []
    for column, attribute in enumerate(data.header.attributes):
        is_text = column in chosen and attribute.type == "string"
        pool = data.pools.get(column, ())
        labels.append(tuple(x for x in pool if isinstance(x, str)) if is_text else None)
    yield StringToNominal(tuple(labels)), _with_labels(data.header, labels)


def _with_labels(header: Header, labels: Sequence[tuple[str, ...] | None]) -> Header:
    attributes = [
        old if new is None else Attribute(old.name, "nominal", new, weight=old.weight)
        for old, new in zip(header.attributes, labels, strict=True)
    ]
    return replace(header, attributes=tuple(attributes))


_SELECTION = {"flags": frozenset({"-V"}), "values": frozenset({"-R"})}
_BINARY = frozenset({"-N", "-A", "-V", "-spread-attribute-weight"})
_LABELLED = frozenset({"-R", "-precision"})
_KINDS: dict[str, FilterKind] = {
    "unsupervised.attribute.Standardize": FilterKind(_standardize),
    "unsupervised.attribute.Center": FilterKind(_center),
    "unsupervised.attribute.Normalize": FilterKind(_normalize, values=frozenset({"-S", "-T"})),
    "unsupervised.attribute.ReplaceMissingValues": FilterKind(_replace_missing),
    "unsupervised.attribute.ReplaceMissingWithUserConstant": FilterKind(
        _replace_by_constant, values=frozenset({"-A", "-N", "-R", "-D", "-F"})
    ),
    "unsupervised.attribute.Remove": FilterKind(_remove, **_SELECTION),
    "unsupervised.attribute.Reorder": FilterKind(_reorder, values=frozenset({"-R"})),
    "unsupervised.attribute.RemoveType": FilterKind(
        _remove_type, frozenset({"-V"}), frozenset({"-T"})
    ),
    "unsupervised.attribute.NumericToNominal": FilterKind(_numeric_to_nominal, **_SELECTION),
    "unsupervised.attribute.StringToNominal": FilterKind(_string_to_nominal, **_SELECTION),
    "unsupervised.attribute.NominalToBinary": FilterKind(
        _nominal_to_binary, _BINARY, frozenset({"-R"})
    ),
    "supervised.attribute.NominalToBinary": FilterKind(_nominal_to_binary, _BINARY - {"-V"}),
    "unsupervised.attribute.Discretize": FilterKind(
        fit_discretize,
        frozenset({"-D", "-F", "-O", "-V", "-Y", "-spread-attribute-weight"}),
        _LABELLED | {"-B", "-M"},
    ),
    "supervised.attribute.Discretize": FilterKind(
        fit_supervised_discretize,
        frozenset({"-D", "-E", "-K", "-V", "-spread-attribute-weight"}),
        _LABELLED,
    ),
}
"""The filters that are known, by their class names below ``weka.filters``."""
