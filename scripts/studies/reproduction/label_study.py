"""By which estimate leaves of more than two classes are labelled: costs on rows not seen.

Ten folds of each data set. A tree is grown on nine as J48 grows it; its leaves are labelled for
several kinds of costs by several estimates; the tenth fold says what the labels cost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np

import j48geo
from j48geo.arrays import Floats, Ints
from j48geo.decide.leaf_counts import ClassCounts, class_counts
from j48geo.decide.relabelling import class_estimates
from j48geo.score.prediction import predict
from j48geo.score.setting import overlay_classes
from reproduction.catalogue import CATALOGUE, DataSet, Entry, digits, load, several
from reproduction.samples import folds
from reproduction.tables import row

__all__ = ["ESTIMATES", "KINDS", "SETS", "Found", "cheapest_labels", "label_lines", "study_labels"]

FOLDS = 10
SEED = 6
DRAWS = 10
LARGEST = 1000
SAME = 1e-9

SETS: dict[str, Entry] = {
    "vehicle": several("vehicle"),
    "vowel": CATALOGUE["vowel11"],
    "led7digit": several("led7digit"),
    "letter": several("letter"),
    "tae": several("tae"),
    "contraceptive": several("contraceptive"),
    "satimage": several("satimage"),
    "segment, skewed": several("segment"),
    "movement_libras": several("movement_libras"),
    "letter, skewed": several("letter"),
    "wine": CATALOGUE["wine3"],
    "iris": CATALOGUE["iris3"],
    "splice": several("splice"),
    "digits": Entry(digits, "scikit-learn", ()),
}
"""*skewed*: with 1/k of the rows of the k-th class, since most of the sets have equal shares."""

ESTIMATES: dict[str, tuple[str, Callable[[int], float | None]]] = {
    "Laplace": ("laplace", lambda _: None),
    "raw": ("none", lambda _: None),
    "shares, m = C": ("m", float),
    "shares, m = 2": ("m", lambda _: 2.0),
    "shares, m = 1": ("m", lambda _: 1.0),
}
"""Heading, smoothing, and m of so many classes."""

KINDS = {
    "equal": "Every mistake costs 1",
    "one at 5": "A missed case of one class costs 5, any other mistake 1; each class in turn",
    "one at 10": "A missed case of one class costs 10, any other mistake 1; each class in turn",
    "rows": f"A missed case of each class costs a draw from 1 to 10; {DRAWS} draws",
    "mistakes": f"Every kind of mistake costs a draw from 1 to 10; {DRAWS} draws",
    "shares": "A missed case costs 1 / share of its class",
}


@dataclass(frozen=True)
class Found:
    """Costs of one data set.

    Parameters
    ----------
    leaves
        Mean number of leaves of its trees.
    cost
        Mean cost of a row, by kind of costs, then by who labelled: ``J48``, an estimate, or
        ``one label`` for the cheapest class said of everybody.
    """

    rows: int
    classes: int
    leaves: float
    cost: dict[str, dict[str, float]]


def matrices(name: str, shares: Floats) -> dict[str, list[Floats]]:
    """The cost matrices of each kind; row = actual, column = predicted class."""
    n = len(shares)
    rng = np.random.default_rng([crc32(name.encode()), SEED])
    wrong = 1.0 - np.eye(n)

    def missed(c: int, cost: float) -> Floats:
        made = wrong.copy()
        made[c] *= cost
        return made

    def drawn(*shape: int) -> list[Floats]:
        return [wrong * rng.integers(1, 11, shape) for _ in range(DRAWS)]

    return {
        "equal": [wrong],
        "one at 5": [missed(c, 5) for c in range(n)],
        "one at 10": [missed(c, 10) for c in range(n)],
        "rows": drawn(n, 1),
        "mistakes": drawn(n, n),
        "shares": [wrong / (n * shares[:, None])],
    }


def cheapest_labels(estimates: Floats, costs: Floats, own: Ints) -> Ints:
    """Label of least expected cost at each leaf, J48's where it is among the cheapest.

    The rule of `j48geo.decide.relabelling.label_leaves` in floats, for thousands of matrices.
    """
    expected = estimates @ costs
    least = expected <= expected.min(axis=1, keepdims=True) + SAME
    kept = least[np.arange(len(own)), own]
    found: Ints = np.where(kept, own, np.argmax(least, axis=1))
    return found


def study_labels(name: str) -> Found:
    """What the test folds of a data set cost."""
    data = study_data(name)
    table = j48geo.read_arff(data.arff().encode()).with_class("last")
    actual = table.class_values.astype(np.intp)
    n = len(data.classes)
    shares = np.bincount(actual, minlength=n) / len(actual)
    kinds = matrices(name, shares)
    fold = folds(name, data.labels, FOLDS, SEED)
    cost = {kind: dict.fromkeys(["J48", *ESTIMATES], 0.0) for kind in kinds}
    leaves = []
    for k in range(FOLDS):
        train, test = fold != k, fold == k
        model = j48geo.grow(replace(table, X=table.X[train], weights=table.weights[train]))
        leaves.append(len(model.tree.leaves))
        _add(cost, kinds, model, table.X[test], actual[test])
    for kind, made in kinds.items():
        for who in cost[kind]:
            cost[kind][who] /= len(made) * len(actual)
        cost[kind]["one label"] = float(np.mean([(shares @ matrix).min() for matrix in made]))
    return Found(len(actual), n, float(np.mean(leaves)), cost)


def _add(
    cost: dict[str, dict[str, float]],
    kinds: Mapping[str, Sequence[Floats]],
    model: j48geo.Model,
    X: Floats,
    actual: Ints,
) -> None:
    tree, counts = model.tree, model.counts
    own = np.array([leaf.label for leaf in tree.leaves])
    exact = class_counts(tree, counts)
    estimates = {who: _estimates(exact, who) for who in ESTIMATES}
    prediction = predict(tree, counts, X)
    for kind, made in kinds.items():
        for matrix in made:
            cost[kind]["J48"] += matrix[actual, prediction.predicted].sum()
            for who, shares in estimates.items():
                labels = cheapest_labels(shares, matrix, own)
                said = overlay_classes(tree, counts, X, labels, prediction)
                cost[kind][who] += matrix[actual, said].sum()


def _estimates(counts: ClassCounts, who: str) -> Floats:
    smoothing, m = ESTIMATES[who]
    kind: Any = smoothing
    found = class_estimates(counts, kind, m=m(len(counts.own[0])))
    return np.array(found, dtype=float)


def study_data(name: str) -> DataSet:
    """A data set by its name here; of a large one 1,000 rows, of each class in proportion."""
    skewed = name.endswith(", skewed")
    found = load(name, SETS[name])
    rng = np.random.default_rng([crc32(name.encode()), SEED])
    of = np.array(found.labels)
    part = {c: 1 / (k + 1) if skewed else 1.0 for k, c in enumerate(found.classes)}
    size = {c: part[c] * int((of == c).sum()) for c in found.classes}
    share = min(1.0, LARGEST / sum(size.values()))
    kept = [
        rng.permutation(np.flatnonzero(of == c))[: max(FOLDS, round(share * size[c]))]
        for c in found.classes
    ]
    return replace(found, rows=[found.rows[i] for i in np.sort(np.concatenate(kept))])


def label_lines(results: Mapping[str, Found]) -> list[str]:
    """A table of means, then one for each kind of costs."""
    who = [*ESTIMATES, "one label"]
    lines = ["Mean of cost / J48's; in brackets on how many sets it is more than J48's:", ""]
    lines += [row(["costs", *who]), "|---" * (1 + len(who)) + "|"]
    for kind in KINDS:
        ratios = {w: [f.cost[kind][w] / f.cost[kind]["J48"] for f in results.values()] for w in who}
        least = min(float(np.mean(ratios[w])) for w in who)
        cells = []
        for w in who:
            mean, dearer = float(np.mean(ratios[w])), sum(x > 1 + SAME for x in ratios[w])
            cells.append(f"{_marked(f'{mean:.3f}', mean == least)} ({dearer})")
        lines.append(row([kind, *cells]))
    for kind, words in KINDS.items():
        lines += ["", f"## {kind}", "", f"{words}. Cost of 1,000 rows:", ""]
        lines += [row(["data", "rows", "classes", "leaves", "J48", *who])]
        lines += ["|---" * (5 + len(who)) + "|"]
        for name, found in results.items():
            cost = found.cost[kind]
            least = min(cost.values())
            cells = [_marked(f"{1000 * cost[w]:.0f}", cost[w] == least) for w in ["J48", *who]]
            facts = [str(found.rows), str(found.classes), f"{found.leaves:.0f}"]
            lines.append(row([name, *facts, *cells]))
    return lines


def _marked(cell: str, best: bool) -> str:
    return f"**{cell}**" if best else cell
