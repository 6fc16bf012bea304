r"""A second life for Weka's J48 trees: read the printed text, replay it, predict with it.

The flow is text -> `read_tree` -> `BoxTree` and data -> `read_arff` -> `Dataset`; `replay`
tells whether the two belong together, `predict` answers as Weka would.

Examples
--------
>>> import j48geo, numpy
>>> tree = j48geo.read_tree(b"x <= 2: no (3.0)\nx > 2: yes (4.0/1.0)\n")
>>> tree.classes
('no', 'yes')
>>> counts = j48geo.counts_from_text(tree)
>>> j48geo.predict(tree, counts, numpy.array([[1.0, 0], [5.0, 0]])).distribution.tolist()
[[1.0, 0.0], [0.25, 0.75]]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from j48geo.errors import (
        DataReadError,
        J48GeoError,
        MismatchError,
        ModelReadError,
        ReadError,
        ReplayError,
        UnknownNameError,
    )
    from j48geo.model.boxes import Box, Interval
    from j48geo.model.build import at_most, by_value, grow_tree, is_value, leaf
    from j48geo.model.counts import NodeCounts, counts_from_data, counts_from_text
    from j48geo.model.dataset import Attribute, Dataset, Header
    from j48geo.model.routing import Routes, leaf_of, route
    from j48geo.model.tree import BoxTree, Layout, Leaf, Node, Options, Split
    from j48geo.read.arff import open_arff, read_arff
    from j48geo.read.csv import read_csv
    from j48geo.read.door import read_tree, read_trees
    from j48geo.read.replay import Replay, replay
    from j48geo.score.weka import Prediction, predict
    from j48geo.show.weka_text import tree_text

__version__ = "0.1.0"

__all__ = [
    "Attribute",
    "Box",
    "BoxTree",
    "DataReadError",
    "Dataset",
    "Header",
    "Interval",
    "J48GeoError",
    "Layout",
    "Leaf",
    "MismatchError",
    "ModelReadError",
    "Node",
    "NodeCounts",
    "Options",
    "Prediction",
    "ReadError",
    "Replay",
    "ReplayError",
    "Routes",
    "Split",
    "UnknownNameError",
    "at_most",
    "by_value",
    "counts_from_data",
    "counts_from_text",
    "grow_tree",
    "is_value",
    "leaf",
    "leaf_of",
    "open_arff",
    "predict",
    "read_arff",
    "read_csv",
    "read_tree",
    "read_trees",
    "replay",
    "route",
    "tree_text",
]

_HOMES = {
    "Attribute": "model.dataset",
    "Box": "model.boxes",
    "BoxTree": "model.tree",
    "DataReadError": "errors",
    "Dataset": "model.dataset",
    "Header": "model.dataset",
    "Interval": "model.boxes",
    "J48GeoError": "errors",
    "Layout": "model.tree",
    "Leaf": "model.tree",
    "MismatchError": "errors",
    "ModelReadError": "errors",
    "Node": "model.tree",
    "NodeCounts": "model.counts",
    "Options": "model.tree",
    "Prediction": "score.weka",
    "ReadError": "errors",
    "Replay": "read.replay",
    "ReplayError": "errors",
    "Routes": "model.routing",
    "Split": "model.tree",
    "UnknownNameError": "errors",
    "at_most": "model.build",
    "by_value": "model.build",
    "counts_from_data": "model.counts",
    "counts_from_text": "model.counts",
    "grow_tree": "model.build",
    "is_value": "model.build",
    "leaf": "model.build",
    "leaf_of": "model.routing",
    "open_arff": "read.arff",
    "predict": "score.weka",
    "read_arff": "read.arff",
    "read_csv": "read.csv",
    "read_tree": "read.door",
    "read_trees": "read.door",
    "replay": "read.replay",
    "route": "model.routing",
    "tree_text": "show.weka_text",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that ``j48geo --help`` is quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'j48geo' has no attribute {name!r}")
    found = getattr(import_module(f"j48geo.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
