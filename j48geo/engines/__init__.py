"""Score and evaluate rows outside this process: batches of columns, Spark and MLflow.

`Scorer` and `BatchEvaluator` are small frozen objects that an engine sends to its workers;
`j48geo.engines.spark` and `j48geo.engines.mlflow` use them.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.engines.evaluation import BatchEvaluator, CountCheck, RowCounter
    from j48geo.engines.scorer import PortableModel, Scorer
    from j48geo.engines.sorting import Sorter

__all__ = ["BatchEvaluator", "CountCheck", "PortableModel", "RowCounter", "Scorer", "Sorter"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "BatchEvaluator": "evaluation",
        "CountCheck": "evaluation",
        "PortableModel": "scorer",
        "RowCounter": "evaluation",
        "Scorer": "scorer",
        "Sorter": "sorting",
    },
)
