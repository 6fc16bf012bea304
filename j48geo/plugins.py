"""Find the readers, scores and exports that other packages add through entry points.

A package offers a reader by naming a function in its metadata::

    [project.entry-points."j48geo.readers"]
    mytool = "mytool.j48:read"

Listing reads metadata only; nothing is imported until it is asked for by name. Names of the
house win over names of guests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from j48geo.errors import J48GeoError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


READER_GROUP = "j48geo.readers"
SCORE_GROUP = "j48geo.scores"
EXPORT_GROUP = "j48geo.exports"
PLUGIN_GROUPS: Mapping[str, str] = {
    READER_GROUP: "reader",
    SCORE_GROUP: "score",
    EXPORT_GROUP: "export",
}
"""Entry-point groups, and what one member of each is called."""


class PluginError(J48GeoError):
    """A plugin that is there but cannot be used; the message names its package."""

    exit_code = 2


@dataclass(frozen=True)
class Plugin:
    """A reader, score or export that a package offers under a name.

    Parameters
    ----------
    value
        Where it is, as ``module:function``.
    package, version
        The distribution that offers it.
    shadowed
        Why the name cannot be used, such as a built-in of the same name; empty if it can.
    """

    name: str
    group: str
    value: str
    package: str
    version: str
    shadowed: str = ""


def find_plugins(group: str, builtin: Iterable[str] = ()) -> tuple[Plugin, ...]:
    """Plugins of `group`, ordered by name and package; nothing is imported.

    Parameters
    ----------
    builtin
        Names that the house itself uses; a plugin with such a name is marked as shadowed.
    """
    own = set(builtin)
    return tuple(
        Plugin(
            name=point.name,
            group=group,
            value=point.value,
            package=_package(point),
            version=point.dist.version if point.dist is not None else "",
            shadowed="built-in of the same name" if point.name in own else "",
        )
        for point in _points(group)
    )


def plugin_names(group: str, builtin: Iterable[str] = ()) -> tuple[str, ...]:
    """Names that can be asked for: the built-in ones first, then those of plugins."""
    own = tuple(builtin)
    return (*own, *sorted({p.name for p in _points(group)} - set(own)))


def load_plugin(
    group: str, name: str, builtin: Mapping[str, Any] | None = None
) -> Callable[..., Any]:
    """The function called `name`; only this one is imported.

    Parameters
    ----------
    builtin
        What the house itself offers; these win.

    Raises
    ------
    UnknownNameError
        If nobody offers the name; lists those that are offered.
    PluginError
        If two packages offer it, if importing it fails, or if it cannot be called.
    """
    own = builtin or {}
    if name in own:
        function: Callable[..., Any] = own[name]
        return function
    what = PLUGIN_GROUPS.get(group, group)
    offers = [p for p in _points(group) if p.name == name]
    if not offers:
        raise UnknownNameError(what, name, plugin_names(group, own))
    if len(offers) > 1:
        packages = " and ".join(_package(p) for p in offers)
        raise PluginError(f"{what} {name!r} is offered by {packages}; expected one package")
    point = offers[0]
    blame = f"plugin {name!r} of package {_package(point)} ({point.value})"
    try:
        loaded: Callable[..., Any] = point.load()
    except Exception as error:  # whatever a foreign module does while it is imported
        reason = " ".join(str(error).split())
        raise PluginError(
            f"{blame} cannot be imported: {type(error).__name__}: {reason}"
        ) from error
    if not callable(loaded):
        raise PluginError(f"{blame} is a {type(loaded).__name__}; expected a function")
    return loaded


def _points(group: str) -> list[EntryPoint]:
    from importlib.metadata import entry_points  # costs more than a small command does

    unique = {(p.name, _package(p), p.value): p for p in entry_points(group=group)}
    return [unique[key] for key in sorted(unique)]


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "(unknown package)"
