"""Labels for every ratio of costs at once, against labels for one."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from j48geo.decide.cost_steps import CostSteps, find_cost_steps, simplify_rows
from j48geo.decide.costs import CostError, CostMatrix, reweight_costs
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.relabelling import class_estimates, label_leaves, labelling_cost

SMOOTHINGS = ("none", "laplace", "m")


def matrix_of(a: Fraction, b: Fraction, positive: int, n: int) -> CostMatrix:
    """Row actual, column predicted: a missed positive costs `a`, any other mistake `b`."""
    return CostMatrix(
        tuple(
            tuple(Fraction(0) if i == j else a if i == positive else b for j in range(n))
            for i in range(n)
        )
    )


def ratios_at_and_between(steps: CostSteps) -> list[tuple[Fraction, Fraction]]:
    cuts = [Fraction(cut.other, cut.own) for cut in steps.cuts if cut.own]
    between = [(x + y) / 2 for x, y in pairwise(cuts)]
    ends = [cuts[0] / 2, cuts[-1] * 2 + 1] if cuts else [Fraction(1)]
    finite = [(r, Fraction(1)) for r in (*cuts, *between, *ends)]
    return [*finite, (Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))]


counts = st.integers(0, 5) | st.sampled_from([0.25, 1.5, 2.75, 0.1])


@st.composite
def leaves(draw: st.DrawFn) -> tuple[ClassCounts, list[int], int, int]:
    n = draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(counts, min_size=n, max_size=n), min_size=1, max_size=6))
    own = draw(st.lists(st.integers(0, n - 1), min_size=len(rows), max_size=len(rows)))
    return ClassCounts.of(rows), own, draw(st.integers(0, n - 1)), n


@given(leaves(), st.sampled_from(SMOOTHINGS))
def test_every_state_has_the_labels_of_least_cost_at_its_ratio(made, smoothing) -> None:
    found, own, positive, n = made
    if smoothing == "m" and found.shares is None:
        return
    m = Fraction(7, 3) if smoothing == "m" else None
    steps = find_cost_steps(found, own, smoothing, m=m)[positive]
    estimates = class_estimates(found, smoothing, m=m)
    rows = simplify_rows(found.own)
    mistakes = steps.mistakes(rows)
    for a, b in ratios_at_and_between(steps):
        matrix = matrix_of(a, b, positive, n)
        state = steps.state(a, b)
        labels = steps.labels(state)
        assert labels == label_leaves(estimates, matrix, own)
        assert mistakes[state] == steps.of_labels(rows, labels)
        cost = a * mistakes[state].missed + b * mistakes[state].others
        assert cost == labelling_cost(found.own, labels, matrix)


@given(leaves(), st.fractions(0, 1, max_denominator=50))
def test_new_class_shares_are_costs_too(made, share) -> None:
    found, own, positive, n = made
    if found.shares is None or not 0 < found.shares[positive] < 1:
        return
    a = found.shares[positive]
    new = [
        share if c == positive else (1 - share) * x / (1 - a) for c, x in enumerate(found.shares)
    ]
    shifted = reweight_costs(matrix_of(Fraction(5), Fraction(2), positive, n), found.shares, new)
    steps = find_cost_steps(found, own)[positive]
    state = steps.state(5 * share / a, 2 * (1 - share) / (1 - a))
    expected = label_leaves(class_estimates(found), shifted, own)
    assert steps.labels(state) == expected


def test_leaves_of_one_ratio_change_together_and_alarms_are_among_the_others() -> None:
    found = ClassCounts.of([[3, 1, 0], [7, 3, 0], [0, 0, 4]])
    steps = find_cost_steps(found, [0, 0, 2])[1]
    assert [(cut.other, cut.own, cut.leaves) for cut in steps.cuts] == [
        (2, 1, (0, 1)),
        (5, 1, (2,)),
    ]
    first, _, second, *_, last = steps.mistakes(simplify_rows(found.own))
    assert (first.missed, first.alarms, first.others) == (4, 0, 0)
    assert (second.missed, second.alarms, second.others) == (0, 10, 10)
    assert (last.missed, last.alarms, last.others) == (0, 14, 14)


def test_costs_that_decide_nothing_are_refused() -> None:
    steps = find_cost_steps(ClassCounts.of([[1, 2]]), [1])[0]
    with pytest.raises(CostError, match="one of them is not 0"):
        steps.state(Fraction(0), Fraction(0))
