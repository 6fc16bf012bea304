"""Seeded random data sets and J48 options for comparisons with a live Weka, and an ARFF writer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np

from j48geo.arrays import Floats

MISSING = float("nan")

# Three seeds in a row have one of these in turn, so that both versions of Weka meet each.
REGIMES = (
    "plain",
    "near-equal values",  # clusters of values that print alike; not for 3.6.14, see `_apart`
    "midpoints",  # thresholds between two values, on columns of every kind; plain for 3.6.14
    "wide nominals",
    "30 classes",
    "missing to 60 %",
    "1e-300 to 1e300",
    "sparse rows",
    "dates",
    "class first",
)

# Text that J48 prints without quotes, so that a reader has to think.
ODD_NAMES = (
    "two words",
    "x <= 3",
    "p: q",
    "it's",
    'say "hi"',
    "50% off",
    "Größe in µm",
    "温度",
    "🌲 height",
    "| bar",
    "e = f",
    "n (1.0/2.0)",
    "-7",
    "tail ",
    "back\\slash",
    "a, b; c",
    "{brace}",
    "Number of Leaves  : ",
    "tab\there",
)


_ESCAPES = (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"))


@dataclass(frozen=True)
class Column:
    """A column: numbers, or indices of labels if it has labels; NaN is missing.

    The type of a date is ``date yyyy-MM-dd``, its numbers are milliseconds of whole days.
    """

    name: str
    values: Floats
    labels: tuple[str, ...] = ()
    type: str = "numeric"


@dataclass(frozen=True)
class RandomCase:
    """A data set, the options to grow a tree with, and the Weka to do it."""

    seed: int
    version: str
    options: str
    train: str
    test: str
    regime: str = "plain"
    class_index: int = -1

    @property
    def name(self) -> str:
        """A name that says how to make the case again."""
        return f"seed {self.seed} ({self.regime}), Weka {self.version} {self.options}".rstrip()

    def write(self, folder: Path) -> tuple[Path, Path]:
        """Write data.arff and test.arff, and give their paths."""
        folder.mkdir(parents=True, exist_ok=True)
        train, test = folder / "data.arff", folder / "test.arff"
        train.write_text(self.train, encoding="utf-8", newline="")
        test.write_text(self.test, encoding="utf-8", newline="")
        return train, test


def quote_word(word: str) -> str:
    """A word as ARFF wants it, in quotes if it needs them."""
    if word.isascii() and word.replace("_", "a").replace("-", "a").replace(".", "a").isalnum():
        return word
    for plain, escape in _ESCAPES:
        word = word.replace(plain, escape)
    return f"'{word}'"


def arff_text(
    relation: str,
    columns: Sequence[Column],
    weights: Floats | None = None,
    *,
    sparse: bool = False,
) -> str:
    """The columns as an ARFF file; numbers with all their digits."""
    lines = [f"@relation {quote_word(relation)}", ""]
    for column in columns:
        kind = f"{{{','.join(map(quote_word, column.labels))}}}" if column.labels else column.type
        lines.append(f"@attribute {quote_word(column.name)} {kind}")
    lines += ["", "@data"]
    for row in range(len(columns[0].values)):
        values = [column.values[row] for column in columns]
        cells = [_cell(column, value) for column, value in zip(columns, values, strict=True)]
        if sparse:
            held = (f"{i} {cell}" for i, cell in enumerate(cells) if values[i] != 0)
            cells = [f"{{{','.join(held)}}}"]
        line = ",".join(cells)
        lines.append(line if weights is None else f"{line},{{{float(weights[row])!r}}}")
    return "\n".join(lines) + "\n"


def _cell(column: Column, value: float) -> str:
    if np.isnan(value):
        return "?"
    if column.labels:
        return quote_word(column.labels[int(value)])
    number = float(value)
    if column.type.startswith("date"):
        return datetime.fromtimestamp(number / 1000, UTC).strftime("%Y-%m-%d")
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def random_case(seed: int) -> RandomCase:
    """The data set and options of this seed: every third one is for Weka 3.6.14."""
    rng = np.random.default_rng(seed)
    version = "3.6.14" if seed % 3 == 2 else "3.9.7"
    regime = REGIMES[seed // 3 % len(REGIMES)]
    options = _options(rng, version)
    middle = "-doNotMakeSplitPointActualValue"
    if regime == "midpoints" and version == "3.9.7" and middle not in options:
        options = f"{options} {middle}".strip()
    n_train, n_test = int(rng.integers(15, 260)), int(rng.integers(10, 60))
    n = n_train + n_test
    names, class_labels = _names(rng, 30 if regime == "30 classes" else 0)
    columns = [_column(rng, name, rng.choice(_kinds(regime, options)), n) for name in names[:-1]]
    if version == "3.6.14":
        columns = [_apart(column) for column in columns]
    target = _target(rng, columns, len(class_labels))
    shares = [0.3, 0.6] if regime == "missing to 60 %" else [0, 0, 0.05, 0.25]
    columns = [_with_missing(rng, column, rng.choice(shares)) for column in columns]
    columns.append(Column(names[-1], target, class_labels))
    train = [_rows(column, slice(0, n_train)) for column in columns]
    test = [_rows(column, slice(n_train, n)) for column in columns]
    test = [_recognisable(rng, old, new) for old, new in zip(train, test, strict=True)]
    if rng.random() < 0.15:
        train[-1] = _with_missing(rng, train[-1], 0.05)
    weights = _weights(rng, n_train)
    first = regime == "class first"
    if first:
        train, test = [train[-1], *train[:-1]], [test[-1], *test[:-1]]
    sparse = regime == "sparse rows"
    return RandomCase(
        seed,
        version,
        options,
        arff_text("train", train, weights, sparse=sparse),
        arff_text("test", test, sparse=sparse),
        regime,
        0 if first else -1,
    )


def _kinds(regime: str, options: str) -> list[str]:
    """The kinds that a column of this regime may have."""
    kinds = ["integer", "double", "nominal", "nominal"]
    # Midpoints of evenly spaced decimals may fall on other values, a last digit up or down:
    # there no text can say on which side such a case goes.
    if "-doNotMakeSplitPointActualValue" not in options or regime == "midpoints":
        kinds += ["decimal", "standardised", "scaled", "huge", "fine"]
    special = {
        "near-equal values": "near-equal",
        "wide nominals": "wide",
        "1e-300 to 1e300": "magnitude",
        "sparse rows": "sparse",
        "dates": "date",
    }
    return [*kinds, *[special[regime]] * len(kinds)] if regime in special else kinds


def _options(rng: np.random.Generator, version: str) -> str:
    def with_chance(chance: float, text: str) -> list[str]:
        return [text] if rng.random() < chance else []

    chosen = with_chance(0.3, "-B") + with_chance(0.25, "-A")
    chosen += with_chance(0.5, f"-M {rng.choice([1, 1, 2, 3, 8])}")
    pruning = rng.choice(["confidence", "none", "reduced error"])
    if pruning == "none":
        chosen.append("-U")
    elif pruning == "reduced error" and version == "3.6.14":  # broken in the jar of 3.9.7
        chosen += ["-R", *with_chance(0.4, f"-N {rng.choice([2, 4, 5])}")]
        chosen += with_chance(0.4, f"-Q {rng.integers(1, 100)}")
    else:
        chosen += with_chance(0.5, f"-C {rng.choice([0.01, 0.1, 0.4, 0.5])}")
        chosen += with_chance(0.3, "-S")
    if version == "3.9.7":
        chosen += with_chance(0.2, "-O") + with_chance(0.2, "-J")
        chosen += with_chance(0.2, "-doNotMakeSplitPointActualValue")
    return " ".join(chosen)


def _names(rng: np.random.Generator, n_classes: int) -> tuple[list[str], tuple[str, ...]]:
    """Names of the attributes, the class's last, and the labels of the class (0: a few)."""
    n_columns, few = int(rng.integers(1, 8)), int(rng.integers(2, 6))
    n_classes = n_classes or few
    names = [f"a{i + 1}" for i in range(n_columns)] + ["class"]
    labels = [f"c{i + 1}" for i in range(n_classes)]
    if rng.random() < 0.3:
        odd = list(rng.permutation(ODD_NAMES))
        names = [odd.pop() if rng.random() < 0.7 else name for name in names]
        labels = [odd.pop() if odd and rng.random() < 0.7 else label for label in labels]
    return names, tuple(labels)


