"""Find names when they are first used: public names of a package, and modules as 0.1.0 called them.

`lazy_exports` keeps start-up quick. A pickle names the module and the class of every object;
`install_old_names` lets Python find the modules that have moved since 0.1.0, and nothing is
imported before a pickle asks for it. New code never uses the old names.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import ModuleType
    from typing import Any


def lazy_exports(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Functions ``__getattr__`` and ``__dir__`` for the ``__init__.py`` of a package.

    Parameters
    ----------
    package
        The ``__name__`` of the package.
    homes
        For each public name the module inside the package that defines it.

    Examples
    --------
    >>> find, names = lazy_exports("j48geo.core", {"BoxTree": "tree"})
    >>> find("BoxTree").__name__
    'BoxTree'
    """

    def find_public_name(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(package)
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(module, name, value)  # the next use does not come here again
        return value

    def list_public_names() -> list[str]:
        return sorted({*vars(import_module(package)), *homes})

    return find_public_name, list_public_names


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


def install_old_names() -> None:
    """Let Python find old modules, after all others."""
    sys.meta_path.append(OldNameFinder())
