"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import io
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from j48geo.errors import J48GeoError

# Windows needs no locks: an open file cannot be removed there.
if sys.platform != "win32":
    import fcntl

_BUFFER = 1 << 16
_LONGEST_PREFIX = 100
"""Bytes of the file's own name in that of its unfinished copy: systems allow 255 in all."""
_NEW_FILE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_UNFINISHED_SUFFIX = ".part"
_unfinished: set[str] = set()
_waiting: list[_Pieces] = []


class OutputError(J48GeoError):
    """The result cannot be written where the user wants it."""

    exit_code = 2


class ReaderGoneError(Exception):
    """The reader of standard output has gone, as ``head`` does: no error, but the end."""


def write_text_file(path: str, pieces: Iterable[str]) -> None:
    """Write `pieces` as UTF-8 to the file `path`.

    It appears under its name only when all of it is written: an error, also one that arises
    while the pieces are made, leaves what was there before.
    """
    with open_atomic(path) as stream:
        write_text(stream, pieces, path)


def write_binary_file(path: str, content: bytes) -> None:
    """Write a file of bytes, whole or not at all."""
    with open_atomic(path) as stream, translate_os_errors(path):
        stream.write(content)


def write_text(stream: BinaryIO, pieces: Iterable[str], name: str) -> None:
    """Write `pieces` as UTF-8 to an open stream, which is called `name` in messages."""
    written = _Pieces(stream, name)
    _waiting.append(written)
    try:
        for piece in pieces:
            written.add(piece)
        written.flush()
    finally:
        _waiting.remove(written)


def flush_pending() -> None:
    """Write out all pieces that there are: whoever gives the next one may wait for these."""
    for written in _waiting:
        written.flush()


class _Pieces:
    """Pieces of text on their way to a stream, some at a time."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream = stream
        self._name = name
        self._text = io.StringIO()

    def add(self, piece: str) -> None:
        self._text.write(piece)
        if self._text.tell() >= _BUFFER:
            self._write()

    def flush(self) -> None:
        self._write()
        with translate_os_errors(self._name):
            self._stream.flush()

    def _write(self) -> None:
        text, self._text = self._text.getvalue(), io.StringIO()
        # Bytes that were no text when they were read come out as they came in.
        odd = not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)
        errors = "surrogateescape" if odd else "strict"
        write_all_bytes(self._stream, text.encode("utf-8", errors), self._name)


@contextmanager
def open_atomic(path: str) -> Iterator[BinaryIO]:
    """A stream for the file `path`, which appears when the ``with`` block is left in peace."""
    if not _is_plain(path):
        with translate_os_errors(path):
            device = open(path, "wb")  # noqa: SIM115
        with _close_at_end(device, path):
            yield device
        return
    final = os.path.realpath(path)  # a link stays a link
    folder, name = os.path.split(final)
    prefix = f".{_shorten(name)}."
    _remove_abandoned_files(folder, prefix)
    temporary = os.path.join(folder, f"{prefix}{os.urandom(8).hex()}{_UNFINISHED_SUFFIX}")
    # Known before it is there, so that no signal can come between.
    _unfinished.add(temporary)
    try:
        with translate_os_errors(path):
            handle = _create_locked(temporary)
        stream = os.fdopen(handle, "wb")
        with _close_at_end(stream, path):
            yield stream
        with translate_os_errors(path):
            os.chmod(temporary, _mode(final))
            os.replace(temporary, final)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    finally:
        _unfinished.discard(temporary)


def _shorten(name: str) -> str:
    """The beginning of a file name, cut between characters to some bytes."""
    return os.fsencode(name)[:_LONGEST_PREFIX].decode("utf-8", "ignore")


def _create_locked(path: str) -> int:
    """Create a file and lock it for as long as it is open, so that others see it is in use."""
    while True:
        handle = os.open(path, _NEW_FILE, 0o600)
        if sys.platform == "win32":
            return handle
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.path.exists(path):
            return handle
        os.close(handle)  # another process took it for abandoned before it was locked


def _remove_abandoned_files(folder: str, prefix: str) -> None:
    """Remove unfinished copies whose process was killed: those that nobody holds locked."""
    if sys.platform == "win32":
        return
    random_part = re.compile(f"{re.escape(prefix)}[0-9a-f]{{16}}{re.escape(_UNFINISHED_SUFFIX)}")
    try:
        names = os.listdir(folder)
    except OSError:
        return  # the error is reported when the file is created
    for name in filter(random_part.fullmatch, names):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):  # in use, gone, or another user's
            handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(path)
            finally:
                os.close(handle)


def remove_partial_files() -> None:
    """Remove what is half written: for a program that must end at once."""
    for temporary in list(_unfinished):
        with contextlib.suppress(OSError):
            os.unlink(temporary)


@contextmanager
def _close_at_end(stream: BinaryIO, name: str) -> Iterator[None]:
    """Close at the end. What could not be written before cannot be now: one error is enough."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(OSError):
            stream.close()
        raise
    with translate_os_errors(name):
        stream.close()


def _is_plain(path: str) -> bool:
    """Whether `path` is, or would become, a plain file: devices and pipes are not replaced."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return True
    if stat.S_ISDIR(mode):
        raise OutputError(f"{path}: this is a folder; expected a file to write")
    return stat.S_ISREG(mode)


def _mode(path: str) -> int:
    """Permissions of the file that is replaced, or those a new one gets."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_all_bytes(stream: BinaryIO, content: bytes, name: str) -> None:
    """Write all bytes to an open stream, which is called `name` in messages."""
    rest = memoryview(content)
    with translate_os_errors(name):
        while rest:  # standard output without a buffer (python -u) takes as much as it can
            rest = rest[stream.write(rest) :]


@contextmanager
def translate_os_errors(name: str) -> Iterator[None]:
    """Turn errors of the system into one line, and a broken pipe into silence."""
    try:
        yield
    except BrokenPipeError as error:
        # click makes an exit code of its own of the system's error.
        raise ReaderGoneError from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise OutputError(f"{name}: cannot be written: {reason}") from error
