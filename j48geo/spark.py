"""J48 trees on Spark: the public functions of `j48geo.engines.spark`; the extra ``spark``."""

from __future__ import annotations

from j48geo.engines.spark import check, evaluate, measured, rank, score, sentences

__all__ = ["check", "evaluate", "measured", "rank", "score", "sentences"]
