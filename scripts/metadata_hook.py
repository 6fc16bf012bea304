"""Write the long description of the package, from README.md.

Hatch calls this (``pyproject.toml``) whenever it needs the metadata. A package index has neither
the pictures nor the other files of the checkout, so pictures with their captions are left out and
links to files become plain text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# A picture, and the paragraph in italics below it.
PICTURE = re.compile(r"!\[[^\]]*\]\((?!https?:)[^)]*\)\n(?:\n\*[^*]+\*\n)?\n?")
LINK = re.compile(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)")
# What the text says of a picture that is left out.
REMARK = " (the picture above is its `--plot`)"


def long_description(readme: str) -> str:
    """The text of README.md without pictures and links that only a checkout has."""
    return LINK.sub(r"\1", PICTURE.sub("", readme)).replace(REMARK, "")


class LongDescriptionHook(MetadataHookInterface):
    """Sets the field ``readme``, which ``pyproject.toml`` declares as dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the long description to the metadata of the project."""
        readme = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": long_description(readme)}
