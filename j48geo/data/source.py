"""Bytes from wherever they come: a path, standard input, a file object, or bytes themselves."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from select import select
from typing import BinaryIO, Self, TextIO, TypeVar, Union, cast

from j48geo.errors import DataReadError, ReadError
from j48geo.output_files import flush_pending

SourceLike = Union[str, "os.PathLike[str]", bytes, BinaryIO, TextIO, "ByteSource"]

T = TypeVar("T")

LONGEST_LINE = 64 << 20
"""A line of more bytes than this is noise, not data."""

_GZIP_MAGIC = b"\x1f\x8b"
_DAMAGED_GZIP = (gzip.BadGzipFile, zlib.error, EOFError)

_ENOUGH = 8
"""Bytes that tell an encoding: four letters of UTF-16."""

# The byte orders of UTF-16 first: the mark of UTF-32 is nothing anyone saves data with.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}


class _Rejoined:
    """Reading on where the first bytes were taken to look at: they come first."""

    def __init__(self, head: bytes, read: Callable[[int], bytes | None]) -> None:
        self._head = head
        self._read = read

    def read(self, size: int) -> bytes:
        if self._head:
            head, self._head = self._head[:size], self._head[size:]
            return head
        return self._read(size) or b""


class _EncodedText:
    """Reading of a text file as bytes: what is decoded already is encoded again."""

    def __init__(self, text: TextIO) -> None:
        self._text = text

    def read(self, size: int) -> bytes:
        return self._text.read(size).encode("utf-8", "surrogateescape")


class _Arriving:
    """Reading of standard input as its bytes arrive: it waits only where there are none.

    Before it waits, what was made of the bytes so far is handed over: whoever sends them may
    want to see it first.
    """

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def read(self, size: int) -> bytes:
        if not self._is_there():
            flush_pending()
        chunk = os.read(self._handle, size)
        parts, held = [chunk], len(chunk)
        while chunk and held < size and self._is_there():
            chunk = os.read(self._handle, size - held)
            parts.append(chunk)
            held += len(chunk)
        return b"".join(parts)

    def _is_there(self) -> bool:
        return bool(select([self._handle], [], [], 0)[0])


@dataclass
class ByteSource:
    """An open source: its name for messages, and a way to read on; a context manager.

    Parameters
    ----------
    read
        ``read(n)`` gives at most about n bytes, none at the end; gzip is already undone.
    size
        Bytes to come, if that is known without reading.
    notes
        What was undone on the way, one sentence each.
    close
        Closes what was opened here, and nothing else.
    arrives
        Whether bytes come when somebody sends them, as through a pipe.
    taken
        Bytes that `read_line_blocks` has read so far.
    """

    name: str
    read: Callable[[int], bytes]
    size: int | None = None
    notes: list[str] = field(default_factory=list)
    close: Callable[[], None] = lambda: None
    arrives: bool = False
    taken: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def left(self) -> float:
        """How much is still to be read, as a multiple of what was; 0 if nobody knows."""
        return max(0.0, self.size / self.taken - 1.0) if self.size and self.taken else 0.0

    def peek(self, size: int, enough: Callable[[bytes], bool] = lambda head: False) -> bytes:
        """The next `size` bytes, fewer only at the end or if they are `enough`; they stay."""
        head = b""
        while len(head) < size and not enough(head) and (more := self.read(size - len(head))):
            head += more
        self.read = _Rejoined(head, self.read).read
        return head


_Openable = Union[str, "os.PathLike[str]", bytes, BinaryIO, TextIO]


def display_name(source: SourceLike) -> str:
    """The name of a source in messages."""
    if isinstance(source, ByteSource):
        return source.name
    if isinstance(source, bytes):
        return "<bytes>"
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if source == "-" else os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) and name else "<stream>"


def translate_errors(kind: type[ReadError], name: str, step: Callable[[], T]) -> T:
    """`step()`; what the machine cannot do becomes an error of the file called `name`."""
    try:
        return step()
    except MemoryError as error:
        raise kind("too large for the memory of this machine", source=name) from error
    except RecursionError as error:
        raise kind("nested too deeply", source=name) from error
    except (OSError, UnicodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise kind(f"cannot be read: {reason}", source=name) from error


def is_same_file(one: str, other: str | None) -> bool:
    """Whether two names mean one file, whether it exists or not; ``-`` is no file."""
    if other is None or "-" in (one, other):
        return False
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _raw_stream(source: _Openable, name: str, error: type[ReadError]) -> tuple[BinaryIO, bool]:
    """The stream of raw bytes, and whether it is ours to close."""
    if isinstance(source, bytes):
        return io.BytesIO(source), True
    if not isinstance(source, (str, os.PathLike)):
        if not hasattr(source, "read"):
            expected = "expected a path, bytes or an open file"
            raise error(f"a {type(source).__name__} holds no bytes", expected, name)
        if isinstance(source.read(0), str):
            return cast(BinaryIO, _EncodedText(cast(TextIO, source))), False
        return cast(BinaryIO, source), False
    if source == "-":
        if sys.stdin is None:
            raise error("standard input is closed", "expected a file or a pipe", source=name)
        return sys.stdin.buffer, False
    try:
        # The decoder above asks for large pieces; a second buffer would only copy them.
        return open(source, "rb", buffering=0), True
    except FileNotFoundError:
        raise error("no such file", source=name) from None
    except IsADirectoryError:
        raise error("this is a folder", "expected a file", source=name) from None
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise error(f"cannot be opened: {reason}", source=name) from problem


def _is_pipe(stream: BinaryIO) -> bool:
    """Whether bytes arrive through it, and one can ask whether there are any."""
    try:
        return os.name == "posix" and not stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # no stream of the system
        return False


def _size(source: _Openable) -> int | None:
    if isinstance(source, bytes):
        return len(source)
    if isinstance(source, (str, os.PathLike)) and source != "-":
        return os.path.getsize(source) if os.path.isfile(source) else None
    return None


def open_source(
    source: SourceLike, *, encoding: str | None = None, error: type[ReadError] = DataReadError
) -> ByteSource:
    """Open `source`, undo gzip, and turn what is not UTF-8 by its own account into UTF-8.

    Parameters
    ----------
    source
        A path, ``-`` for standard input, bytes, a file object (left open; of bytes or of text),
        or a source that is open already, which is given back as it is.
    encoding
        What the bytes are encoded in, which a text file has undone; None means UTF-8, or
        UTF-16 if its mark or its look says so.
    error
        Class of the errors raised.
    """
    if isinstance(source, ByteSource):
        return source
    name = display_name(source)
    stream, ours = _raw_stream(source, name, error)
    if isinstance(stream, _EncodedText):
        encoding = "utf-8"
    opened = ByteSource(name, lambda size: b"", _size(source))
    if ours:
        opened.close = stream.close
    elif source == "-" and _is_pipe(stream):
        stream = cast(BinaryIO, _Arriving(stream.fileno()))
        opened.arrives = True
    try:
        read = _translate_read_errors(_open_gzip(stream, opened, error), name, error)
        opened.read = _as_utf8(read, encoding, opened, error)
    except BaseException:
        opened.close()
        raise
    return opened


def _open_gzip(
    stream: BinaryIO, opened: ByteSource, error: type[ReadError]
) -> Callable[[int], bytes]:
    """Reading of the stream, through gzip if its first bytes say so, whatever it is called."""
    raw = _translate_read_errors(stream.read, opened.name, error)
    head = _at_least(raw, len(_GZIP_MAGIC))
    rejoined = _Rejoined(head, stream.read)
    if head != _GZIP_MAGIC:
        return rejoined.read
    opened.size = None
    return gzip.GzipFile(fileobj=cast(BinaryIO, rejoined), mode="rb").read


def _translate_read_errors(
    read: Callable[[int], bytes | None], name: str, error: type[ReadError]
) -> Callable[[int], bytes]:
    def translate_errors(size: int) -> bytes:
        try:
            return read(size) or b""
        except _DAMAGED_GZIP as problem:
            raise error(f"damaged gzip file: {problem}", source=name) from problem
        except OSError as problem:
            raise error(f"cannot be read: {problem.strerror or problem}", source=name) from problem

    return translate_errors


def _at_least(read: Callable[[int], bytes], size: int) -> bytes:
    """The next `size` bytes, fewer only at the end: pipes hand out what they have."""
    data = b""
    while len(data) < size and (more := read(size - len(data))):
        data += more
    return data


def utf16_without_mark(head: bytes) -> str | None:
    """Which UTF-16 the first bytes of a file are, though no byte order mark says so."""
    half = len(head) // 2
    even, odd = head[0 : 2 * half : 2].count(0), head[1::2].count(0)
    if len(head) < _ENOUGH:
        return None
    if odd > half * 0.8 and even < half * 0.1:
        return "utf-16-le"
    if even > half * 0.8 and odd < half * 0.1:
        return "utf-16-be"
    return None


def describe_encoding(encoding: str) -> str:
    """The note for a file whose encoding had to be found out."""
    return f"{encoding.upper()} without a byte order mark was decoded"


def _as_utf8(
    read: Callable[[int], bytes], encoding: str | None, opened: ByteSource, error: type[ReadError]
) -> Callable[[int], bytes]:
    """Reading of UTF-8 bytes without a byte order mark."""
    head = _at_least(read, _ENOUGH)  # no more: a pipe may wait for an answer to its first lines
    for mark, named in _BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            head = head[len(mark) :]
            opened.notes.append(f"a byte order mark ({named.upper()[:6].rstrip('-')}) was skipped")
            encoding = named
            break
    else:
        if encoding is None and (wide := utf16_without_mark(head)) is not None:
            opened.notes.append(describe_encoding(wide))
            encoding = wide
    try:
        codec = codecs.lookup(encoding or "utf-8")
    except LookupError:
        raise error(f"unknown encoding {encoding!r}", source=opened.name) from None
    if codec.name == "utf-8":
        return _Rejoined(head, read).read
    opened.size = None
    decoder = codec.incrementaldecoder(errors="replace")
    rest = _Rejoined(head, read).read

    def decoded(size: int) -> bytes:
        # A piece may hold nothing but the first half of a character: that is not the end.
        while raw := rest(size):
            if text := decoder.decode(raw):
                return text.encode("utf-8", "replace")
        return decoder.decode(b"", final=True).encode("utf-8", "replace")

    return decoded


def read_bytes(
    source: SourceLike, *, error: type[ReadError] = DataReadError, limit: int | None = None
) -> tuple[bytes, str]:
    """The whole of `source`, gzip undone, and its name for messages.

    Nothing is decoded: a byte order mark, if there is one, is still there.

    Parameters
    ----------
    limit
        More bytes than this are refused before they are read.
    """
    if isinstance(source, ByteSource):
        return _whole(source, limit, error), source.name
    name = display_name(source)
    stream, ours = _raw_stream(source, name, error)
    try:
        opened = ByteSource(name, lambda size: b"")
        opened.read = _translate_read_errors(_open_gzip(stream, opened, error), name, error)
        return _whole(opened, limit, error), name
    finally:
        if ours:
            stream.close()


def _whole(opened: ByteSource, limit: int | None, error: type[ReadError]) -> bytes:
    parts: list[bytes] = []
    held = 0
    while part := opened.read(1 << 20):
        parts.append(part)
        held += len(part)
        if limit is not None and held > limit:
            raise error(f"more than {limit:,} bytes", source=opened.name)
    return b"".join(parts)


def read_line_blocks(
    source: ByteSource, *, size: int = 1 << 20, error: type[ReadError] = DataReadError
) -> Iterator[bytes]:
    """Blocks of about `size` bytes, each cut behind an end of line (LF, CR or CRLF)."""
    parts: list[bytes] = []
    held = 0
    while chunk := source.read(size):
        source.taken += len(chunk)
        # A CR that ends the chunk may be the first half of a CRLF, which must stay whole.
        cut = max(chunk.rfind(b"\n"), chunk.rfind(b"\r", 0, len(chunk) - 1)) + 1
        if cut:
            yield b"".join((*parts, chunk[:cut]))
            parts, held = [chunk[cut:]], len(chunk) - cut
        else:
            parts.append(chunk)
            held += len(chunk)
        if held > LONGEST_LINE:
            raise error(f"a line of more than {LONGEST_LINE >> 20} MiB", source=source.name)
    if rest := b"".join(parts):
        yield rest
