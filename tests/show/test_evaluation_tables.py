from __future__ import annotations

import pytest

from j48geo.decide.evaluation import Proximity
from j48geo.show.evaluation_tables import proximity_sentence


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            Proximity(2.0, 90, 10, 0.5, 0.25),
            "lambda = 2, at least 2: the tree's errors lie nearer to its boundary than its "
            "hits, as geometric ranking supposes; it can be trusted on this tree where its AUC "
            "bears it out",
        ),
        (
            Proximity(1.9, 90, 10, 0.5, 0.25),
            "lambda = 1.9, less than 2: it is not sure that the tree's errors lie nearer to its "
            "boundary than its hits, as geometric ranking supposes; do not trust it on this tree",
        ),
        (
            Proximity(-3.14159, 90, 10, 0.25, 0.5),
            "lambda = -3.1416, at most -2: the tree's errors lie farther from its boundary than "
            "its hits, against what geometric ranking supposes; do not trust it on this tree",
        ),
        (
            Proximity(None, 99, 1, 0.5, 0.25),
            "lambda is not defined: it takes 2 hits and 2 errors, and there are 99 and 1",
        ),
        (
            Proximity(None, 9, 9, None, None),
            "lambda is not defined: there is no decision boundary",
        ),
        (
            Proximity(None, 9, 9, 0.5, 0.0),
            "lambda is not defined: all hits have one distance to the boundary, and all errors too",
        ),
    ],
)
def test_lambda_in_words(found: Proximity, said: str) -> None:
    assert proximity_sentence(found) == said
