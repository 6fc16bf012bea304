"""Trees among scikit-learn's estimators; needs the extra ``sklearn``.

`J48Classifier` answers with a tree that Weka grew, `J48TreeClassifier` grows one as Weka would.
"""

from __future__ import annotations

from j48geo.sklearn.grown_tree import J48TreeClassifier
from j48geo.sklearn.loaded_tree import J48Classifier

__all__ = ["J48Classifier", "J48TreeClassifier"]
