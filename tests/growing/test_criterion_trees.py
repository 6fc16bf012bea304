"""The papers' growers: identities of their criteria, and every split the best by definition."""

from __future__ import annotations

from dataclasses import replace

import literal_criteria as defined
import numpy as np
import pytest
from random_growing import grow_case

from j48geo.core.counts import counts_from_data
from j48geo.core.criteria import CRITERIA, Criterion, area, impurity_of
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.tree import BoxTree
from j48geo.data.arff.stream import read_arff
from j48geo.decide.criteria import compute_criteria
from j48geo.errors import UnknownNameError
from j48geo.growing.criterion_trees import CriterionOptions, grow_by_criterion
from j48geo.growing.j48 import grow_j48
from j48geo.growing.options import GrowOptions, GrowOptionsError
from j48geo.replaying.replay import replay

PLAIN = CriterionOptions(prune="none", smoothing=0.0, min_gain=0.0)


def two_classes(seed: int, n: int = 120) -> Dataset:
    """Whole-numbered columns and a nominal one; classes by steps, with noise."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 9, (n, 3)).astype(float)
    v = rng.integers(0, 4, n).astype(float)
    y = ((x[:, 0] > 4) ^ (x[:, 1] > 6) | (v == 2)).astype(float)
    noisy = rng.random(n) < 0.15
    y[noisy] = 1 - y[noisy]
    attributes = (
        *(Attribute(f"x{i}") for i in range(3)),
        Attribute("v", "nominal", ("p", "q", "r", "s")),
        Attribute("class", "nominal", ("no", "yes")),
    )
    return Dataset(Header("two", attributes, 4), np.column_stack([x, v, y]), np.ones(n))


def test_the_area_of_two_branches_is_half_of_one_and_the_distance_of_the_shares() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        plus, minus = rng.integers(0, 9, 2) + 1.0, rng.integers(0, 9, 2) + 1.0
        expected = (1 + abs(plus[0] / plus.sum() - minus[0] / minus.sum())) / 2
        assert area(plus, minus) == pytest.approx(expected, abs=1e-12)
        assert area(plus, 7 * minus) == pytest.approx(expected, abs=1e-12)


def test_the_area_of_many_branches_is_that_of_the_audit() -> None:
    rng = np.random.default_rng(1)
    for _ in range(100):
        counts = rng.integers(0, 6, (int(rng.integers(2, 7)), 2)).astype(float)
        found = defined.auc_split(counts.tolist(), positive=0)
        if found is not None:
            assert area(counts[:, 0], counts[:, 1]) == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("criterion", ["gain", "gini", "dkm", "error", "asymmetric", "off-centred"])
def test_impurities_are_those_of_the_audit(criterion: Criterion) -> None:
    w = np.array([0.3, 0.7])
    of = {
        "gain": defined.entropy,
        "gini": defined.gini,
        "dkm": defined.dkm,
        "error": defined.error,
        "asymmetric": lambda f: defined.asymmetric_entropy(f, w.tolist()),
        "off-centred": lambda f: defined.off_centred_entropy(f, w.tolist()),
    }[criterion]
    a = np.linspace(0, 1, 101)
    found = impurity_of(criterion, w)(np.column_stack([a, 1 - a]))
    assert found == pytest.approx([of([p, 1 - p]) for p in a.tolist()], abs=1e-12)


def test_at_one_half_asymmetric_is_four_ginis_and_off_centred_is_entropy() -> None:
    half = np.array([0.5, 0.5])
    a = np.linspace(0, 1, 201)
    f = np.column_stack([a, 1 - a])
    assert impurity_of("asymmetric", half)(f) == pytest.approx(4 * impurity_of("gini", half)(f))
    assert impurity_of("off-centred", half)(f) == pytest.approx(impurity_of("gain", half)(f))


def test_asymmetric_entropy_is_largest_at_w_where_it_is_two() -> None:
    for w in (0.05, 0.2, 0.5, 0.9):
        a = np.linspace(0.001, 0.999, 999)
        h = impurity_of("asymmetric", np.array([w, 1 - w]))(np.column_stack([a, 1 - a]))
        assert a[h.argmax()] == pytest.approx(w, abs=1e-9)
        assert h.max() == pytest.approx(2.0)


def shape(tree: BoxTree) -> list[object]:
    """Questions alone, without counts and options."""
    return [node.split for node in tree.nodes]


@pytest.mark.parametrize("seed", range(4))
def test_at_one_half_asymmetric_grows_the_tree_of_gini_and_off_centred_that_of_gain(
    seed: int,
) -> None:
    data = two_classes(seed)
    for one, other in (("asymmetric", "gini"), ("off-centred", "gain")):
        for prune in ("none", "pep", "c45"):
            options = CriterionOptions(prune=prune, smoothing=1.0, min_gain=0.02)
            first = grow_by_criterion(data, replace(options, criterion=one, w=0.5))
            second = grow_by_criterion(data, replace(options, criterion=other))
            assert shape(first) == shape(second)
            assert first.leaves == second.leaves


@pytest.mark.parametrize("criterion", ["asymmetric", "gini", "dkm", "auc"])
@pytest.mark.parametrize("seed", range(4))
def test_exchanging_the_classes_and_w_changes_nothing(criterion: Criterion, seed: int) -> None:
    data = two_classes(seed)
    w = 0.3 if criterion == "asymmetric" else None
    yes = CriterionOptions(criterion, w=w, positive="yes")
    no = CriterionOptions(criterion, w=None if w is None else 1 - w, positive="no")
    first, second = grow_by_criterion(data, yes), grow_by_criterion(data, no)
    assert len(first.leaves) > 1
    assert first == second


@pytest.mark.parametrize("criterion", CRITERIA)
def test_pruning_leaves_no_more_leaves_than_there_were(criterion: Criterion) -> None:
    data = two_classes(7)
    whole = grow_by_criterion(data, CriterionOptions(criterion, prune="none", min_gain=0.0))
    unpruned = CriterionOptions(criterion, min_gain=0.0, j48=GrowOptions(unpruned=True))
    if criterion != "gain-ratio":  # -U of J48 still collapses
        assert grow_by_criterion(data, unpruned).leaves == whole.leaves
    for prune in ("pep", "c45"):
        pruned = grow_by_criterion(data, CriterionOptions(criterion, prune=prune, min_gain=0.0))
        assert 1 < len(pruned.leaves) <= len(whole.leaves)


@pytest.mark.parametrize("seed", [1, 2, 8, 9])
def test_the_gain_ratio_alone_is_j48(seed: int) -> None:
    data = read_arff(grow_case(seed).arff.encode())
    for words in ("", "-B", "-M 5 -C 0.1", "-S -J"):
        j48 = GrowOptions.of(words.split())
        theirs = grow_j48(data, j48)
        assert grow_by_criterion(data, CriterionOptions(j48=j48)) == theirs
        # The same by the papers' own road, which a word about gains takes.
        by_road = grow_by_criterion(data, CriterionOptions(min_gain_of="absolute", j48=j48))
        assert shape(by_road) == shape(theirs)
        assert by_road.leaves == theirs.leaves


def score(data: Dataset, rows: np.ndarray, branch: np.ndarray, criterion: Criterion) -> float:
    """A split's score by the definitions of the audit; -1 if no two branches have 2 rows."""
    y = data.class_values[rows].astype(int)
    branches = [
        [int(((branch == b) & (y == c)).sum()) for c in (1, 0)] for b in np.unique(branch).tolist()
    ]
    if sum(sum(counts) >= 2 for counts in branches) < 2:
        return -1.0
    found = compute_criteria(branches, w=[0.3, 0.7])
    return (found.scores[criterion] or 0.0) - 0.5 * (criterion == "auc")


