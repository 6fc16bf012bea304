"""A model in other formats: J48's own text, our model file, Weka's, Graphviz, rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from j48geo.core.learnt import Fitted
from j48geo.core.tree import BoxTree
from j48geo.decide.leaf_counts import class_counts
from j48geo.decide.relabel import relabelled
from j48geo.errors import UnknownNameError
from j48geo.modelfile.fitted import fitted_pieces
from j48geo.modelfile.tree import tree_to_json
from j48geo.show.text import json_text
from j48geo.show.tree.dot import tree_dot
from j48geo.show.tree.rules import leaf_rules, rule_words
from j48geo.show.tree.weka_text import tree_text

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["FORMATS", "model_file", "written"]


def _weka(model: Model) -> bytes:
    """A ``.model`` file that Weka 3.9.7 loads; other labels go out as CostSensitive -M."""
    from j48geo.export.java_model import java_model

    labels = None if model.overlay is None else [int(k) for k in model.overlay]
    return java_model(model.tree, model.counts, labels=labels)


def _tree(model: Model) -> BoxTree:
    """The tree with the labels in force, and errors at its leaves that fit them."""
    if model.labels is None or not model.tree.has_counts:
        return model.labelled_tree
    return relabelled(model.tree, class_counts(model.tree, model.counts), model.labels)


def _json(model: Model) -> str:
    return "".join(model_file(model, None))


def _rules(model: Model) -> str:
    return "".join(f"{rule_words(rule)}\n" for rule in leaf_rules(model.labelled_tree))


FORMATS: Mapping[str, Callable[[Model], str | bytes]] = {
    "text": lambda model: tree_text(_tree(model)),
    "json": _json,
    "dot": lambda model: tree_dot(_tree(model)),
    "rules": _rules,
    "model": _weka,
}
"""Formats by name."""


def written(model: Model, name: str) -> str | bytes:
    """The model in the format called `name`."""
    if name not in FORMATS:
        raise UnknownNameError("format", name, FORMATS)
    return FORMATS[name](model)


def model_file(model: Model, fitted: Fitted | None) -> Iterable[str]:
    """Our model file: the tree with its counts, and what was learnt, if anything was."""
    if fitted is not None:
        return fitted_pieces(_tree(model), model.counts, fitted)
    known = model.counts if model.counts.source == "data" else None
    return [json_text(tree_to_json(_tree(model), known), indent=1), "\n"]
