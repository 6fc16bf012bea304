"""A numeric tree as an ONNX graph around ai.onnx.ml 5's TreeEnsemble, in double."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from j48geo.export.tree_table import (
    ExportError,
    ExportInput,
    ExportResult,
    TreeTable,
    build_tree_table,
    describe_export,
)

if TYPE_CHECKING:
    from onnx import NodeProto


def export_onnx(subject: ExportInput) -> ExportResult:
    """The bytes of an ONNX model.

    The tree finds the leaf; tables give its number, its class and its distribution. A row with
    a missing value in a column that the tree asks about has no answer: leaf 0, an empty class,
    NaN.

    Raises
    ------
    ExportError
        If the tree asks for nominal values or dates.
    UnknownNameError
        If the package onnx is not installed.
    """
    table = build_tree_table(subject)
    for test in table.tests:
        attribute = table.attribute(test)
        if attribute.type != "numeric":
            kind = "nominal" if attribute.is_nominal else "a date"
            raise ExportError(
                f"{subject.source}: the tree asks for {attribute.name!r}, which is {kind}; "
                "expected numeric tests only (c and js take all)"
            )
    try:
        from onnx import TensorProto, helper, numpy_helper
    except ImportError as error:
        raise ExportError(
            "onnx is not installed; expected it: pip install 'j48geo[onnx]'"
        ) from error

    def constant(name: str, values: Any) -> Any:
        return numpy_helper.from_array(np.asarray(values), name)

    leaves, n_classes = table.distribution.shape
    labels = [table.tree.classes[k] for k in table.classes.tolist()]
    strings = [label.encode("utf-8", "surrogateescape") for label in (*labels, "")]
    tables = [
        constant("last", np.array([1], dtype=np.int64)),
        constant("numbers", np.array([*range(1, leaves + 1), 0], dtype=np.int64)),
        helper.make_tensor("labels", TensorProto.STRING, [leaves + 1], strings),
        constant("weights", np.vstack((table.distribution, np.full((1, n_classes), np.nan)))),
    ]
    nodes = [
        _tree_node(table),
        helper.make_node("Squeeze", ["places", "last"], ["place"]),
        helper.make_node("Cast", ["place"], ["ending"], to=TensorProto.INT64),
    ]
    if table.tests:  # else nothing is asked for, so nothing can be missing
        tables.append(constant("used", np.array(table.used_columns, dtype=np.int64)))
        tables.append(constant("nowhere", np.array(leaves, dtype=np.int64)))
        nodes += [
            helper.make_node("Gather", ["X", "used"], ["asked"], axis=1),
            helper.make_node("IsNaN", ["asked"], ["missing"]),
            helper.make_node("Cast", ["missing"], ["absent"], to=TensorProto.INT64),
            helper.make_node("ReduceMax", ["absent", "last"], ["any"], keepdims=0),
            helper.make_node("Cast", ["any"], ["unanswered"], to=TensorProto.BOOL),
            helper.make_node("Where", ["unanswered", "nowhere", "ending"], ["at"]),
        ]
    at = "at" if table.tests else "ending"
    nodes += [
        helper.make_node("Gather", ["numbers", at], ["leaf"]),
        helper.make_node("Gather", ["labels", at], ["class"]),
        helper.make_node("Gather", ["weights", at], ["distribution"]),
    ]
    rows = ["rows"]
    graph = helper.make_graph(
        nodes,
        "j48",
        [helper.make_tensor_value_info("X", TensorProto.DOUBLE, [*rows, len(table.tree.header)])],
        [
            helper.make_tensor_value_info("leaf", TensorProto.INT64, rows),
            helper.make_tensor_value_info("class", TensorProto.STRING, rows),
            helper.make_tensor_value_info("distribution", TensorProto.DOUBLE, [*rows, n_classes]),
        ],
        tables,
    )
    exactness = (
        "Exact: every test, in double; classes are those of 'j48geo predict', distributions "
        "Weka's. X has a column for every attribute in the order of the header, the class "
        "included, which is not read. A row with a missing value (NaN) in a column that the tree "
        "asks about has no answer: leaf 0, an empty class, NaN (c and js answer those).",
        f"Classes, in the order of the distribution: {', '.join(table.tree.classes)}",
        f"Columns of X: {', '.join(table.tree.header.names)}",
    )
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid("ai.onnx.ml", 5)],
        producer_name="j48geo",
    )
    model.ir_version = 9
    text = "\n".join(describe_export(subject, table, "onnx", *exactness))
    model.doc_string = text.encode("utf-8", "replace").decode()
    return ExportResult(bytes(model.SerializeToString()))


def _tree_node(table: TreeTable) -> NodeProto:
    """The tree; it gives the place of the leaf, since a leaf of it has but one number."""
    from onnx import TensorProto, helper

    tests = [(test.attribute, test.bound, test.branches) for test in table.tests]
    tests = tests or [(0, 0.0, (-1, -1))]  # a single leaf, whatever the value

    def ids(side: int) -> list[int]:
        return [to if (to := branches[side]) >= 0 else -1 - to for _, _, branches in tests]

    def leafs(side: int) -> list[int]:
        return [int(branches[side] < 0) for _, _, branches in tests]

    leaves = len(table.classes)
    bounds = [bound for _, bound, _ in tests]
    places = [float(k) for k in range(leaves)]
    return helper.make_node(
        "TreeEnsemble",
        ["X"],
        ["places"],
        domain="ai.onnx.ml",
        n_targets=1,
        aggregate_function=1,
        post_transform=0,
        tree_roots=[0],
        nodes_featureids=[attribute for attribute, _, _ in tests],
        nodes_modes=helper.make_tensor("modes", TensorProto.UINT8, [len(tests)], [0] * len(tests)),
        nodes_splits=helper.make_tensor("splits", TensorProto.DOUBLE, [len(tests)], bounds),
        nodes_truenodeids=ids(0),
        nodes_trueleafs=leafs(0),
        nodes_falsenodeids=ids(1),
        nodes_falseleafs=leafs(1),
        leaf_targetids=[0] * leaves,
        leaf_weights=helper.make_tensor("places", TensorProto.DOUBLE, [leaves], places),
    )
