"""What the commands about costs begin with: the positive class, exact counts, a test set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import click

from j48geo import defaults
from j48geo.cli.options import InputOptions
from j48geo.cli.words import Words
from j48geo.errors import MismatchError, UnknownNameError

if TYPE_CHECKING:
    from fractions import Fraction

    from j48geo.cli.inputs import Loaded
    from j48geo.decide.leaf_counts import ClassCounts

__all__ = [
    "SmoothingOptions",
    "coverage_counts",
    "known_counts",
    "m_times_p",
    "positive_class",
    "positive_option",
    "smoothing_options",
]

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class SmoothingOptions:
    """How leaf estimates are smoothed; see the options of the same names."""

    smoothing: Literal["none", "laplace", "m"] = "none"
    m_weight: float | None = None

    def __post_init__(self) -> None:
        m = self.m_weight
        if m is not None and not (isfinite(m) and m > 0):
            raise click.UsageError(f"--m {m:g}: expected a positive number")


def smoothing_options(default: str) -> Callable[[F], F]:
    """Which estimate, and its m."""

    def decorate(function: F) -> F:
        function = click.option(
            "--m",
            "m_weight",
            type=float,
            metavar="M",
            default=None,
            help=f"The m of the m-estimate. Default: {defaults.MP:g}/p, p the share of "
            "the positive class.",
        )(function)
        return click.option(
            "--smoothing",
            type=click.Choice(["none", "laplace", "m"]),
            default=default,
            show_default=True,
            help="Leaf estimate: k/n, (k+1)/(n+C), or (k+m*p)/(n+m).",
        )(function)

    return decorate


def positive_option(function: F) -> F:
    """The class that matters."""
    return click.option(
        "--positive",
        metavar="LABEL",
        default=None,
        help="The class that matters. Default, with two classes: the rarer one in training.",
    )(function)


@overload
def positive_class(
    loaded: Loaded, label: str | None, words: Words, *, must: Literal[True] = True
) -> int: ...


@overload
def positive_class(
    loaded: Loaded, label: str | None, words: Words, *, must: bool
) -> int | None: ...


def positive_class(
    loaded: Loaded, label: str | None, words: Words, *, must: bool = True
) -> int | None:
    """Index of the positive class, said if it was not named.

    Parameters
    ----------
    must
        Whether there has to be one; otherwise None where nobody names it and two classes
        do not tell.
    """
    from j48geo.score.batch import default_positive

    classes = loaded.tree.classes
    if label is not None:
        if label not in classes:
            raise UnknownNameError("class", label, classes)
        return classes.index(label)
    if len(classes) == 1:
        return 0
    if loaded.fitted is not None and loaded.fitted.positive is not None:
        words.note(f"positive class: {classes[loaded.fitted.positive]!r}, as the model was fitted")
        return loaded.fitted.positive
    chosen = default_positive(loaded.counts)
    if chosen is None and not must:
        return None
    if chosen is None:
        why = (
            f"the tree has {len(classes)} classes"
            if len(classes) > 2
            else "the rarer class is not known without counts"
        )
        shown = ", ".join(classes[:20]) + (", ..." if len(classes) > 20 else "")
        raise click.UsageError(f"{why}; name the positive one with --positive: {shown}")
    root = loaded.counts.per_class[0].tolist()
    why = "the rarer one" if root[0] != root[1] else "the first of two equally frequent ones"
    words.note(
        f"positive class: {classes[chosen]!r}, {why} in training ({root[chosen]:.10g} of "
        f"{sum(root):.10g}); --positive LABEL takes another"
    )
    return chosen


def known_counts(model: str, loaded: Loaded) -> ClassCounts:
    """The counts of every leaf, or an error that says what to give."""
    from j48geo.decide.leaf_counts import class_counts
    from j48geo.score.estimates import UnknownCountsError

    try:
        return class_counts(loaded.tree, loaded.counts)
    except UnknownCountsError as error:
        raise UnknownCountsError(f"{model}: {error} (as DATA, or with --train FILE)") from error


def m_times_p(m_weight: float | None, share: Fraction) -> float:
    """The product m p of the m-estimate."""
    return defaults.MP if m_weight is None else m_weight * float(share)


def coverage_counts(
    source: str, loaded: Loaded, options: InputOptions, words: Words
) -> ClassCounts:
    """Weight of every class that the rows of a file bring to each leaf.

    Rows with a missing class do not count; a missing value divides a row as Weka does.
    """
    import numpy as np

    from j48geo.cli.rows import open_rows
    from j48geo.core.routing import route
    from j48geo.decide.leaf_counts import ClassCounts

    tree = loaded.tree
    found = np.zeros((len(tree.leaves), len(tree.classes)))
    with open_rows(source, options, words, tree.header) as rows:
        try:
            there = tree.rebound(rows.header)
        except MismatchError as error:
            raise MismatchError(f"{rows.name}: {error}") from error
        column = there.header.class_index
        assert column is not None
        for block in rows.blocks:
            known = ~np.isnan(block.X[:, column])
            X, weights = block.X[known], block.weights[known]
            label = X[:, column].astype(np.intp)
            routes = route(there, X, loaded.counts.weight)
            share = routes.share * weights[routes.case]
            np.add.at(found, (routes.leaf, label[routes.case]), share)
    if not found.sum():
        words.note(f"{source} has no row with a class")
    return ClassCounts.of(found.tolist())
