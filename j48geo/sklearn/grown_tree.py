"""`J48TreeClassifier`: a scikit-learn estimator that grows J48's tree in ``fit``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.data.frame import read_table, table_attributes
from j48geo.growing.options import GrowOptions
from j48geo.model.growth import grow
from j48geo.model.settings import check_names
from j48geo.sklearn.base import BaseTreeClassifier, RowsError, check_labels, check_matrix, has_names


class J48TreeClassifier(BaseTreeClassifier):
    r"""C4.5 as Weka's J48 grows it, letter for letter, without Java.

    Columns of numbers are numeric; categories, text, true and false are nominal: a branch for each
    value. Values may be missing. Nominal columns need a table (pandas, polars, pyarrow); in an
    array all columns are numeric. Weka's nominal values have an order: that of pandas' categories
    and of a polars Enum, else the alphabet's. Rows have no weights.

    Parameters
    ----------
    confidence_factor
        ``-C``: the less, the more is pruned.
    min_num_obj
        ``-M``: rows that two branches of a split must have at least.
    unpruned
        ``-U``.
    reduced_error_pruning, num_folds, seed
        ``-R``: prune by the last of ``-N`` folds, drawn by the seed ``-Q``.
    binary_splits
        ``-B``: nominal attributes ask for one value against all others.
    subtree_raising, collapse_tree, use_mdl_correction
        False: ``-S``, ``-O``, ``-J``.
    method
        How probabilities are estimated, see `J48Classifier`; ``laplace`` is J48's ``-A``.

    Attributes
    ----------
    model_ : Model
        The tree and its training data: ``print(model_.to("text"))``, ``model_.explain``,
        ``model_.decision_function``, ``model_.save``.
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Notes
    -----
    There is no ``decision_function``: scikit-learn wants it to order rows as ``predict_proba``
    does, and a distance to the boundary does not. ``J48Classifier(model=tree.model_)`` has it.

    Examples
    --------
    >>> tree = J48TreeClassifier(min_num_obj=1).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> print(tree.model_.to("text").split("\n\n")[1])
    x0 <= 2: 0 (2.0)
    x0 > 2: 1 (2.0)
    >>> tree.predict([[2.5]])
    array([1])
    """

    def __init__(
        self,
        *,
        confidence_factor: float = 0.25,
        min_num_obj: int = 2,
        unpruned: bool = False,
        reduced_error_pruning: bool = False,
        num_folds: int = 3,
        seed: int = 1,
        binary_splits: bool = False,
        subtree_raising: bool = True,
        collapse_tree: bool = True,
        use_mdl_correction: bool = True,
        method: str = "raw",
    ) -> None:
        self.confidence_factor = confidence_factor
        self.min_num_obj = min_num_obj
        self.unpruned = unpruned
        self.reduced_error_pruning = reduced_error_pruning
        self.num_folds = num_folds
        self.seed = seed
        self.binary_splits = binary_splits
        self.subtree_raising = subtree_raising
        self.collapse_tree = collapse_tree
        self.use_mdl_correction = use_mdl_correction
        self.method = method

    def fit(self, X: Any, y: Any) -> J48TreeClassifier:
        """Grow J48's tree from X and y.

        Raises
        ------
        RowsError
            If y has fewer than two classes.
        GrowOptionsError
            If J48 refuses the parameters, or these rows with them.
        """
        if self.method not in ("auto", "weka"):
            check_names([self.method])
        labels = check_labels(y, type(self).__name__)
        named = has_names(X)
        if named:
            attributes = table_attributes(X, name="X")
        else:
            X = check_matrix(X, np.float64)
            attributes = tuple(Attribute(f"x{k}") for k in range(X.shape[1]))
        check_consistent_length(np.empty(len(X)), labels)
        classes, place = np.unique(labels, return_inverse=True)
        if len(classes) < 2:
            raise RowsError(f"y holds {len(classes)} class; J48 grows from at least two classes")
        target = Attribute(_free_name(y, attributes), "nominal", tuple(map(str, classes)))
        header = Header("X", (*attributes, target), len(attributes))
        if named:
            rows = read_table(X, header, name="X").X
            rows[:, -1] = place
            self.feature_names_in_ = np.array([a.name for a in attributes], dtype=object)
        else:
            rows = np.column_stack([X, place])
            if hasattr(self, "feature_names_in_"):  # of an earlier fit
                del self.feature_names_in_
        self._bind(grow(Dataset(header, rows, np.ones(len(rows))), self._options()), classes)
        return self

    def _options(self) -> str:
        """The parameters as J48's own options; those that are its defaults are left out."""
        usual = GrowOptions()
        numbers = {
            "-C": (self.confidence_factor, usual.confidence),
            "-M": (self.min_num_obj, usual.least),
            "-N": (self.num_folds, usual.folds),
            "-Q": (self.seed, usual.seed),
        }
        flags = {
            "-U": self.unpruned,
            "-R": self.reduced_error_pruning,
            "-B": self.binary_splits,
            "-S": not self.subtree_raising,
            "-O": not self.collapse_tree,
            "-J": not self.use_mdl_correction,
        }
        flags_given = [letter for letter, given in flags.items() if given]
        flags_given += [f"{letter} {value}" for letter, (value, k) in numbers.items() if value != k]
        return " ".join(flags_given)


def _free_name(y: Any, attributes: Sequence[Attribute]) -> str:
    """A name for the class: its own if it has one, and not that of an attribute."""
    name = str(getattr(y, "name", None) or "class")
    while any(name == attribute.name for attribute in attributes):
        name += "_"
    return name