def test_the_audit_knows_every_criterion_by_the_name_that_grow_has_for_it() -> None:
    found = compute_criteria([[3, 5], [5, 1], [4, 2]], w=[0.6, 0.4])
    assert tuple(found.scores) == CRITERIA
    assert found.scores["auc"] == 0.71875
    assert found.scores["gain"] == found.entropy.gain


@pytest.mark.parametrize("criterion", [c for c in CRITERIA if c != "gain-ratio"])
def test_every_split_is_the_best_by_definition(criterion: Criterion) -> None:
    data = two_classes(3, 60)
    w = 0.3 if criterion in ("asymmetric", "off-centred") else None
    tree = grow_by_criterion(data, replace(PLAIN, criterion=criterion, w=w, positive="yes"))
    assert len(tree.leaves) > 3
    reached = {0: np.arange(len(data))}
    for node in tree.nodes:
        rows = reached.pop(node.index)
        candidates = [(data.X[rows, 3], 3)]
        for a in range(3):
            x = data.X[rows, a]
            candidates += [((x > cut).astype(float), a) for cut in np.unique(x)[:-1]]
        best = max(score(data, rows, branch, criterion) for branch, _ in candidates)
        if node.split is None:
            pure = len(set(data.class_values[rows].tolist())) < 2
            assert pure or len(rows) < 4 or best <= 1e-9
            continue
        x = data.X[rows, node.split.attribute]
        branch = x if node.split.kind == "multiway" else (x > node.split.threshold).astype(float)
        assert score(data, rows, branch, criterion) == pytest.approx(best, abs=1e-8)
        for b, child in enumerate(node.children):
            reached[child] = rows[branch == b]


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("seed", [2, 3, 8, 9])
def test_the_rows_replay_with_missing_values_and_weights(criterion: Criterion, seed: int) -> None:
    data = read_arff(grow_case(seed).arff.encode())
    y = data.X[:, -1]
    keep = np.isnan(y) | (y < 2)
    data = replace(data, X=data.X[keep], weights=data.weights[keep])
    for binary in (False, True):
        options = CriterionOptions(criterion, min_gain=0.0, j48=GrowOptions(binary=binary))
        tree = grow_by_criterion(data, options)
        assert replay(tree, data).ok
        counts = counts_from_data(tree, data.X, data.class_values, data.weights)
        for leaf, weight in zip(tree.leaves, counts.weight[list(tree.leaf_nodes)], strict=True):
            assert leaf.weight == pytest.approx(weight, abs=1e-9)