def _column(rng: np.random.Generator, name: str, kind: str, n: int) -> Column:
    if kind in ("nominal", "wide"):
        n_labels = int(rng.integers(2, 7) if kind == "nominal" else rng.integers(20, 90))
        labels = [f"v{i}" for i in range(n_labels)]
        if kind == "nominal" and rng.random() < 0.3:
            labels = list(rng.permutation(ODD_NAMES)[:n_labels])
        shares = rng.dirichlet(np.full(n_labels, 0.7))  # some labels are rare or never occur
        return Column(name, rng.choice(n_labels, n, p=shares).astype(float), tuple(labels))
    whole = rng.integers(-20, 60, n).astype(float)
    few = rng.integers(0, rng.integers(2, 30), n).astype(float)
    match kind:
        case "integer":
            values = whole
        case "decimal":
            values = whole / 10
        case "double":
            values = rng.normal(0, rng.choice([1, 1000]), n)
        case "fine":  # neighbours that six decimals cannot tell apart
            values = rng.normal(0, 0.002, n)
        case "huge":
            values = np.round(rng.normal(0, rng.choice([1e8, 1e14]), n), 3)
        case "near-equal":
            values = few / 4 + rng.choice([0, 1e-7, 4e-7, 1e-6, 3e-6, 1.2e-5], n)
        case "magnitude":
            values = rng.normal(0, 1, n) * 10.0 ** int(rng.integers(-300, 300))
        case "sparse":
            values = np.where(rng.random(n) < 0.7, 0.0, whole / 4)
        case "date":
            return Column(name, whole * 86_400_000.0 * 30, type="date yyyy-MM-dd")
        case "standardised":
            values = (few - few.mean()) / (few.std() or 1.0)
        case _:
            values = (few - few.min()) / (np.ptp(few) or 1.0)
    return Column(name, values)


