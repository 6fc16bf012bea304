"""What an estimator with a tree answers, however it came by the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from j48geo.arrays import Floats, Ints
from j48geo.core.descent import descend
from j48geo.core.routing import branch_shares, divide_by_shares, find_leaves
from j48geo.data.rows import Rows
from j48geo.errors import NeedsTrainingError
from j48geo.model.model import Model
from j48geo.sklearn.validation import Labels, fill_columns, has_names

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class BaseTreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The answers of a bound `Model`: `_bind` is called once it is known.

    X is a table with column names (pandas, polars, pyarrow), whose columns are found by name, or
    an array in the order of the model's attributes, the class left out.
    """

    method: str
    model_: Model
    classes_: Labels
    n_features_in_: int

    def _bind(self, model: Model, labels: Labels) -> None:
        """Take a model; `labels` are its classes in its own order, as they are answered."""
        self.model_ = model
        self._labels = labels
        self._places = np.argsort(labels, kind="stable")
        self.classes_ = labels[self._places]
        self.n_features_in_ = len(model.header) - 1

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "classes_")
        if has_names(X) and hasattr(self, "feature_names_in_"):
            return self.model_.rows(X)
        return self.model_.rows(fill_columns(X, self.model_.header, type(self).__name__))

    def _predicted(self, rows: Rows) -> Ints:
        """Place of the class of every row, in the model's order."""
        parts = [block.prediction.predicted for block in self.model_.predictions(rows)]
        predicted = np.concatenate([np.empty(0, dtype=np.intp), *parts])
        unknown = np.flatnonzero(predicted < 0)
        if len(unknown):
            raise NeedsTrainingError(
                f"row {unknown[0] + 1}: its class cannot be told, since values are missing and the "
                "counts of the tree are not known; expected the training data"
            )
        return predicted

    def predict(self, X: Any) -> Labels:
        """The class of every row, as Weka gives it."""
        predicted = self._predicted(self._rows(X))
        return self._labels[predicted]

    def predict_proba(self, X: Any) -> Floats:
        """The probability of every class, in the order of ``classes_``, by ``method``.

        Returns
        -------
        array of float64, shape (n_cases, n_classes)
            Rows sum to 1.
        """
        rows = self._rows(X)
        distribution = self.model_.predict_proba(rows, self.method)[:, self._places]
        if self.method == "weka":
            distribution = _normalize_rows(distribution)
        return cast("Floats", distribution)

    def apply(self, X: Any) -> Ints:
        """The node in which every row ends, counted in preorder from 0; -1 if in several.

        A row ends in several leaves if a value that the tree asks for is missing. The number of
        a leaf, as the commands show it, is ``model_.tree.nodes[node].leaf + 1``.
        """
        rows = self._rows(X)
        tree = self._one_tree("leaves").tree
        ends = np.array([*tree.leaf_nodes, -1], dtype=np.intp)
        return ends[find_leaves(tree, rows.all().X)]

    def decision_path(self, X: Any) -> csr_matrix:
        """Which nodes every row passes, as a sparse matrix of shape (n_cases, n_nodes)."""
        from scipy.sparse import csr_matrix

        rows = self._rows(X).all().X
        model = self._one_tree("paths")
        tree, counts = model.tree, model.counts
        shares = branch_shares(tree, counts.weight, counts.total, counts.empty)
        divide = divide_by_shares(tree, shares)
        visits = list(descend(tree, rows, np.ones(len(rows)), divide))
        cases = np.concatenate([np.empty(0, dtype=np.intp), *(visit.cases for visit in visits)])
        nodes = np.repeat([visit.node for visit in visits], [len(visit.cases) for visit in visits])
        shape = (len(rows), tree.size)
        return csr_matrix((np.ones(len(cases), dtype=np.int64), (cases, nodes)), shape=shape)

    def _one_tree(self, what: str) -> Model:
        self.model_.require_one(f"an answer in {what}")
        return self.model_


def _normalize_rows(weights: Floats) -> Floats:
    """Weka's own distributions lack the shares of empty leaves; without any all are equal."""
    total = weights.sum(axis=1, keepdims=True)
    equal = np.full_like(weights, 1 / weights.shape[1])
    shares: Floats = np.divide(weights, total, out=equal, where=total > 0)
    return shares
