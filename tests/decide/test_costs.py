from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from plain_measures import labelling_auc, shifted_threshold

from j48geo.decide.costs import (
    CostError,
    cost_matrix,
    cost_ratio,
    prior_costs,
    reweight_costs,
    threshold_costs,
    two_class_costs,
)
from j48geo.decide.labellings import locate_labelling
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.decide.relabelling import class_estimates, expected_costs, label_leaves, labelling_cost


def random_rows(random: Random, classes: int) -> list[list[int]]:
    return [[random.randint(0, 6) for _ in range(classes)] for _ in range(random.randint(1, 5))]


def test_raw_labels_have_the_least_cost_of_all_labellings_for_any_number_of_classes() -> None:
    random = Random(1)
    for _ in range(400):
        classes = random.randint(2, 4)
        rows = random_rows(random, classes)[: 5 if classes < 4 else 3]
        matrix = cost_matrix(
            [
                [0 if i == j else random.randint(0, 9) for j in range(classes)]
                for i in range(classes)
            ]
        )
        estimates = class_estimates(ClassCounts.of(rows), "none")
        labels = label_leaves(estimates, matrix, [0] * len(rows))
        least = min(
            labelling_cost(rows, other, matrix)
            for other in product(range(classes), repeat=len(rows))
        )
        assert labelling_cost(rows, labels, matrix) == least


def test_a_labelling_costs_the_sum_over_its_leaves_and_classes() -> None:
    random = Random(3)
    for _ in range(50):
        classes = random.randint(2, 4)
        rows = [[Fraction(random.randint(0, 4), 3) for _ in range(classes)] for _ in range(30)]
        matrix = cost_matrix(
            [
                [0 if i == j else random.randint(0, 9) / 4 for j in range(classes)]
                for i in range(classes)
            ]
        )
        labels = [random.randrange(classes) for _ in rows]
        assert labelling_cost(rows, labels, matrix) == sum(
            k * matrix.costs[actual][label]
            for row, label in zip(rows, labels, strict=True)
            for actual, k in enumerate(row)
        )


def test_leaves_of_the_same_counts_are_estimated_and_labelled_like_each_by_itself() -> None:
    random = Random(4)
    matrix = cost_matrix([[0, 2, 5], [1, 0, 4], [3, 3, 0]])
    rows = [[random.randint(0, 2) for _ in range(3)] for _ in range(200)]
    own = [random.randrange(3) for _ in rows]
    estimates = class_estimates(ClassCounts.of(rows))
    one_by_one = [class_estimates(ClassCounts.of([row]))[0] for row in rows]
    assert list(estimates) == one_by_one
    assert list(label_leaves(estimates, matrix, own)) == [
        label_leaves([estimate], matrix, [label])[0]
        for estimate, label in zip(estimates, own, strict=True)
    ]


def test_two_classes_follow_lemma_1() -> None:
    random = Random(2)
    for _ in range(300):
        rows = random_rows(random, 2)
        costs = [[random.randint(0, 3), random.randint(4, 9)], [random.randint(4, 9), 1]]
        matrix = cost_matrix(costs)
        ratio = cost_ratio(matrix, 0)
        assert ratio is not None
        found = label_leaves(
            class_estimates(ClassCounts.of(rows), "none"), matrix, [1] * len(rows), ties="positive"
        )
        wanted = [1 if not p + n else 0 if Fraction(p, p + n) >= ratio else 1 for p, n in rows]
        assert list(found) == wanted


def test_at_the_ratio_itself_j48s_label_stays_unless_told_otherwise() -> None:
    matrix = two_class_costs(1, 1, positive=0)
    half = [(Fraction(1, 2), Fraction(1, 2))]
    assert label_leaves(half, matrix, [1]) == (1,)
    assert label_leaves(half, matrix, [0]) == (0,)
    assert label_leaves(half, matrix, [1], ties="positive", positive=0) == (0,)
    assert label_leaves(half, matrix, [0], ties="negative", positive=0) == (1,)


def test_the_matrix_is_wekas_row_actual_column_predicted() -> None:
    matrix = cost_matrix([[0, 5], [1, 0]])
    assert matrix == two_class_costs(fn=5, fp=1, positive=0)
    assert labelling_cost([[2, 3]], [1], matrix) == 10
    assert labelling_cost([[2, 3]], [0], matrix) == 3
    assert expected_costs([Fraction(1, 2), Fraction(1, 2)], matrix) == (
        Fraction(1, 2),
        Fraction(5, 2),
    )