def test_a_larger_least_gain_grows_a_smaller_tree() -> None:
    data = two_classes(5)
    for of in ("parent", "absolute", "node-share"):
        sizes = [
            grow_by_criterion(
                data, replace(PLAIN, criterion="gini", min_gain=least, min_gain_of=of)
            ).size
            for least in (0.0, 0.02, 0.1, 0.6)
        ]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] > sizes[-1] == 1


def test_what_makes_no_sense_is_refused() -> None:
    three = read_arff(
        b"@relation r\n@attribute x numeric\n@attribute c {a,b,d}\n@data\n1,a\n2,b\n3,d\n"
    )
    for criterion in ("dkm", "auc", "off-centred"):
        with pytest.raises(GrowOptionsError, match="3 classes; expected two"):
            grow_by_criterion(three, CriterionOptions(criterion))
    with pytest.raises(GrowOptionsError, match="no share"):
        CriterionOptions("asymmetric", w=1.0)
    with pytest.raises(GrowOptionsError, match="only asymmetric"):
        CriterionOptions("gini", w=0.5)
    with pytest.raises(GrowOptionsError, match="min_gain"):
        CriterionOptions("gini", min_gain=-1.0)
    with pytest.raises(GrowOptionsError, match="-U with prune pep"):
        CriterionOptions("gini", prune="pep", j48=GrowOptions(unpruned=True))
    with pytest.raises(GrowOptionsError, match="-R with a criterion"):
        grow_by_criterion(three, CriterionOptions("gini", j48=GrowOptions(reduced_error=True)))
    with pytest.raises(UnknownNameError, match="criterion"):
        CriterionOptions("chaos")  # type: ignore[arg-type]
    with pytest.raises(UnknownNameError, match="unknown class 'z'"):
        grow_by_criterion(three, CriterionOptions("gini", positive="z"))
