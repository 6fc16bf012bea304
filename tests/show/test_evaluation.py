from __future__ import annotations

import pytest

from j48geo.decide.evaluation.auc import Proximity
from j48geo.show.reports.evaluation import (
    calibration_sentence,
    proximity_sentence,
    zero_sentence,
)


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
            Proximity(None, 0, 0, None, None, infinite=9, has_boundary=False),
            "lambda is not defined: there is no decision boundary",
        ),
        (
            Proximity(None, 0, 0, None, None, infinite=9),
            "lambda is not defined: no case has a finite distance to the boundary",
        ),
        (
            Proximity(None, 9, 1, 0.5, 0.25, infinite=2),
            "lambda is not defined: it takes 2 hits and 2 errors, and there are 9 and 1, and 2 at "
            "infinite distance",
        ),
        (
            Proximity(2.5, 90, 10, 0.5, 0.25, zeros=21),
            "lambda = 2.5, at least 2: the tree's errors lie nearer to its boundary than its "
            "hits, as geometric ranking supposes; it can be trusted on this tree where its AUC "
            "bears it out, but 21% of the cases tie at distance 0",
        ),
        (
            Proximity(2.5, 90, 10, 0.5, 0.25, zeros=82),
            "lambda = 2.5, at least 2: the tree's errors lie nearer to its boundary than its "
            "hits, as geometric ranking supposes; it can be trusted on this tree where its AUC "
            "bears it out, but most cases tie at distance 0",
        ),
        (
            Proximity(None, 9, 9, 0.5, 0.0),
            "lambda is not defined: all hits have one distance to the boundary, and all errors too",
        ),
    ],
)
def test_lambda_in_words(found: Proximity, said: str) -> None:
    assert proximity_sentence(found) == said


def test_zero_distances_in_words() -> None:
    assert zero_sentence(Proximity(2.5, 90, 10, 0.5, 0.25, zeros=8)) == (
        "8 of 100 distances are 0 (8.0%)"
    )
    assert zero_sentence(Proximity(None, 0, 0, None, None, infinite=9)) is None
    assert zero_sentence(Proximity(None, 1, 0, None, None, has_boundary=False)) is None


@pytest.mark.parametrize(
    ("methods", "said"),
    [
        (["gdk"], "gdk learnt from these rows, so its numbers are optimistic"),
        (
            ["gdk", "ldk", "ldk-leaf"],
            "gdk, ldk and ldk-leaf learnt from these rows, so their numbers are optimistic",
        ),
    ],
)
def test_calibration_on_the_cases_is_loud(methods: list[str], said: str) -> None:
    assert calibration_sentence(methods) == f"RESUBSTITUTION: {said}; other rows give honest ones"
