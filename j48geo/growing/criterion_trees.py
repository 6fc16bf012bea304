"""Trees by the papers' criteria: FFH02's AUCsplit and its rivals, MZR08's entropies.

Rows are divided, missing values shared out and thresholds chosen as J48 does, so that every
command reads these trees as it reads J48's. Only the choice of the split, the end of
growing and the pruning are the papers'.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import sqrt
from typing import Literal

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.criteria import (
    CRITERIA,
    Criterion,
    area,
    impurity_of,
    split_information,
)
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree, TreeLayout
from j48geo.errors import UnknownNameError
from j48geo.growing import loops
from j48geo.growing.grower import Grower, NodeRows
from j48geo.growing.j48 import grow_j48_with_counts
from j48geo.growing.nodes import GrownTree, freeze_tree
from j48geo.growing.options import GrowOptions, GrowOptionsError
from j48geo.growing.table import TrainingTable, build_table
from j48geo.java.numbers import SMALL
from j48geo.replaying.thresholds import NARROWEST_CUT

MinGainOf = Literal["parent", "absolute", "node-share"]
Prune = Literal["c45", "pep", "none"]

NOTHING = 1e-9
"""Scores that differ by no more are equal, and one that is no more is none."""

TWO_CLASSES = ("dkm", "auc", "off-centred")


@dataclass(frozen=True)
class CriterionOptions:
    """How to grow by a criterion.

    Parameters
    ----------
    w
        Where the uncertainty is largest, for ``asymmetric`` and ``off-centred``: the share
        of the positive class, or None for the shares in the training data.
    min_gain, min_gain_of
        A split must gain at least this: as a share of the impurity before it
        (``parent``; of 1/2 for ``auc``), as it is (``absolute``), or times the share of
        all rows that reach it (``node-share``). None: 3 % of the parent for ``asymmetric``
        and ``off-centred`` (MZR08), otherwise nothing.
    prune
        ``c45``, ``pep`` (Quinlan's pessimistic pruning of 1987) or ``none``; None: c45 for
        ``gain-ratio``, none for MZR08's criteria, otherwise pep (FFH02).
    smoothing
        Added to every class of every branch when a split is judged; None: 0 for
        ``gain-ratio``, otherwise 1.
    positive
        Label of the positive class; None: the rarest.
    j48
        J48's own options: -M, -B, and those of pruning by c45.
    """

    criterion: Criterion = "gain-ratio"
    w: float | None = None
    min_gain: float | None = None
    min_gain_of: MinGainOf = "parent"
    prune: Prune | None = None
    smoothing: float | None = None
    positive: str | None = None
    j48: GrowOptions = field(default_factory=GrowOptions)

    def __post_init__(self) -> None:
        if self.criterion not in CRITERIA:
            raise UnknownNameError("criterion", self.criterion, CRITERIA)
        if self.w is not None and not 0 < self.w < 1:
            raise GrowOptionsError(f"w: {self.w:g} is no share; expected 0 < w < 1")
        if self.w is not None and not self.of_mzr08:
            raise GrowOptionsError("w: only asymmetric and off-centred have one; expected none")
        if self.j48.unpruned and self.prune not in (None, "none"):
            raise GrowOptionsError(f"-U with prune {self.prune}: expected one of them")
        if self.min_gain is not None and not self.min_gain >= 0:
            raise GrowOptionsError(f"min_gain: {self.min_gain:g}; expected 0 or more")
        if self.smoothing is not None and not 0 <= self.smoothing < np.inf:
            raise GrowOptionsError(f"smoothing: {self.smoothing:g}; expected 0 or more")

    @property
    def of_mzr08(self) -> bool:
        """Whether the criterion is one of MZR08's."""
        return self.criterion in ("asymmetric", "off-centred")

    @property
    def is_j48(self) -> bool:
        """Whether this is J48 itself."""
        others = replace(self, j48=GrowOptions(), positive=None)
        return others.fill_defaults() == CriterionOptions().fill_defaults()

    def fill_defaults(self) -> CriterionOptions:
        """These options with the papers' own choices where none was made."""
        ratio = self.criterion == "gain-ratio"
        pruning: Prune = "c45" if ratio else "none" if self.of_mzr08 else "pep"
        if self.j48.unpruned:
            pruning = "none"
        return replace(
            self,
            min_gain=self.min_gain if self.min_gain is not None else 0.03 * self.of_mzr08,
            prune=self.prune or pruning,
            smoothing=self.smoothing if self.smoothing is not None else float(not ratio),
        )


class CriterionGrower(Grower):
    """Grows by a criterion instead of J48's gain ratio."""

    def __init__(self, table: TrainingTable, options: CriterionOptions, positive: int) -> None:
        super().__init__(table, options.j48, loops)
        self.paper = options
        columns = table.columns
        total: Floats = np.bincount(  # type: ignore[assignment]
            columns.y, columns.weight, columns.n_classes
        )
        # The positive class first; classes that no row has would only be smoothed into being.
        others = [c for c in range(columns.n_classes) if c != positive and total[c] > 0]
        self.classes = np.array([positive, *others], dtype=np.intp)
        shares = total[self.classes] / max(total.sum(), SMALL)
        if options.w is not None:
            shares = np.array([options.w, 1.0 - options.w])
        self.everything = float(total.sum())
        self.impurity = impurity_of(options.criterion, shares)
        self.s = options.smoothing or 0.0

    def search(self, rows: NodeRows, W: float) -> int:
        """The attribute to split by, -1 if none."""
        paper, columns, best_splits = self.paper, self.table.columns, self.best_splits
        own = paper.criterion == "gain-ratio" and not self.s
        if own:
            chosen = super().search(rows, W)
            if chosen >= 0 and not self.gains_enough(best_splits.gain[chosen], rows, W):
                return -1
            return chosen
        best_splits.valid[:] = False
        for a in range(len(columns.n_values)):
            if columns.n_values[a] >= -1:
                self.evaluate_attribute(a, rows, W)
        chosen = self.choose_attribute()
        if chosen < 0 or not self.gains_enough(best_splits.gain[chosen], rows, W):
            return -1
        bags = self.bags_of(chosen)
        best_splits.T[chosen] = self.loops.add_missing(
            columns.X[chosen],
            columns.y,
            rows.ids,
            rows.weight,
            best_splits.P[bags],
            best_splits.B[bags],
            best_splits.C[chosen],
            best_splits.T[chosen],
        )
        return chosen

    def choose_attribute(self) -> int:
        """The attribute of the best score, the first of equals."""
        best_splits = self.best_splits
        score = best_splits.gain
        allowed = best_splits.valid
        if self.paper.criterion == "gain-ratio" and allowed.any():
            allowed = allowed & (best_splits.gain >= best_splits.gain[allowed].mean() - 0.001)
            score = best_splits.ratio
        best, chosen = NOTHING, -1
        for a in np.flatnonzero(allowed).tolist():
            if score[a] > best + (NOTHING if chosen >= 0 else 0.0):
                best, chosen = float(score[a]), a
        return chosen

    def gains_enough(self, gain: float, rows: NodeRows, W: float) -> bool:
        """Whether a split gains what it must."""
        least = self.paper.min_gain or 0.0
        if self.paper.min_gain_of == "node-share":
            gain *= W / self.everything
        elif self.paper.min_gain_of == "parent":
            least *= self.impurity_before(rows)
        return gain > NOTHING and gain >= least

    def impurity_before(self, rows: NodeRows) -> float:
        """Impurity of a node; of the area, what can be gained at most."""
        if self.paper.criterion == "auc":
            return 0.5
        columns = self.table.columns
        counts: Floats = np.bincount(  # type: ignore[assignment]
            columns.y[rows.ids], rows.weight, columns.n_classes
        )
        return float(self.impurity(self.shares(counts[self.classes])))

    def shares(self, counts: Floats) -> Floats:
        """Smoothed shares of the classes, shape (..., n_classes)."""
        smooth = counts + self.s
        total = smooth.sum(axis=-1, keepdims=True)
        return smooth / np.where(total > 0, total, 1.0)

    def bags_of(self, a: int) -> slice:
        """Where the bags of an attribute stand."""
        n = int(self.table.columns.n_values[a])
        first = int(self.table.columns.first_bag[a])
        return slice(first, first + (2 if n < 0 or self.options.binary else n))

    def score(self, branches: Floats, C: Floats) -> Floats:
        """Scores of several splits of the same rows.

        Parameters
        ----------
        branches : array of float64, shape (n_splits, n_branches, n_classes)
        C : array of float64, shape (n_classes,)
        """
        counts = branches[..., self.classes]
        if self.paper.criterion == "auc":
            has_rows = counts.sum(axis=-1) > 0
            plus = np.where(has_rows, counts[..., 0] + self.s, 0.0)
            minus = np.where(has_rows, counts[..., 1] + self.s, 0.0)
            return area(plus, minus) - 0.5
        weight = counts.sum(axis=-1)
        mean = (weight * self.impurity(self.shares(counts))).sum(axis=-1) / C.sum()
        gains: Floats = self.impurity(self.shares(C[self.classes])) - mean
        return gains

    def evaluate_attribute(self, a: int, rows: NodeRows, W: float) -> None:
        """The best split by one attribute."""
        columns, best_splits = self.table.columns, self.best_splits
        x = columns.X[a][rows.ids]
        known = np.flatnonzero(~np.isnan(x))
        n, K = int(columns.n_values[a]), columns.n_classes
        if n < 0:
            known = known[np.argsort(x[known], kind="stable")]
        x, w, y = x[known], rows.weight[known], columns.y[rows.ids[known]]
        if not len(known) or w.sum() <= SMALL:
            return
        if n < 0:
            at = np.flatnonzero(x[:-1] + NARROWEST_CUT < x[1:])
            splits = _count_sides(y, w, K, at)
        else:
            place = x.astype(np.intp) * K + y
            P: Floats = np.bincount(place, w, n * K).reshape(n, K)  # type: ignore[assignment]
            at = np.arange(n) if self.options.binary else np.zeros(1, dtype=np.intp)
            splits = _one_against_all(P) if self.options.binary else P[np.newaxis]
        fits = (splits.sum(axis=-1) >= self.options.least - SMALL).sum(axis=-1) >= 2
        splits, at = splits[fits], at[fits]
        if not len(splits):
            return
        C = splits[0].sum(axis=0)
        scores = self.score(splits, C) * (C.sum() / W)
        best = int(np.argmax(scores >= scores.max() - NOTHING))
        bags = self.bags_of(a)
        best_splits.valid[a] = True
        best_splits.gain[a] = scores[best]
        information = float(split_information(splits[best].sum(axis=-1)))
        best_splits.ratio[a] = scores[best] / information if information > SMALL else 0.0
        best_splits.P[bags] = splits[best]
        best_splits.B[bags] = splits[best].sum(axis=-1)
        best_splits.C[a] = C
        best_splits.T[a] = C.sum()
        best_splits.value[a] = at[best]
        if n < 0:
            lower, upper = x[at[best]], x[at[best] + 1]
            cut = (upper + lower) / 2.0
            best_splits.cut[a] = lower if cut == upper else cut

    def prune_pessimistically(self) -> None:
        """Quinlan's pruning of 1987, from the root down, by the training rows alone."""
        nodes = self.nodes
        wrong: dict[int, float] = {}
        leaves: dict[int, int] = {}
        for node in reversed(range(nodes.count)):  # children are made after their parents
            children = nodes.children(node)
            own = nodes.distribution[node].wrong
            wrong[node] = sum(wrong[c] for c in children) if children else own
            leaves[node] = sum(leaves[c] for c in children) if children else 1
        waiting = [0]
        while waiting:
            node = waiting.pop()
            distribution = nodes.distribution[node]
            # Half an error more for every leaf, and one standard deviation of slack.
            errors = wrong[node] + leaves[node] / 2.0
            N = distribution.T
            deviation = sqrt(max(errors * (N - errors) / N, 0.0)) if N > 0 else 0.0
            children = nodes.children(node)
            if children and distribution.wrong + 0.5 <= errors + deviation:
                nodes.cut_off(node)
            else:
                waiting += children


def _count_sides(y: Ints, w: Floats, n_classes: int, at: Ints) -> Floats:
    """Counts left and right of cuts after the rows `at`, shape (n_cuts, 2, n_classes)."""
    one_hot = np.zeros((len(y), n_classes))
    one_hot[np.arange(len(y)), y] = w
    left = np.cumsum(one_hot, axis=0)
    return np.stack([left[at], left[-1] - left[at]], axis=1)


def _one_against_all(P: Floats) -> Floats:
    """Counts of every value and of all others, shape (n_values, 2, n_classes)."""
    return np.stack([P, P.sum(axis=0) - P], axis=1)


def grow_by_criterion(data: Dataset, options: CriterionOptions) -> BoxTree:
    """The tree of these rows by a criterion of the papers; by ``gain-ratio`` alone, J48's.

    Raises
    ------
    DataReadError
        If J48 could not handle the data.
    GrowOptionsError
        If the criterion is one for two classes and there are more, or with ``-R``.
    UnknownNameError
        If there is no such criterion or class.
    """
    return grow_by_criterion_with_counts(data, options).tree


def grow_by_criterion_with_counts(data: Dataset, options: CriterionOptions) -> GrownTree:
    """The tree of these rows by a criterion of the papers, with the counts of all nodes."""
    if options.is_j48:
        return grow_j48_with_counts(data, options.j48)
    paper = options.fill_defaults()
    if paper.j48.reduced_error:
        raise GrowOptionsError("-R with a criterion: expected prune c45, pep or none")
    table = build_table(data, binary=paper.j48.binary)
    positive = _positive(data, paper, table)
    present = np.unique(table.columns.y)
    if (paper.criterion in TWO_CLASSES or paper.w is not None) and len(present) > 2:
        raise GrowOptionsError(f"criterion {paper.criterion}: {len(present)} classes; expected two")
    grower = CriterionGrower(table, paper, positive)
    rows = NodeRows(np.arange(len(table.columns.y), dtype=np.int32), table.columns.weight.copy())
    c45 = paper.prune == "c45"
    with np.errstate(all="ignore"):
        grower.grow(rows, prune=c45, collapse=c45 and paper.j48.collapse)
        if paper.prune == "pep":
            grower.prune_pessimistically()
    tree_options = paper.j48.describe(paper.j48.text or None, old_weka=False)
    banner = "J48 unpruned tree" if paper.j48.unpruned else "J48 pruned tree"
    return freeze_tree(grower.nodes, data.header, tree_options, TreeLayout(banner=banner))


def _positive(data: Dataset, options: CriterionOptions, table: TrainingTable) -> int:
    """Index of the positive class: the one named, or the rarest that some row has."""
    if options.positive is not None:
        index_of = data.header.class_attribute.index_of
        if options.positive not in index_of:
            raise UnknownNameError("class", options.positive, data.header.classes)
        return index_of[options.positive]
    columns = table.columns
    weight = np.bincount(columns.y, columns.weight, columns.n_classes)
    has_rows: Bools = weight > 0
    return int(np.where(has_rows, weight, np.inf).argmin()) if has_rows.any() else 0
