"""Which leaves have a say about a case, and how much: in words, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from j48geo.core.tree import BoxTree
from j48geo.score.nearby.average import LeafShares
from j48geo.text import plural

__all__ = ["nearby_json", "nearby_words"]


def nearby_json(tree: BoxTree, shares: LeafShares, sigma: float) -> dict[str, object]:
    """The average, and the leaves that it is the average of."""
    return {
        "sigma": sigma,
        "probabilities": dict(zip(tree.classes, shares.average.tolist(), strict=True)),
        "leaves": [
            {
                "leaf": int(leaf) + 1,
                "class": tree.classes[tree.leaves[leaf].label],
                "weight": float(weight),
                "probabilities": dict(zip(tree.classes, value.tolist(), strict=True)),
            }
            for leaf, weight, value in zip(shares.leaf, shares.weight, shares.value, strict=True)
        ],
        "others": shares.others,
        "rest": shares.rest,
    }


def nearby_words(tree: BoxTree, shares: LeafShares, sigma: float, own: int) -> Iterator[str]:
    """Lines for people.

    Parameters
    ----------
    own
        The leaf of the case, -1 if missing values divide it.
    """
    best = int(shares.average.argmax())
    yield (
        f"Leaves around, if its numbers were off by {sigma:g} standard deviations: together they "
        f"say {tree.classes[best]} with {shares.average[best]:.1%}:"
    )
    for leaf, weight, value in zip(shares.leaf.tolist(), shares.weight, shares.value, strict=True):
        c = tree.leaves[leaf].label
        mark = ", its own" if leaf == own else ""
        yield f"  {weight:6.1%}  leaf {leaf + 1}{mark}: {tree.classes[c]} with {value[c]:.1%}"
    if shares.others:
        some = plural(shares.others, "more leaf", "more leaves")
        yield f"  {shares.rest:6.1%}  {some}"
