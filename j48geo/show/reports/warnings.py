"""What a user should hear before trusting the numbers."""

from __future__ import annotations

from j48geo.score.zero_distances import MANY, ZeroDistances

__all__ = ["zero_warning"]


def zero_warning(zeros: ZeroDistances, midgap: bool, nearby: str) -> list[str]:
    """That many distances are 0, why, and the ways out; empty if they are few.

    Parameters
    ----------
    midgap
        Whether distances are measured to the middle of the gaps already.
    nearby
        How to ask for the nearby-leaf average.
    """
    if zeros.share <= MANY:
        return []
    names = [f"{name!r}" for name in zeros.attributes]
    shown = ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + "".join(names[-1:])
    ways = [f"{nearby} averages the leaves around instead"]
    if not midgap:
        ways.insert(0, "--separators midgap measures to the middle of the gap above it")
    if not names:  # not one of them is refused a test: their values are missing
        return [
            f"{zeros.share:.0%} of the distances are 0, so they tell little: these cases lack "
            f"values that the tree asks for; {ways[-1]}"
        ]
    return [
        f"{zeros.share:.0%} of the distances are 0, so they tell little: these cases lie exactly "
        f"on a threshold of {shown}; {', '.join(ways)}"
    ]
