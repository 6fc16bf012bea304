"""A model in other formats: for Weka, databases, firmware, browsers, people; plugins add more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from j48geo.core.fitted_values import FittedValues
from j48geo.core.tree import BoxTree
from j48geo.data.rows import Rows
from j48geo.decide.leaf_counts import class_counts
from j48geo.decide.relabelling import relabel_tree
from j48geo.errors import ChoiceError
from j48geo.export.tree_table import ExportInput, ExportResult
from j48geo.modelfile.fitted import fitted_pieces
from j48geo.modelfile.tree import tree_pieces
from j48geo.plugins import EXPORT_GROUP, PluginError, load_plugin
from j48geo.show.rules import rules_to_text
from j48geo.show.weka_text import tree_text, tree_to_dot

if TYPE_CHECKING:
    from j48geo.model.model import Model


def _labelled_tree(model: Model) -> BoxTree:
    """The tree with the labels in force, and errors at its leaves that fit them."""
    if model.labels is None or not model.tree.has_counts:
        return model.labelled_tree
    return relabel_tree(model.tree, class_counts(model.tree, model.counts), model.labels)


def to_text(model: Model) -> str:
    """The model as J48's own text."""
    return tree_text(_labelled_tree(model))


def to_json(model: Model) -> str:
    """The model as our model file."""
    return "".join(model_file_pieces(model, None))


def to_dot(model: Model) -> str:
    """The tree as Graphviz."""
    return tree_to_dot(_labelled_tree(model))


def to_rules(model: Model) -> str:
    """The tree as rules, a sentence for every leaf."""
    return rules_to_text(model.labelled_tree)


def to_model(model: Model) -> bytes:
    """A ``.model`` file that Weka 3.9.7 loads; other labels go out as CostSensitive -M."""
    from j48geo.export.java_model import export_java_model

    labels = None if model.overlay is None else [int(k) for k in model.overlay]
    return export_java_model(model.tree, model.counts, labels=labels)


def to_sql(model: Model, **options: Any) -> ExportResult:
    """The tree as one SELECT of SQL."""
    from j48geo.export.sql import export_sql

    return export_sql(_export_input(model), **options)


def to_c(model: Model, data: Any = None, **options: Any) -> ExportResult:
    """The tree as a function in C99."""
    from j48geo.export.c import export_c

    return export_c(_export_input(model, data), **options)


def to_js(model: Model) -> ExportResult:
    """The tree as a function in JavaScript."""
    from j48geo.export.javascript import export_javascript

    return export_javascript(_export_input(model))


def to_onnx(model: Model) -> ExportResult:
    """The tree as an ONNX graph."""
    from j48geo.export.onnx import export_onnx

    return export_onnx(_export_input(model))


def to_st(model: Model, data: Any = None) -> ExportResult:
    """The tree as the text of sensor tools."""
    from j48geo.export.sensor import export_sensor

    return export_sensor(_export_input(model, data))


def to_mermaid(model: Model) -> ExportResult:
    """The tree as a flowchart for Markdown pages."""
    from j48geo.export.mermaid import export_mermaid

    return export_mermaid(_export_input(model))


FORMATS: Mapping[str, Callable[..., str | bytes | ExportResult]] = {
    "text": to_text,
    "json": to_json,
    "dot": to_dot,
    "rules": to_rules,
    "model": to_model,
    "sql": to_sql,
    "c": to_c,
    "js": to_js,
    "onnx": to_onnx,
    "st": to_st,
    "mermaid": to_mermaid,
}
"""Formats by name."""

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "sql": ("table", "distribution"),
    "c": ("data", "float32"),
    "st": ("data",),
}
"""What can be asked of a format."""

_ALONE = frozenset(("text", "json", "dot", "rules"))
"""Formats that show a tree, also one of several, or one behind a filter."""


def export_model(model: Model, name: str, options: Mapping[str, Any]) -> ExportResult:
    """The model in the format called `name`, one of the house or of a plugin.

    Raises
    ------
    UnknownNameError, PluginError
        If nobody offers the name, or its plugin gives neither text nor bytes.
    ChoiceError
        If the format has no such option.
    """
    known = OPTIONS.get(name, ())
    for option in options:
        if option not in known:
            expected = f"of {name}: {', '.join(known)}" if known else f"nothing, {name} has none"
            raise ChoiceError(option, f"is no option of the format {name}; expected {expected}")
    make = load_plugin(EXPORT_GROUP, name, FORMATS)
    if name not in _ALONE:
        model.require_one(f"the format {name}")
        model.require_unfiltered(f"the format {name}")
    content = make(model, **options)
    if isinstance(content, ExportResult):
        return content
    if not isinstance(content, str | bytes):
        raise PluginError(
            f"export {name!r} gave a {type(content).__name__}; expected text or bytes"
        )
    return ExportResult(content)


def _export_input(model: Model, data: Any = None) -> ExportInput:
    """What an export is written from; the rows at hand are `data`, else the training data."""
    X = None if model.training is None else model.training.X
    if data is not None:
        # Rows of a caller stay open.
        with nullcontext(data) if isinstance(data, Rows) else model.rows(data) as rows:
            X = rows.all().X
    return ExportInput(
        model.labelled_tree,
        model.counts,
        laplace=model.laplace,
        overlay=model.overlay,
        source=model.source,
        sha256=model.sha256,
        number=model.number,
        trees=max(1, len(model.titles)),
        training=model.training_name,
        X=X,
    )


def model_file_pieces(model: Model, fitted: FittedValues | None) -> Iterable[str]:
    """Our model file: the tree with its counts, and what was learnt, if anything was."""
    if fitted is not None:
        return fitted_pieces(_labelled_tree(model), model.counts, fitted)
    known = model.counts if model.counts.source == "data" else None
    return tree_pieces(_labelled_tree(model), known)
