"""The loader of fitted models for MLflow, named by ``loader_module="j48geo.mlflow"``."""

from __future__ import annotations

from j48geo.engines.mlflow import Served, _load_pyfunc

__all__ = ["Served", "_load_pyfunc"]
