"""Where things are kept, and how files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

__all__ = [
    "CACHE",
    "GROWERS",
    "GROWERS_PICTURE",
    "NEARBY",
    "RESULTS",
    "ROOT",
    "TABLES",
    "write_whole",
]

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / ".cache" / "reproduce"
GROWERS = ROOT / "scripts" / "studies" / "growers-results.md"
GROWERS_PICTURE = ROOT / "scripts" / "studies" / "pictures" / "growers-curves.png"
NEARBY = ROOT / "scripts" / "studies" / "nearby-results.md"
RESULTS = ROOT / "scripts" / "studies" / "reproduction-results.md"
TABLES = ROOT.parent / "shared" / "papers" / "tables.csv"
"""The papers' own numbers, which stand beside the checkout."""


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that a run that is stopped leaves the old one or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}")
    with os.fdopen(handle, "wb") as out:
        out.write(content)
    Path(name).replace(file)