def test_a_matrix_says_itself_in_words() -> None:
    assert two_class_costs(5, 1, 0).in_words(("sick", "well")) == (
        "an actual 'sick' called 'well' costs 5, an actual 'well' called 'sick' costs 1"
    )
    assert cost_matrix([[-1, 0], [0, 0]]).in_words(("a", "b")) == "a right 'a' costs -1"
    assert cost_matrix([[0, 0], [0, 0]]).in_words(("a", "b")) == "nothing costs anything"


def test_new_shares_move_the_threshold_as_the_formula_says() -> None:
    random = Random(3)
    for _ in range(200):
        rows = random_rows(random, 2)
        counts = ClassCounts.of(rows)
        shares = counts.shares
        if shares is None or not all(shares):
            continue
        new = Fraction(random.randint(1, 19), 20)
        matrix = two_class_costs(random.randint(1, 9), random.randint(1, 9), 0)
        estimates = class_estimates(counts, "none")
        found = label_leaves(
            estimates, reweight_costs(matrix, shares, [new, 1 - new]), [1] * len(rows)
        )
        ratio = cost_ratio(matrix, 0)
        assert ratio is not None
        t = shifted_threshold(ratio, shares[0], new)
        assert t is not None
        assert list(found) == [0 if e is not None and e[0] > t else 1 for e in estimates]


def test_the_prior_threshold_is_the_labelling_of_largest_balanced_accuracy() -> None:
    random = Random(5)
    compared = 0
    for _ in range(300):
        rows = random_rows(random, 2)
        counts = ClassCounts.of(rows)
        shares = counts.shares
        if shares is None or not all(shares):
            continue
        estimates = class_estimates(counts, "none")
        by_lift = label_leaves(estimates, prior_costs(shares), [1] * len(rows))
        by_ratio = label_leaves(estimates, threshold_costs(shares[0], 0), [1] * len(rows))
        assert by_lift == by_ratio
        assert list(by_lift) == [0 if e is not None and e[0] > shares[0] else 1 for e in estimates]
        pairs = counts.against_rest(0)

        def balanced(labels: tuple[int, ...], pairs=pairs) -> Fraction:  # type: ignore[no-untyped-def]
            chosen = [k for k, label in enumerate(labels) if label == 0]
            found = labelling_auc(*locate_labelling(chosen, pairs))
            assert found is not None
            return found

        assert balanced(by_lift) == max(map(balanced, product((0, 1), repeat=len(rows))))
        compared += 1
    assert compared > 200


def test_laplace_counts_one_more_of_each_class_and_m_pulls_to_the_shares() -> None:
    counts = ClassCounts.of([[3, 0, 0], [1, 1, 1]])
    assert class_estimates(counts)[0] == (Fraction(4, 6), Fraction(1, 6), Fraction(1, 6))
    assert class_estimates(counts, "m", m=3)[0] == (
        Fraction(5, 6),
        Fraction(1, 12),
        Fraction(1, 12),
    )
    assert class_estimates(ClassCounts.of([[0, 0]]), "none") == (None,)


def test_a_leaf_without_an_estimate_keeps_its_label() -> None:
    assert label_leaves([None], two_class_costs(5, 1, 0), [1]) == (1,)


def test_no_ratio_where_nothing_is_at_stake() -> None:
    assert cost_ratio(cost_matrix([[0, 0], [0, 0]]), 0) is None
    assert shifted_threshold(0, 0.5, 0) is None


def test_costs_that_do_not_fit_are_refused() -> None:
    with pytest.raises(CostError, match="a cost matrix of 2 x 2; the tree has 3 classes"):
        cost_matrix([[0, 1], [1, 0]], 3)
    with pytest.raises(CostError, match="not negative"):
        two_class_costs(-1, 1, 0)
    with pytest.raises(CostError, match=r"threshold 1\.5: expected a number from 0 to 1"):
        threshold_costs(1.5, 0)
    with pytest.raises(CostError, match="expected 2 numbers"):
        reweight_costs(two_class_costs(1, 1, 0), [Fraction(1, 2)] * 2, [1])
    with pytest.raises(CostError, match="class 2 has no training case"):
        reweight_costs(two_class_costs(1, 1, 0), [Fraction(1), Fraction(0)], [0.5, 0.5])
    with pytest.raises(CostError, match="needs m"):
        class_estimates(ClassCounts.of([[1, 2]]), "m")


def test_the_thresholds_0_and_1_are_thresholds_too() -> None:
    estimates = [(Fraction(1), Fraction(0)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(0),) * 2]
    assert label_leaves(estimates[:2], threshold_costs(0, 0), [1, 1]) == (0, 0)
    assert label_leaves(estimates[:2], threshold_costs(1, 0), [1, 1]) == (1, 1)
