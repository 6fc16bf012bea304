from __future__ import annotations

from math import isclose, log2, sqrt
from random import Random

import pytest
from literal_criteria import (
    asymmetric_entropy,
    auc_split,
    dkm,
    entropy,
    error,
    gain_ratio,
    gini,
    mean_impurity,
    off_centred_entropy,
)

from j48geo.decide.criteria import ImpurityChange, compute_criteria


def test_each_impurity_is_that_of_the_papers() -> None:
    a, b = 0.3, 0.7
    assert error([a, b]) == pytest.approx(min(a, b))
    assert gini([a, b]) == pytest.approx(2 * a * b)
    assert entropy([a, b]) == pytest.approx(-a * log2(a) - b * log2(b))
    assert dkm([a, b]) == pytest.approx(2 * sqrt(a * b))


def test_two_branches_have_the_closed_form_of_aucsplit() -> None:
    random = Random(8)
    for _ in range(300):
        p1, n1, p2, n2 = (random.randint(0, 9) for _ in range(4))
        p, n = p1 + p2, n1 + n2
        found = auc_split([[p1, n1], [p2, n2]], 0)
        if not p or not n:
            assert found is None
            continue
        assert found == pytest.approx((1 + abs(p1 / p - n1 / n)) / 2, abs=1e-12)
        assert auc_split([[p1, n1], [p2, n2]], 1) == pytest.approx(found, abs=1e-12)


def test_aucsplit_of_the_papers_two_splits() -> None:
    assert auc_split([[7, 3], [3, 7]], 0) == pytest.approx(7 / 10)
    assert auc_split([[7, 3], [7, 3]], 0) == pytest.approx(0.5)


def test_asymmetric_entropy_at_one_half_is_four_times_gini() -> None:
    for k in range(11):
        f = [k / 10, 1 - k / 10]
        assert asymmetric_entropy(f, [0.5, 0.5]) == pytest.approx(4 * gini(f))


def test_asymmetric_entropy_is_largest_at_w_and_counts_the_classes_there() -> None:
    random = Random(9)
    for n in (2, 3, 5):
        w = [random.random() + 0.05 for _ in range(n)]
        w = [x / sum(w) for x in w]
        assert asymmetric_entropy(w, w) == pytest.approx(n)
        for _ in range(100):
            f = [random.random() for _ in range(n)]
            f = [x / sum(f) for x in f]
            found = asymmetric_entropy(f, w)
            assert found is not None
            assert found <= n + 1e-9


def test_off_centred_entropy_is_one_at_w_and_none_when_pure() -> None:
    for w in (0.1, 0.5, 0.8):
        assert off_centred_entropy([w, 1 - w], [w, 1 - w]) == pytest.approx(1)
        assert off_centred_entropy([0, 1], [w, 1 - w]) == 0
        assert off_centred_entropy([1, 0], [w, 1 - w]) == 0
    assert off_centred_entropy([0.3, 0.7], [0.5, 0.5]) == pytest.approx(entropy([0.3, 0.7]))
    turned = off_centred_entropy([0.7, 0.3], [0.2, 0.8])
    assert off_centred_entropy([0.3, 0.7], [0.8, 0.2]) == pytest.approx(turned)


def test_what_is_zero_by_zero_is_null() -> None:
    pure = compute_criteria([[3, 0], [2, 0]], [1.0, 0.0])
    assert (pure.auc, pure.asymmetric.gain, pure.off_centred.parent) == (None, None, None)
    assert (pure.accuracy, pure.gain_ratio, pure.gini.gain) == (1, 0, 0)
    one_way = compute_criteria([[3, 2], [0, 0]], [0.6, 0.4])
    assert one_way.gain_ratio is None
    assert one_way.gini.gain == pytest.approx(0)
    nothing = compute_criteria([[0, 0], [0, 0]], [0.5, 0.5])
    assert (nothing.accuracy, nothing.entropy.gain, nothing.gain_ratio) == (None, None, None)


def test_more_than_two_classes_have_no_dkm_and_no_off_centred_entropy() -> None:
    found = compute_criteria([[1, 2, 3], [3, 1, 0]], [0.4, 0.3, 0.3], positive=None)
    assert (found.auc, found.dkm.parent, found.off_centred.children) == (None, None, None)
    assert found.asymmetric.children is not None


def test_the_gain_ratio_divides_by_the_entropy_of_the_sizes() -> None:
    branches = [[2, 3], [4, 0], [3, 2]]
    found = gain_ratio(branches)
    assert found is not None
    assert isclose(found, 0.2467498 / 1.5774062, rel_tol=1e-6)


def test_the_criteria_of_a_split_are_the_plain_formulas() -> None:
    random = Random(11)
    for _ in range(300):
        classes, n = random.randint(2, 4), random.randint(2, 5)
        branches = [[random.choice([0.0, 1, 2, 2.5, 7]) for _ in range(classes)] for _ in range(n)]
        if not sum(map(sum, branches)):
            continue
        w = [1 / classes] * classes
        found = compute_criteria(branches, w, positive=1)
        whole = [[sum(column) for column in zip(*branches, strict=True)]]
        for change, impurity in (
            (found.error, error),
            (found.gini, gini),
            (found.entropy, entropy),
            (found.dkm, dkm),
            (found.asymmetric, lambda f, w=w: asymmetric_entropy(f, w)),
            (found.off_centred, lambda f, w=w: off_centred_entropy(f, w)),
        ):
            assert isinstance(change, ImpurityChange)
            assert change.parent == pytest.approx(mean_impurity(whole, impurity), abs=1e-12)
            assert change.children == pytest.approx(mean_impurity(branches, impurity), abs=1e-12)
        assert found.auc == pytest.approx(auc_split(branches, 1), abs=1e-12)
        assert found.gain_ratio == pytest.approx(gain_ratio(branches), abs=1e-12)
