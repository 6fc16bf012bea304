"""Seeded random data sets and option strings to grow trees from, thin regimes included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from random_data import MISSING, Column, arff_text

from j48geo.arrays import Floats

DAY = 86_400_000.0

REGIMES = ("tiny", "small", "structured", "wide nominals", "larger with missing", "knife-edges")
"""Kinds of data; every seed is of one of them."""


@dataclass(frozen=True)
class GrowCase:
    """A data set, option strings to grow trees with, and the words it is counted under."""

    seed: int
    regime: str
    arff: str
    options: tuple[str, ...]
    groups: tuple[str, ...]


def grow_case(seed: int, trees: int = 2) -> GrowCase:
    """The data set of this seed with as many option strings."""
    rng = np.random.default_rng([seed, 48])
    regime = REGIMES[seed % len(REGIMES)]
    n = {
        "tiny": int(rng.integers(1, 25)),
        "small": int(rng.integers(15, 150)),
        "structured": int(rng.integers(100, 400)),
        "wide nominals": int(rng.integers(60, 600)),
        "larger with missing": int(rng.integers(400, 2500)),
        "knife-edges": int(rng.integers(8, 120)),
    }[regime]
    n_classes = int(rng.choice([2, 2, 3, 4, 6, 10]))
    n_columns = int(rng.integers(1, 9)) if regime != "tiny" else int(rng.integers(0, 5))
    columns = [_column(rng, f"a{i + 1}", regime, n) for i in range(n_columns)]
    target = _target(rng, columns, n, n_classes)
    missing = _missing_share(rng, regime)
    columns = [_with_missing(rng, c, rng.choice([0.0, missing, missing])) for c in columns]
    classes = Column("class", target, tuple(f"c{i}" for i in range(n_classes)))
    groups = [regime, f"{n_classes} classes"]
    if rng.random() < 0.15:
        classes = _with_missing(rng, classes, 0.1)
        groups.append("missing class")
    if any(np.isnan(column.values).any() for column in columns):
        groups.append("missing values")
    kind, weights = _weights(rng, n)
    groups.append(f"weights {kind}")
    text = arff_text("grown", [*columns, classes], weights)
    options = tuple(_options(rng) for _ in range(trees))
    return GrowCase(seed, regime, text, options, tuple(groups))


def _column(rng: np.random.Generator, name: str, regime: str, n: int) -> Column:
    chance = {"wide nominals": 0.8, "knife-edges": 0.2}.get(regime, 0.35)
    if rng.random() < chance:
        wide = regime == "wide nominals" and rng.random() < 0.7
        n_labels = int(rng.integers(40, 160)) if wide else int(rng.integers(1, 8))
        shares = rng.dirichlet(np.full(n_labels, rng.choice([0.3, 2.0])))
        labels = tuple(f"v{i}" for i in range(n_labels))
        return Column(name, rng.choice(n_labels, n, p=shares).astype(float), labels)
    whole = rng.integers(-20, 60, n).astype(float)
    if regime == "knife-edges":
        kind = str(rng.choice(["steps", "zeros", "few", "huge"]))
    else:
        kind = str(rng.choice(["few", "whole", "decimal", "double", "double", "fine", "date"]))
    match kind:
        case "few":
            return Column(name, rng.integers(0, rng.integers(2, 12), n).astype(float))
        case "whole":
            return Column(name, whole)
        case "decimal":
            return Column(name, whole / 10)
        case "fine":
            return Column(name, rng.normal(0, 0.002, n))
        case "date":
            return Column(name, rng.integers(0, 20_000, n) * DAY, type="date yyyy-MM-dd")
        case "steps":  # around the 1e-5 that two values must be apart
            return Column(name, rng.integers(0, 30, n) * float(rng.choice([1e-5, 0.7e-5, 3e-6])))
        case "zeros":
            return Column(name, rng.choice([0.0, -0.0, 1.0, -1.0, 1e-9], n))
        case "huge":
            return Column(name, np.round(rng.normal(0, rng.choice([1e8, 1e14, 1e300]), n), 3))
    return Column(name, rng.normal(0, rng.choice([1.0, 1000.0]), n))


def _target(rng: np.random.Generator, columns: Sequence[Column], n: int, n_classes: int) -> Floats:
    """Classes that depend on the columns by steps, with some noise."""
    votes = rng.normal(0, 0.3, (n, n_classes))
    for column in columns:
        for _ in range(int(rng.integers(0, 4))):
            if column.labels:
                votes += rng.normal(0, 1, (len(column.labels), n_classes))[
                    column.values.astype(int)
                ]
            else:
                step = column.values <= rng.choice(column.values)
                votes += np.outer(step, rng.normal(0, 1.5, n_classes))
    classes: Floats = votes.argmax(axis=1).astype(float)
    noisy = rng.random(n) < rng.choice([0, 0.05, 0.2, 0.5])
    classes[noisy] = rng.integers(0, n_classes, int(noisy.sum()))
    return classes


def _missing_share(rng: np.random.Generator, regime: str) -> float:
    if regime == "wide nominals":
        return float(rng.choice([0.1, 0.3, 0.6, 0.9]))
    if regime == "larger with missing":
        return float(rng.choice([0.01, 0.05, 0.2]))
    return float(rng.choice([0.0, 0.05, 0.2, 0.5]))


def _with_missing(rng: np.random.Generator, column: Column, share: float) -> Column:
    values = np.where(rng.random(len(column.values)) < share, MISSING, column.values)
    return Column(column.name, values, column.labels, column.type)


def _weights(rng: np.random.Generator, n: int) -> tuple[str, Floats | None]:
    kind = str(rng.choice(["none", "none", "none", "whole", "halves", "decimals", "thirds"]))
    match kind:
        case "whole":
            return kind, rng.integers(0, 5, n).astype(float)
        case "halves":
            return kind, rng.choice([0.5, 1.0, 2.0], n)
        case "decimals":
            return kind, np.round(rng.uniform(0.01, 5, n), 3)
        case "thirds":
            return kind, rng.integers(1, 7, n) / 3
    return kind, None


def _options(rng: np.random.Generator) -> str:
    def with_chance(chance: float, text: str) -> list[str]:
        return [text] if rng.random() < chance else []

    chosen = with_chance(0.35, "-B") + with_chance(0.1, "-A") + with_chance(0.1, "-L")
    chosen += with_chance(0.55, f"-M {rng.choice([0, 1, 1, 2, 3, 5, 8, 20])}")
    pruning = str(rng.choice(["confidence", "confidence", "confidence", "none", "reduced error"]))
    if pruning == "none":
        chosen.append("-U")
    elif pruning == "reduced error":
        chosen += ["-R", *with_chance(0.5, f"-N {rng.choice([2, 4, 5, 10])}")]
        chosen += with_chance(0.5, f"-Q {rng.integers(-3, 1000)}")
    else:
        chosen += with_chance(0.5, f"-C {rng.choice([1e-10, 0.001, 0.01, 0.1, 0.4, 0.5, 0.6])}")
        chosen += with_chance(0.2, "-S")
    chosen += with_chance(0.25, "-O") + with_chance(0.25, "-J")
    chosen += with_chance(0.2, "-doNotMakeSplitPointActualValue")
    return " ".join(chosen)
