"""A model as a picture: in a notebook, and as SVG."""

from __future__ import annotations

import os
from html import escape
from typing import TYPE_CHECKING

from j48geo.report.drawing import tree_drawing, tree_picture
from j48geo.report.tree_facts import TreeFacts, tree_facts
from j48geo.show.text import plain_number
from j48geo.text import one_line, plural

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["notebook_words", "picture"]


def notebook_words(model: Model) -> str:
    """One line about the model, and its tree under it, as HTML."""
    return f"<p><b>{escape(one_line(repr(model)))}</b></p>{tree_drawing(_facts(model))}"


def picture(model: Model) -> str:
    """The tree with a title, as SVG."""
    drawn = _facts(model)
    cases = f", {plain_number(drawn.weight[0])} training cases" if drawn.weighed else ""
    leaves = plural(len(drawn.label), "leaf", "leaves")
    return str(tree_picture(drawn, f"{os.path.basename(model.source)}: {leaves}{cases}"))


def _facts(model: Model) -> TreeFacts:
    return tree_facts(model.labelled_tree, model.counts, model.positive_index or 0)
