"""The walk that grows a tree.

One walk does everything. A node is opened: a split is searched, its rows are divided, its
children are grown; then it is closed: collapsed and pruned. That is the order of Weka's
three passes as far as they depend on each other, and only the rows on the way from the
root to the present node have to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum, auto
from itertools import pairwise
from math import log2, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from j48geo.arrays import Floats
from j48geo.compilation import EngineChoice, trees_to_come
from j48geo.core.counts import find_largest_class
from j48geo.growing import loops as plain
from j48geo.growing.loops.branches import BINARY, MULTIWAY, NUMERIC
from j48geo.growing.loops.distributions import BestSplits, SearchRules
from j48geo.growing.nodes import GrowingNodes, NodeDistribution
from j48geo.growing.options import GrowOptions
from j48geo.growing.pruning import confidence_quantile, prune_node
from j48geo.growing.table import TrainingTable
from j48geo.java.numbers import SMALL


class WalkStep(Enum):
    """What is to be done with a node of the walk."""

    GROW = auto()
    CLOSE = auto()
    REMAKE = auto()
    PRUNE = auto()


class NodeRows(NamedTuple):
    """Rows of a node, in order, the weight of each, and where they begin in all orders."""

    ids: NDArray[np.int32]
    weight: Floats
    begin: int = 0


class Takeover:
    """Lets compiled loops take over from Python and NumPy, once that pays for the rest of a tree.

    How large a tree becomes, nobody knows before it is grown: rows that no attribute tells
    apart are looked at once, others at every level. So growing begins without numba, unless
    the first look alone would pay for it, and what the rows of open nodes will still cost is
    estimated from their number and how mixed their classes are.

    Parameters
    ----------
    choice
        Knows what compiled loops cost.
    compile_loops
        Gives them.
    row_seconds, node_seconds
        What a node costs without numba: for each of its rows, and in any case.
    """

    def __init__(
        self,
        choice: EngineChoice,
        compile_loops: Callable[[], Any],
        row_seconds: float,
        node_seconds: float,
    ) -> None:
        self.choice = choice
        self.compile_loops = compile_loops
        self.row_seconds = row_seconds
        self.node_seconds = node_seconds
        self.spent = 0.0
        self.coming = 0.0
        self._expected: dict[int, float] = {}  # by node

    def expect(self, node: int, n_rows: int, class_weights: Iterable[float] = ()) -> None:
        """Add what a node and all below it will cost; by default the node alone.

        A row passes about log2(n_rows) / 2 levels for every bit of entropy of the classes.
        """
        levels = 1.0 + _entropy(class_weights) * log2(max(1, n_rows)) / 2.0
        self._expected[node] = self.node_seconds + n_rows * self.row_seconds * levels
        self.coming += self._expected[node]

    def is_due(self) -> bool:
        """Whether the rest, and the trees that are expected after this one, pay for numba."""
        others = trees_to_come() - 1
        return self.choice.pays(self.coming + others * (self.spent + self.coming))

    def open(self, node: int, n_rows: int) -> None:
        """Count a node as done without numba."""
        self.spent += self.node_seconds + n_rows * self.row_seconds
        self.coming -= self._expected.pop(node)


def _entropy(weights: Iterable[float]) -> float:
    """Entropy of the classes of these weights, in bits."""
    some = [weight for weight in weights if weight > 0]
    total = sum(some)
    return -sum(weight / total * log2(weight / total) for weight in some)


class Grower:
    """Grows the tree of a table.

    Parameters
    ----------
    loops
        The module `loops`, compiled or not.
    """

    def __init__(self, table: TrainingTable, options: GrowOptions, loops: Any = plain) -> None:
        self.table = table
        self.options = options
        self.loops = loops
        self.takeover: Takeover | None = None
        self.nodes = GrowingNodes()
        columns = table.columns
        # All rows of the file, also those without a class: so does Weka.
        many = 0.3 * len(table.data)
        others = columns.n_values[columns.n_values > -2]
        self.rules = SearchRules(
            options.least,
            options.binary,
            options.correct,
            many,
            bool(((others >= 0) & ~(many - others > SMALL)).all()),
        )
        a, k = len(columns.n_values), columns.n_classes
        self.best_splits = BestSplits(
            np.zeros(a, dtype=bool),
            np.zeros(a),
            np.zeros(a),
            np.zeros(a),
            np.zeros(a, dtype=np.intp),
            np.zeros((table.n_bags, k)),
            np.zeros(table.n_bags),
            np.zeros((a, k)),
            np.zeros(a),
        )
        self.cf = options.confidence
        self.z = nan
        # Errors of the whole subtree of a node: in training, and as pruning estimates them.
        self.wrong: dict[int, float] = {}
        self.estimate: dict[int, float] = {}

    def grow(self, rows: NodeRows, *, prune: bool, collapse: bool) -> GrowingNodes:
        """Grow from these rows, collapse and prune."""
        if prune:
            self.z = confidence_quantile(self.cf)
        if self.takeover is not None:
            self.takeover.expect(0, len(rows.ids))
        waiting = [(WalkStep.GROW, 0, rows)]
        while waiting:
            action, node, node_rows = waiting.pop()
            if action == WalkStep.GROW:
                self.choose_engine(node, node_rows)
                parts = self.open(node, node_rows)
                self.foresee(node, parts)
                waiting.append((WalkStep.CLOSE, node, node_rows))
                below = zip(self.nodes.children(node), parts, strict=True)
                waiting += reversed([(WalkStep.GROW, child, part) for child, part in below])
            elif action == WalkStep.REMAKE:
                parts = self.remake(node, node_rows)
                waiting.append((WalkStep.PRUNE, node, node_rows))
                below = zip(self.nodes.children(node), parts, strict=True)
                waiting += reversed([(WalkStep.REMAKE, child, part) for child, part in below])
            else:
                if action == WalkStep.CLOSE:
                    self.close(node, collapse)
                    node_rows = self.restore_rows(node_rows)
                if prune and prune_node(self, node, node_rows):
                    waiting.append((WalkStep.REMAKE, node, node_rows))
        if self.takeover is not None:
            self.takeover.choice.record(self.takeover.spent, numba=False)
        return self.nodes

    def choose_engine(self, node: int, rows: NodeRows) -> None:
        """Go on with compiled loops if that pays for what is left; the tree is the same."""
        takeover = self.takeover
        if takeover is None:
            return
        if takeover.is_due():
            takeover.choice.record(0.0, numba=True)
            self.loops = takeover.compile_loops()
            self.takeover = None
        else:
            takeover.open(node, len(rows.ids))

    def foresee(self, node: int, parts: list[NodeRows]) -> None:
        """Estimate what the branches of a node that was split will cost."""
        if self.takeover is not None and parts:
            weights = self.nodes.distribution[node].P.tolist()
            for child, part, own in zip(self.nodes.children(node), parts, weights, strict=True):
                self.takeover.expect(child, len(part.ids), own)

    # ---------------------------------------------------------------------- growing

    def open(self, node: int, rows: NodeRows) -> list[NodeRows]:
        """Search a split for a leaf's rows; the rows of its branches, or none."""
        columns = self.table.columns
        C, T = self.loops.count_classes(columns.y, columns.n_classes, rows.ids, rows.weight)
        self.nodes.distribution[node] = NodeDistribution.of_leaf(C, T)
        least = 2.0 * self.options.least
        if least - T > SMALL or abs(T - C[find_largest_class(C)]) < SMALL:
            return []
        a = self.search(rows, T)
        if a < 0:
            return []
        best_splits = self.best_splits
        n_values = int(columns.n_values[a])
        cut, value = 0.0, -1
        if n_values < 0:
            kind, bags, cut = NUMERIC, 2, float(best_splits.cut[a])
            if not self.options.midpoint:
                cut = self.table.snap_cut(a, cut)
        elif self.options.binary:
            kind, bags, value = BINARY, 2, int(best_splits.value[a])
        else:
            kind, bags = MULTIWAY, n_values
        self.nodes.split(node, a, kind, cut, value, bags)
        place = slice(columns.first_bag[a], columns.first_bag[a] + bags)
        self.nodes.distribution[node] = NodeDistribution(
            best_splits.P[place].copy(),
            best_splits.B[place].copy(),
            best_splits.C[a].copy(),
            float(best_splits.T[a]),
        )
        return self.part_rows(node, rows)

    def search(self, rows: NodeRows, W: float) -> int:
        """The attribute to split by, -1 if none."""
        columns, rules, best_splits = self.table.columns, self.rules, self.best_splits
        return int(self.loops.search(columns, rows.ids, rows.weight, W, rules, best_splits))

    def restore_rows(self, rows: NodeRows) -> NodeRows:
        """Rows of a node after all that is below it has been grown."""
        return rows

    def part_rows(self, node: int, rows: NodeRows) -> list[NodeRows]:
        """Rows of every branch of a node that has just got its split."""
        return self.divide_rows(node, rows)

    def divide_rows(self, node: int, rows: NodeRows) -> list[NodeRows]:
        """Rows of every branch."""
        _, B, _, T = self.nodes.distribution[node]
        ids, weight, start = self.loops.divide(
            self.table.columns.X, self.nodes.split_test(node), B, T, rows.ids, rows.weight
        )
        return [NodeRows(ids[i:j], weight[i:j]) for i, j in pairwise(start.tolist())]

    # ------------------------------------------------------------ collapsing, growing anew

    def close(self, node: int, collapse: bool) -> None:
        """Make a leaf of a node whose subtree gets no more right."""
        children = self.nodes.children(node)
        alone = self.nodes.distribution[node].wrong
        wrong = 0.0
        for child in children:
            wrong += self.wrong[child]
        self.wrong[node] = wrong if children else alone
        if children and collapse and wrong >= alone - 0.001:
            self.nodes.cut_off(node)

    def remake(self, node: int, rows: NodeRows) -> list[NodeRows]:
        """Make the distribution of a node anew from rows; the rows of its branches."""
        columns = self.table.columns
        bags = int(self.nodes.bags[node])
        if not bags:
            C, T = self.loops.count_classes(columns.y, columns.n_classes, rows.ids, rows.weight)
            self.nodes.distribution[node] = NodeDistribution.of_leaf(C, T)
            return []
        distribution = self.loops.redistribute(
            columns, self.nodes.split_test(node), bags, rows.ids, rows.weight
        )
        self.nodes.distribution[node] = NodeDistribution(*distribution)
        return self.divide_rows(node, rows)


