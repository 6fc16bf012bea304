"""DEFINITIONS section 10, the nearby-leaf average: one case, one leaf, one attribute at a time.

In plain loops over the leaves and their boxes; nothing is skipped, shared or kept.
"""

from __future__ import annotations

from math import erfc, inf, isinf, isnan, sqrt
from statistics import stdev

from literal_boundary import tests_of
from literal_shrinkage import shrunken
from literal_weka import SMALL, branch_of

from j48geo.core.tree import BoxTree


class Literal:
    """A tree with its training rows and counts: weight of each class at each node, and of all."""

    def __init__(
        self,
        tree: BoxTree,
        rows: list[list[float]],
        counts: list[list[float]],
        weights: list[float],
        sigma: float = 0.3,
        leaves: str = "laplace",
        strength: float = 5.0,
    ) -> None:
        self.tree, self.rows, self.sigma = tree, rows, sigma
        self.leaves, self.strength = leaves, strength
        self.counts, self.weights = counts, weights
        self.face = {
            node.index: self.moved_face(node.index)
            for node in tree.nodes
            if node.split is not None and node.split.kind == "numeric"
        }

    # ------------------------------------------------------------- 1. values of the leaves

    def leaf_value(self, leaf: int, c: int) -> float:
        if self.leaves == "shrunken":
            found = shrunken(self.tree, self.counts, leaf, c, self.strength, laplace=True)
            assert found is not None
            return found
        node = self.tree.leaf_nodes[leaf]
        parent = self.tree.nodes[node].parent
        empty = self.weights[node] <= SMALL and parent >= 0
        k = self.counts[parent if empty else node]
        if self.leaves == "laplace":
            return (k[c] + 1) / (sum(k) + len(k))
        root = self.counts[0]
        prior = root[c] / sum(root) if sum(root) > 0 else 1 / len(root)
        return (k[c] + 5 * prior) / (sum(k) + 5)

    # ------------------------------------------------------------------------- 2. the faces

    def reaches(self, row: list[float], index: int) -> bool:
        """Whether a training row comes to a node; where a value is missing it goes everywhere."""
        node = self.tree.nodes[index]
        while node.parent >= 0:
            split = self.tree.nodes[node.parent].split
            x = row[split.attribute]
            if not isnan(x) and branch_of(split, x, self.tree.tolerance) != node.branch:
                return False
            node = self.tree.nodes[node.parent]
        return True

    def moved_face(self, index: int) -> float:
        split = self.tree.nodes[index].split
        if isinf(split.threshold):
            return split.threshold
        known = [
            row[split.attribute]
            for row in self.rows
            if self.reaches(row, index) and not isnan(row[split.attribute])
        ]
        at_most, above = split.threshold, inf
        for x in known:
            if branch_of(split, x, self.tree.tolerance) == 0:
                at_most = max(at_most, x)
            else:
                above = min(above, x)
        middle = at_most + (above - at_most) / 2
        return middle if at_most < middle < above and not isinf(middle) else split.threshold

    # ------------------------------------------------------------------------ 3. the offset

    def known(self, a: int) -> list[float]:
        return [row[a] for row in self.rows if not isnan(row[a])]

    def scale(self, a: int) -> float:
        values = self.known(a)
        if len(set(values)) < 2 or any(isinf(x) for x in values):
            return 1.0
        return stdev(values)

    def rank(self, a: int, x: float) -> float:
        """F_a, mid-ranks at the values, straight lines between them."""
        values = self.known(a)
        places = sorted({v for v in values if not isinf(v)})
        if not places:
            return 0.0

        def at(v: float) -> float:
            below = sum(1 for other in values if other < v)
            equal = sum(1 for other in values if other == v)
            return (below + equal / 2) / len(values)

        if x <= places[0]:
            return at(places[0])
        if x >= places[-1]:
            return at(places[-1])
        before = max(v for v in places if v <= x)
        after = min(v for v in places if v > x)
        return at(before) + (at(after) - at(before)) * (x - before) / (after - before)

    def offset(self, a: int, face: float, x: float) -> float:
        if isinf(face):
            return face
        by_value = (face - x) / self.scale(a)
        by_rank = sqrt(12) * (self.rank(a, face) - self.rank(a, x))
        return by_rank if abs(by_rank) > abs(by_value) else by_value

    # ----------------------------------------------------------------- 4. weight of a leaf

    def share(self, index: int) -> float:
        """What a node gets of a case whose value is missing at its parent."""
        siblings = self.tree.nodes[self.tree.nodes[index].parent].children
        weight = [self.weights[s] for s in siblings]
        total = sum(weight)
        shares = [w / total if total else 1 / len(siblings) for w in weight]
        for k, sibling in enumerate(siblings):  # Weka gives an empty leaf nothing
            if self.tree.nodes[sibling].is_leaf and weight[k] <= SMALL:
                shares[k] = 0.0
        kept = sum(shares)
        return shares[self.tree.nodes[index].branch] / kept if kept else 1 / len(siblings)

    def weight(self, row: list[float], leaf: int) -> float:
        result = 1.0
        bounds: dict[int, tuple[float, float]] = {}
        path = self.tree.path(leaf)
        for (node, split, branch), child in zip(tests_of(self.tree, leaf), path[1:], strict=True):
            a, x = split.attribute, row[split.attribute]
            if isnan(x):
                result *= self.share(child)
            elif split.kind != "numeric":
                result *= 1.0 if branch_of(split, x, 0.0) == branch else 0.0
            else:
                low, high = bounds.get(a, (-inf, inf))
                t = self.face[node]
                bounds[a] = (low, min(high, t)) if branch == 0 else (max(low, t), high)
        for a, (low, high) in bounds.items():
            low, high = self.offset(a, low, row[a]), self.offset(a, high, row[a])
            result *= max(0.0, normal_between(low / self.sigma, high / self.sigma))
        return result

    # --------------------------------------------------------------------- 5. the average

    def distribution(self, row: list[float]) -> list[float]:
        weights = [self.weight(row, leaf) for leaf in range(len(self.tree.leaves))]
        return [
            sum(w * self.leaf_value(leaf, c) for leaf, w in enumerate(weights))
            for c in range(len(self.tree.classes))
        ]


def normal_between(low: float, high: float) -> float:
    """Φ(high) - Φ(low), taken on the side of the smaller tail."""
    if low > 0:
        return (erfc(low / sqrt(2)) - erfc(high / sqrt(2))) / 2
    return (erfc(-high / sqrt(2)) - erfc(-low / sqrt(2))) / 2
