"""Table of the ranking and probability methods: what each is, and what it needs.

One table for rankings and for probabilities; it imports nothing, so that a help text costs
nothing. Which choices change a method stands in `j48geo.model.choices`, the functions
themselves are in `j48geo.score.scores` and `j48geo.score.probabilities`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Method:
    """A method of ranking or of probability: its name, description and needs.

    Parameters
    ----------
    kind
        ``ranking``: a number, larger is more of the positive class; ``probability``: one for
        every class, which can be ranked by, too.
    words
        What it is, for people.
    needs
        ``counts`` of the leaves, the ``training`` data, or ``cases`` whose class is known.
    measures
        Whether it is a matter of distances.
    """

    name: str
    kind: Literal["ranking", "probability"]
    words: str
    needs: frozenset[str] = frozenset()
    measures: bool = False


_COUNTS = frozenset({"counts"})
_CASES = frozenset({"cases"})

METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("raw", "probability", "the share of the class in the leaf", _COUNTS),
        Method("laplace", "probability", "the leaf's share, smoothed by Laplace", _COUNTS),
        Method("m", "probability", "the m-estimate of the leaf", _COUNTS),
        Method(
            "hs",
            "probability",
            "the leaf's share, drawn towards the nodes above",
            _COUNTS,
        ),
        Method(
            "global",
            "ranking",
            "signed distance to the boundary",
            measures=True,
        ),
        Method(
            "local",
            "ranking",
            "the leaf's estimate, then signed distance",
            _COUNTS,
            measures=True,
        ),
        Method("leaf", "ranking", "the leaf's estimate", _COUNTS),
        Method(
            "distance",
            "ranking",
            "distance to any change of class",
            measures=True,
        ),
        Method(
            "gdk",
            "probability",
            "cases about as far from the boundary",
            _CASES,
            measures=True,
        ),
        Method(
            "ldk",
            "probability",
            "such cases with the same separator",
            _CASES,
            measures=True,
        ),
        Method(
            "ldk-leaf",
            "probability",
            "such cases of the same leaf",
            _CASES,
            measures=True,
        ),
        Method(
            "nearby",
            "probability",
            "average of the leaves around",
            frozenset({"training"}),
        ),
    )
}

PROBABILITIES = ("raw", "laplace", "m", "hs", "gdk", "ldk", "ldk-leaf", "nearby")
"""Methods that give probabilities."""
LEAF_METHODS = ("raw", "laplace", "m", "hs")
"""Probabilities that all cases of a leaf share."""
RANKINGS = ("global", "local", "leaf", "nearby")
"""What cases are usually ranked by."""
KERNEL_METHODS = ("gdk", "ldk", "ldk-leaf")
"""Probabilities that learn from cases by their distance."""
EVALUATED_METHODS = ("raw", "laplace", "m", "hs", "global", "local", "gdk", "ldk", "nearby")
"""What an evaluation sets side by side, in this order."""
