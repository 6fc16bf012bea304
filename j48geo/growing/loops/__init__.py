"""Growing as plain loops, for numba to compile; Python alone runs them too, slowly.

Every sum runs in the order of the rows and every comparison has, or has not, the slack of
1e-6 that Weka's has: GROW.md says which. The order is part of the result, since sums of
fractional weights round; so are the four sums of a distribution, none of which may be made
from another.
"""

from __future__ import annotations

from types import FunctionType

from j48geo.growing.loops import branches, distributions, numeric_cuts, split_search
from j48geo.growing.loops.branches import (
    divide,
    leaf_errors,
    partition,
    raised_errors,
    redistribute,
)
from j48geo.growing.loops.distributions import add_missing, count_classes
from j48geo.growing.loops.split_search import search, search_presorted

__all__ = [
    "ENTRIES",
    "LOOPS",
    "add_missing",
    "count_classes",
    "divide",
    "leaf_errors",
    "partition",
    "raised_errors",
    "redistribute",
    "search",
    "search_presorted",
]

ENTRIES = (
    "divide",
    "leaf_errors",
    "count_classes",
    "partition",
    "raised_errors",
    "redistribute",
    "search",
    "search_presorted",
)
"""Names of the loops that Python calls."""
LOOPS = tuple(
    value
    for module in (distributions, numeric_cuts, split_search, branches)
    for value in vars(module).values()
    if isinstance(value, FunctionType) and value.__module__ == module.__name__
)
"""All loops, those that are called before those that call them."""
