"""The smallest change of a case that gives it another class.

`ChangeSearch` moves a case into leaves of other classes. A change is reported only after it was
tried: the changed case is sent down the tree and classified again. The distance is measured to
closed boxes; a change must also end on the right side of each threshold, and ``x > b`` is not
satisfied by b. `find_targets` tells what a case must have in each attribute to reach a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from functools import partial
from itertools import pairwise
from math import ceil, floor, hypot, inf, isfinite, isnan, log10, nan, nextafter, sqrt, ulp
from operator import eq
from typing import Literal

import numpy as np

from j48geo.arrays import Floats, Ints
from j48geo.core.cache import cached_for
from j48geo.core.descent import goes_left
from j48geo.core.fitted_values import Metric
from j48geo.core.routing import find_leaves
from j48geo.core.tree import BoxTree, Split, narrow_subset

_DECIMALS = 6
_DATE_UNITS = (86_400_000.0, 3_600_000.0, 60_000.0, 1000.0)
"""Day, hour, minute and second in milliseconds."""


@dataclass(frozen=True)
class Target:
    """The values of one attribute that the tests on the way to a leaf let pass.

    Parameters
    ----------
    low, high
        Smallest and largest number that passes, both included.
    low_threshold, high_threshold
        The thresholds behind them: `low` is the next number above the threshold of a
        ``>``, and further up if the threshold is only known roughly.
    low_node, high_node
        Nodes that ask; -1 if none does. A nominal attribute has only `low_node`.
    widest
        Largest number that passes thanks to the slack of a rounded threshold.
    choices
        Values of a nominal attribute that pass, ascending; empty for numbers.
    """

    attribute: int
    low: float = -inf
    high: float = inf
    low_threshold: float = nan
    high_threshold: float = nan
    low_node: int = -1
    high_node: int = -1
    widest: float = inf
    choices: tuple[int, ...] = ()

    def accepts(self, x: float) -> bool:
        """Whether this value passes; a missing one does not."""
        if self.choices:
            return x in self.choices
        return self.low <= x <= self.widest

    def nearest(self, x: float, step: float | None) -> tuple[float, bool]:
        """The value to give instead of `x`, and whether it is bound from below.

        A step past a threshold is taken if it stays inside; where the attribute has none (0)
        a number with few digits, and with None the very next number.
        """
        upwards = x < self.low if not isnan(x) else not isfinite(self.high)
        if upwards:
            to = _step_beyond(self.low_threshold, self.low, step, 1)
            return (to if to <= self.high else self.low), True
        to = _step_beyond(self.high_threshold, self.high, step, -1)
        return (to if to >= self.low else self.high), False


def _round_beyond(bound: float, sign: int) -> float:
    """A number with few digits at or beyond `bound`, by at most a part in 100,000."""
    exact = Decimal(bound)
    rounding = ROUND_CEILING if sign > 0 else ROUND_FLOOR
    room = abs(exact) * Decimal("1e-5")
    with localcontext(prec=60):
        for digits in range(1, 17):
            unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
            shorter = exact.quantize(unit, rounding=rounding)
            to = float(shorter)
            if abs(shorter - exact) <= room and (to >= bound if sign > 0 else to <= bound):
                return to
    return bound


def _step_beyond(threshold: float, bound: float, step: float | None, sign: int) -> float:
    """The first multiple of the step at or beyond `bound`, if the threshold itself is out."""
    if step is None or bound == threshold or not isfinite(bound) or bound == 0:
        return bound
    if step <= 0:
        return _round_beyond(bound, sign)
    digits = max(0, ceil(-log10(step)) + 3)  # clears the noise of the multiplication
    steps = bound / step
    if abs(steps) > 2**50:
        return bound
    to = round((ceil(steps) if sign > 0 else floor(steps)) * step, digits)
    while (to < bound) if sign > 0 else (to > bound):
        to = round(to + sign * step, digits)
    return to


def find_targets(tree: BoxTree, leaf: int) -> tuple[Target, ...] | None:
    """What each attribute on the way to `leaf` must be, ascending; None if nothing can be."""
    known = cached_for(tree, _known_targets)
    if leaf not in known:
        known[leaf] = _target(tree, leaf)
    return known[leaf]


def _known_targets(_: BoxTree) -> dict[int, tuple[Target, ...] | None]:
    """Targets by leaf, as they are asked for: most leaves of a large tree never are."""
    return {}


def _target(tree: BoxTree, leaf: int) -> tuple[Target, ...] | None:
    numbers: dict[int, Target] = {}
    sets: dict[int, tuple[frozenset[int], int]] = {}
    path = tree.path(leaf)
    for index, below in pairwise(path):
        split, branch = tree.nodes[index].split, tree.nodes[below].branch
        assert split is not None
        a = split.attribute
        if split.kind == "numeric":
            old = numbers.get(a, Target(a))
            numbers[a] = _narrow_target(old, split, branch, index, tree.tolerance)
            continue
        earlier = sets[a][0] if a in sets else None
        values = narrow_subset(earlier, split, branch, len(tree.attribute(split).values))
        sets[a] = (values, index)
    targets = [_possible(t) for t in numbers.values()]
    for a, (values, node) in sets.items():
        targets.append(Target(a, low_node=node, choices=tuple(sorted(values))) if values else None)
    possible = [t for t in targets if t is not None]
    if len(possible) < len(targets):
        return None
    return tuple(sorted(possible, key=lambda t: t.attribute))


def _possible(target: Target) -> Target | None:
    """The target, reaching into the slack of its upper face if it must; None if empty."""
    if target.low <= target.high:
        return target
    if target.low <= target.widest:
        return Target(
            target.attribute,
            target.low,
            target.widest,
            target.low_threshold,
            target.high_threshold,
            target.low_node,
            target.high_node,
            target.widest,
        )
    return None


def _narrow_target(old: Target, split: Split, branch: int, node: int, tolerance: float) -> Target:
    t = split.threshold
    rough = t + max(split.slack, tolerance)
    if branch == 0:
        high = t if _left(split, t, tolerance) else nextafter(t, -inf)
        widest = rough
        while widest > high and not _left(split, widest, tolerance):
            widest = nextafter(widest, -inf)
        widest = min(old.widest, max(widest, high))
        if high >= old.high:
            high, threshold, owner = old.high, old.high_threshold, old.high_node
        else:
            threshold, owner = t, node
        return Target(
            old.attribute, old.low, high, old.low_threshold, threshold, old.low_node, owner, widest
        )
    low = rough if _left(split, t, tolerance) else t
    while _left(split, low, tolerance):
        if low == inf:
            return Target(old.attribute, inf, -inf, widest=-inf)
        low = nextafter(low, inf)
    if low <= old.low:
        return old
    return Target(
        old.attribute, low, old.high, t, old.high_threshold, node, old.high_node, old.widest
    )


def _left(split: Split, x: float, tolerance: float) -> bool:
    return bool(goes_left(split, np.array([x]), tolerance)[0])


def column_steps(X: Floats, dates: Collection[int] = ()) -> Floats:
    """The step in which each column counts: 1 for whole numbers, 0.1, 0.01, ...; else 0.

    At most six decimals; 0 where no value is known or none of these fits all of them.

    Parameters
    ----------
    dates
        Columns of milliseconds, which may count in days, hours, minutes or seconds.
    """
    steps = np.zeros(X.shape[1])
    for a in range(X.shape[1]):
        known = X[:, a][np.isfinite(X[:, a])]
        if not len(known) or np.abs(known).max() > 2**50:
            continue
        for digits in range(_DECIMALS + 1):
            if (known == np.round(known, digits)).all():
                steps[a] = 10.0**-digits
                break
        if a in dates and steps[a] == 1:
            steps[a] = next((unit for unit in _DATE_UNITS if (known % unit == 0).all()), 1.0)
    return steps


Classify = Callable[[Floats], Ints]
Relation = Literal["<=", ">", "<", ">=", "=", "!=", "in"]
_NO_TIE = 1 - 1e-9
"""A change is smaller than another if it is by more than rounding."""
_TRIED_FIRST, _TRIED_AT_ONCE = 2, 32
"""Leaves that are tried together: the nearest nearly always serves, so few at first."""


@dataclass(frozen=True)
class ValueChange:
    """One attribute to change.

    Parameters
    ----------
    before, to
        Value of the case, NaN if missing, and the value to give it.
    relation, threshold
        What the new value must satisfy: ``to relation threshold``; ``in`` and NaN for a
        nominal attribute.
    beyond
        How far past the threshold `to` lies; 0 if the threshold itself will do.
    choices
        All values that will do, of a nominal attribute.
    node
        Tree node that asks for it.
    scaled
        Size of the change in units of the metric; 0 for a value that was missing.
    """

    attribute: int
    before: float
    to: float
    relation: Relation
    threshold: float
    beyond: float
    choices: tuple[int, ...]
    node: int
    scaled: float


@dataclass(frozen=True, eq=False)
class Flip:
    """A change of the case that gives it another class, tried and found true.

    Parameters
    ----------
    flips_to
        The class of the changed case.
    leaf, distance
        The leaf it then lies in, and the distance of the case to its closed box.
    changed : array of float64, shape (n_attributes,)
        The changed case.
    """

    flips_to: int
    leaf: int
    distance: float
    changes: tuple[ValueChange, ...]
    changed: Floats

    @property
    def size(self) -> float:
        """Length of the change in units of the metric."""
        return hypot(*(change.scaled for change in self.changes))


@dataclass(frozen=True)
class ChangeSearch:
    """Changes a case until it lies in a leaf, and looks what becomes of it.

    Parameters
    ----------
    squared : array of float64, shape (n_leaves,)
        Squared distances to the leaves as they are reported.
    bounds : array of float64, shape (n_leaves,)
        Squared distances to the boxes of `tree`, which no change into a leaf can undercut. They
        differ from `squared` where faces are measured in the middle of their gaps.
    """

    tree: BoxTree
    x: Floats
    metric: Metric
    classify: Classify
    steps: Floats | None
    squared: Floats
    bounds: Floats

    def smallest(self, leaves: Ints, wanted: Callable[[int], bool]) -> Flip | None:
        """The smallest change into one of these leaves that gives a class that is wanted.

        Parameters
        ----------
        leaves
            Ascending by `bounds`: no later leaf can need less than its bound.
        """
        return self._smaller(None, leaves, wanted)

    def each(self, wanted: Mapping[int, Ints]) -> list[Flip | None]:
        """For each class the smallest change into one of its leaves that gives it.

        The nearest leaves of all classes are tried together.
        """
        nearest = np.array([leaves[0] for leaves in wanted.values()], dtype=np.intp)
        known = {flip.leaf: flip for flip in self._try_leaves(nearest)}
        flips: list[Flip | None] = []
        for c, leaves in wanted.items():
            flip = known.get(int(leaves[0]))
            best = flip if flip is not None and flip.flips_to == c else None
            flips.append(self._smaller(best, leaves[1:], partial(eq, c)))
        return flips

    def _smaller(
        self, best: Flip | None, leaves: Ints, wanted: Callable[[int], bool]
    ) -> Flip | None:
        """The smallest change among `best` and those into `leaves`; the first of equals."""
        begin, tried = 0, _TRIED_FIRST
        while begin < len(leaves):
            if best is not None and not sqrt(self.bounds[leaves[begin]]) < best.size:
                break
            for flip in self._try_leaves(leaves[begin : begin + tried]):
                if wanted(flip.flips_to) and (best is None or self._is_smaller(flip, best)):
                    best = flip
            begin, tried = begin + tried, min(4 * tried, _TRIED_AT_ONCE)
        return best

    def _is_smaller(self, flip: Flip, other: Flip) -> bool:
        """Whether a change is smaller by more than rounding and the least step past a threshold."""
        least = max((self._least_step(change) for change in other.changes), default=0.0)
        return flip.size < other.size * _NO_TIE - least

    def _least_step(self, change: ValueChange) -> float:
        if change.relation == "in" or isnan(change.before):
            return 0.0
        return 4 * ulp(change.to) / float(self.metric.scale[change.attribute])

    def _try_leaves(self, leaves: Ints) -> Iterator[Flip]:
        """The changes into these leaves that end there, each with the class it gives."""
        flips = list(self._flips(leaves))
        if not flips:
            return
        changed = np.stack([row for _, _, row in flips])
        there = find_leaves(self.tree, changed)
        classes = self.classify(changed)
        for (leaf, changes, row), reached, c in zip(flips, there, classes, strict=True):
            if reached == leaf:
                yield Flip(int(c), leaf, sqrt(self.squared[leaf]), changes, row)

    def _flips(self, leaves: Ints) -> Iterator[tuple[int, tuple[ValueChange, ...], Floats]]:
        for leaf in leaves.tolist():
            targets = find_targets(self.tree, leaf)
            if targets is None:
                continue
            changes = tuple(
                self._change(t) for t in targets if not t.accepts(float(self.x[t.attribute]))
            )
            row = self.x.copy()
            for change in changes:
                row[change.attribute] = change.to
            yield leaf, changes, row

    def _change(self, target: Target) -> ValueChange:
        a = target.attribute
        before = float(self.x[a])
        if target.choices:
            scaled = 0.0 if isnan(before) else self.metric.nominal_weight
            to = float(target.choices[0])
            return ValueChange(
                a, before, to, "in", nan, 0.0, target.choices, target.low_node, scaled
            )
        step = None if self.steps is None else float(self.steps[a])
        to, upwards = target.nearest(before, step)
        threshold = target.low_threshold if upwards else target.high_threshold
        node = target.low_node if upwards else target.high_node
        closed = target.low == threshold if upwards else target.high >= threshold
        relation: Relation = (">=" if closed else ">") if upwards else ("<=" if closed else "<")
        scaled = 0.0 if isnan(before) else abs(to - before) / float(self.metric.scale[a])
        return ValueChange(
            a, before, to, relation, threshold, abs(to - threshold), (), node, scaled
        )
