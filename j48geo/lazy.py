"""Import the public names of a package when they are first used, so that start-up stays quick."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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
