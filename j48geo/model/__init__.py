"""One tree with its training data and choices: `load` and `grow` give a `Model`, which answers.

`Model` predicts, ranks, explains, evaluates and exports; every answer is a module of this folder.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.model.choices import CHOICE_TABLE, Choices
    from j48geo.model.costs import CostRequest
    from j48geo.model.evaluation import EvaluationResult
    from j48geo.model.fitting import FittedMethods
    from j48geo.model.growth import grow
    from j48geo.model.loader import load, open_model
    from j48geo.model.model import Model
    from j48geo.model.rankings import RankedCases
    from j48geo.model.result_table import ResultTable
    from j48geo.model.sources import Reading

__all__ = [
    "CHOICE_TABLE",
    "Choices",
    "CostRequest",
    "EvaluationResult",
    "FittedMethods",
    "Model",
    "RankedCases",
    "Reading",
    "ResultTable",
    "grow",
    "load",
    "open_model",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "CHOICE_TABLE": "choices",
        "Choices": "choices",
        "CostRequest": "costs",
        "EvaluationResult": "evaluation",
        "FittedMethods": "fitting",
        "Model": "model",
        "RankedCases": "rankings",
        "Reading": "sources",
        "ResultTable": "result_table",
        "grow": "growth",
        "load": "loader",
        "open_model": "loader",
    },
)
