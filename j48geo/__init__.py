r"""A second life for Weka's J48 trees: read the printed text, replay it, predict with it.

`load` gives a `Model`: a tree together with what its training data says about it. The rest
of the library stands in the subpackages: `j48geo.guide` (``j48geo guide library``) tells where.

Examples
--------
>>> import j48geo
>>> model = j48geo.load("x <= 2: no (3.0)\nx > 2: yes (4.0/1.0)\n")
>>> model.classes
('no', 'yes')
>>> model.predict_proba([[1.0, 0], [5.0, 0]], method="raw").tolist()
[[1.0, 0.0], [0.25, 0.75]]
"""

from __future__ import annotations

from j48geo.lazy import install_old_names, lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from typing import Any

    from j48geo.core.counts import NodeCounts
    from j48geo.core.dataset import Attribute, Dataset, Header
    from j48geo.core.tree import BoxTree
    from j48geo.data.arff.stream import read_arff
    from j48geo.data.csv import read_csv
    from j48geo.errors import (
        ChoiceError,
        DataReadError,
        J48GeoError,
        MismatchError,
        ModelReadError,
        NeedsPositiveError,
        NeedsTrainingError,
        ReplayError,
        UnknownNameError,
    )
    from j48geo.model.growth import grow
    from j48geo.model.loader import load
    from j48geo.model.model import Model
    from j48geo.read.readers import read_tree
    from j48geo.replaying.replay import replay
    from j48geo.show.weka_text import tree_text

__all__ = [
    "Attribute",
    "BoxTree",
    "ChoiceError",
    "DataReadError",
    "Dataset",
    "Header",
    "J48GeoError",
    "MismatchError",
    "Model",
    "ModelReadError",
    "NeedsPositiveError",
    "NeedsTrainingError",
    "NodeCounts",
    "ReplayError",
    "UnknownNameError",
    "grow",
    "load",
    "read_arff",
    "read_csv",
    "read_tree",
    "replay",
    "tree_text",
]

_find_public_name, __dir__ = lazy_exports(
    __name__,
    {
        "Attribute": "core.dataset",
        "BoxTree": "core.tree",
        "ChoiceError": "errors",
        "DataReadError": "errors",
        "Dataset": "core.dataset",
        "Header": "core.dataset",
        "J48GeoError": "errors",
        "MismatchError": "errors",
        "Model": "model.model",
        "ModelReadError": "errors",
        "NeedsPositiveError": "errors",
        "NeedsTrainingError": "errors",
        "NodeCounts": "core.counts",
        "ReplayError": "errors",
        "UnknownNameError": "errors",
        "grow": "model.growth",
        "load": "model.loader",
        "read_arff": "data.arff.stream",
        "read_csv": "data.csv",
        "read_tree": "read.readers",
        "replay": "replaying.replay",
        "tree_text": "show.weka_text",
    },
)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that ``j48geo --help`` is quick."""
    if name == "__version__":
        from importlib.metadata import version

        return version("j48geo")
    return _find_public_name(name)


install_old_names()
