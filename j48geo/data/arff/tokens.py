"""Weka's tokens: words, quoted words, braces and ends of line, exactly as Weka's tokenizer cuts.

Weka sets up Java's ``StreamTokenizer`` and reads header and rows with it as one stream. There
are no fields: commas, blanks and control characters all separate, and any number of them is
as good as one.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from enum import Enum, auto

from j48geo.errors import DataReadError


class Kind(Enum):
    """What a token is."""

    WORD = auto()
    QUOTED = auto()
    OPEN = auto()
    CLOSE = auto()
    END_OF_LINE = auto()
    END_OF_FILE = auto()


_WORD = Kind.WORD  # looked up once: reading words is what takes the time

_LINE = re.compile(rb"[^\r\n]*+(?:\r\n?|\n)?")

# Separators and a comment may precede every token; a comment leaves only the end of the line.
# Possessive repeats keep a line of millions of characters from filling a backtracking stack.
_TOKEN = re.compile(
    r"""[\0-\x09\x0b\x0c\x0e-\x20,]*+ (?:%[^\r\n]*+)?
    (?: ([^\0-\x20,%'"{}]++)
      | '((?:[^'\\\r\n]++|\\.)*+) ('?)
      | "((?:[^"\\\r\n]++|\\.)*+) ("?)
      | ([{}])
      | (\r\n?|\n)
    )?""",
    re.VERBOSE | re.DOTALL,
)
_REST_OF_QUOTED = {
    "'": re.compile(r"((?:[^'\\\r\n]++|\\.)*+)('?)", re.DOTALL),
    '"': re.compile(r'((?:[^"\\\r\n]++|\\.)*+)("?)', re.DOTALL),
}
_ESCAPE = re.compile(r"\\([0-3][0-7]{0,2}|[4-7][0-7]?|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_LONGEST_EXCERPT = 100_000
_AFTER_LAST_BACKSLASH = "\uffff"  # Java's (char) -1, the end of the file taken for a character


def _unescape(match: re.Match[str]) -> str:
    escaped = match[1]
    if escaped[0] in "01234567":
        return chr(int(escaped, 8))
    return _ESCAPED.get(escaped, escaped)


def _replace_as_java(error: UnicodeError) -> tuple[str, int]:
    """U+FFFD for bytes that are no UTF-8; as many of them as Java gives.

    Python and Java differ in one thing: an encoded surrogate is three errors here, one there.
    """
    assert isinstance(error, UnicodeDecodeError)
    bad = error.object[error.start : error.start + 3]
    if len(bad) == 3 and bad[0] == 0xED and 0xA0 <= bad[1] <= 0xBF and 0x80 <= bad[2] <= 0xBF:
        return "\ufffd", error.start + 3
    return "\ufffd", error.end


codecs.register_error("j48geo.java", _replace_as_java)


def decode(data: bytes) -> str:
    """UTF-8 decoded as a Java program in a UTF-8 locale does it; nothing is an error."""
    return data.decode("utf-8", "j48geo.java")


def bad_bytes_in(raw: bytes, text: str) -> bool:
    """Whether `text` shows U+FFFD in place of bytes of `raw` that are no UTF-8."""
    return "\ufffd" in text and b"\xef\xbf\xbd" not in raw


class Lines:
    """A cursor over the lines of a sequence of blocks.

    Attributes
    ----------
    block, position
        The block at hand and the first byte in it that is not read yet.
    number
        Number of the line at `position`, counted from 1 over all blocks.
    """

    def __init__(self, blocks: Iterator[bytes], *, source: str) -> None:
        self._blocks = blocks
        self.source = source
        self.block = b""
        self.position = 0
        self.number = 1

    def fill(self) -> bool:
        """Make sure that there is something to read; False at the end of the file."""
        while self.position >= len(self.block):
            block = next(self._blocks, None)
            if block is None:
                return False
            self.block, self.position = block, 0
        return True

    def next_line(self) -> bytes | None:
        """The next line with its end of line, None at the end of the file."""
        if not self.fill():
            return None
        match = _LINE.match(self.block, self.position)
        assert match is not None
        self.position = match.end()
        self.number += 1
        return match[0]


class Tokens:
    """The tokens of some lines, one after the other.

    Attributes
    ----------
    text
        Text of the token last read: unquoted and unescaped.
    line, column
        Where that token begins, counted from 1.
    undecodable
        How many words held bytes that are no UTF-8.
    """

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._line = ""
        self._position = 0
        self._at_line_end = True
        self._has_bad_bytes = False
        self.text = ""
        self._number = 0
        self.line = 0
        self.column = 1
        self.undecodable = 0

    @property
    def source(self) -> str:
        """Name of the file, for messages."""
        return self._lines.source

    def next(self) -> Kind:
        """Read the next token and say what it is."""
        if self._at_line_end and not self._load():
            self.text = ""
            return Kind.END_OF_FILE
        match = _TOKEN.match(self._line, self._position)
        assert match is not None
        group = match.lastindex
        self._position = match.end()
        if group is None:  # the last line of the file, without an end of line
            self._at_line_end = True
            return self.next()
        self.line, self.column = self._number, match.start(group) + 1
        if group == 1:
            self.text = match[1]
            if self._has_bad_bytes:
                self.undecodable += "\ufffd" in self.text
            return _WORD
        if group == 7:
            self.text = ""
            self._at_line_end = True
            return Kind.END_OF_LINE
        if group == 6:
            self.text = match[6]
            return Kind.OPEN if self.text == "{" else Kind.CLOSE
        self.column = match.start(group - 1)
        self._read_quoted(match[group - 1], closed=bool(match[group]))
        self.undecodable += self._has_bad_bytes and "\ufffd" in self.text
        return Kind.QUOTED

    def skim(self, pattern: re.Pattern[bytes]) -> Iterator[tuple[int, re.Match[bytes]]]:
        """Take the lines ahead that match, with their numbers, as long as they do.

        Parameters
        ----------
        pattern
            For a whole line with its end, of ASCII.
        """
        lines, last = self._lines, None
        while self._at_line_end and lines.fill():
            match = pattern.match(lines.block, lines.position)
            if match is None:
                break
            last = match
            lines.position = match.end()
            self._number = lines.number
            lines.number += 1
            yield self._number, match
        if last is not None:
            self._line = last[0].decode("ascii")

    def _load(self) -> bool:
        raw = self._lines.next_line()
        if raw is None:
            # The place just behind the last character, so that errors at the end point there.
            self.line, self.column = max(self._number, 1), len(self._line) + 1
            return False
        self._number = self._lines.number - 1
        self._line = decode(raw)
        self._has_bad_bytes = bad_bytes_in(raw, self._line)
        self._position = 0
        self._at_line_end = False
        return True

    def _read_quoted(self, body: str, *, closed: bool) -> None:
        """Set `text` to what was quoted; an escaped end of line goes on in the next line."""
        quote = self._line[self.column - 1]
        parts = [body]
        while not closed:
            if self._position < len(self._line):
                if self._line[self._position] == "\\":  # a backslash ends the file
                    self._position += 1
                    parts.append("\\" + _AFTER_LAST_BACKSLASH)
                break
            if not self._line.endswith(("\n", "\r")) or not self._load():
                break
            match = _REST_OF_QUOTED[quote].match(self._line)
            assert match is not None
            self._position = match.end()
            parts.append(match[1])
            closed = bool(match[2])
        text = "".join(parts)
        self.text = _ESCAPE.sub(_unescape, text) if "\\" in text else text

    def error(self, problem: str, expected: str = "") -> DataReadError:
        """An error at the token last read."""
        at_hand = self.line == self._number and len(self._line) < _LONGEST_EXCERPT
        excerpt = self._line.rstrip("\r\n") if at_hand else ""
        return DataReadError(problem, expected, self.source, self.line, self.column, excerpt)
