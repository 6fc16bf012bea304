"""A fitted model served by MLflow: its loader, named by ``loader_module="j48geo.mlflow"``.

The model travels as its own JSON file, so nothing is pickled; MLflow is not imported here.
See ``j48geo guide engines``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from j48geo.engines.scorer import Scorer
from j48geo.model.loader import load


class Served:
    """What MLflow asks for answers: a DataFrame of pandas in, one out."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer

    def predict(self, rows: Any, params: Mapping[str, Any] | None = None) -> Any:
        """The scores of rows, see `j48geo.engines.scorer.Scorer`; there are no `params`."""
        import pyarrow

        return self.scorer(pyarrow.Table.from_pandas(rows, preserve_index=False)).to_pandas()


def _load_pyfunc(path: str, model_config: Mapping[str, Any] | None = None) -> Served:
    """What MLflow calls; ``method``, ``keep`` and ``probabilities`` may stand in the config."""
    how = dict(model_config or {})
    return Served(Scorer.of(load(path), how.pop("method", "auto"), **how))
