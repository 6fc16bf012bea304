"""Put the tables of the parsers into a wheel, so that no start has to build them.

Hatch calls this (``pyproject.toml``) when it builds a wheel. An editable installation gets no
tables: the grammars of a checkout may change, and the tables are cached for the user instead.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARSERS = {
    "j48geo.data.arff.header": "HEADER_PARSER",
    "j48geo.read.graphviz": "GRAPH_PARSER",
    "j48geo.read.j48.surroundings": "SURROUNDINGS_PARSER",
    "j48geo.read.j48.tree_builder": "TREE_PARSER",
}
"""The parser of each grammar, by its module."""


class ParserTables(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the tables before a wheel, and removes the files after it."""

    PLUGIN_NAME = "custom"
    _folder: TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the tables and name them as files of the wheel."""
        if version == "editable":
            return
        self._folder = TemporaryDirectory()
        sys.path.insert(0, self.root)
        try:
            for path in write_tables(Path(self._folder.name)):
                build_data["force_include"][str(path)] = f"j48geo/grammars/{path.name}"
        finally:
            sys.path.remove(self.root)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the files, which are in the wheel now."""
        if self._folder is not None:
            self._folder.cleanup()


def write_tables(folder: Path) -> list[Path]:
    """Write a tables file for each parser; their paths."""
    from j48geo.data.grammar import TABLES

    paths = []
    for module, name in PARSERS.items():
        parser = getattr(import_module(module), name)
        path = folder / f"{parser.grammar}{TABLES}"
        path.write_bytes(parser.build_tables())
        paths.append(path)
    return paths
