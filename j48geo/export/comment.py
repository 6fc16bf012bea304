"""What every export begins with: what tree it is, how it was made, what is exact."""

from __future__ import annotations

from j48geo.export.flat import Flat, Subject
from j48geo.text import one_line, plural, program, shortened

__all__ = ["about", "quoted"]


def about(subject: Subject, table: Flat, format: str, *exactness: str) -> list[str]:
    """Lines of the comment, each without a line break whatever the names hold.

    Parameters
    ----------
    format
        The format, and what was asked of it.
    exactness
        Sentences of the format about what is exact and what is not.
    """
    tree = subject.tree
    leaves = plural(len(tree.leaves), "leaf", "leaves")
    which = f", tree {subject.number} of {subject.trees}" if subject.trees > 1 else ""
    lines = [
        f"J48 tree of {subject.source or '(memory)'}{which}: {leaves}, size {tree.size}; "
        f"written by {program()} as {format}",
        f"SHA-256 of the source: {subject.sha256 or '(none: not read from bytes)'}",
        f"Options of the tree: {tree.options.text or 'not told'}"
        f"{'; leaves smoothed by Laplace (-A)' if subject.laplace else ''}",
        f"Training data: {subject.training or 'not given'}",
        *exactness,
    ]
    if table.rounded:
        lines.append(
            f"Not exact: {plural(table.rounded, 'threshold')} known only as printed, half a unit "
            "of the last digit added; the training data tells them exactly."
        )
    if subject.overlay is not None:
        lines.append("The leaves have new labels: classes follow them, distributions are Weka's.")
    if table.unknown:
        lines.append(
            "Not known: distributions of some leaves (NaN), since the text does not tell their "
            "counts; the training data does."
        )
    return [one_line(line) for line in lines]


def quoted(text: str, width: int = 60) -> str:
    """A name as a person reads it in a comment."""
    return repr(shortened(one_line(text), width))
