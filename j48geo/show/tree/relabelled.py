"""A relabelled tree in J48's layout, with a first line that says what was done."""

from __future__ import annotations

import re

from j48geo.core.tree import BoxTree
from j48geo.show.tree.weka_text import tree_text

__all__ = ["relabelled_text"]

_OPERATOR = re.compile(r" (<=|>=|!=|<|>|=) ")


def relabelled_text(tree: BoxTree, done: str) -> str:
    """The text of a relabelled tree; readers take its first lines for surroundings.

    The options of the tree and its classes in their order follow the first line, since
    labels may have vanished from the leaves.

    Parameters
    ----------
    done
        What was done, in a few words.
    """
    parts = [f"{_plain(done)}\n"]
    options = tree.options
    if options.text is not None and options.text.strip().isprintable():
        name = "Scheme:       " if options.text.lstrip().startswith("weka.") else "Options: "
        parts.append(f"{name}{options.text.strip()}\n")
    if _can_be_listed(tree):
        parts.append(f"classes:\n => {', '.join(tree.classes)}\n")
    text = tree_text(tree)
    return "".join(parts) + "\n" + text


def _can_be_listed(tree: BoxTree) -> bool:
    return all(
        name and name == name.strip() and "," not in name and name.isprintable()
        for name in tree.classes
    )


def _plain(done: str) -> str:
    """One line that no reader takes for a branch of a tree."""
    line = "".join(c if c.isprintable() else " " for c in done)
    return _OPERATOR.sub(r" \1", line)
