from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from hand_made import weather_tree
from plain_measures import labelling_auc
from sklearn.metrics import roc_auc_score

from j48geo.core.counts import counts_from_text
from j48geo.decide.labellings import (
    Labelling,
    hull,
    is_on_hull,
    leaf_auc,
    locate_labelling,
    optimal_labellings,
)
from j48geo.decide.leaf_counts import PositiveCounts, class_counts
from j48geo.decide.leaf_order import order_leaves
from j48geo.decide.relabelling import relabel_tree

SETS = 2500


def random_counts(random: Random) -> PositiveCounts:
    """Up to eight leaves: ties, empty leaves, whole numbers or quarters."""
    n = random.randint(1, 8)
    unit = random.choice([Fraction(1), Fraction(1, 4), Fraction(1, 3)])
    largest = random.choice([2, 5, 30])
    pairs = [(random.randint(0, largest), random.randint(0, largest)) for _ in range(n)]
    for k in range(n):
        chance = random.random()
        if chance < 0.15:
            pairs[k] = (0, 0)
        elif chance < 0.4:
            factor = random.randint(1, 3)
            p, q = pairs[random.randrange(n)]
            pairs[k] = (factor * p, factor * q)
    return PositiveCounts.of([unit * p for p, _ in pairs], [unit * q for _, q in pairs])


def in_units(counts: PositiveCounts) -> tuple[list[int], list[int]]:
    """The same counts as whole numbers, for speed; rates and ratios stay."""
    return [int(12 * p) for p in counts.positive], [int(12 * q) for q in counts.negative]


def all_labellings(positive: list[int], negative: list[int]) -> list[tuple[int, int]]:
    """False and true positives of every one of the 2^n labellings."""
    found = []
    for chosen in product((False, True), repeat=len(positive)):
        fp = sum(q for q, yes in zip(negative, chosen, strict=True) if yes)
        tp = sum(p for p, yes in zip(positive, chosen, strict=True) if yes)
        found.append((fp, tp))
    return found


