"""Labels for the leaves from a file: what ``j48geo label`` wrote, a tree or a table."""

from __future__ import annotations

from collections.abc import Mapping

from j48geo.core.tree import BoxTree
from j48geo.data.small_tables import read_label_table
from j48geo.data.source import SourceLike, display_name, guarded, read_bytes
from j48geo.errors import DataReadError, MismatchError, ModelReadError
from j48geo.read.door import choose, read_trees

__all__ = ["labels_by_leaf", "read_labels"]

_LARGEST = 128 << 20


def read_labels(source: SourceLike, tree: BoxTree) -> dict[int, str]:
    """Labels by number of the leaf, from 1; leaves that the file leaves out are not in it."""
    name = display_name(source)

    def read() -> dict[int, str]:
        raw, _ = read_bytes(source, limit=_LARGEST)
        table = read_label_table(raw, name)
        if table is not None:
            return table
        other = choose(read_trees(raw, header=tree.header))
        if _shape(other) != _shape(tree):
            raise MismatchError(f"{name}: another tree; expected the model with other labels")
        return {k: other.classes[leaf.label] for k, leaf in enumerate(other.leaves, 1)}

    try:
        return guarded(DataReadError, name, read)
    except ModelReadError as error:
        raise DataReadError(
            error.problem,
            "expected what 'j48geo label' writes: a tree, or CSV or JSON of leaf and label",
            name,
            error.line,
        ) from error


def labels_by_leaf(tree: BoxTree, names: Mapping[int, str], source: str) -> tuple[int, ...]:
    """A label for every leaf: those that are named, and the tree's own."""
    index = {name: k for k, name in enumerate(tree.classes)}
    for number, name in names.items():
        if name not in index:
            raise MismatchError(f"{source}: leaf {number}: the tree has no class {name!r}")
        if not 1 <= number <= len(tree.leaves):
            raise MismatchError(f"{source}: leaf {number}: the tree has {len(tree.leaves)} leaves")
    return tuple(
        index[names[k]] if k in names else leaf.label for k, leaf in enumerate(tree.leaves, 1)
    )


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
