"""A tree as a ``.model`` file that Weka 3.9.7 loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.counts import NodeCounts, find_leaf_label, is_empty
from j48geo.core.j48_options import JAVA_FIELDS, find_tree_options
from j48geo.core.tree import BoxTree, Split
from j48geo.errors import MismatchError
from j48geo.export import java_classes as classes
from j48geo.export.java_header import build_instances
from j48geo.java.numbers import double_to_string, threshold_to_string
from j48geo.java.objects import JavaArray, JavaObject, write_objects
from j48geo.score.prediction import leaf_distributions

_NO_THRESHOLD: Final = 1.7976931348623157e308
"""What C45Split holds where it asks for a nominal value: Double.MAX_VALUE."""


def export_java_model(
    tree: BoxTree,
    counts: NodeCounts,
    *,
    labels: Sequence[int] | None = None,
    costs: Floats | None = None,
    header: bool = True,
) -> bytes:
    """The bytes of a file that Weka 3.9.7 loads as a J48 it built itself.

    J48 keeps no labels: they follow from the counts of the leaves. A tree with other labels
    is written as a CostSensitiveClassifier with ``-M`` around the tree.

    Parameters
    ----------
    counts
        Class weights of every node, from training data or from another ``.model`` file.
    labels
        New labels of the leaves, if they are not to be the tree's own.
    costs : array of float64, shape (n_classes, n_classes)
        What it costs to say the column's class where the row's is true, for the new labels.
        For two classes they are found if they are not given.
    header
        Whether the empty data set follows, as the Explorer saves it.

    Raises
    ------
    MismatchError
        If counts or exact thresholds are not known, if a label of the tree contradicts its
        counts, or if no costs give the new labels.

    Notes
    -----
    What only the growing of a tree needs (gains, numbers of split points) is written as 0.
    Weka 3.9.7 compares thresholds strictly, also those of a tree of Weka 3.6.
    """
    _check(tree, counts)
    writer = _Writer(tree, counts)
    classifier = writer.j48()
    if labels is not None or costs is not None:
        classifier = _cost_sensitive(classifier, _find_costs(tree, counts, labels, costs))
    return write_objects(classifier, writer.train) if header else write_objects(classifier)


def _check(tree: BoxTree, counts: NodeCounts) -> None:
    """Refuse what cannot be written as it is."""
    if tree.header.inferred:
        raise MismatchError("the tree's header is only guessed; expected that of its data")
    if not counts.known.all() or not np.isfinite(counts.weight).all():
        raise MismatchError("class counts of some leaves are unknown; expected training data")
    for node, split in tree.splits:
        if not split.closed:
            raise MismatchError(f"node {node.index} asks for '<'; Weka's J48 only asks for '<='")
        if split.slack > 0:
            raise MismatchError(
                f"the threshold {split.token or split.threshold} is only known as printed; "
                "expected training data that restores it"
            )
    for leaf, node_index in zip(tree.leaves, tree.leaf_nodes, strict=True):
        above = counts.per_class[max(0, tree.nodes[node_index].parent)]
        expected = find_leaf_label(counts.bag[node_index], counts.weight[node_index], above)
        if expected != leaf.label:
            names = tree.classes
            raise MismatchError(
                f"leaf {leaf.index + 1} is labelled {names[leaf.label]!r}, but its counts say "
                f"{names[expected]!r}; expected labels that follow from the counts"
            )


class _Writer:
    """The objects of one tree; what all nodes share is made once."""

    def __init__(self, tree: BoxTree, counts: NodeCounts) -> None:
        self.tree = tree
        self.counts = counts
        self.options = _option_fields(tree)
        self.train = build_instances(tree.header)
        self.binary = self.options["m_binarySplits"]
        layout = classes.BINARY_SELECTION if self.binary else classes.SELECTION
        self.selection = JavaObject(
            layout,
            {
                "m_doNotMakeSplitPointActualValue": self.options[
                    "m_doNotMakeSplitPointActualValue"
                ],
                "m_minNoObj": self.options["m_minNumObj"],
                "m_useMDLcorrection": self.options["m_useMDLcorrection"],
                "m_allData": None,
            },
        )

    def j48(self) -> JavaObject:
        """The classifier with all its nodes."""
        nodes: list[JavaObject] = []
        for node in reversed(self.tree.nodes):  # sons before their parents
            sons = [nodes.pop() for _ in node.children]
            nodes.append(self._node(node.index, sons))
        return JavaObject(classes.J48_CLASS, {**_PLAIN, **self.options, "m_root": nodes.pop()})

    def _node(self, index: int, sons: list[JavaObject]) -> JavaObject:
        options = self.options
        shared = {
            "m_id": 0,
            "m_isEmpty": not sons and self._is_empty(index),
            "m_isLeaf": not sons,
            "m_localModel": self._model(index),
            "m_sons": JavaArray(classes.NODES, sons) if sons else None,
            "m_test": None,
            "m_toSelectModel": self.selection,
            "m_train": self.train,
            "m_cleanup": True,
        }
        if options["m_reducedErrorPruning"]:
            return JavaObject(
                classes.REDUCED_NODE,
                {
                    **shared,
                    "m_seed": options["m_Seed"],
                    "numSets": options["m_numFolds"],
                    "pruneTheTree": not options["m_unpruned"],
                },
            )
        return JavaObject(
            classes.PRUNED_NODE,
            {
                **shared,
                "m_CF": options["m_CF"],
                "m_collapseTheTree": options["m_collapseTree"],
                "m_pruneTheTree": not options["m_unpruned"],
                "m_subtreeRaising": options["m_subtreeRaising"],
            },
        )

    def _is_empty(self, index: int) -> bool:
        if self.counts.empty is not None:
            return bool(self.counts.empty[index])
        return bool(is_empty(self.counts.per_class[index].sum()))

    def _model(self, index: int) -> JavaObject:
        node = self.tree.nodes[index]
        shared = {
            "m_numSubsets": max(1, len(node.children)),
            "m_distribution": self._distribution(index, list(node.children)),
        }
        if node.split is None:
            return JavaObject(classes.NO_SPLIT, shared)
        split = node.split
        split_fields = {
            **shared,
            "m_attIndex": split.attribute,
            "m_gainRatio": 0.0,
            "m_infoGain": 0.0,
            "m_minNoObj": self.options["m_minNumObj"],
            "m_splitPoint": _split_point(split),
            "m_sumOfWeights": self._total(index),
            "m_useMDLcorrection": self.options["m_useMDLcorrection"],
        }
        if self.binary:
            return JavaObject(classes.BINARY_SPLIT, split_fields)
        kinds = {"m_complexityIndex": len(node.children), "m_index": len(node.children)}
        return JavaObject(classes.SPLIT_CLASS, {**split_fields, **kinds})

    def _distribution(self, index: int, kids: list[int]) -> JavaObject:
        counts = self.counts
        own = counts.per_class[index].copy()
        bags = counts.bag[kids] if kids else own[None]
        totals = counts.weight[kids] if kids else np.array([self._total(index)])
        return JavaObject(
            classes.DISTRIBUTION,
            {
                "totaL": self._total(index),
                "m_perBag": totals,
                "m_perClass": own,
                "m_perClassPerBag": JavaArray(classes.DOUBLES_2D, [bag.copy() for bag in bags]),
            },
        )

    def _total(self, index: int) -> float:
        stored = self.counts.total
        return float(self.counts.per_class[index].sum() if stored is None else stored[index])


_PLAIN: Final = {
    "m_Debug": False,
    "m_DoNotCheckCapabilities": False,
    "m_numDecimalPlaces": 2,
    "m_BatchSize": "100",
}


def _split_point(split: Split) -> float:
    if split.kind == "numeric":
        return split.threshold
    return float(split.value) if split.kind == "binary" else _NO_THRESHOLD


def _option_fields(tree: BoxTree) -> dict[str, Any]:
    """The fields of J48, from what the surroundings of the tree told."""
    options = replace(
        find_tree_options(tree.options),
        binary=_is_binary(tree),
        keep_rows=False,  # no rows are written, so that none are promised
    )
    if "unpruned" in tree.layout.banner:
        options = replace(options, unpruned=True)
    return {field: getattr(options, name) for name, field in JAVA_FIELDS.items()}


def _is_binary(tree: BoxTree) -> bool:
    """Whether the tree is one of ``-B``, which prints thresholds with all their digits."""
    if tree.options.binary is not None:
        return tree.options.binary
    for _, split in tree.splits:
        if split.kind == "binary":
            return True
        whole = double_to_string(split.threshold)
        if split.token == whole != threshold_to_string(split.threshold):
            return True
    return False


# -------------------------------------------------------------------- other labels


def _find_costs(
    tree: BoxTree, counts: NodeCounts, labels: Sequence[int] | None, costs: Floats | None
) -> Floats:
    """Costs that give every leaf its new label, as Weka works out expected costs."""
    given = costs
    n_classes = len(tree.classes)
    leaves = leaf_distributions(tree, counts, laplace=bool(tree.options.laplace))
    if costs is None:
        assert labels is not None
        if n_classes != 2:
            raise MismatchError(f"new labels of {n_classes} classes; expected their costs too")
        costs = _two_class_costs(leaves, np.asarray(labels))
    if costs.shape != (n_classes, n_classes):
        raise MismatchError(f"costs of the shape {costs.shape}; expected one a pair of classes")
    if labels is not None:
        expected = np.zeros_like(leaves)
        for actual in range(n_classes):  # Weka's order of additions
            expected += leaves[:, [actual]] * costs[actual]
        wrong = np.flatnonzero(expected.argmin(axis=1) != np.asarray(labels))
        if len(wrong):
            leaf = f"leaf {wrong[0] + 1} {tree.classes[labels[wrong[0]]]!r}"
            problem = f"the costs do not label {leaf}; expected costs that do"
            if given is None:
                problem = f"no costs label {leaf} and the others as they are; expected labels"
                problem += " that follow from costs, the only ones Weka knows"
            raise MismatchError(problem)
    return costs


def _two_class_costs(leaves: Floats, labels: Ints) -> Floats:
    """Second class where p0 / p1 is below a ratio between those of the two labels.

    Where no ratio separates them the costs are some, and the leaves that they do not label
    as wanted tell.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = leaves[:, 0] / leaves[:, 1]
    odds = np.where(np.isfinite(odds), odds, 1e300)
    low = np.max(odds[labels == 1], initial=0.0)
    high = np.min(odds[labels == 0], initial=2 * low + 1.0)
    return np.array([[0.0, 1.0], [low / 2 + high / 2, 0.0]])


def _cost_sensitive(j48: JavaObject, costs: Floats) -> JavaObject:
    rows = [
        JavaArray(
            classes.OBJECTS, [JavaObject(classes.DOUBLE, {"value": cost}) for cost in row.tolist()]
        )
        for row in costs
    ]
    matrix = {"m_size": len(costs), "m_matrix": JavaArray(classes.OBJECTS_2D, rows)}
    return JavaObject(
        classes.COST_SENSITIVE,
        {
            **_PLAIN,
            "m_Classifier": j48,
            "m_Seed": 1,
            "m_MatrixSource": 2,  # the matrix inside, not a file
            "m_MinimizeExpectedCost": True,
            "m_CostFile": None,
            "m_CostMatrix": JavaObject(classes.COST_MATRIX, matrix),
            "m_OnDemandDirectory": JavaObject(classes.FILE_CLASS, {"path": ""}, [b"\x00/"]),
        },
    )
