"""A text with its name: offsets become the lines and columns of messages."""

from __future__ import annotations

from dataclasses import dataclass

from j48geo.errors import ModelReadError


@dataclass
class TextPosition:
    """Turns offsets of a text into places of messages."""

    text: str
    source: str

    def __post_init__(self) -> None:
        self._known = (0, 1)

    def line(self, pos: int) -> int:
        """Line of the character at `pos`, from 1."""
        # Questions mostly come in ascending order: count on from the last answer.
        known, line = self._known if self._known[0] <= pos else (0, 1)
        line += self.text.count("\n", known, pos)
        self._known = (pos, line)
        return line

    def error(self, pos: int, problem: str, expected: str = "") -> ModelReadError:
        """A reading error at the character at `pos`."""
        start = self.text.rfind("\n", 0, pos) + 1
        stop = self.text.find("\n", pos, pos + 2000)
        excerpt = self.text[start : stop if stop >= 0 else pos + 200]
        return ModelReadError(
            problem, expected, self.source, self.line(pos), pos - start + 1, excerpt
        )
