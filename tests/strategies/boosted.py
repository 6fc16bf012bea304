"""A text of AdaBoostM1 made by hand, and rows for it."""

from __future__ import annotations

STUMP = """J48 pruned tree
------------------

x <= {at}: no ({below}.0)
x > {at}: yes ({above}.0)

Number of Leaves  : \t2

Size of the tree : \t3


Weight: {weight}

"""
ROWS = """@relation six
@attribute x numeric
@attribute y {no,yes}
@data
1,no
2,no
3,yes
4,no
5,yes
6,yes
"""


def boosted_text(*stumps: tuple[int, float]) -> str:
    """A text of stumps, each a threshold and a weight, that six rows were boosted into."""
    trees = "".join(
        STUMP.format(at=at, below=at, above=6 - at, weight=weight) for at, weight in stumps
    )
    return (
        "AdaBoostM1: Base classifiers and their weights: \n\n"
        f"{trees}Number of performed Iterations: {len(stumps)}\n"
    )
