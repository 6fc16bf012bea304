"""``--labels FILE``: other labels for the leaves, laid over a tree for one command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from j48geo.cli.words import Words
from j48geo.errors import DataReadError, MismatchError, ModelReadError

if TYPE_CHECKING:
    from j48geo.arrays import Ints
    from j48geo.cli.inputs import Loaded
    from j48geo.core.tree import BoxTree

__all__ = ["labels_option", "overlaid"]

F = TypeVar("F", bound=Callable[..., Any])

_LARGEST = 128 << 20


def labels_option(function: F) -> F:
    """The overlay."""
    return click.option(
        "--labels",
        "labels_file",
        metavar="FILE",
        default=None,
        help="Labels of the leaves, if not MODEL's: what 'j48geo label' wrote (tree, csv, json).",
    )(function)


def overlaid(loaded: Loaded, labels_file: str | None, words: Words) -> tuple[Loaded, Ints | None]:
    """What was loaded with the labels of the file, and these labels as an overlay.

    Without a file the labels are those of the tree, and an overlay exactly if they are not
    the majorities of its counts: then the tree was relabelled. No overlay is None; classes
    are then Weka's.
    """
    import numpy as np

    from j48geo.score.overlay import label_overlay

    tree = loaded.tree
    if labels_file is None:
        # Where the data contradicts printed counts, it says nothing about the labels.
        trusted = (
            loaded.kept
            or loaded.counts.source == "text"
            or not tree.has_counts
            or (loaded.replay is not None and loaded.replay.recognised)
        )
        labels = label_overlay(tree, loaded.counts) if trusted else None
        if labels is not None:
            words.note("this tree was relabelled: classes are its labels, not its majorities")
        return loaded, labels
    names = _names(labels_file, tree)
    index = {name: k for k, name in enumerate(tree.classes)}
    for number, name in names.items():
        if name not in index:
            raise MismatchError(f"{labels_file}: leaf {number}: the tree has no class {name!r}")
        if not 1 <= number <= len(tree.leaves):
            raise MismatchError(
                f"{labels_file}: leaf {number}: the tree has {len(tree.leaves)} leaves"
            )
    leaves = tuple(
        replace(leaf, label=index[names[k]]) if k in names else leaf
        for k, leaf in enumerate(tree.leaves, 1)
    )
    changed = sum(a.label != b.label for a, b in zip(leaves, tree.leaves, strict=True))
    words.note(f"{labels_file}: {changed} of {len(leaves)} labels differ from the model's")
    labels = np.array([leaf.label for leaf in leaves], dtype=np.intp)
    return replace(loaded, tree=replace(tree, leaves=leaves)), labels


def _names(labels_file: str, tree: BoxTree) -> dict[int, str]:
    """Labels by number of the leaf."""
    from j48geo.cli.rows import guarded
    from j48geo.data.small_tables.labels import read_label_table
    from j48geo.data.source import read_bytes
    from j48geo.read.door import choose, read_trees

    def read() -> dict[int, str]:
        raw, name = read_bytes(labels_file, limit=_LARGEST)
        table = read_label_table(raw, name)
        if table is not None:
            return table
        other = choose(read_trees(raw, header=tree.header))
        if _shape(other) != _shape(tree):
            raise MismatchError(f"{labels_file}: another tree; expected MODEL with other labels")
        return {k: other.classes[leaf.label] for k, leaf in enumerate(other.leaves, 1)}

    try:
        return guarded(DataReadError, labels_file, read)
    except ModelReadError as error:
        raise DataReadError(
            error.problem,
            "expected what 'j48geo label' writes: a tree, or CSV or JSON of leaf and label",
            labels_file,
            error.line,
        ) from error


def _shape(tree: BoxTree) -> list[tuple[object, ...]]:
    """What two trees with different labels have in common."""
    return [
        (node.parent, node.branch)
        if node.split is None
        else (
            node.parent,
            node.branch,
            tree.attribute(node.split).name,
            node.split.kind,
            node.split.value,
        )
        for node in tree.nodes
    ]