class PresortedGrower(Grower):
    """Grows from whole weights and nothing missing, where the order of rows cannot matter.

    Rows are sorted once by every numeric attribute. The rows of a node stand side by side
    in each of these orders; a split divides its part of them all, keeping the order.
    """

    def grow(self, rows: NodeRows, *, prune: bool, collapse: bool) -> GrowingNodes:
        """Grow from these rows, collapse and prune."""
        X, n_values = self.table.columns.X, self.table.columns.n_values
        by_number = np.flatnonzero(n_values == -1)
        self.orders = np.empty((1 + len(by_number), len(rows.ids)), dtype=np.int32)
        self.orders[0] = rows.ids
        for order, a in zip(self.orders[1:], by_number, strict=True):
            order[:] = rows.ids[np.argsort(X[a][rows.ids])]
        weight = self.table.columns.weight
        self.ones = weight if (weight == 1).all() else None
        self.side = np.zeros(X.shape[1], dtype=np.int32)
        return super().grow(NodeRows(self.orders[0], rows.weight), prune=prune, collapse=collapse)

    def search(self, rows: NodeRows, W: float) -> int:
        """The attribute to split by, -1 if none."""
        return int(
            self.loops.search_presorted(
                self.table.columns,
                rows.ids,
                rows.weight,
                W,
                self.orders,
                rows.begin,
                self.rules,
                self.best_splits,
            )
        )

    def part_rows(self, node: int, rows: NodeRows) -> list[NodeRows]:
        """Rows of every branch: parts of the orders."""
        start = self.loops.partition(
            self.table.columns.X,
            self.nodes.split_test(node),
            int(self.nodes.bags[node]),
            self.orders,
            rows.begin,
            rows.begin + len(rows.ids),
            self.side,
        )
        return [
            NodeRows(self.orders[0, i:j], self.weights(i, j), i)
            for i, j in pairwise(start.tolist())
        ]

    def restore_rows(self, rows: NodeRows) -> NodeRows:
        """Rows of a node in their present order, which growing below it has changed."""
        return NodeRows(rows.ids, self.weights(rows.begin, rows.begin + len(rows.ids)), rows.begin)

    def weights(self, begin: int, end: int) -> Floats:
        """Weight of the rows that stand here in the first order."""
        if self.ones is not None:
            return self.ones[: end - begin]
        return self.table.columns.weight[self.orders[0, begin:end]]
