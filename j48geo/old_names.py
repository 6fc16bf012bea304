"""Modules and classes under the names they had in 0.1.0, for pickles that were written then.

A pickle names the module and the class of every object. `install` lets Python find the modules
that have moved; nothing is imported before a pickle asks for it. New code never uses these names.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

_MOVED = {
    "j48geo.core.ensemble": "j48geo.core.wrappers",
    "j48geo.core.filters": "j48geo.core.wrappers",
    "j48geo.core.learnt": "j48geo.core.fitted_values",
    "j48geo.ensemble.whole": "j48geo.ensemble.committee",
    "j48geo.replaying.restore": "j48geo.replaying.thresholds",
    "j48geo.score.sure": "j48geo.score",
    "j48geo.score.sure.bounds": "j48geo.score.uncertainty_bounds",
}
_RENAMED = {"Fitted": "FittedValues", "Whole": "Committee"}


class OldNameFinder:
    """Finder and loader of modules that have another name now."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A module of 0.1.0; None for any other name."""
        return ModuleSpec(name, self, is_package=True) if name in _MOVED else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """An empty module, as Python makes it."""

    def exec_module(self, module: ModuleType) -> None:
        """Look up every name of the module where it is now."""
        home = _MOVED[module.__name__]

        def find_attribute(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return getattr(import_module(home), _RENAMED.get(name, name))

        module.__getattr__ = find_attribute  # type: ignore[method-assign]


def install() -> None:
    """Let Python find old modules, after all others."""
    sys.meta_path.append(OldNameFinder())
