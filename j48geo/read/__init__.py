"""Read models: the text that J48 prints, Graphviz, Weka's ``.model`` files, our own JSON.

`read_trees` reads every tree of a file in any of these formats (`READERS`); `select_tree` takes
one of them, by the counts of the training data where a text can be read in several ways;
`read_tree` does both. The formats are in ``j48/``, ``java/`` and ``graphviz``; ``repair/``
undoes what copying does to a text.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.read.readers import (
        READERS,
        read_model_bytes,
        read_model_file,
        read_tree,
        read_trees,
        select_tree,
    )

__all__ = [
    "READERS",
    "read_model_bytes",
    "read_model_file",
    "read_tree",
    "read_trees",
    "select_tree",
]

__getattr__, __dir__ = lazy_exports(__name__, dict.fromkeys(__all__, "readers"))
