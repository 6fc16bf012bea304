"""Trees among scikit-learn's estimators; needs the extra ``sklearn``."""

from __future__ import annotations

from j48geo.sklearn.loaded import J48Classifier

__all__ = ["J48Classifier"]
