"""Order the leaves of a model, choose labels for costs, audit its splits, draw its curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from j48geo import defaults
from j48geo.core.dataset import Dataset
from j48geo.decide import costs as c
from j48geo.decide.criteria import AuditedSplit, audit_splits
from j48geo.decide.curves import LeafCurve, case_curve, count_curve
from j48geo.decide.labellings import OrderedLeaves
from j48geo.decide.leaf_counts import ClassCounts, class_counts, count_coverage
from j48geo.decide.leaf_order import Smoothing, order_leaves
from j48geo.decide.relabelling import Relabelling, class_estimates, default_smoothing, label_leaves
from j48geo.errors import ChoiceError
from j48geo.model.result_table import ResultTable

if TYPE_CHECKING:
    from j48geo.decide.costs import CostMatrix
    from j48geo.decide.relabelling import Ties
    from j48geo.model.model import Model


class Labellings(OrderedLeaves):
    """The optimal labellings of a tree; as text the table of ``j48geo labellings``."""

    def __str__(self) -> str:
        from j48geo.show.reports.labellings import labellings_to_text

        return labellings_to_text(self)


def _mp(model: Model, positive: int, counts: ClassCounts) -> float:
    shares = counts.shares
    if model.choices.m is None or not shares:
        return defaults.MP
    return model.choices.m * float(shares[positive])


def positive_classes(model: Model) -> list[int]:
    """The positive class, or every class in turn where none of several is named."""
    if model.positive_index is None and len(model.classes) > 2:
        return list(range(len(model.classes)))
    model.require_positive("the order of the leaves")
    return [model.positive_index or 0]


def order_by_accuracy(
    model: Model, positive: int, smoothing: Smoothing = "none", tested: ClassCounts | None = None
) -> Labellings:
    """The leaves in the order of their local positive accuracy.

    Parameters
    ----------
    positive
        Index of the positive class.
    tested
        Counts that rates are taken from, if not those of the order (`covered`).
    """
    counts = class_counts(model.tree, model.counts)
    pairs = counts.against_rest(positive)
    mp = _mp(model, positive, counts)
    order = order_leaves(pairs, smoothing, classes=len(model.classes), mp=mp)
    shown = pairs if tested is None else tested.against_rest(positive)
    return Labellings(model.tree, positive, order, shown, mp)


def leaf_table(model: Model, smoothing: Smoothing = "none") -> ResultTable:
    """The leaves by their share of the positive class, as a table."""
    from j48geo.show.reports.labellings import leaf_rows, leaf_titles

    model.require_positive("the order of the leaves")
    order = order_by_accuracy(model, model.positive_index or 0, smoothing)
    return ResultTable.of_rows(leaf_titles(), leaf_rows(order))


def count_test_rows(model: Model, rows: Iterable[Dataset]) -> ClassCounts:
    """Weight of every class that rows bring to each leaf; rows without a class do not count."""
    return count_coverage(model.tree, model.counts, rows)


def audit_model(model: Model, w: str | Sequence[float] = "prior") -> tuple[list[AuditedSplit], Any]:
    """Every split with what the criteria say of it, and W, the shares of most uncertainty.

    Parameters
    ----------
    w
        ``prior``, ``uniform``, a share of every class, or that of the positive one.
    """
    n = len(model.classes)
    shares = class_counts(model.tree, model.counts).shares
    if isinstance(w, str):
        if w not in ("prior", "uniform"):
            raise ChoiceError("w", f"{w}: expected prior, uniform, or {n} shares")
        equal = w == "uniform" or shares is None
        largest_shares = [1.0 / n] * n if equal else [float(x) for x in shares or ()]
    else:
        largest_shares = _check_shares("w", list(w), n, model.positive_index)
        total = sum(largest_shares)
        if not total:
            raise ChoiceError("w", f"has no share above 0; expected {n} shares")
        largest_shares = [x / total for x in largest_shares]
    at = model.positive_index
    return audit_splits(model.tree, model.counts, largest_shares, at), largest_shares


def audit_table(model: Model, w: str | Sequence[float] = "prior") -> ResultTable:
    """Every split with its AUC, gains and entropies, as a table."""
    from j48geo.show.reports.audit import audit_rows, audit_titles

    splits, _ = audit_model(model, w)
    return ResultTable.of_rows(audit_titles(), audit_rows(splits))


def _check_shares(name: str, numbers: list[float], n: int, positive: int | None) -> list[float]:
    """A share for every class, from all of them or from that of the positive one."""
    if len(numbers) == 1 and n == 2 and positive is not None:
        p = numbers[0]
        if not 0 <= p <= 1:
            raise ChoiceError(name, f"{p:g}: expected a share from 0 to 1")
        return [p, 1.0 - p] if positive == 0 else [1.0 - p, p]
    if len(numbers) != n or not all(isfinite(x) and x >= 0 for x in numbers):
        raise ChoiceError(name, f"{', '.join(f'{x:g}' for x in numbers)}: expected {n} shares")
    return numbers


@dataclass(frozen=True)
class CostRequest:
    """The costs, threshold or class shares that labels are to be chosen for.

    Parameters
    ----------
    cost_matrix
        Cost of every mistake: row = actual, column = predicted class.
    matrix_name
        Where it comes from, for messages.
    fn, fp
        Cost of a missed positive and of a false alarm, for two classes.
    threshold
        The positive class where its estimate exceeds this; ``prior``: the class of the
        largest lift over its share in training.
    prior
        New shares of the classes, or of the positive one.
    """

    cost_matrix: Sequence[Sequence[float]] | None = None
    matrix_name: str = "cost_matrix"
    fn: float | None = None
    fp: float | None = None
    threshold: float | Literal["prior"] | None = None
    prior: float | Sequence[float] | None = None

    def __post_init__(self) -> None:
        ways = [
            self.cost_matrix is not None,
            self.fn is not None or self.fp is not None,
            self.threshold is not None,
        ]
        if sum(ways) > 1:
            raise ChoiceError("costs", "twice; expected one of cost_matrix, fn and fp, threshold")
        if not any(ways) and self.prior is None:
            raise ChoiceError(
                "costs", "missing; expected cost_matrix, fn and fp, threshold or prior"
            )
        if self.threshold is not None and self.prior is not None:
            raise ChoiceError("prior", "and threshold exclude each other")

    @property
    def needs_positive(self) -> bool:
        """Whether the request is about one positive class."""
        if self.threshold not in (None, "prior") or self.fn is not None or self.fp is not None:
            return True
        return self.prior is not None and not isinstance(self.prior, Sequence)


def choose_labels(
    model: Model, request: CostRequest, smoothing: Smoothing | None = None, ties: Ties = "keep"
) -> Relabelling:
    """Labels of least expected cost for the leaves.

    Parameters
    ----------
    smoothing
        Estimate that they are chosen by. Default: Laplace's for two classes; for more the
        m-estimate with the class shares, since Laplace makes up a case of every class.
    """
    tree = model.tree
    counts = class_counts(tree, model.counts)
    n = len(tree.classes)
    kind = smoothing or default_smoothing(counts)
    needs = request.needs_positive or ties != "keep" or (kind == "m" and n == 2)
    positive = None
    if needs or model.choices.positive is not None or n == 2:
        model.require_positive("these costs")
        positive = model.positive_index
    matrix, description = _build_matrix(tree.classes, counts, request, positive)
    m = _m(model, counts, positive) if kind == "m" else None
    estimates = class_estimates(counts, kind, m=m)
    own = [leaf.label for leaf in tree.leaves]

    def chosen(of: Any) -> tuple[int, ...]:
        return label_leaves(of, matrix, own, ties=ties, positive=positive or 0)

    # What raw shares would choose is shown beside the labels: smoothing decides small leaves.
    raw = chosen(class_estimates(counts, "none"))
    new = chosen(estimates)
    return Relabelling(tree, counts, matrix, description, kind, estimates, new, raw, positive, m)


def _m(model: Model, counts: ClassCounts, positive: int | None) -> float | None:
    """The m of labels: what was chosen, else one for all classes, or of the positive of two."""
    shares = counts.shares
    if len(model.classes) > 2:
        return defaults.LABELS_M if model.choices.m is None else model.choices.m
    if shares is None or positive is None or not shares[positive]:
        return None
    return _mp(model, positive, counts) / float(shares[positive])


def _build_matrix(
    classes: tuple[str, ...], counts: ClassCounts, request: CostRequest, positive: int | None
) -> tuple[CostMatrix, str]:
    """The cost matrix that a request stands for, and its description."""
    n = len(classes)
    shares = counts.shares
    if request.threshold == "prior":
        if shares is None:
            raise c.CostError("threshold prior: the tree has no training cases")
        return c.prior_costs(shares), "the class of the largest lift over its share in training"
    if request.threshold is not None:
        return _threshold_matrix(classes, request.threshold, positive)
    matrix = _requested_matrix(n, request, positive)
    description = _describe_costs(matrix, classes, positive)
    if request.prior is None:
        return matrix, description
    if shares is None:
        raise c.CostError("prior: the tree has no training cases")
    numbers = list(request.prior) if isinstance(request.prior, Sequence) else [request.prior]
    new = _check_shares("prior", numbers, n, positive)
    listed = ", ".join(f"{name!r} {share:g}" for name, share in zip(classes, new, strict=True))
    return c.reweight_costs(matrix, shares, new), f"{description}; new class shares: {listed}"


def _threshold_matrix(
    classes: tuple[str, ...], threshold: float, positive: int | None
) -> tuple[CostMatrix, str]:
    """The costs for which a leaf is positive where its estimate exceeds a threshold."""
    _require_two_classes("threshold", len(classes))
    assert positive is not None
    if not isfinite(threshold):
        raise ChoiceError("threshold", f"{threshold}: expected a number")
    description = f"{classes[positive]!r} where its estimate exceeds {threshold:g}"
    return c.threshold_costs(threshold, positive), description


def _requested_matrix(n: int, request: CostRequest, positive: int | None) -> CostMatrix:
    """The given matrix, that of the costs of two classes, or 1 for every mistake."""
    if request.cost_matrix is not None:
        try:
            return c.cost_matrix(request.cost_matrix, n)
        except c.CostError as error:
            raise c.CostError(f"{request.matrix_name}: {error}") from error
    if request.fn is None and request.fp is None:
        return c.cost_matrix([[int(i != j) for j in range(n)] for i in range(n)])
    _require_two_classes("fn", n)
    assert positive is not None
    fn = 1.0 if request.fn is None else request.fn
    fp = 1.0 if request.fp is None else request.fp
    return c.two_class_costs(fn, fp, positive)


def _require_two_classes(option: str, n: int) -> None:
    if n != 2:
        raise ChoiceError(option, f"is for two classes; the tree has {n}: expected a cost matrix")


def _describe_costs(matrix: CostMatrix, classes: tuple[str, ...], positive: int | None) -> str:
    """The costs in a few words; a large matrix is shown as one."""
    if positive is not None and len(classes) == 2:
        return _describe_two_costs(matrix, positive) or matrix.in_words(classes)
    if len(classes) == 2:
        return matrix.in_words(classes)
    plain = all(
        cost == (i != j) for i, row in enumerate(matrix.costs) for j, cost in enumerate(row)
    )
    return "every mistake costs 1" if plain else f"a cost matrix of {len(classes)} classes"


def _describe_two_costs(matrix: CostMatrix, positive: int) -> str:
    """The costs of two classes as everybody says them; empty if being right costs too."""
    p, n = positive, 1 - positive
    if matrix.costs[p][p] or matrix.costs[n][n]:
        return ""
    miss, alarm = float(matrix.costs[p][n]), float(matrix.costs[n][p])
    return f"a missed positive costs {miss:g}, a false alarm {alarm:g}"


def draw_curve(
    model: Model,
    positive: int,
    smoothing: Smoothing = "none",
    rows: Iterable[Dataset] | None = None,
) -> LeafCurve:
    """The curve of the leaf estimates over the counts of the tree, or over rows."""
    counts = class_counts(model.tree, model.counts)
    n = len(model.classes)
    ranked_classes = range(n) if n > 2 else (positive,)
    of_leaf = np.empty((len(model.tree.leaves), len(ranked_classes)))
    mp = _mp(model, positive, counts)
    for k, one in enumerate(ranked_classes):
        order = order_leaves(counts.against_rest(one), smoothing, classes=n, mp=mp)
        for group in order.groups:  # leaves of one group have one score, to the last bit
            of_leaf[list(group.leaves), k] = float(group.accuracy)
    if rows is None:
        return count_curve(model.tree, counts, of_leaf, positive)
    return case_curve(model.tree, model.counts, of_leaf, positive, rows, laplace=model.laplace)
