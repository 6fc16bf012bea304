"""The text of a model file: decoded from bytes, with positions for messages.

`decode_text` undoes byte order marks, UTF-16, code pages and foreign line ends;
`TextPosition` turns offsets into the lines and columns of error messages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from j48geo.data.source import describe_encoding, utf16_without_mark
from j48geo.errors import ModelReadError

_CODE_PAGES = ("cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "latin-1")
_JAVA_SERIALIZED = b"\xac\xed\x00\x05"


class DecodedText(NamedTuple):
    """One way to read the bytes, and what was done to them."""

    text: str
    notes: tuple[str, ...]


def decode_text(data: bytes, source: str) -> list[DecodedText]:
    """Every sensible text of `data`, most likely first.

    Bytes that are no UTF-8 have several: which code page is right can only be told by the
    names of the header, so the caller tries them in turn.
    """
    if data.startswith(_JAVA_SERIALIZED):
        raise ModelReadError(
            "this is a serialized Java object (a Weka .model file)",
            "expected the text that J48 prints; save it with `java weka.classifiers.trees.J48 "
            "-l FILE -T DATA` or from the Explorer's buffer",
            source,
        )
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        decodings = [_try_encoding(data, "utf-16", "UTF-16 with a byte order mark was decoded")]
    elif data.startswith(b"\xef\xbb\xbf"):
        decodings = [_try_encoding(data[3:], "utf-8", "a UTF-8 byte order mark was skipped")]
    elif (wide := utf16_without_mark(data[:4096])) is not None:
        decodings = [_try_encoding(data, wide, describe_encoding(wide))]
    else:
        decodings = [_try_encoding(data, "utf-8", "")]
    if decodings[0] is None:  # no UTF-8
        decodings = [
            _try_encoding(data, page, f"the bytes are not UTF-8; they were read as {page}")
            for page in _CODE_PAGES
        ]
        # Data in the same code page was read with U+FFFD in its names, as Weka reads it.
        replaced = data.decode("utf-8", "replace")
        decodings.append(
            _normalise_line_ends(replaced, "the bytes are not UTF-8; odd ones were replaced")
        )
    texts = [decoded for decoded in decodings if decoded is not None]
    if not texts:
        raise ModelReadError(
            "the bytes are no text", "expected UTF-8, UTF-16 or a code page", source
        )
    _refuse_binary(texts[0].text, source)
    return texts


def _try_encoding(data: bytes, encoding: str, note: str) -> DecodedText | None:
    try:
        return _normalise_line_ends(data.decode(encoding), note)
    except UnicodeDecodeError:
        return None


def _normalise_line_ends(text: str, note: str) -> DecodedText:
    """The text with LF at its line ends."""
    notes = [note] if note else []
    if "\r" in text:
        ends = "CR CR LF" if "\r\r\n" in text else "CR LF" if "\r\n" in text else "CR"
        notes.append(f"line ends {ends} were read as LF")
        text = re.sub(r"\r+\n|\r", "\n", text)
    return DecodedText(text, tuple(notes))


def _refuse_binary(text: str, source: str) -> None:
    head = text[:65536]
    odd = len(re.findall(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]", head))
    if odd > max(8, len(head) // 50) or "\0" in head:
        raise ModelReadError(
            "the file holds binary data, not text", "expected the text that J48 prints", source
        )


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
