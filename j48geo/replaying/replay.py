"""Count rows again in the leaves of a tree and compare with the counts that it prints.

Every leaf's ``(W/E)`` is counted again from the rows (J48-TEXT-FORMAT section 4) and must be equal
up to what printing loses (`leaf_comparison`). What the text leaves open is decided by that: exact
thresholds, the comparison of old Weka, the growing set of ``-R``, and what the second number means
in other dialects. The entry point is `replay`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from j48geo.arrays import Ints
from j48geo.core.counts import NodeCounts, add_errors_to_weights, counts_from_data, counts_from_text
from j48geo.core.dataset import Dataset
from j48geo.core.tree import BoxTree
from j48geo.errors import MismatchError
from j48geo.java.numbers import SMALL
from j48geo.replaying.leaf_comparison import LeafCounts, LeafDifference, can_hold
from j48geo.replaying.stratify import select_growing_rows
from j48geo.replaying.thresholds import (
    RestoredThreshold,
    midpoint_choices,
    restored_thresholds,
    threshold_choices,
)
from j48geo.text import pluralize

ThresholdChoices = Mapping[int, tuple[float, ...]]

MOST_REFINEMENTS = 300
"""How often the rows are counted again with another value for a single threshold."""

MOST_ROWS = 20_000_000
"""How many rows all these counts may have together."""


@dataclass(frozen=True, eq=False)
class Replay:
    """What came of counting again.

    Parameters
    ----------
    ok
        Whether every leaf that prints counts agrees.
    tree
        The tree in the columns of the data, with what the counts decided: thresholds,
        tolerance, meaning of the counts.
    counts
        Counts of the rows; those of the text if the data lacks an attribute.
    differences
        The leaves that do not agree.
    restored
        Thresholds that are other numbers than the text prints.
    growing_set
        Whether the counts are those of the growing set of ``-R``.
    compared
        Number of leaves that print counts.
    notes
        What a person should know of it, one sentence each.
    """

    ok: bool
    tree: BoxTree
    counts: NodeCounts
    differences: tuple[LeafDifference, ...] = ()
    restored: tuple[RestoredThreshold, ...] = ()
    growing_set: bool = False
    compared: int = 0
    notes: tuple[str, ...] = ()

    @property
    def recognised(self) -> bool:
        """Whether the counts show that the tree was grown from these rows.

        A tree without printed counts has no differences to any data, which shows nothing.
        """
        return self.ok and self.compared > 0


@dataclass(frozen=True, eq=False)
class _Rows:
    """Rows that may have been counted, and what they weigh."""

    index: Ints
    weight: float
    growing: bool = False


@dataclass(frozen=True, eq=False)
class _Reading:
    """One of the meanings that the text allows; thresholds are decided within it."""

    printed: BoxTree
    restored: BoxTree
    rows: _Rows
    summed: bool
    choices: ThresholdChoices
    midpoint: bool = False


@dataclass(frozen=True, eq=False)
class _Trial:
    """A reading counted out."""

    reading: _Reading
    tree: BoxTree
    counts: NodeCounts
    leaves: LeafCounts

    @property
    def ok(self) -> bool:
        return not len(self.leaves.differing)

    @property
    def could_agree(self) -> bool:
        return can_hold(self.tree, self.reading.rows.weight)


# Weights may be infinite: their differences are no counts of anything, and so never agree.
@np.errstate(over="ignore", invalid="ignore")
def replay(tree: BoxTree, dataset: Dataset) -> Replay:
    """Count the rows of `dataset` in the leaves of `tree` and compare with the text.

    Of the readings that the text allows, the first under which all leaves agree is taken;
    if there is none, the differences are those of the likeliest. Thresholds are restored
    if the counts then agree at least as well as with the printed ones (better, if the text
    is not Weka's own).
    """
    try:
        bound = tree.with_header(dataset.header)
    except MismatchError as error:
        return Replay(False, tree, counts_from_text(tree), notes=(str(error),))
    chosen = _choose_reading(bound, dataset, midpoint=bool(bound.options.midpoint))
    undecided = bound.options.midpoint is None and _count_loose(bound) > 0 and chosen.could_agree
    if undecided and not (chosen.ok and not _count_loose(chosen.tree)):
        other = _choose_reading(bound, dataset, midpoint=True)
        if other.ok and (not chosen.ok or _count_loose(other.tree) < _count_loose(chosen.tree)):
            chosen = other
    return Replay(
        chosen.ok,
        chosen.tree,
        chosen.counts,
        chosen.leaves.differences(dataset.X, chosen.reading.rows.index),
        restored_thresholds(bound, chosen.tree),
        chosen.reading.rows.growing,
        chosen.leaves.compared,
        tuple(_describe(bound, dataset, chosen)),
    )


def _choose_reading(tree: BoxTree, dataset: Dataset, *, midpoint: bool) -> _Trial:
    """The first reading that agrees; if none does, the likeliest."""
    readings = _list_readings(tree, dataset, midpoint)
    trials = [_try_reading(next(readings), dataset)]
    if not trials[0].ok:
        for reading in readings:
            # Other rows than those of the training are the usual case: no need to count them.
            if can_hold(reading.printed, reading.rows.weight):
                trials.append(_try_reading(reading, dataset))
                if trials[-1].ok:
                    break
    return trials[-1] if trials[-1].ok else _refine(trials, dataset)


def _count_loose(tree: BoxTree) -> int:
    """How many thresholds are known to the printed decimals only."""
    return sum(split.slack > 0 for _, split in tree.splits)


def _list_readings(tree: BoxTree, dataset: Dataset, midpoint: bool) -> Iterator[_Reading]:
    """The readings, the likeliest first; `midpoint` says where thresholds come from."""
    choices: ThresholdChoices = {} if midpoint else threshold_choices(tree, dataset.X)
    for rows in _row_sets(tree, dataset):
        if midpoint and can_hold(tree, rows.weight):
            choices = midpoint_choices(tree, dataset.X[rows.index])
        restored = tree.with_thresholds({node: values[0] for node, values in choices.items()})
        open_question = not tree.layout.is_weka and not tree.layout.summed
        for summed in (False, True) if open_question else (False,):
            read, exact = tree, restored
            if summed:
                read = add_errors_to_weights(tree)
                exact = replace(restored, leaves=read.leaves, layout=read.layout)
            for tolerance in _tolerances(tree):
                yield _Reading(
                    read.with_tolerance(tolerance),
                    exact.with_tolerance(tolerance),
                    rows,
                    summed,
                    choices,
                    midpoint,
                )


def _row_sets(tree: BoxTree, dataset: Dataset) -> Iterator[_Rows]:
    """All rows with a class, and the growing set, the likelier first."""
    y, weights = dataset.X[:, _class_column(tree)], dataset.weights
    known = np.flatnonzero(~np.isnan(y))
    everything = _Rows(known, float(weights[known].sum()))
    uses_pruning_set = tree.options.reduced_error
    if not uses_pruning_set:
        yield everything
    held = sum(leaf.weight or 0.0 for leaf in tree.leaves)
    folds = tree.options.folds
    possible = uses_pruning_set or (uses_pruning_set is None and held < everything.weight)
    if possible and 2 <= folds <= len(known):
        grown = known[select_growing_rows(y[known].astype(np.intp), folds)]
        yield _Rows(grown, float(weights[grown].sum()), growing=True)
    if uses_pruning_set:
        yield everything


def _class_column(tree: BoxTree) -> int:
    column = tree.header.class_index
    assert column is not None  # a tree has a class
    return column


def _tolerances(tree: BoxTree) -> tuple[float, ...]:
    if tree.options.old_weka or tree.tolerance > 0:
        return (SMALL, 0.0)
    return (0.0,) if tree.options.old_weka is False else (0.0, SMALL)


def _try_reading(reading: _Reading, dataset: Dataset) -> _Trial:
    """The reading with the printed or with the restored thresholds, DEFINITIONS section 1."""
    likelier, other = reading.printed, reading.restored
    if likelier.layout.is_weka:
        likelier, other = other, likelier
    first = _count_rows(likelier, reading, dataset)
    if first.ok or likelier.nodes == other.nodes:
        return first
    second = _count_rows(other, reading, dataset)
    return second if second.leaves.misfit < first.leaves.misfit else first


def _count_rows(tree: BoxTree, reading: _Reading, dataset: Dataset) -> _Trial:
    X, weights, rows = dataset.X, dataset.weights, reading.rows.index
    if len(rows) < len(X):
        X, weights = X[rows], weights[rows]
    counts = counts_from_data(tree, X, X[:, _class_column(tree)], weights)
    return _Trial(reading, tree, counts, LeafCounts.of(tree, counts))


def _refine(trials: list[_Trial], dataset: Dataset) -> _Trial:
    """The first trial that agrees if single thresholds stand for other values of the data.

    Without one, the first trial: what does not agree in the end shall show how it differs
    to begin with.
    """
    left = min(MOST_REFINEMENTS, MOST_ROWS // max(1, len(dataset)))
    for trial in trials:
        if not trial.tree.layout.is_weka or not trial.could_agree:
            continue
        best = trial
        improving = True
        while improving and not best.ok:
            improving = False
            for node in _suspects(best):
                for value in trial.reading.choices[node]:
                    if left == 0:
                        return trials[0]
                    left -= 1
                    changed = best.tree.with_thresholds({node: value})
                    other = _count_rows(changed, trial.reading, dataset)
                    if other.leaves.misfit < best.leaves.misfit:
                        best, improving = other, True
                if improving:
                    break
        if best.ok:
            return best
    return trials[0]


def _suspects(trial: _Trial) -> list[int]:
    """Nodes above a differing leaf whose threshold can be several values, the deepest first."""
    tree = trial.tree
    above: set[int] = set()
    for leaf in trial.leaves.differing:
        node = tree.nodes[tree.leaf_nodes[leaf]].parent
        while node >= 0 and node not in above:
            above.add(node)
            node = tree.nodes[node].parent
    choices = trial.reading.choices
    several = (node for node in above if len(choices.get(node, ())) > 1)
    return sorted(several, key=lambda node: (-tree.nodes[node].depth, node))


def _describe(tree: BoxTree, dataset: Dataset, chosen: _Trial) -> Iterator[str]:
    """What a person should know of the reading that was chosen, a sentence each."""
    rows, compared = chosen.reading.rows, chosen.leaves.compared
    if not compared:
        yield "the text prints no counts, so there is nothing to compare"
    elif compared < len(tree.leaves):
        yield f"{len(tree.leaves) - compared} leaves print no counts and are not compared"
    missing = int(np.isnan(dataset.X[:, _class_column(tree)]).sum())
    if missing:
        yield f"{missing} rows without a class do not count"
    if rows.growing:
        yield (
            "the counts are those of the growing set of reduced-error pruning (-R): "
            f"{len(rows.index)} of {len(dataset)} rows"
        )
    elif tree.options.reduced_error and chosen.ok:
        yield "the counts are those of all rows, although the options say -R"
    yield from _notes_on_tests(tree, chosen)
    if not chosen.could_agree:
        held = sum(leaf.weight or 0.0 for leaf in chosen.tree.leaves)
        yield f"the leaves hold {held:g} in all, the data has {rows.weight:g}"


def _notes_on_tests(tree: BoxTree, chosen: _Trial) -> Iterator[str]:
    """What the counts decided about comparisons, thresholds and the meaning of (n/e)."""
    if chosen.tree.tolerance > tree.tolerance:
        yield "the counts agree only with the comparison of Weka before 3.8.3, x - t < 1e-6"
    elif chosen.tree.tolerance < tree.tolerance:
        yield "the counts agree only with the comparison of Weka since 3.8.3, x <= t"
    if chosen.reading.summed:
        yield "(n/e) counts n right and e wrong cases here, not e wrong ones of n"
    if chosen.reading.midpoint and not tree.options.midpoint:
        yield (
            "thresholds are the middle between two values of the data, as "
            "-doNotMakeSplitPointActualValue makes them"
        )
    loose = _count_loose(chosen.tree)
    if loose:
        which = pluralize(loose, "threshold")
        yield f"{which} known to the printed decimals only: not restored from values of the data"
