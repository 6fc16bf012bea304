"""What can be named: readers, scores and exports, of the house and of other packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from j48geo.model.formats import FORMATS
from j48geo.plugins import EXPORT_GROUP, PLUGIN_GROUPS, READER_GROUP, SCORE_GROUP, find_plugins
from j48geo.read.readers import READERS
from j48geo.score.scores import BUILTIN_SCORES


def list_plugins() -> list[tuple[str, ...]]:
    """Kind, name, package, version, where and remark of each; no plugin is imported."""
    builtin: dict[str, Mapping[str, Callable[..., Any] | str]] = {
        READER_GROUP: READERS,
        SCORE_GROUP: BUILTIN_SCORES,
        EXPORT_GROUP: FORMATS,
    }
    rows: list[tuple[str, ...]] = []
    for group, kind in PLUGIN_GROUPS.items():
        own = builtin.get(group, {})
        for name, function in own.items():
            where = function
            if not isinstance(where, str):
                where = f"{where.__module__}:{where.__qualname__}"
            rows.append((kind, name, "j48geo", "", where, "built in"))
        rows.extend(
            (kind, p.name, p.package, p.version, p.value, p.shadowed)
            for p in find_plugins(group, own)
        )
    return rows
