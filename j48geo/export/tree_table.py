"""The flat table of a tree that every export is written from: tests, shares, distributions.

All numeric tests have one form here, ``x <= bound``, whatever the dialect of the tree, and a
class is decided by numbers alone, so that another program needs a loop and these lists. Beside
the table: the comment that every export begins with, and the rows of its self-test.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.resources import files
from math import inf, isfinite, nan, nextafter

import numpy as np

from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Attribute
from j48geo.core.descent import goes_left
from j48geo.core.routing import branch_shares
from j48geo.core.tree import BoxTree, Split, SplitKind
from j48geo.errors import J48GeoError
from j48geo.score.prediction import choose_classes, leaf_distributions
from j48geo.score.setting import overlay_distributions
from j48geo.text import pluralize, program_version, shorten, to_one_line


class ExportError(J48GeoError):
    """The format cannot express what the tree says; the message tells what can."""

    exit_code = 5


@dataclass(frozen=True)
class ExportResult:
    """What an export gives.

    Parameters
    ----------
    content
        The text or the bytes of the file.
    notes
        What a person must know, one sentence each; it stands in the file's comment too.
    """

    content: str | bytes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class ExportInput:
    """What is exported.

    Parameters
    ----------
    tree
        With the labels in force.
    counts
        Training weight of every node, as far as it is known.
    laplace
        Whether Weka smooths the leaves.
    overlay : array of int, shape (n_leaves,), optional
        Labels of the leaves where they are not the majorities of the counts.
    source, sha256
        Name of the model, and the SHA-256 of its bytes.
    number, trees
        Which tree of the model it is, from 1, and how many there are.
    training
        Name of the training data, empty if it is not known.
    X : array of float64, shape (n_cases, n_attributes), optional
        Rows at hand: what is only nearly exact is tried on them.
    """

    tree: BoxTree
    counts: NodeCounts
    laplace: bool = False
    overlay: Ints | None = None
    source: str = ""
    sha256: str = ""
    number: int = 1
    trees: int = 1
    training: str = ""
    X: Floats | None = None


@dataclass(frozen=True)
class TableTest:
    """One inner node.

    Parameters
    ----------
    node
        Its number in the tree's preorder.
    attribute
        Column it asks about.
    kind
        As in `Split`.
    bound
        Numeric: ``x <= bound`` takes the first branch, everything else the second. Binary: the
        place of the value that takes the first branch.
    branches
        Where each branch leads: the place of another test, or -1 - k for leaf k (from 0).
    shares
        What each branch gets of a case whose value is missing; NaN where that is unknown.
    """

    node: int
    attribute: int
    kind: SplitKind
    bound: float
    branches: tuple[int, ...]
    shares: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class TreeTable:
    """A tree as lists.

    Parameters
    ----------
    tests
        In preorder; the first is the root, unless the tree is one leaf.
    classes : array of int, shape (n_leaves,)
        Class of a case that ends at the leaf whole.
    labels : array of int, shape (n_leaves,)
        The label of the leaf, which decides where a distribution does not.
    distribution : array of float64, shape (n_leaves, n_classes)
        Weka's; NaN where the counts do not tell.
    exact
        Whether the counts are Weka's to the last bit, so that its class is the first of the
        largest; otherwise weights within 1e-12 are equal.
    spoken : array of float64, shape (n_leaves, n_classes), optional
        Where leaves have new labels: what they say of a case that a missing value divides.
    speaks : array of bool, shape (n_leaves,), optional
        Which leaves have new labels.
    """

    tree: BoxTree
    tests: tuple[TableTest, ...]
    classes: Ints
    labels: Ints
    distribution: Floats
    exact: bool
    spoken: Floats | None = None
    speaks: Bools | None = None

    @property
    def depth(self) -> int:
        """The largest number of tests on the way to a leaf."""
        return max(node.depth for node in self.tree.nodes)

    @property
    def used_columns(self) -> tuple[int, ...]:
        """Columns that some test asks about, ascending."""
        return self.tree.used_attributes

    def attribute(self, test: TableTest) -> Attribute:
        """The attribute that a test asks about."""
        return self.tree.header.attributes[test.attribute]

    @property
    def unknown(self) -> bool:
        """Whether some distribution or share is not known."""
        shares = [share for test in self.tests for share in test.shares]
        return bool(np.isnan(self.distribution).any() or np.isnan(shares).any())

    @property
    def n_rounded(self) -> int:
        """How many thresholds are only known as printed."""
        return sum(split.slack > 0 for _, split in self.tree.splits)

    def paths(self) -> list[list[tuple[TableTest, int]]]:
        """The tests on the way to each leaf, with the branch that is taken."""
        paths: dict[int, list[tuple[TableTest, int]]] = {}
        ways: list[tuple[int, list[tuple[TableTest, int]]]] = [(0 if self.tests else -1, [])]
        while ways:
            place, way = ways.pop()
            if place < 0:
                paths[-1 - place] = way
                continue
            test = self.tests[place]
            ways += [(to, [*way, (test, k)]) for k, to in enumerate(test.branches)]
        return [paths[leaf] for leaf in range(len(paths))]


def build_tree_table(subject: ExportInput) -> TreeTable:
    """The flat table of a tree.

    Raises
    ------
    ExportError
        If a threshold is not a finite number.
    """
    tree, counts = subject.tree, subject.counts
    every = branch_shares(tree, counts.weight, counts.total, counts.empty)
    inner = {node.index: place for place, (node, _) in enumerate(tree.splits)}
    tests = []
    for node, split in tree.splits:
        shares = every[list(node.children)]
        branches = tuple(
            -1 - tree.nodes[child].leaf if tree.nodes[child].is_leaf else inner[child]
            for child in node.children
        )
        bound = float(split.value)
        if split.kind == "numeric":
            bound = _bound(split, tree.tolerance)
            if not isfinite(bound):
                raise ExportError(
                    f"{subject.source}: the threshold {split.token or split.threshold} of "
                    f"{tree.attribute(split).name!r} is not finite; expected a double"
                )
        tests.append(
            TableTest(
                node.index, split.attribute, split.kind, bound, branches, tuple(shares.tolist())
            )
        )
    labels = np.array([leaf.label for leaf in tree.leaves], dtype=np.intp)
    distribution = leaf_distributions(tree, counts, laplace=subject.laplace)
    exact = counts.exact
    if subject.overlay is None:
        classes = choose_classes(distribution, labels, exact=exact)
        return TreeTable(tree, tuple(tests), classes, labels, distribution, exact)
    spoken, speaks = overlay_distributions(tree, counts, subject.overlay)
    return TreeTable(
        tree, tuple(tests), subject.overlay, labels, distribution, exact, spoken, speaks
    )


def tree_of_table(table: TreeTable, bounds: Floats | None = None) -> BoxTree:
    """The tree with ``x <= bound`` for every numeric test: `predict` then compares as exports do.

    Parameters
    ----------
    bounds : array of float64, shape (n_tests,), optional
        Other bounds than the table's.
    """
    nodes = list(table.tree.nodes)
    for k, test in enumerate(table.tests):
        if test.kind == "numeric":
            bound = test.bound if bounds is None else float(bounds[k])
            split = Split(test.attribute, "numeric", bound)
            nodes[test.node] = replace(nodes[test.node], split=split)
    return replace(table.tree, nodes=tuple(nodes), tolerance=0.0)


def _bound(split: Split, tolerance: float) -> float:
    """The largest number that takes the left branch; `goes_left` never falls as x grows."""

    def left(x: float) -> bool:
        return bool(goes_left(split, np.array([x]), tolerance)[0])

    bound = max(split.threshold + split.slack, split.threshold + tolerance)
    while isfinite(bound) and not left(bound):
        bound = nextafter(bound, -inf)
    while isfinite(bound) and left(nextafter(bound, inf)):
        bound = nextafter(bound, inf)
    return bound


def describe_export(
    subject: ExportInput, table: TreeTable, format: str, *exactness: str
) -> list[str]:
    """Lines of the comment, each without a line break whatever the names hold.

    Parameters
    ----------
    format
        The format, and what was asked of it.
    exactness
        Sentences of the format about what is exact and what is not.
    """
    tree = subject.tree
    leaves = pluralize(len(tree.leaves), "leaf", "leaves")
    which = f", tree {subject.number} of {subject.trees}" if subject.trees > 1 else ""
    lines = [
        f"J48 tree of {subject.source or '(memory)'}{which}: {leaves}, size {tree.size}; "
        f"written by {program_version()} as {format}",
        f"SHA-256 of the source: {subject.sha256 or '(none: not read from bytes)'}",
        f"Options of the tree: {tree.options.text or 'not told'}"
        f"{'; leaves smoothed by Laplace (-A)' if subject.laplace else ''}",
        f"Training data: {subject.training or 'not given'}",
        *exactness,
    ]
    if table.n_rounded:
        lines.append(
            f"Not exact: {pluralize(table.n_rounded, 'threshold')} known only as printed, half a "
            "unit of the last digit added; the training data tells them exactly."
        )
    if subject.overlay is not None:
        lines.append("The leaves have new labels: classes follow them, distributions are Weka's.")
    if table.unknown:
        lines.append(
            "Not known: distributions of some leaves (NaN), since the text does not tell their "
            "counts; the training data does. Nor the class of a row with a missing value that "
            "reaches several of them, even where 'j48geo predict' can tell it."
        )
    return [to_one_line(line) for line in lines]


def read_template(name: str) -> str:
    """The program of a format that is the same for every tree, as it is shipped."""
    return files("j48geo.export").joinpath(name).read_text(encoding="utf-8")


def quote_name(text: str, width: int = 60) -> str:
    """A name as a person reads it in a comment."""
    return repr(shorten(to_one_line(text), width))


_LEAVES, _MISSING, _GIVEN = 64, 8, 16


def choose_selftest_rows(tree: BoxTree, X: Floats | None = None) -> Floats:
    """Rows on the thresholds of the tree, rows with missing values, and some that are given.

    Parameters
    ----------
    tree
        All of its numeric tests are ``x <= threshold``.
    X : array of float64, shape (n_cases, n_attributes), optional
        Rows at hand, of which some are taken.

    Returns
    -------
    array of float64, shape (n_rows, n_attributes)
        Columns that the tree does not ask about are 0.
    """
    boxes = [tree.boxes[k] for k in _spread(len(tree.leaves), _LEAVES)]
    rows = []
    for box in boxes:
        row = np.zeros(len(tree.header))
        for a, interval in box.intervals.items():
            # On the threshold from the left, or as close to it as can be from the right.
            row[a] = interval.high if interval.high < inf else nextafter(interval.low, inf)
        if all(box.subsets.values()):  # else no row reaches this leaf
            for a, values in box.subsets.items():
                row[a] = min(values)
            rows.append(row)
    for a in [tree.used_attributes[k] for k in _spread(len(tree.used_attributes), _MISSING)]:
        row = rows[len(rows) // 2].copy()
        row[a] = nan
        rows.append(row)
    empty = np.zeros(len(tree.header))
    empty[list(tree.used_attributes)] = nan
    rows.append(empty)
    if X is not None:
        unused = np.ones(len(tree.header), dtype=np.bool_)
        unused[list(tree.used_attributes)] = False
        rows += [np.where(unused, 0.0, X[k]) for k in _spread(len(X), _GIVEN)]
    return np.array(rows)


def _spread(count: int, most: int) -> list[int]:
    """At most so many places from 0 to `count`, evenly spread."""
    return sorted({round(k) for k in np.linspace(0, count - 1, min(count, most)).tolist()})
