"""The one object to live with: a tree, what its training data says, and what was chosen."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from j48geo.arrays import Ints
from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Dataset, Header
from j48geo.core.fitted_values import FittedValues
from j48geo.core.tree import BoxTree
from j48geo.data.frame import is_table, make_column_like, make_table_like
from j48geo.data.rows import Rows
from j48geo.errors import (
    ChoiceError,
    FilterError,
    NeedsPositiveError,
    SeveralTreesError,
    UnknownCountsError,
)
from j48geo.model.choice_table import CHOICE_TABLE
from j48geo.model.choices import Choices, Positive
from j48geo.model.result_table import ResultTable
from j48geo.model.settings import find_positive
from j48geo.replaying.replay import Replay
from j48geo.score.leaf_estimates import effective_counts
from j48geo.score.setting import label_overlay
from j48geo.text import pluralize

if TYPE_CHECKING:  # each answer imports what it needs when it is asked for
    from j48geo.decide.leaf_order import Smoothing
    from j48geo.engines.scorer import Scorer
    from j48geo.ensemble.committee import Committee
    from j48geo.ensemble.filters import FilterChain
    from j48geo.export.tree_table import ExportResult
    from j48geo.model.costs import Labellings
    from j48geo.model.evaluation import ConfusionResult, EvaluationResult
    from j48geo.model.explanations import CaseExplanation
    from j48geo.model.predictions import Estimates, Predictions
    from j48geo.model.rankings import RankedCases
    from j48geo.model.tuning import Purpose


def _deprecated_name(old: str, new: str) -> Any:
    """A property that stands for a renamed attribute or method of `Model`, with a warning."""

    def read(self: Model) -> Any:
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
class Model:
    """A tree together with what its training data says about it; made by `j48geo.load`.

    It never changes: `with_` and `relabel` give another model. Rows may be an array in the
    order of the header (the class included), a `Dataset`, a table with column names (pandas,
    polars, pyarrow), or the name of a file. Classes are labels everywhere.

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
            find_positive(self)  # an unknown class is told at once

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

    def _repr_html_(self) -> str:
        from j48geo.model.report_facts import describe_as_html

        return describe_as_html(self)

    def drawing(self) -> str:
        """The tree as an SVG picture: from left to right, leaves as rows.

        Of a tree of more than 60 leaves the heaviest parts are drawn, others as one row each.
        """
        from j48geo.model.report_facts import draw_model

        self.require_one("a drawing of the tree")
        return draw_model(self)

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
        return find_positive(self)

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

    def with_(self, **choices: Any) -> Model:
        r"""The same tree with other choices, see `j48geo.model.choices.Choices`.

        Examples
        --------
        >>> from j48geo import load
        >>> load("x <= 2: no (3.0)\nx > 2: yes (4.0)\n").with_(positive="yes").positive
        'yes'
        """
        if not choices:
            return self  # with all that it has computed already
        unknown = sorted(set(choices) - set(CHOICE_TABLE))
        if unknown:
            raise ChoiceError(unknown[0], f"is no choice; expected {', '.join(CHOICE_TABLE)}")
        return replace(self, choices=replace(self.choices, **choices))

    def tuned(self, purpose: Purpose, method: str = "nearby") -> Model:
        """The same tree with sigma, leaf values and shrinkage chosen for a purpose.

        Parameters
        ----------
        purpose
            ``rank`` or ``proba``, see `j48geo.model.tuning.tune`.
        method
            ``nearby`` or ``hs``.
        """
        from j48geo.model.tuning import tune

        return self.with_(**tune(self, purpose, method).choices, tuned=purpose)

    def relabel(
        self,
        *,
        labels: Mapping[int, str] | None = None,
        smoothing: Smoothing | None = None,
        **asked: Any,
    ) -> Model:
        """The same tree with other labels for its leaves.

        Parameters
        ----------
        labels
            Labels by number of the leaf, from 1; or else
        smoothing
            Estimate that labels are chosen by, see `j48geo.model.costs.choose_labels`.
        **asked
            costs: ``fn`` and ``fp``, ``cost_matrix``, ``threshold`` or ``prior``, see
            `j48geo.model.costs.CostRequest`.
        """
        from j48geo.model.costs import CostRequest, choose_labels
        from j48geo.model.sources import labels_by_leaf

        self.require_one("a relabelling")
        if labels is not None:
            return replace(self, labels=labels_by_leaf(self.tree, labels, "labels"))
        return replace(self, labels=choose_labels(self, CostRequest(**asked), smoothing).labels)

    # -------------------------------------------------------------------------------- rows

    def rows(self, X: Any) -> Rows:
        """Rows of any kind in the columns of this model.

        Raises
        ------
        MismatchError, DataReadError
            If columns are missing, too many or of another kind.
        """
        from j48geo.model.alignment import align_any_rows

        return X if isinstance(X, Rows) else align_any_rows(self, X)

    def align_rows(self, rows: Rows) -> Rows:
        """Rows as they were read, in the columns of the tree, behind its filters."""
        from j48geo.model.alignment import align_rows

        return align_rows(self, rows)

    @contextmanager
    def _opened(self, X: Any) -> Iterator[Rows]:
        """Rows of any kind, for as long as they are used; those of a caller stay open."""
        if isinstance(X, Rows):
            yield X
            return
        with self.rows(X) as rows:
            yield rows

    # ----------------------------------------------------------------------------- answers

    def predictions(self, X: Any, **progress: Any) -> Predictions:
        """Weka's answers, a block of rows at a time."""
        from j48geo.model.predictions import Predictions

        return Predictions(self, self.rows(X), **progress)

    def predict(self, X: Any) -> Any:
        """The class of every row, as Weka gives it; None where it cannot be told.

        A table gives a column of its kind, anything else an array.
        """
        names = np.array([*self.classes, None], dtype=object)
        with self._opened(X) as rows:
            parts = [names[block.prediction.predicted] for block in self.predictions(rows)]
        labels = np.concatenate([names[:0], *parts])
        return make_column_like(X, "predicted", labels) if is_table(X) else labels

    def estimates(self, X: Any, methods: Sequence[str] | None = None, **sample: Any) -> Estimates:
        """Probabilities by several methods, a block of rows at a time."""
        from j48geo.model.predictions import estimate_rows

        self.require_one("an estimate of probabilities")
        names = None if methods is None else tuple(methods)
        return estimate_rows(self, self.rows(X), names, **sample)

    def predict_proba(self, X: Any, method: str = "auto") -> Any:
        """The probability of every class for every row.

        Parameters
        ----------
        method
            ``raw``, ``laplace``, ``m``, ``hs``, ``gdk``, ``ldk``, ``ldk-leaf``, ``nearby``,
            or ``weka`` for Weka's own; ``auto`` takes nearby where the training data is known,
            else laplace.

        Returns
        -------
        array of float64, shape (n_cases, n_classes)
            Or a table of the kind of `X`, with a column for every class.
        """
        nothing = np.empty((0, len(self.classes)))
        with self._opened(X) as rows:
            if method == "weka":
                parts = [block.prediction.distribution for block in self.predictions(rows)]
            else:
                estimates = self.estimates(rows, None if method == "auto" else [method])
                (name,) = estimates.model.methods
                parts = [block.estimates[name].distribution for block in estimates]
        distribution = np.concatenate([nothing, *parts])
        if not is_table(X):
            return distribution
        return make_table_like(X, dict(zip(self.classes, distribution.T, strict=True)))

    def decision_function(self, X: Any) -> Any:
        """Signed distance to the decision boundary: positive inside the class.

        Returns
        -------
        array of float64
            With two classes shape (n_cases,), of the positive one; with more shape
            (n_cases, n_classes), -h_c of every class.
        """
        from j48geo.model.predictions import signed_distances

        self.require_one("a distance")
        with self._opened(X) as rows:
            whole = signed_distances(self, rows)
        if not is_table(X):
            return whole
        if len(self.classes) > 2:
            return make_table_like(X, dict(zip(self.classes, whole.T, strict=True)))
        return make_column_like(X, "distance", whole)

    def ranking(self, X: Any, method: str = "auto", **how: Any) -> RankedCases:
        """Rows in order, with everything that is known of that order."""
        from j48geo.model.rankings import rank_rows

        self.require_one("a ranking")
        with self._opened(X) as rows:
            return rank_rows(self, rows, method, **how)

    def rank(
        self,
        X: Any,
        *,
        positive: str | None = None,
        method: str = "auto",
        top: int | None = None,
        least_sure: bool = False,
    ) -> ResultTable:
        """Rank rows, best first.

        Parameters
        ----------
        positive
            The class to rank first, if not the model's own.
        method
            ``nearby``, ``global``, ``local``, any probability, a plugin's score, or ``auto``.
        top
            The first so many rows only.
        least_sure
            Those first of which the model is least sure.
        """
        model = self if positive is None else self.with_(positive=positive)
        return model.ranking(X, method, top=top, least_sure=least_sure).table()

    def scorer(
        self, method: str = "auto", *, keep: Iterable[str] = (), probabilities: bool = False
    ) -> Scorer:
        """What scores batches of columns anywhere, see `j48geo.engines.scorer.Scorer`."""
        from j48geo.engines.scorer import Scorer

        return Scorer.of(self, method, keep=keep, probabilities=probabilities)

    def explain(self, case: Any) -> CaseExplanation:
        """Why a case has its class, and the smallest change that flips it.

        Parameters
        ----------
        case
            Values by name, or one row of any kind. Without training data its distances are in
            the attributes' own units, since one row has no spread.
        """
        from j48geo.model.explanations import explain_rows

        self.require_one("an explanation")
        has_metric = self.has_training or self.choices.metric is not None
        model = self if has_metric else self.with_(metric="none")
        if isinstance(case, Mapping):
            case = self.case(case)
        elif isinstance(case, np.ndarray) and case.ndim == 1:
            case = case[None]
        with self._opened(case) as rows:
            return next(explain_rows(model, rows, [1]))

    def case(self, values: Mapping[str, Any]) -> Dataset:
        """One row from values by name; attributes that are not named are missing."""
        from j48geo.data.small_tables import read_case

        return read_case(values, self.header)

    def explanations(
        self, X: Any, numbers: Iterable[int] | None = None
    ) -> Iterable[CaseExplanation]:
        """Several rows explained, one after the other; all if no numbers are given."""
        from j48geo.model.explanations import explain_rows

        self.require_one("an explanation")
        return explain_rows(self, self.rows(X), numbers)

    def evaluate(
        self, test: Any, methods: Sequence[str] | None = None, **how: Any
    ) -> EvaluationResult:
        """All methods side by side on rows whose class is known, see `evaluate_rows`."""
        from j48geo.model.evaluation import evaluate_rows

        self.require_one("a comparison of methods")
        with self._opened(test) as rows:
            if not isinstance(test, (str, os.PathLike, Rows)):  # rows in memory have no name
                how.setdefault("is_training", self.trained_on(rows.all()))
            return evaluate_rows(self, rows, methods, **how)

    def cross_validate(
        self, folds: int = 10, methods: Sequence[str] | None = None, **how: Any
    ) -> EvaluationResult:
        """All methods side by side out of sample, by trees grown again without each fold.

        The model must be what J48 grows from its training data by its options; see
        `j48geo.model.cross_validation.cross_validate`.
        """
        from j48geo.model.cross_validation import cross_validate

        self.require_one("cross-validation")
        return cross_validate(self, folds, methods, **how)

    def trained_on(self, data: Dataset) -> bool:
        """Whether these are the very rows of the training data, as far as the tree asks."""
        if self.training is None or len(data) != len(self.training):
            return False
        used = [*sorted(self.tree.used_attributes), self.tree.header.class_index or 0]
        return np.array_equal(data.X[:, used], self.training.X[:, used], equal_nan=True)

    def confusion(self, test: Any, **progress: Any) -> ConfusionResult:
        """Which class is taken for which on rows whose class is known; also by several trees."""
        from j48geo.model.evaluation import count_confusion

        with self._opened(test) as rows:
            return count_confusion(self, rows, **progress)

    # --------------------------------------------------------------------- leaves and costs

    def leaves(self, *, smoothing: Smoothing = "none") -> ResultTable:
        """The leaves by their share of the positive class."""
        from j48geo.model.costs import leaf_table

        self.require_one("an order of leaves")
        return leaf_table(self, smoothing)

    def labellings(self, *, smoothing: Smoothing = "none") -> Labellings:
        """The optimal labellings of the leaves, from all negative to all positive."""
        from j48geo.model.costs import order_by_accuracy

        self.require_one("a labelling")
        self.require_positive("labellings")
        return order_by_accuracy(self, self.positive_index or 0, smoothing)

    def audit(self, w: str | Sequence[float] = "prior") -> ResultTable:
        """Every split with its AUC, gains and entropies."""
        from j48geo.model.costs import audit_table

        self.require_one("an audit")
        return audit_table(self, w)

    # ------------------------------------------------------------------------ other places

    def to(self, name: str, **options: Any) -> str | bytes:
        """The model in another format, as text or bytes.

        Parameters
        ----------
        name
            ``text`` (J48's layout), ``json`` (our model file), ``dot`` (Graphviz), ``rules``,
            ``model`` (a file that Weka loads), ``sql``, ``c``, ``js``, ``onnx``, ``st`` (sensor
            tools), ``mermaid``, or what a plugin offers.
        **options
            ``table`` and ``distribution`` of ``sql``, ``float32`` of ``c``; ``data`` of ``c``
            and ``st``: rows to try what is rounded on, by default the training data.
        """
        return self.export(name, **options).content

    def export(self, name: str, **options: Any) -> ExportResult:
        """The model in another format, with what is to be said of it."""
        from j48geo.model.formats import export_model

        return export_model(self, name, options)

    def learn(self, methods: Sequence[str] = ("gdk", "ldk", "nearby")) -> FittedValues:
        """What has to be kept so that the training data is needed no more."""
        from j48geo.model.fitting import fit_methods, to_fitted_values

        self.require_one("what is learnt")
        return to_fitted_values(self, fit_methods(self, methods))

    def save(
        self, path: str | os.PathLike[str], methods: Sequence[str] = ("gdk", "ldk", "nearby")
    ) -> None:
        """Write a model file that `j48geo.load` and every command read.

        With training data the file holds what `methods` have learnt from it, not the rows.
        """
        from j48geo.model.formats import model_file_pieces
        from j48geo.output_files import write_text_file

        self.require_one("a model file")
        self.require_unfiltered("a model file")
        fitted = self.fitted if self.training is None else self.learn(methods)
        write_text_file(os.fspath(path), model_file_pieces(self, fitted))

    def report(
        self,
        path: str | os.PathLike[str],
        data: Any = None,
        *,
        test: Any = None,
        title: str = "",
    ) -> None:
        """Write one page about the model that opens in any browser, without a network.

        Parameters
        ----------
        path
            The file, written whole or not at all.
        data
            Rows to show; the training data if none are given and it is known.
        test
            Other rows, whose class is known, to judge on and to show instead.
        title
            What stands on top of the page, if not the name of the model.
        """
        from j48geo.model.report_facts import gather_facts
        from j48geo.output_files import write_text_file
        from j48geo.report.page import render_page

        facts = gather_facts(self, data, test, title=title)
        write_text_file(os.fspath(path), [render_page(facts)])

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
