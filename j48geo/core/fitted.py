"""What was learnt about a tree from its training data, so that the data is needed no more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from j48geo.core.dataset import Header
from j48geo.core.density import DistanceKDE
from j48geo.core.metric import Metric
from j48geo.core.nearby import NearbyLeaves

__all__ = ["Fitted"]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A metric, moved faces, and the samples of kernel estimates.

    Parameters
    ----------
    metric
        Scales in the columns of the tree's header.
    faces
        Thresholds that distances are measured to, by node, where these are not the tree's
        own (``--separators midgap``); None if they are.
    positive
        Index of the class that matters; None if nobody told.
    m
        The m of the m-estimate; None for 10 / p(c), c the class that matters.
    training, calibration
        Names of the files that it was learnt from.
    densities
        Kernel estimates by name: ``gdk``, ``ldk``, ``ldk-leaf``.
    nearby
        The nearby-leaf average.
    """

    metric: Metric
    faces: Mapping[int, float] | None
    positive: int | None
    m: float | None
    training: str
    calibration: str
    densities: Mapping[str, DistanceKDE] = field(default_factory=dict)
    nearby: NearbyLeaves | None = None

    def rebound(self, old: Header, new: Header) -> Fitted:
        """The same in the columns of another header, matched by name."""
        if old.names == new.names:
            return self
        place = {name: i for i, name in enumerate(new.names)}
        scale = np.ones(len(new))
        for i, name in enumerate(old.names):
            if name in place:
                scale[place[name]] = self.metric.scale[i]
        return replace(
            self,
            metric=replace(self.metric, scale=scale),
            nearby=None if self.nearby is None else self.nearby.rebound(old, new),
        )
