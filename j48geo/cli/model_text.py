"""MODEL: a text whose names the data explains, or a model file that brings its own header."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from j48geo.cli.options import InputOptions
from j48geo.cli.rows import display_name, guarded
from j48geo.cli.words import Words
from j48geo.errors import ModelReadError

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset, Header
    from j48geo.core.learnt import Fitted
    from j48geo.core.tree import BoxTree
    from j48geo.core.tree_text import TreeText
    from j48geo.data.source import SourceLike

__all__ = ["carries", "chosen_tree", "model_file", "read_text"]

OLD_TOLERANCE = 1e-6


def model_file(model: str, options: InputOptions) -> tuple[TreeText | None, SourceLike]:
    """The tree of a model file that brings its header along; else what is still to be read."""
    from j48geo.data.source import ByteSource
    from j48geo.read.door import read_model_file

    if options.reader not in (None, "json"):
        return None, model
    found = guarded(ModelReadError, display_name(model), lambda: read_model_file(model))
    return (None, found) if isinstance(found, ByteSource) else (found, model)


def read_text(
    source: SourceLike, name: str, header: Header | None, options: InputOptions
) -> TreeText:
    """Every tree of the text, its names explained by the header of the data."""
    from j48geo.read.door import read_trees

    return guarded(
        ModelReadError, name, lambda: read_trees(source, header=header, reader=options.reader)
    )


def carries(source: str, fitted: Fitted) -> str:
    """Where a model file has learnt what it carries, in words."""
    said = f"{source} carries what was learnt from {fitted.training}"
    if fitted.densities and fitted.calibration != fitted.training:
        said += f", and by {' and '.join(fitted.densities)} from {fitted.calibration}"
    return said


def chosen_tree(
    text: TreeText, options: InputOptions, words: Words, data: Dataset | None
) -> BoxTree:
    """The tree that is asked for, and what is to be said of it."""
    from j48geo.read.door import choose

    tree = guarded(ModelReadError, text.source, lambda: choose(text, tree=options.tree, data=data))
    words.note(*tree.notes)
    if len(text.entries) > 1:
        titles = [f"{i} {entry.title}" for i, entry in enumerate(text.entries, 1)]
        shown = "; ".join(titles[:12]) + ("; ..." if len(titles) > 12 else "")
        words.note(
            f"{text.source} holds {len(text.entries)} trees, number {options.tree} is used "
            f"(--tree K takes another): {shown}"
        )
    if options.old_weka:
        tree = replace(tree, tolerance=OLD_TOLERANCE)
    return tree
