"""The nearby-leaf average: leaf estimates, averaged over the leaves a case might fall into.

`fit_nearby` fits it to training cases, `nearby_distribution` gives the probability of every class,
`leaf_shares` the leaves that have a say about one case.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.score.nearby.average import (
        LeafShares,
        fit_nearby,
        leaf_shares,
        nearby_distribution,
        nearby_weights,
        shares_of_cases,
    )

__all__ = [
    "LeafShares",
    "fit_nearby",
    "leaf_shares",
    "nearby_distribution",
    "nearby_weights",
    "shares_of_cases",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "LeafShares": "average",
        "fit_nearby": "average",
        "leaf_shares": "average",
        "nearby_distribution": "average",
        "nearby_weights": "average",
        "shares_of_cases": "average",
    },
)
