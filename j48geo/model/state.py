"""What a model holds, what follows from it, and rows in its columns: the base of `Model`.

The answers are methods of `j48geo.model.model.Model`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Never, Self

import numpy as np

from j48geo.arrays import Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Dataset, Header
from j48geo.core.fitted_values import FittedValues
from j48geo.core.tree import BoxTree
from j48geo.data.rows import Rows
from j48geo.errors import (
    ChoiceError,
    FilterError,
    NeedsPositiveError,
    SeveralTreesError,
    UnknownCountsError,
    UnknownNameError,
)
from j48geo.model.choices import (
    CHOICE_TABLE,
    UNCHANGED,
    Choices,
    Nominal,
    Positive,
    Separators,
    Unchanged,
)
from j48geo.replaying.replay import Replay
from j48geo.score.leaf_estimates import effective_counts
from j48geo.score.scores import default_positive
from j48geo.score.setting import label_overlay
from j48geo.text import pluralize

if TYPE_CHECKING:  # most models are one tree without a filter
    from j48geo.ensemble.committee import Committee
    from j48geo.ensemble.filters import FilterChain


def _deprecated_name(old: str, new: str) -> Any:
    """A property that stands for a renamed attribute or method of `Model`, with a warning."""

    def read(self: ModelState) -> Any:
        message = f"Model.{old} is deprecated, use Model.{new}"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return getattr(self, new)

    return property(read, doc=f"Deprecated: use `{new}`.")


_FIELDS_OF_0_1_0 = {
    "before": "filter",
    "kept": "counts_from_file",
    "said": "training_note",
    "whole": "committee",
    "wrapped": "is_wrapped",
}


@dataclass(frozen=True, eq=False, repr=False)
class ModelState:
    """A tree, what its training data says about it, and what was chosen; it never changes.

    Parameters
    ----------
    tree
        As it was read; no method changes it.
    counts
        Training weight of every node, from the training data, or as far as the text tells.
    training, training_name
        The training data in the columns of the tree's header, and its name.
    replay, replayed
        What replaying the printed counts on some rows gave, and how many rows these were.
    fitted
        What a model file has learnt from training data.
    counts_from_file
        Whether the counts come from a model file.
    source, sha256
        Name of the model, and the SHA-256 of its bytes if it was read.
    titles, number
        The trees of the text, and which of them this is, from 1.
    training_note
        How tree and data belong together.
    notes
        What a person must know: what was repaired, assumed, or left out.
    committee
        All trees of a wrapper that answer together; `tree` is then the first of them, to be
        looked at, and only `predict` and `evaluate` answer.
    filter
        Filters that rows pass before the tree sees them.
    is_wrapped
        Whether another classifier passes the tree's answer on: its class is the largest of
        the distribution, by both of Weka's rules.
    labels
        Labels of the leaves, if not the tree's own.
    choices
        What was chosen about it, see `j48geo.model.choices.Choices`.
    """

    tree: BoxTree
    counts: NodeCounts
    training: Dataset | None = None
    training_name: str = ""
    replay: Replay | None = None
    replayed: int = 0
    fitted: FittedValues | None = None
    counts_from_file: bool = False
    source: str = ""
    sha256: str = ""
    titles: tuple[str, ...] = ()
    number: int = 1
    training_note: str = ""
    notes: tuple[str, ...] = ()
    committee: Committee | None = None
    filter: FilterChain | None = None
    is_wrapped: bool = False
    labels: tuple[int, ...] | None = None
    choices: Choices = field(default_factory=Choices)

    def __post_init__(self) -> None:
        if self.choices.positive is not None:
            _find_positive(self)  # an unknown class is told at once

    # ------------------------------------------------------------------------------- facts

    def __repr__(self) -> str:
        if self.committee is not None:
            return f"Model({self.source!r}: {self.committee.ensemble})"
        leaves = pluralize(len(self.tree.leaves), "leaf", "leaves")
        shown = ", ".join(self.classes[:4]) + (", ..." if len(self.classes) > 4 else "")
        known = f"trained on {self.training_name}" if self.training_name else "no training data"
        if self.fitted is not None:
            known = f"fitted on {self.fitted.training}"
        return f"Model({self.source!r}: {leaves}, classes {shown}; {known})"

    @property
    def classes(self) -> tuple[str, ...]:
        """The class labels, in the order of the header."""
        return self.header.classes

    @property
    def header(self) -> Header:
        """Attributes of the rows that the model is asked about."""
        if self.committee is not None:
            return self.committee.ensemble.header
        return self.tree.header if self.filter is None else self.filter.header

    def require_one(self, what: str) -> None:
        """Refuse where the model is several trees that answer together."""
        if self.committee is not None:
            raise SeveralTreesError(
                f"{self.source} is {self.committee.ensemble}: {what} is for one tree; expected one "
                "of them to be named"
            )

    def require_unfiltered(self, what: str) -> None:
        """Refuse where the rows pass a filter first, which would be lost."""
        if self.filter is not None:
            raise FilterError(
                f"{self.source}: the tree stands behind a filter, which {what} does not keep"
            )

    @property
    def has_training(self) -> bool:
        """Whether the training data is known, or a model file holds what was fitted to it."""
        return self.training is not None or self.fitted is not None

    @property
    def fits_metric_to_rows(self) -> bool:
        """Whether the metric has to be fitted to the rows that are asked about."""
        return self.choices.learns_metric and not self.has_training

    @cached_property
    def has_leaf_counts(self) -> bool:
        """Whether the class counts of every leaf are known."""
        try:
            effective_counts(self.tree, self.counts)
        except UnknownCountsError:
            return False
        return True

    @property
    def has_nearby(self) -> bool:
        """Whether the nearby leaves of a case can be found."""
        if self.fitted is not None:
            return self.fitted.nearby is not None
        return self.training is not None and self.has_leaf_counts

    @property
    def attributes(self) -> tuple[str, ...]:
        """Names of all attributes in the order of the header, the class included."""
        return self.header.names

    @cached_property
    def positive_choice(self) -> Positive | None:
        """The class that matters and why; None if nobody named it and counts do not tell."""
        return _find_positive(self)

    @property
    def positive_index(self) -> int | None:
        """Place of the positive class among the classes."""
        choice = self.positive_choice
        return None if choice is None else choice.index

    @property
    def positive(self) -> str | None:
        """Label of the positive class."""
        choice = self.positive_choice
        return None if choice is None else self.classes[choice.index]

    def require_positive(self, what: str) -> str:
        """The positive class; an error that says why there must be one."""
        if self.positive is not None:
            return self.positive
        why = (
            f"the tree has {len(self.classes)} classes"
            if len(self.classes) > 2
            else "the rarer class is not known without counts"
        )
        raise NeedsPositiveError(f"{what}: {why}", self.classes)

    @property
    def laplace(self) -> bool:
        """Whether Weka smooths the leaves (``-A``)."""
        if self.choices.laplace is not None:
            return self.choices.laplace
        return bool(self.tree.options.laplace)

    @cached_property
    def overlay(self) -> Ints | None:
        """Labels of the leaves where they are not the majorities of the counts, else None.

        Where the data contradicts printed counts, it says nothing about the labels.
        """
        if self.labels is not None:
            return np.array(self.labels, dtype=np.intp)
        trusted = (
            self.counts_from_file
            or self.counts.source == "text"
            or not self.tree.has_counts
            or (self.replay is not None and self.replay.recognised)
        )
        return label_overlay(self.tree, self.counts) if trusted else None

    @cached_property
    def labelled_tree(self) -> BoxTree:
        """The tree with the labels in force; the tree itself if they are its own."""
        if self.labels is None:
            return self.tree
        pairs = zip(self.tree.leaves, self.labels, strict=True)
        return replace(self.tree, leaves=tuple(replace(leaf, label=k) for leaf, k in pairs))

    # ----------------------------------------------------------------------- another model

    def with_(
        self,
        *,
        positive: str | Unchanged | None = UNCHANGED,
        metric: str | Mapping[str, float] | Unchanged | None = UNCHANGED,
        nominal: Nominal | Unchanged | None = UNCHANGED,
        nominal_weight: float | Unchanged | None = UNCHANGED,
        separators: Separators | Unchanged | None = UNCHANGED,
        boundary: Literal["class", "any"] | Unchanged | None = UNCHANGED,
        estimate: Literal["laplace", "m", "raw"] | Unchanged | None = UNCHANGED,
        m: float | Unchanged | None = UNCHANGED,
        sigma: float | Unchanged | None = UNCHANGED,
        leaves: Literal["laplace", "shrunken"] | Unchanged | None = UNCHANGED,
        shrinkage: float | Unchanged | None = UNCHANGED,
        within: Literal["g", "nearby"] | Unchanged | None = UNCHANGED,
        tau: float | Unchanged | None = UNCHANGED,
        kernel: Literal["gaussian", "box"] | Unchanged | None = UNCHANGED,
        kde: Literal["exact", "r512"] | Unchanged | None = UNCHANGED,
        recalibrate: Literal["isotonic", "platt"] | Unchanged | None = UNCHANGED,
        tuned: Literal["rank", "proba"] | Unchanged | None = UNCHANGED,
        laplace: bool | Unchanged | None = UNCHANGED,
        **unknown: Never,
    ) -> Self:
        r"""The same tree with other choices, see `j48geo.model.choices.Choices`.

        None takes a choice back: as the model was fitted, else the default.

        Examples
        --------
        >>> from j48geo import load
        >>> load("x <= 2: no (3.0)\nx > 2: yes (4.0)\n").with_(positive="yes").positive
        'yes'
        """
        given = locals()
        for name in sorted(unknown):  # Python's own error would not say which choices there are
            raise ChoiceError(name, f"is no choice; expected {', '.join(CHOICE_TABLE)}")
        choices = {name: given[name] for name in CHOICE_TABLE if given[name] is not UNCHANGED}
        if not choices:
            return self  # with all that it has computed already
        return replace(self, choices=replace(self.choices, **choices))

    # -------------------------------------------------------------------------------- rows

    def rows(self, X: Any) -> Rows:
        """Rows of any kind in the columns of this model.

        Raises
        ------
        MismatchError, DataReadError
            If columns are missing, too many or of another kind.
        """
        from j48geo.model.sources import align_any_rows

        return X if isinstance(X, Rows) else align_any_rows(self, X)

    def align_rows(self, rows: Rows) -> Rows:
        """Rows as they were read, in the columns of the tree, behind its filters."""
        from j48geo.model.sources import align_rows

        return align_rows(self, rows)

    @contextmanager
    def _open_rows(self, X: Any) -> Iterator[Rows]:
        """Rows of any kind, for as long as they are used; those of a caller stay open."""
        if isinstance(X, Rows):
            yield X
            return
        with self.rows(X) as rows:
            yield rows

    def trained_on(self, data: Dataset) -> bool:
        """Whether these are the very rows of the training data, as far as the tree asks."""
        if self.training is None or len(data) != len(self.training):
            return False
        used = [*sorted(self.tree.used_attributes), self.tree.header.class_index or 0]
        return np.array_equal(data.X[:, used], self.training.X[:, used], equal_nan=True)

    # --------------------------------------------------------------------- deprecated names

    said = _deprecated_name("said", "training_note")
    kept = _deprecated_name("kept", "counts_from_file")
    whole = _deprecated_name("whole", "committee")
    before = _deprecated_name("before", "filter")
    wrapped = _deprecated_name("wrapped", "is_wrapped")
    placed = _deprecated_name("placed", "align_rows")
    ranked = _deprecated_name("ranked", "ranking")
    written = _deprecated_name("written", "export")

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields of a pickle, also of one that names them as 0.1.0 did."""
        vars(self).update(
            {_FIELDS_OF_0_1_0.get(name, name): value for name, value in state.items()}
        )


def _find_positive(model: ModelState) -> Positive | None:
    """The class that matters; None if nobody named it and the counts do not tell."""
    label, classes = model.choices.positive, model.classes
    if label is not None:
        if label not in classes:
            raise UnknownNameError("class", label, classes)
        return Positive(classes.index(label), "given")
    if len(classes) == 1:
        return Positive(0, "only")
    if model.fitted is not None and model.fitted.positive is not None:
        return Positive(model.fitted.positive, "fitted")
    chosen = default_positive(model.counts)
    if chosen is None:
        return None
    root = model.counts.per_class[0]
    return Positive(chosen, "first" if root[0] == root[1] else "rarer")
