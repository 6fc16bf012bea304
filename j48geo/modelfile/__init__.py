"""Model files of our own, JSON: a tree, its counts, and what was fitted to training data.

`read` reads them; `tree_pieces` and `fitted_pieces` write them piece by piece, `tree_to_json` and
`fitted_text` at once. Nothing in such a file is executed.
"""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.modelfile.fitted import fitted_pieces, fitted_text, read
    from j48geo.modelfile.tree import tree_pieces, tree_to_json

__all__ = ["fitted_pieces", "fitted_text", "read", "tree_pieces", "tree_to_json"]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "fitted_pieces": "fitted",
        "fitted_text": "fitted",
        "read": "fitted",
        "tree_pieces": "tree",
        "tree_to_json": "tree",
    },
)
