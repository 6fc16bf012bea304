"""The base of both classifiers: X and y as rows and labels, and the answers of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite, check_array, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from j48geo.arrays import Floats, Ints
from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.core.descent import descend
from j48geo.core.routing import branch_shares, divide_by_shares, find_leaves
from j48geo.data.frame import cell_value
from j48geo.data.rows import Rows
from j48geo.data.table_kinds import table_kind
from j48geo.errors import MismatchError, NeedsTrainingError
from j48geo.model.model import Model

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
        header = self.model_.header
        array = fill_columns(X, header, type(self).__name__)
        return self.model_.rows(Dataset(header, array, np.ones(len(array))))

    def _predict_places(self, rows: Rows) -> Ints:
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
        predicted = self._predict_places(self._rows(X))
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


# -------------------------------------------------------------------------- checks of X and y


Labels = NDArray[Any]


class RowsError(MismatchError, ValueError):
    """X or y does not fit; a ValueError too, as scikit-learn expects of its estimators."""


def has_names(X: Any) -> bool:
    """Whether X is a table whose columns are found by name; numbers are no names."""
    if table_kind(X) is None:
        return False
    names = X.column_names if hasattr(X, "column_names") else X.columns
    return all(isinstance(name, str) for name in names)


def check_matrix(X: Any, dtype: Any = None) -> NDArray[Any]:
    """X as an array of two dimensions with at least one row; values may be missing."""
    return np.asarray(check_array(X, dtype=dtype, ensure_all_finite=False))


def fill_columns(X: Any, header: Header, who: str) -> Floats:
    """Rows in all columns of the header, from an array without the class.

    Parameters
    ----------
    X
        Numbers, of a nominal attribute the place of its value; or objects: numbers and labels.
    who
        Name of the estimator.
    """
    array = check_matrix(X)
    columns = [k for k in range(len(header)) if k != header.class_index]
    if array.shape[1] != len(columns):
        names = ", ".join(header.names[k] for k in columns[:20])
        raise RowsError(
            f"X has {array.shape[1]} features, but {who} is expecting {len(columns)} features as "
            f"input: {names}{', ...' if len(columns) > 20 else ''}"
        )
    filled = np.full((len(array), len(header)), np.nan)
    if array.dtype.kind in "biuf":
        filled[:, columns] = array
    else:
        for place, k in enumerate(columns):
            filled[:, k] = _parse_cells(array[:, place], header.attributes[k])
    return filled


def _parse_cells(cells: NDArray[Any], attribute: Attribute) -> list[float]:
    values = []
    for row, cell in enumerate(cells.tolist()):
        value = cell_value(cell, attribute)
        if isinstance(value, str):
            raise RowsError(
                f"X: row {row + 1}, column {attribute.name!r}: {str(cell)[:60]!r}; {value}"
            )
        values.append(value)
    return values


def check_labels(y: Any, who: str) -> Labels:
    """The labels as an array of one dimension."""
    if y is None:
        raise RowsError(f"{who} requires y to be passed, but the target y is None")
    labels = column_or_1d(y if hasattr(y, "shape") else np.asarray(y), warn=True)
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    return np.asarray(labels)


def match_labels(y: Labels, target: Attribute) -> Labels:
    """The classes of the model in its own order, as `y` writes them: 0 and 1 for "0" and "1".

    Raises
    ------
    RowsError
        If `y` holds a label that is no class of the model.
    """
    for label in np.unique(y).tolist():
        place = cell_value(label, target)
        if isinstance(place, str):
            raise RowsError(f"y holds the class {label!r}; {place}")
    truth = {"true": True, "false": False}
    as_in_y: Any = {"i": int, "u": int, "f": float, "b": truth.__getitem__}
    write = as_in_y.get(y.dtype.kind, str)
    try:
        labels = np.array([write(value) for value in target.values])
    except (KeyError, ValueError):
        return np.array(target.values)
    return labels if len(np.unique(labels)) == len(labels) else np.array(target.values)
