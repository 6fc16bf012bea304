"""What new labels save on rows the tree has not seen, beside Weka's own cost-sensitive trees.

Ten folds of two-class data. J48 grows its tree on nine; j48geo reads its text and labels the
leaves for a missed positive that costs 5, 10 and 20 times a false alarm; Weka's
CostSensitiveClassifier does the same by weighing the cases before growing, and with ``-M`` by
least expected cost after growing. The tenth fold says what the labels cost.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import j48geo
from j48geo.decide.costs import two_class_costs
from j48geo.decide.leaf_counts import class_counts
from j48geo.decide.relabelling import class_estimates, label_leaves
from j48geo.score.prediction import predict
from j48geo.score.setting import overlay_classes
from reproduction.catalogue import load
from reproduction.growing import folder_of
from reproduction.jvm import J48, Weka, running_weka
from reproduction.places import write_whole
from reproduction.samples import folds
from reproduction.tables import row

__all__ = ["COST_DATA", "LABELLERS", "RATIOS", "cost_lines", "kept_costs", "study_costs"]

COST_DATA = [
    "pima",
    "german",
    "bupa",
    "heart",
    "saheart",
    "australian",
    "mammographic",
    "phoneme",
    "spambase",
    "haberman",
    "yeast1",
    "vehicle1",
    "page-blocks0",
    "abalone9-18",
]
RATIOS = (5, 10, 20)
FOLDS = 10
SEED = 4
COST_SENSITIVE = "weka.classifiers.meta.CostSensitiveClassifier"
LABELLERS = {
    "own": "J48",
    "raw": "raw",
    "laplace": "Laplace",
    "weighed": "Weka, weighed",
    "expected": "Weka, -M",
    "trivial": "trivial",
}
"""Who says the classes, and the heading: J48, new labels, Weka's two ways, everybody or nobody."""

Costs = dict[str, Any]


def study_costs(name: str, *, offline: bool = False) -> Costs:
    """What the test folds of a data set cost in all, by ratio and labeller; kept in the cache."""
    kept = kept_costs(name)
    if kept is not None:
        return kept
    data = load(name)
    arff = folder_of(name, SEED) / "data.arff"
    write_whole(arff, data.arff().encode())
    rows = j48geo.read_arff(arff).with_class("last")
    fold = folds(name, data.labels, FOLDS, SEED)
    positives = data.labels.count("positive")
    found: Costs = {
        "rows": len(rows),
        "positives": positives,
        "leaves": [],
        "cost": {
            str(ratio): {
                **dict.fromkeys(LABELLERS, 0.0),
                "trivial": float(min(len(rows) - positives, ratio * positives)),
            }
            for ratio in RATIOS
        },
    }
    with running_weka("3.9.7", data.arff(), offline=offline) as weka:
        for k in range(FOLDS):
            _add(found, weka, rows, np.flatnonzero(fold != k), np.flatnonzero(fold == k))
    write_whole(_file(name), json.dumps(found).encode())
    return found


def kept_costs(name: str) -> Costs | None:
    """What the cache holds of a data set."""
    if not _file(name).exists():
        return None
    kept: Costs = json.loads(_file(name).read_text(encoding="utf-8"))
    return kept


def _file(name: str) -> Path:
    return folder_of(name, SEED) / "costs.json"


def _add(
    found: Costs,
    weka: Weka,
    rows: j48geo.Dataset,
    train: NDArray[np.intp],
    test: NDArray[np.intp],
) -> None:
    known = _some(rows, train)
    tree = j48geo.read_tree(weka.text(J48, "", train).encode(), header=rows.header)
    replayed = j48geo.replay(tree, known)
    assert replayed.recognised, "the counts do not replay"
    tree, counts = replayed.tree, replayed.counts
    exact = class_counts(tree, counts)
    own = [leaf.label for leaf in tree.leaves]
    X, actual = rows.X[test], rows.class_values[test]
    prediction = predict(tree, counts, X)
    found["leaves"].append(len(own))
    for ratio in RATIOS:
        matrix = two_class_costs(ratio, 1, positive=1)
        said = {"own": prediction.predicted}
        for name, smoothing in (("raw", "none"), ("laplace", "laplace")):
            estimates = class_estimates(exact, smoothing)  # type: ignore[arg-type]
            labels = np.array(label_leaves(estimates, matrix, own))
            said[name] = overlay_classes(tree, counts, X, labels, prediction)
        # Row is the actual class, column the predicted one; the positive class is the second.
        costs = f'-cost-matrix "[0.0 1.0; {ratio}.0 0.0]" -S 1 -W {J48}'
        said["weighed"] = weka.classes(COST_SENSITIVE, costs, train, test)
        said["expected"] = weka.classes(COST_SENSITIVE, f"-M {costs}", train, test)
        for name, classes in said.items():
            missed = ((classes == 0) & (actual == 1)).sum()
            alarms = ((classes == 1) & (actual == 0)).sum()
            found["cost"][str(ratio)][name] += float(ratio * missed + alarms)


def _some(rows: j48geo.Dataset, which: NDArray[np.intp]) -> j48geo.Dataset:
    return replace(rows, X=rows.X[which], weights=rows.weights[which])


def cost_lines(results: Mapping[str, Costs]) -> list[str]:
    """The tables: cost of 1,000 rows at each ratio, and the mean of all data sets."""
    lines: list[str] = []
    for ratio in RATIOS:
        lines += [f"A missed positive costs {ratio} false alarms:", ""]
        lines += [row(["data", "rows", "positive", "leaves", *LABELLERS.values()])]
        lines += ["|---" * (4 + len(LABELLERS)) + "|"]
        for name, found in results.items():
            cost = found["cost"][str(ratio)]
            best = min(cost[who] for who in LABELLERS if who != "trivial")
            cells = [
                _cell(1000 * cost[who] / found["rows"], who != "trivial" and cost[who] == best)
                for who in LABELLERS
            ]
            share = f"{found['positives'] / found['rows']:.1%}"
            leaves = f"{np.mean(found['leaves']):.0f}"
            lines.append(row([name, str(found["rows"]), share, leaves, *cells]))
        shares = [_relative(list(results.values()), who, ratio) for who in LABELLERS]
        lines += [row(["**mean of cost / J48's**", "", "", "", *(f"{x:.2f}" for x in shares)]), ""]
    return lines


def _cell(value: float, best: bool) -> str:
    return f"**{value:.0f}**" if best else f"{value:.0f}"


def _relative(results: Sequence[Costs], who: str, ratio: int) -> float:
    parts = [r["cost"][str(ratio)][who] / r["cost"][str(ratio)]["own"] for r in results]
    return float(np.mean(parts))
