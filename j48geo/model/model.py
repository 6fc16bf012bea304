"""`Model`, the object that answers: one method a question, each from a module of this folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from j48geo.core.dataset import Dataset
from j48geo.data.rows import Progress, Rows, no_progress
from j48geo.data.table_kinds import make_column_like, make_table_like, to_table
from j48geo.errors import MismatchError
from j48geo.model.result_table import ResultTable
from j48geo.model.state import ModelState
from j48geo.text import pluralize

if TYPE_CHECKING:  # each answer imports what it needs when it is asked for
    from j48geo.core.fitted_values import FittedValues
    from j48geo.decide.evaluation.evaluation import MetricOptions
    from j48geo.decide.leaf_order import Smoothing
    from j48geo.engines.scorer import Scorer
    from j48geo.export.tree_table import ExportResult
    from j48geo.model.costs import Labellings
    from j48geo.model.evaluation import ConfusionResult, EvaluationResult
    from j48geo.model.explanations import CaseExplanation
    from j48geo.model.predictions import Estimates, Predictions
    from j48geo.model.rankings import RankedCases
    from j48geo.model.tuning import Purpose


@dataclass(frozen=True, eq=False, repr=False, init=False)  # all fields are those of the state
class Model(ModelState):
    """A tree together with what its training data says about it; made by `j48geo.load`.

    It never changes: `with_` and `relabel` give another model. Rows may be an array in the
    order of the header (with or without the class), a `Dataset`, a table with column names
    (pandas, polars, pyarrow, DuckDB), a dictionary, a list of dictionaries, or the name of a
    file. Classes are labels everywhere. The fields are those of `j48geo.model.state.ModelState`.
    """

    # ----------------------------------------------------------------------- another model

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
        fn: float | None = None,
        fp: float | None = None,
        cost_matrix: Sequence[Sequence[float]] | None = None,
        matrix_name: str = "cost_matrix",
        threshold: float | Literal["prior"] | None = None,
        prior: float | Sequence[float] | None = None,
    ) -> Model:
        """The same tree with other labels for its leaves.

        Parameters
        ----------
        labels
            Labels by number of the leaf, from 1; or else
        smoothing
            Estimate that labels are chosen by, see `j48geo.model.costs.choose_labels`.
        fn, fp, cost_matrix, matrix_name, threshold, prior
            What they are chosen for, see `j48geo.model.costs.CostRequest`.
        """
        from j48geo.model.costs import CostRequest, choose_labels
        from j48geo.model.sources import labels_by_leaf

        self.require_one("a relabelling")
        if labels is not None:
            return replace(self, labels=labels_by_leaf(self.tree, labels, "labels"))
        request = CostRequest(cost_matrix, matrix_name, fn, fp, threshold, prior)
        return replace(self, labels=choose_labels(self, request, smoothing).labels)

    # ----------------------------------------------------------------------------- answers

    def predictions(self, X: Any, progress: Progress = no_progress) -> Predictions:
        """Weka's answers, a block of rows at a time."""
        from j48geo.model.predictions import Predictions

        return Predictions(self, self.rows(X), progress)

    def predict(self, X: Any) -> Any:
        """The class of every row, as Weka gives it; None where it cannot be told.

        A table gives a column of its kind, anything else an array.
        """
        names = np.array([*self.classes, None], dtype=object)
        X = to_table(X)
        with self._open_rows(X) as rows:
            parts = [names[block.prediction.predicted] for block in self.predictions(rows)]
        labels = np.concatenate([names[:0], *parts])
        return make_column_like(X, "predicted", labels)

    def estimates(
        self,
        X: Any,
        methods: Sequence[str] | None = None,
        *,
        sample: Dataset | None = None,
        sample_name: str = "",
        sample_seen: bool = False,
        progress: Progress = no_progress,
    ) -> Estimates:
        """Probabilities by several methods, a block of rows at a time, see `estimate_rows`."""
        from j48geo.model.predictions import estimate_rows

        self.require_one("an estimate of probabilities")
        names = None if methods is None else tuple(methods)
        return estimate_rows(
            self,
            self.rows(X),
            names,
            sample=sample,
            sample_name=sample_name,
            sample_seen=sample_seen,
            progress=progress,
        )

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
        X = to_table(X)
        with self._open_rows(X) as rows:
            if method == "weka":
                parts = [block.prediction.distribution for block in self.predictions(rows)]
            else:
                estimates = self.estimates(rows, None if method == "auto" else [method])
                (name,) = estimates.model.methods
                parts = [block.estimates[name].distribution for block in estimates]
        return make_table_like(X, self.classes, np.concatenate([nothing, *parts]))

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
        X = to_table(X)
        with self._open_rows(X) as rows:
            distances = signed_distances(self, rows)
        if len(self.classes) > 2:
            return make_table_like(X, self.classes, distances)
        return make_column_like(X, "distance", distances)

    def ranking(
        self,
        X: Any,
        method: str = "auto",
        *,
        top: int | None = None,
        all_classes: bool = False,
        least_sure: bool = False,
        count_own: bool = False,
        progress: Progress = no_progress,
    ) -> RankedCases:
        """Rows in order, with everything that is known of that order, see `rank_rows`."""
        from j48geo.model.rankings import rank_rows

        self.require_one("a ranking")
        with self._open_rows(X) as rows:
            return rank_rows(
                self,
                rows,
                method,
                top=top,
                all_classes=all_classes,
                least_sure=least_sure,
                count_own=count_own,
                progress=progress,
            )

    def rank(
        self,
        X: Any,
        *,
        positive: str | None = None,
        method: str = "auto",
        top: int | None = None,
        least_sure: bool = False,
    ) -> ResultTable:
        """Rank rows by how surely they are of the positive class, best first.

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
            Values by name (what is not named is missing), or one row of any kind; several rows
            are for `explanations`. Without training data distances are in the attributes' own
            units, since one row has no spread.
        """
        from j48geo.model.explanations import explain_rows

        self.require_one("an explanation")
        has_metric = self.has_training or self.choices.metric is not None
        model = self if has_metric else self.with_(metric="none")
        if isinstance(case, Mapping):
            case = self.case(case)
        with self._open_rows(case) as rows:
            n_rows = len(rows.all())
            if n_rows != 1:
                raise MismatchError(
                    f"{pluralize(n_rows, 'row')} to explain; expected one, or "
                    "Model.explanations, which explains several"
                )
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
        self,
        test: Any,
        methods: Sequence[str] | None = None,
        measures: MetricOptions | None = None,
        *,
        sample: Dataset | None = None,
        sample_name: str = "",
        sample_seen: bool = False,
        sample_is_test: bool = False,
        is_training: bool | None = None,
        progress: Progress = no_progress,
    ) -> EvaluationResult:
        """All methods side by side on rows whose class is known, see `evaluate_rows`."""
        from j48geo.model.evaluation import evaluate_rows

        self.require_one("a comparison of methods")
        with self._open_rows(test) as rows:
            if is_training is None and not isinstance(test, (str, os.PathLike, Rows)):
                is_training = self.trained_on(rows.all())  # rows in memory have no name
            return evaluate_rows(
                self,
                rows,
                methods,
                measures,
                sample=sample,
                sample_name=sample_name,
                sample_seen=sample_seen,
                sample_is_test=sample_is_test,
                is_training=is_training,
                progress=progress,
            )

    def cross_validate(
        self,
        folds: int = 10,
        methods: Sequence[str] | None = None,
        measures: MetricOptions | None = None,
        *,
        seed: int = 1,
        progress: Progress = no_progress,
    ) -> EvaluationResult:
        """All methods side by side out of sample, by trees grown again without each fold.

        The model must be what J48 grows from its training data by its options; see
        `j48geo.model.evaluation.cross_validate`.
        """
        from j48geo.model.evaluation import cross_validate

        self.require_one("cross-validation")
        return cross_validate(self, folds, methods, measures, seed=seed, progress=progress)

    def confusion(self, test: Any, progress: Progress = no_progress) -> ConfusionResult:
        """Which class is taken for which on rows whose class is known; also by several trees."""
        from j48geo.model.evaluation import count_confusion

        with self._open_rows(test) as rows:
            return count_confusion(self, rows, progress)

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

    def to(
        self,
        name: str,
        *,
        table: str | None = None,
        distribution: bool | None = None,
        float32: bool | None = None,
        data: Any = None,
    ) -> str | bytes:
        """The model in another format, as text or bytes.

        Parameters
        ----------
        name
            ``text`` (J48's layout), ``json`` (our model file), ``dot`` (Graphviz), ``rules``,
            ``model`` (a file that Weka loads), ``sql``, ``c``, ``js``, ``onnx``, ``st`` (sensor
            tools), ``mermaid``, or what a plugin offers.
        table, distribution
            Of ``sql``: name of the table, and whether there is a column for every class.
        float32
            Of ``c``: whether numbers are ``float`` instead of ``double``.
        data
            Of ``c`` and ``st``: rows to try what is rounded on, by default the training data.
        """
        return self.export(
            name, table=table, distribution=distribution, float32=float32, data=data
        ).content

    def export(
        self,
        name: str,
        *,
        table: str | None = None,
        distribution: bool | None = None,
        float32: bool | None = None,
        data: Any = None,
    ) -> ExportResult:
        """The model in another format, see `to`, with what is to be said of it."""
        from j48geo.model.formats import export_model

        options = {"table": table, "distribution": distribution, "float32": float32, "data": data}
        given = {option: value for option, value in options.items() if value is not None}
        return export_model(self, name, given)

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
