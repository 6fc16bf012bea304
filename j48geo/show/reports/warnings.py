"""What a user should hear before trusting the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from j48geo.score.ranking_facts import MANY, ZeroDistances

__all__ = ["zero_warning"]


def zero_warning(zeros: ZeroDistances, ways: Sequence[str]) -> list[str]:
    """That many distances are 0, why, and the ways out; empty if they are few.

    Parameters
    ----------
    ways
        What else can be done here; the caller knows what can be followed.
    """
    if zeros.share <= MANY:
        return []
    names = [f"{name!r}" for name in zeros.attributes]
    shown = ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + "".join(names[-1:])
    # Where not one of them is refused a test, their values are missing.
    why = (
        f"these cases lie exactly on a threshold of {shown}"
        if names
        else "these cases lack values that the tree asks for"
    )
    said = f"{zeros.share:.0%} of the distances are 0, so they tell little: {why}"
    return ["; ".join([said, *ways])]
