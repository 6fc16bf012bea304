"""Distances, routing and nearby leaves on nine trees, beside scikit-learn and Weka.

The table tells cases a CPU second (of all threads together), the median of the repeats. A ratio is
that of the medians; scikit-learn's `apply` varies by two to three times between runs, which is why.
"""

from __future__ import annotations

import tempfile
from math import log
from pathlib import Path

import numpy as np

from benching.measuring import Report, Times, calls, short
from benching.scenes import Scene, literal, scenes, scikit
from j48geo.geometry.distance import boundary, boundary_distance, class_distances, nodes_met
from j48geo.score.nearby.average import (
    fit_nearby,
    nearby_distribution,
    nearby_nodes_met,
    nearby_weights,
)
from j48geo.score.prediction import predict

REPEAT = 5
PAIRS = 2e5
"""Cases times leaves that the plain loops are given."""
NEARBY = 2e7
"""Cases times nodes that the nearby-leaf average is given."""
COLUMNS = ("literal", "NumPy", "numba", "numba, with leaf", "numba, all classes", "apply",
           "predict", "predict_proba", "Weka", "nearby, NumPy", "nearby, numba")  # fmt: skip


def measure(report: Report) -> None:
    """Every tree, then what was asked of them."""
    rows, met = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes(Path(folder)):
            rates = {"Weka": scene.weka} if scene.weka else {}
            met[len(scene.tree.leaves)] = _distances(report, scene, rates)
            _routing(report, scene, rates)
            near = _nearby(scene, rates)
            tree = scene.tree
            cells = [short(rates[c]) if c in rates else "-" for c in COLUMNS]
            told = f"{met[len(tree.leaves)]:.1f}"
            rows.append((scene.name, f"{len(tree.leaves):,}", len(tree.classes), told, *cells,
                         f"{near:.0f}"))  # fmt: skip
    head = ("tree", "leaves", "classes", "nodes met", *COLUMNS, "nodes met, nearby")
    report.table(head, rows)
    report.goal("nodes met per case, 10,000 leaves", "<= 60", f"{met[10_000]:.1f}",
                met[10_000] <= 60)  # fmt: skip
    slope = log(met[60_000] / met[100]) / log(600)
    report.goal("log-log slope of nodes met over leaves", "<= 0.25", f"{slope:.2f}", slope <= 0.25)


def _distances(report: Report, scene: Scene, rates: dict[str, float]) -> float:
    """All engines, which must agree; the nodes that the search meets for a case."""
    tree, X, metric, predicted = scene.tree, scene.X, scene.metric, scene.predicted
    expected = boundary(tree, X, metric, predicted, engine="numba")  # compiles, too
    class_distances(tree, X[:10], metric, predicted[:10], engine="numba")
    twin, single = scikit(scene).tree_, X.astype(np.float32)
    found = calls(
        {
            "numba": lambda: boundary_distance(tree, X, metric, predicted, engine="numba"),
            "numba, with leaf": lambda: boundary(tree, X, metric, predicted, engine="numba"),
            "apply": lambda: twin.apply(single),
        },
        REPEAT,
    )
    count = dict.fromkeys(found, len(X))

    def some(name: str, cases: float, work: object) -> None:
        n = min(len(X), max(2, int(cases)))
        answer = work(X[:n], predicted[:n])  # type: ignore[operator]
        if name != "numba, all classes":
            assert np.allclose(answer, expected.distance[:n], rtol=0, atol=1e-12), name
        found[name] = calls({"": lambda: work(X[:n], predicted[:n])}, 2)[""]  # type: ignore[operator]
        count[name] = n

    some("NumPy", 50 * PAIRS / len(tree.leaves),
         lambda X, p: boundary_distance(tree, X, metric, p, engine="numpy"))  # fmt: skip
    some("literal", PAIRS / len(tree.leaves), literal(scene))
    some("numba, all classes", len(X) / 20,
         lambda X, p: class_distances(tree, X, metric, p, engine="numba"))  # fmt: skip
    rates |= {name: count[name] / times.median for name, times in found.items()}
    what = f"distance, numba / scikit-learn's apply, {scene.name}"
    report.beside(what, found["numba"], found["apply"], 15)
    met = float(nodes_met(tree, X, metric, predicted).mean())
    if scene.name == "letter":
        report.goal("nodes met per case, letter", "<= 60", f"{met:.1f}", met <= 60)
        for other, least in (("NumPy", 30), ("literal", 3000), ("Weka", 1.5)):
            ratio = rates["numba"] / rates[other]
            report.goal(f"cases a second of the distance, numba / {other}, letter",
                        f">= {least:g}", f"{ratio:.3g}", ratio >= least)  # fmt: skip
    return met


def _routing(report: Report, scene: Scene, rates: dict[str, float]) -> None:
    """Classes and their probabilities, beside scikit-learn's and beside Weka's classes."""
    twin, single = scikit(scene), scene.X.astype(np.float32)
    predict(scene.tree, scene.counts, scene.X)  # compiles
    found: dict[str, Times] = calls(
        {
            "predict": lambda: predict(scene.tree, scene.counts, scene.X),
            "predict_proba": lambda: twin.predict_proba(single),
        },
        REPEAT,
    )
    rates |= {name: len(scene.X) / times.median for name, times in found.items()}
    what = f"predict / scikit-learn's predict_proba, {scene.name}"
    report.beside(what, found["predict"], found["predict_proba"], 3)
    if scene.weka:
        ratio = rates["predict"] / scene.weka
        what = f"cases a second, predict / Weka classifying, {scene.name}"
        report.goal(what, "> 1", f"{ratio:.3g}", ratio > 1)


def _nearby(scene: Scene, rates: dict[str, float]) -> float:
    """The nearby-leaf average, learnt from the same cases; the nodes that it meets for a case."""
    tree, X = scene.tree, scene.X
    nearby = fit_nearby(tree, scene.counts, X)
    nearby_distribution(tree, nearby, X[:10], engine="numba")  # compiles
    met = float(nearby_nodes_met(tree, nearby, X[:2000]).mean())
    n = min(len(X), max(200, int(NEARBY / met)))
    few = max(20, n // 20)
    expected = nearby_distribution(tree, nearby, X[:n], engine="numba")
    again = nearby_distribution(tree, nearby, X[:few], engine="numpy")
    whole = nearby_weights(tree, nearby, X[:20]) @ nearby.leaf_value
    assert np.abs(again - expected[:few]).max() <= 1e-12
    assert np.abs(whole - expected[:20]).max() <= 1e-12
    for name, count in (("numba", n), ("numpy", few)):
        found = calls(
            {"": lambda: nearby_distribution(tree, nearby, X[:count], engine=name)},  # noqa: B023
            2,
        )[""]
        rates[f"nearby, {'NumPy' if name == 'numpy' else name}"] = count / found.median
    return met
