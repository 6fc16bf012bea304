from __future__ import annotations

import numpy as np
from random_geometry import cases_for, grown_tree

from j48geo.core.counts import counts_from_data
from j48geo.decide.criteria import audit_splits, compute_criteria


def test_splits_of_the_same_counts_are_audited_like_each_by_itself() -> None:
    tree = grown_tree(2, 300, numbers=3, classes=2)
    X = cases_for(tree, 3, 900)
    y = np.random.default_rng(3).integers(2, size=len(X)).astype(np.float64)
    counts = counts_from_data(tree, X, y, np.ones(len(X)))
    found = audit_splits(tree, counts, [0.4, 0.6], 1)
    assert len({split.weight for split in found}) < len(found)  # some are alike
    for split in found:
        branches = counts.per_class[list(split.node.children)].tolist()
        assert split.criteria == compute_criteria(branches, [0.4, 0.6], positive=1)
        assert split.weight == counts.weight[split.node.index]
