"""`J48Classifier`: a tree that exists already, as a fitted scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from j48geo.arrays import Floats
from j48geo.data.rows import Rows
from j48geo.errors import ChoiceError, NeedsTrainingError
from j48geo.model.loader import load
from j48geo.model.model import Model
from j48geo.model.settings import check_names, find_metric
from j48geo.sklearn.base import BaseTreeClassifier, Labels, check_labels, match_labels

SMALLEST_DOUBLE = np.nextafter(0.0, 1.0)
"""The smallest double above 0: a row on the boundary keeps the sign of its class."""


def _has_distances(estimator: J48Classifier) -> bool:
    """Whether distances can be had; before a model is loaded nothing speaks against it."""
    model: Model | None = getattr(estimator, "model_", None)
    if model is None:
        return True
    model.require_one("a distance")
    if model.fits_metric_to_rows:
        raise NeedsTrainingError(
            "a distance needs the scales of the attributes; expected train, fit(X, y), metric "
            "'none', or a scale for each attribute by name"
        )
    return True


class J48Classifier(BaseTreeClassifier):
    r"""A tree that Weka's J48 grew, as a classifier that is fitted already.

    `load` is all that is needed. `fit` never learns a tree: it reads the model, and compares its
    columns and classes with those of X and y. So **cross_val_predict and cross_val_score are not
    out of sample with respect to the tree**, which has seen its training rows in every fold;
    `J48TreeClassifier` grows its tree anew from the rows of each fold.

    Parameters
    ----------
    model
        What `j48geo.load` reads: a path, bytes, or text with line breaks; or a `Model`.
    train
        The data the tree was grown from, see `j48geo.load`; not with a `Model`.
    method
        How probabilities are estimated: ``raw``, ``laplace``, ``m``, ``gdk``, ``ldk``,
        ``ldk-leaf``, ``nearby``, ``auto``, or ``weka`` for Weka's own. With ``raw`` the most
        probable class is the predicted one, but where classes are equally probable: Weka takes the
        first of its header. The other methods may contradict the tree.
    metric
        How distances are measured: ``standard``, ``minmax``, ``none``, or a scale for each
        attribute by name; None: as the model says, else ``standard``.
    positive
        The class whose share sets the m of the m-estimate; None: the rarer of two.

    Attributes
    ----------
    model_ : Model
        The tree and everything that is known about it.
    classes_ : array
        The classes, sorted; after `fit` of the kind of y (whole numbers for "0" and "1").
    feature_names_in_, n_features_in_
        The attributes of the model without the class.

    Examples
    --------
    >>> flowers = J48Classifier.load("x <= 2: no (3.0)\nx > 2: yes (4.0/1.0)\n")
    >>> flowers.predict_proba([[1.0], [5.0]]).tolist()
    [[1.0, 0.0], [0.25, 0.75]]
    """

    def __init__(
        self,
        model: Any = None,
        train: Any = None,
        *,
        method: str = "raw",
        metric: str | Mapping[str, float] | None = None,
        positive: Any = None,
    ) -> None:
        self.model = model
        self.train = train
        self.method = method
        self.metric = metric
        self.positive = positive

    @classmethod
    def load(cls, model: Any, train: Any = None, **parameters: Any) -> J48Classifier:
        """A classifier that answers at once; `parameters` are those of the class."""
        classifier = cls(model, train, **parameters)
        model_read = classifier._read()
        classifier._bind(model_read, np.array(model_read.classes))
        return classifier

    def fit(self, X: Any, y: Any) -> J48Classifier:
        """Read the model, and compare X and y with it; the tree stays as it is.

        The labels of y tell how classes are written. Where the training data is not known, the
        metric takes its scales from X.

        Raises
        ------
        RowsError, DataReadError
            If X has other columns, or y other classes.
        """
        labels = check_labels(y, type(self).__name__)
        model = self._read()
        self._bind(model, match_labels(labels, model.header.class_attribute))
        rows = self._rows(X)
        n_rows = len(rows.all())
        check_consistent_length(np.empty(n_rows), labels)
        if model.committee is None and model.fits_metric_to_rows:
            self.model_ = model.with_(metric=_fit_scales(model, rows))
        return self

    def _read(self) -> Model:
        if self.method not in ("auto", "weka"):
            check_names([self.method])
        if self.model is None:
            raise ChoiceError("model", "is None; expected a path, a text or a Model")
        if isinstance(self.model, Model):
            if self.train is not None:
                raise ChoiceError("train", "is given with a Model, which knows its own already")
            model = self.model
        else:
            model = load(self.model, self.train)
        chosen: dict[str, Any] = {}
        if self.metric is not None:
            chosen["metric"] = self.metric
        if self.positive is not None:
            chosen["positive"] = str(self.positive)
        return model.with_(**chosen) if chosen else model

    def _bind(self, model: Model, labels: Labels) -> None:
        super()._bind(model, labels)
        header = model.header
        names = [name for k, name in enumerate(header.names) if k != header.class_index]
        self.feature_names_in_ = np.array(names, dtype=object)

    @available_if(_has_distances)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Floats:
        """Signed distance to the decision boundary, positive inside the class.

        A row on the boundary has the smallest double instead of 0, with the sign of its class.

        Returns
        -------
        array of float64
            Of two classes shape (n_cases,), of ``classes_[1]``; of more shape
            (n_cases, n_classes), -h_c of every class.
        """
        check_is_fitted(self, "classes_")
        rows = self._rows(X)
        predicted = self._predict_places(rows)
        model, last = self.model_, int(self._places[-1])
        if len(self.classes_) > 2:
            distance = model.decision_function(rows)[:, self._places]
            inside = predicted[:, None] == self._places
        else:
            distance = model.with_(positive=model.classes[last]).decision_function(rows)
            inside = predicted == last
        signed: Floats = np.where(
            distance == 0, np.where(inside, SMALLEST_DOUBLE, -SMALLEST_DOUBLE), distance
        )
        return signed


def _fit_scales(model: Model, rows: Rows) -> dict[str, float]:
    """The scale of every numeric attribute in these rows."""
    metric = find_metric(model, rows, "the rows of fit")
    header = model.tree.header
    return {
        attribute.name: float(scale)
        for attribute, scale in zip(header.attributes, metric.scale, strict=True)
        if attribute.is_numeric
    }