def _apart(column: Column) -> Column:
    """Values that differ by less than 2e-6 made equal: Weka 3.6 splits those by row order."""
    order = np.argsort(column.values)
    values = column.values.copy()
    for before, after in pairwise(order):
        if values[after] - values[before] < 2e-6:
            values[after] = values[before]
    return Column(column.name, values, column.labels, column.type)


def _target(rng: np.random.Generator, columns: Sequence[Column], n_classes: int) -> Floats:
    """Classes that depend on the columns by steps, with some noise."""
    n = len(columns[0].values)
    votes = rng.normal(0, 0.3, (n, n_classes))
    for column in columns:
        for _ in range(int(rng.integers(0, 3))):
            if column.labels:
                effect = rng.normal(0, 1, (len(column.labels), n_classes))
                votes += effect[column.values.astype(int)]
            else:
                step = column.values <= rng.choice(column.values)
                votes += np.outer(step, rng.normal(0, 1.5, n_classes))
    classes: Floats = votes.argmax(axis=1).astype(float)
    noisy = rng.random(n) < rng.choice([0, 0.1, 0.3])
    classes[noisy] = rng.integers(0, n_classes, int(noisy.sum()))
    return classes


def _with_missing(rng: np.random.Generator, column: Column, share: float) -> Column:
    values = np.where(rng.random(len(column.values)) < share, MISSING, column.values)
    return Column(column.name, values, column.labels, column.type)


def _rows(column: Column, rows: slice) -> Column:
    return Column(column.name, column.values[rows], column.labels, column.type)


def _recognisable(rng: np.random.Generator, train: Column, test: Column) -> Column:
    """New rows of which the text can tell the side.

    Some take over values of the training rows. A value closer than the six printed decimals to
    another one of the training data becomes missing: where two of them could be the threshold,
    no reader can know which.
    """
    if train.labels:
        return test
    values = test.values.copy()
    known = train.values[~np.isnan(train.values)]
    if len(known):
        again = rng.random(len(values)) < 0.3
        values[again] = rng.choice(known, int(again.sum()))
    for i, value in enumerate(values):
        near = known[np.abs(known - value) < 2e-6]
        if len(near) and np.any(near != value):
            values[i] = MISSING
    return Column(test.name, values, test.labels, test.type)


def _weights(rng: np.random.Generator, n: int) -> Floats | None:
    kind = rng.choice(["none", "none", "none", "halves", "decimals"])
    if kind == "none":
        return None
    if kind == "halves":
        return rng.choice([0.5, 1.0, 2.0], n)
    return np.round(rng.uniform(0.01, 5, n), 3)
