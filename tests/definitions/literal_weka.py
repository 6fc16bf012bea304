"""J48's own way with cases, in plain loops: what the fast paths are compared with.

Written after J48-TEXT-FORMAT sections 3 and 4: one case, one node, one class at a time.
"""

from __future__ import annotations

from math import isnan

from j48geo.core.counts import NodeCounts
from j48geo.core.tree import BoxTree, Split

SMALL = 1e-6


def branch_of(split: Split, x: float, tolerance: float) -> int:
    """The branch of a known value."""
    if split.kind == "multiway":
        return int(x)
    if split.kind == "binary":
        return 0 if x == split.value else 1
    bound = split.threshold + split.slack
    if (x <= bound) if split.closed else (x < bound):
        return 0
    if tolerance > 0 and x - split.threshold < tolerance:
        return 0
    return 1


def counts(tree: BoxTree, rows: list, labels: list, weights: list) -> list[list[float]]:
    """Weight of each class at each node, after the rows went down the tree."""
    found = [[0.0] * len(tree.classes) for _ in tree.nodes]

    def distribute(index: int, arriving: list[tuple[list, int, float]]) -> None:
        node = tree.nodes[index]
        for _, label, weight in arriving:
            found[index][label] += weight
        if node.split is None:
            return
        known = [0.0] * len(node.children)
        for row, _, weight in arriving:
            x = row[node.split.attribute]
            if not isnan(x):
                known[branch_of(node.split, x, tree.tolerance)] += weight
        total = sum(known)
        shares = [k / total if total >= SMALL else 1 / len(known) for k in known]
        for k, child in enumerate(node.children):
            sent = []
            for row, label, weight in arriving:
                x = row[node.split.attribute]
                if isnan(x):
                    if shares[k] > SMALL:
                        sent.append((row, label, weight * shares[k]))
                elif branch_of(node.split, x, tree.tolerance) == k:
                    sent.append((row, label, weight))
            distribute(child, sent)

    complete = [
        (row, int(label), weight)
        for row, label, weight in zip(rows, labels, weights, strict=True)
        if not isnan(label)
    ]
    distribute(0, complete)
    return found


def distribution(tree: BoxTree, found: list[list[float]], row: list, laplace: bool) -> list[float]:
    """``distributionForInstance``: Weka's getProbs and getProbsLaplace."""
    n_classes = len(tree.classes)

    def probability(index: int, label: int) -> float:
        total = sum(found[index])
        if laplace:
            return (found[index][label] + 1) / (total + n_classes)
        return found[index][label] / total if total >= SMALL else 0.0

    def is_empty(index: int) -> bool:
        return tree.nodes[index].is_leaf and sum(found[index]) <= SMALL

    def probs(index: int, label: int, weight: float) -> float:
        node = tree.nodes[index]
        if node.split is None:
            return weight * probability(index, label)
        x = row[node.split.attribute]
        if isnan(x):
            total = sum(sum(found[child]) for child in node.children)
            result = 0.0
            for child in node.children:
                if not is_empty(child):
                    share = sum(found[child]) / total if total else 1 / len(node.children)
                    result += probs(child, label, share * weight)
            return result
        child = node.children[branch_of(node.split, x, tree.tolerance)]
        if is_empty(child):
            return weight * probability(index, label)
        return probs(child, label, weight)

    return [probs(0, label, 1.0) for label in range(n_classes)]


def stored_distribution(tree: BoxTree, counts: NodeCounts, row: list, laplace: bool) -> list[float]:
    """The same from counts as a .model file stores them: no sum is made again.

    `total` is ``totaL``, `weight` and `bag` what the parent keeps of a branch (``m_perBag``,
    ``m_perClassPerBag``), `empty` is ``m_isEmpty``.
    """
    assert counts.total is not None
    assert counts.empty is not None
    n_classes = len(tree.classes)
    own, bag = counts.per_class.tolist(), counts.bag.tolist()
    total, by_bag = counts.total.tolist(), counts.weight.tolist()

    def of_node(index: int, label: int) -> float:
        if laplace:
            return (own[index][label] + 1) / (total[index] + n_classes)
        return own[index][label] / total[index] if abs(total[index]) >= SMALL else 0.0

    def of_branch(index: int, child: int, label: int) -> float:
        if by_bag[child] <= SMALL:
            return of_node(index, label)
        if laplace:
            return (bag[child][label] + 1) / (by_bag[child] + n_classes)
        return bag[child][label] / by_bag[child]

    def probs(index: int, label: int, weight: float) -> float:
        node = tree.nodes[index]
        if node.split is None:
            return weight * of_node(index, label)
        x = row[node.split.attribute]
        if isnan(x):
            result = 0.0
            for child in node.children:
                if not counts.empty[child]:
                    result += probs(child, label, by_bag[child] / total[index] * weight)
            return result
        child = node.children[branch_of(node.split, x, tree.tolerance)]
        if counts.empty[child]:
            return weight * of_branch(index, child, label)
        return probs(child, label, weight)

    return [probs(0, label, 1.0) for label in range(n_classes)]


def classify(probabilities: list[float]) -> int:
    """``classifyInstance``, given the unsmoothed distribution."""
    best, chosen = -1.0, 0
    for label, probability in enumerate(probabilities):
        if probability - best > SMALL:
            best, chosen = probability, label
    return chosen


def select_growing_rows(labels: list[int], folds: int) -> list[int]:
    """``stratify``, ``stratStep`` and the complement of ``testCV(folds, folds - 1)``."""
    n = len(labels)
    rows = list(range(n))
    index = 1
    while index < n:
        label = labels[rows[index - 1]]
        for j in range(index, n):
            if labels[rows[j]] == label:
                rows[index], rows[j] = rows[j], rows[index]
                index += 1
        index += 1
    dealt = []
    start = 0
    while len(dealt) < n:
        dealt += rows[start::folds]
        start += 1
    size, more = divmod(n, folds)
    fold = folds - 1
    first = fold * size + (fold if fold < more else more)
    held_out = dealt[first : first + size + (1 if fold < more else 0)]
    return sorted(set(rows) - set(held_out))