def literal_hull(points: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Corners of the upper hull: no point above, and not between two others."""
    corners = []
    for p in points:
        beaten = any(
            (q[0] <= p[0] and q[1] >= p[1] and q != p and (q[0] < p[0] or q[1] > p[1]))
            for q in points
        )
        between = any(
            a[0] <= p[0] <= b[0]
            and a[1] <= p[1] <= b[1]
            and a not in (p, b)
            and b != p
            and (b[0] - a[0]) * (p[1] - a[1]) <= (b[1] - a[1]) * (p[0] - a[0])
            for a in points
            for b in points
        )
        if not beaten and not between:
            corners.append(p)
    return sorted(corners)


def test_the_hull_of_all_labellings_is_the_optimal_ones() -> None:
    random = Random(4)
    compared = 0
    for _ in range(SETS):
        counts = random_counts(random)
        plus, minus = in_units(counts)
        if not sum(plus) or not sum(minus):
            continue
        order = order_leaves(counts)
        ours = [
            (s.fpr * sum(minus), s.tpr * sum(plus))
            for s in optimal_labellings(order)
            if s.fpr is not None and s.tpr is not None
        ]
        every = all_labellings(plus, minus)
        best: dict[int, int] = {}
        for fp, tp in every:  # the rest is beaten straight away
            best[fp] = max(best.get(fp, 0), tp)
        wanted = literal_hull({*best.items(), (0, 0)})
        if best[0] > 0:  # the vertical first edge begins at the origin
            wanted = [(0, 0), *(p for p in wanted if p != (0, 0))]
        total = (sum(minus), sum(plus))
        if total not in wanted:  # and the last, if it is level, ends at the far corner
            wanted.append(total)
        assert sorted(set(ours)) == sorted(wanted)
        exact = [(s.fpr or Fraction(0), s.tpr or Fraction(0)) for s in optimal_labellings(order)]
        assert list(hull(exact)) == sorted(set(exact))
        compared += 1
    assert compared >= 2000


def test_in_its_interval_no_labelling_costs_less_and_outside_it_some_other_does() -> None:
    random = Random(44)
    for _ in range(SETS):
        counts = random_counts(random)
        plus, minus = in_units(counts)
        every = all_labellings(plus, minus)
        found = optimal_labellings(order_leaves(counts))
        assert found[0].cost_ratio[1] == 1
        assert found[-1].cost_ratio[0] == 0
        assert all(a.cost_ratio[0] == b.cost_ratio[1] for a, b in pairwise(found))
        for s in found:
            low, high = s.cost_ratio
            mine = (
                sum(minus[k] for k in s.positive_leaves),
                sum(plus[k] for k in s.positive_leaves),
            )
            for ratio in (low, (low + high) / 2, high):
                assert cost(mine, sum(plus), ratio) == min(
                    cost(other, sum(plus), ratio) for other in every
                )
            for ratio in (low / 2, (high + 1) / 2):
                outside = ratio < low or ratio > high
                if outside and distinct(found, s, ratio, plus, minus):
                    assert cost(mine, sum(plus), ratio) > min(
                        cost(other, sum(plus), ratio) for other in every
                    )


def cost(point: tuple[int, int], positives: int, ratio: Fraction) -> int:
    """A false alarm costs CR, a miss 1 - CR; times the denominator."""
    fp, tp = point
    return fp * ratio.numerator + (positives - tp) * (ratio.denominator - ratio.numerator)


def distinct(
    found: tuple[Labelling, ...], s: Labelling, ratio: Fraction, plus: list[int], minus: list[int]
) -> bool:
    """Whether all labellings for that ratio differ in a leaf that weighs something."""
    others = [t for t in found if t.cost_ratio[0] <= ratio <= t.cost_ratio[1]]
    return all(
        any(plus[k] + minus[k] for k in set(t.positive_leaves) ^ set(s.positive_leaves))
        for t in others
    )


def test_the_area_is_scikit_learns_on_leaf_scores() -> None:
    random = Random(7)
    compared = 0
    for _ in range(300):
        counts = random_counts(random)
        order = order_leaves(counts)
        found = leaf_auc(order)
        plus, minus = counts.totals
        if not plus or not minus:
            assert found is None
            continue
        scores = [float(r) if r is not None else 0.5 for r in order.accuracy] * 2
        actual = [1] * len(order.accuracy) + [0] * len(order.accuracy)
        weights = [float(w) for w in (*counts.positive, *counts.negative)]
        assert found is not None
        assert float(found) == pytest.approx(
            roc_auc_score(actual, scores, sample_weight=weights), abs=1e-12
        )
        compared += 1
    assert compared > 200


def test_the_worked_example_of_the_paper_is_exact() -> None:
    order = order_leaves(PositiveCounts.of([3, 5, 4], [5, 1, 2]))
    found = optimal_labellings(order)
    assert [(s.fpr, s.tpr) for s in found] == [
        (0, 0),
        (Fraction(1, 8), Fraction(5, 12)),
        (Fraction(3, 8), Fraction(3, 4)),
        (1, 1),
    ]
    assert [s.positive_leaves for s in found] == [(), (1,), (1, 2), (0, 1, 2)]
    assert [g.accuracy for g in order.groups] == [Fraction(5, 6), Fraction(2, 3), Fraction(3, 8)]
    assert leaf_auc(order) == Fraction(23, 32)


def test_the_interval_is_also_one_of_missed_positives_for_a_false_alarm() -> None:
    found = optimal_labellings(order_leaves(PositiveCounts.of([3, 5, 4], [5, 1, 2])))
    assert [s.fn_to_fp for s in found] == [
        (0, Fraction(1, 5)),
        (Fraction(1, 5), Fraction(1, 2)),
        (Fraction(1, 2), Fraction(5, 3)),
        (Fraction(5, 3), None),
    ]


def test_ties_are_merged_whatever_their_size() -> None:
    found = optimal_labellings(order_leaves(PositiveCounts.of([1, 2, 5], [2, 4, 1])))
    assert [s.positive_leaves for s in found] == [(), (2,), (0, 1, 2)]


def test_an_empty_leaf_labels_new_rows_and_never_moves_the_curve() -> None:
    counts = PositiveCounts.of([5, 0, 1], [1, 0, 5])
    found = optimal_labellings(order_leaves(counts))
    assert [s.positive_leaves for s in found] == [(), (0,), (0, 1), (0, 1, 2)]
    assert found[1].tpr == found[2].tpr == Fraction(5, 6)
    without = order_leaves(PositiveCounts.of([5, 1], [1, 5]))
    assert leaf_auc(order_leaves(counts)) == leaf_auc(without)


def test_the_order_is_from_training_and_the_coverage_from_test() -> None:
    order = order_leaves(PositiveCounts.of([5, 1], [1, 5]))
    test = PositiveCounts.of([1, 3], [3, 1])
    found = optimal_labellings(order, test)
    assert [(s.fpr, s.tpr) for s in found] == [(0, 0), (Fraction(3, 4), Fraction(1, 4)), (1, 1)]
    assert leaf_auc(order, test) == Fraction(1, 4)
    corners = hull((s.fpr, s.tpr) for s in found)  # type: ignore[misc]
    assert corners == ((0, 0), (1, 1))
    assert not is_on_hull((Fraction(3, 4), Fraction(1, 4)), corners)


def test_without_a_class_rates_and_area_are_null() -> None:
    order = order_leaves(PositiveCounts.of([2, 1], [0, 0]))
    assert [s.fpr for s in optimal_labellings(order)] == [None, None]
    assert leaf_auc(order) is None
    assert labelling_auc(None, Fraction(1)) is None


def test_the_area_of_one_labelling_is_its_balanced_accuracy() -> None:
    counts = PositiveCounts.of([3, 5, 4], [5, 1, 2])
    fpr, tpr = locate_labelling([1, 2], counts)
    assert labelling_auc(fpr, tpr) == (Fraction(9, 12) + Fraction(5, 8)) / 2


def test_a_point_between_two_corners_lies_on_the_hull() -> None:
    corners = hull([(Fraction(1, 4), Fraction(3, 4))])
    assert is_on_hull((Fraction(1, 8), Fraction(3, 8)), corners)
    assert not is_on_hull((Fraction(1, 8), Fraction(1, 4)), corners)


def test_a_point_on_an_edge_is_no_corner() -> None:
    edge = [(Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 8), Fraction(3, 8))]
    corners = hull(edge)
    assert corners == ((0, 0), (Fraction(1, 4), Fraction(3, 4)), (1, 1))
    assert hull([(Fraction(1, 2), Fraction(1, 2))]) == ((0, 0), (1, 1))


def test_j48s_own_labels_are_one_of_the_optimal_labellings() -> None:
    tree = weather_tree()
    counts = class_counts(tree, counts_from_text(tree)).against_rest(1)
    found = optimal_labellings(order_leaves(counts))
    own = tuple(k for k, leaf in enumerate(tree.leaves) if leaf.label == 1)
    assert own in [s.positive_leaves for s in found]
    at = next(s for s in found if s.positive_leaves == own)
    assert at.cost_ratio[0] <= Fraction(1, 2) <= at.cost_ratio[1]
    assert found[0].changes(own) == ((), own)


def test_what_a_numpy_float_is_counts_exactly() -> None:
    counts = PositiveCounts.of(np.array([0.1, 0.2]).tolist(), [0.2, 0.4])
    assert len(order_leaves(counts).groups) == 1


def test_no_function_changes_the_tree() -> None:
    tree = weather_tree()
    before = tree.digest()
    counts = class_counts(tree, counts_from_text(tree))
    optimal_labellings(order_leaves(counts.against_rest(0), "laplace"))
    changed = relabel_tree(tree, counts, [1] * len(tree.leaves))
    assert tree.digest() == before
    assert [(x.weight, x.errors) for x in changed.leaves] == [
        *((2, 2), (3, None), (4, 4), (2, None), (4, 3))
    ]
    assert class_counts(changed, counts_from_text(changed)).own == counts.own
