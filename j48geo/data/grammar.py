"""Parsers of the grammars in ``grammars/``: the entry point is `GrammarParser`.

Lark needs longer to build a parser from a grammar than most commands take, so the tables of a
built parser are kept: a wheel brings them (``scripts/build_hook.py``), and where they are
missing or out of date they are built once and cached in a folder of the user.

The grammars are at the top of the checkout, beside the package; a wheel carries them as
``j48geo/grammars``. No other module knows where they are.
"""

from __future__ import annotations

import io
import os
import stat
import sys
from functools import cache
from hashlib import sha256
from pickle import HIGHEST_PROTOCOL
from typing import Any, NamedTuple

import lark
from lark import Lark
from lark.lexer import Lexer

from j48geo.errors import J48GeoError

TABLES = ".tables"
"""Ending of a file that holds the tables of a parser."""

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_CHECKOUT = os.path.dirname(os.path.realpath(_PACKAGE))


def _grammar_folders() -> list[str]:
    """Where grammars may be: inside the installed package, or beside it in a checkout."""
    packaged = os.path.join(_PACKAGE, "grammars")
    # Some other project's folder called grammars must not be taken for ours.
    if os.path.isfile(os.path.join(_CHECKOUT, "pyproject.toml")):
        return [packaged, os.path.join(_CHECKOUT, "grammars")]
    return [packaged]


def grammar_text(name: str) -> str:
    """The text of the grammar called `name`, without its ending ``.lark``."""
    folders = _grammar_folders()
    for folder in folders:
        try:
            with open(os.path.join(folder, f"{name}.lark"), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            continue
    raise J48GeoError(
        f"grammar {name!r} is missing; looked in {folders[0]} and in "
        f"{os.path.join(_CHECKOUT, 'grammars')} "
        "(which counts only with pyproject.toml beside it)"
    )


class GrammarParser(NamedTuple):
    """A grammar with the lexer and the transformer that make a parser of it.

    Parameters
    ----------
    grammar
        Stem of a file in ``grammars/``.
    lexer
        Lark's name of a lexer, or a class that makes the tokens.
    transformer
        Class, without parameters, whose methods turn rules into values while Lark parses; by
        default the parser returns Lark's own trees.
    """

    grammar: str
    lexer: str | type[Lexer] = "contextual"
    transformer: type | None = None

    def load(self) -> Lark:
        """Lark's parser; loaded once in a process."""
        return _load(self)

    def build(self) -> Lark:
        """Let Lark build the parser from the grammar."""
        options: dict[str, Any] = {"parser": "lalr", "lexer": self.lexer}
        if self.transformer is not None:
            options["transformer"] = self.transformer()
        return Lark(grammar_text(self.grammar), source_path=f"{self.grammar}.lark", **options)

    def identity(self) -> bytes:
        """A digest of all that the tables depend on: they are rebuilt when it has changed."""
        classes = [
            part if isinstance(part, str) else f"{part.__module__}.{part.__qualname__}"
            for part in (self.lexer, self.transformer or "")
        ]
        parts = [lark.__version__, str(HIGHEST_PROTOCOL), *classes, grammar_text(self.grammar)]
        return sha256("\0".join(parts).encode()).digest()

    def build_tables(self) -> bytes:
        """The content of a tables file for this parser."""
        return _pack(self.build(), self.identity())


@cache
def _load(definition: GrammarParser) -> Lark:
    identity = definition.identity()
    for folder in _grammar_folders():
        parser = _unpack(_read(os.path.join(folder, definition.grammar + TABLES)), identity)
        if parser is not None:
            return parser
    return _load_from_cache(definition, identity)


def _load_from_cache(definition: GrammarParser, identity: bytes) -> Lark:
    folder = _cache_folder()
    if folder is None:
        return definition.build()
    # The name tells versions apart: checkouts and installations share the folder.
    path = os.path.join(folder, f"{definition.grammar}-{identity.hex()[:16]}{TABLES}")
    parser = _unpack(_read(path), identity) if _is_private(folder) else None
    if parser is None:
        parser = definition.build()
        _write(path, _pack(parser, identity))
    return parser


def _pack(parser: Lark, identity: bytes) -> bytes:
    saved = io.BytesIO()
    parser.save(saved)
    return sha256(identity + saved.getvalue()).digest() + saved.getvalue()


def _unpack(content: bytes | None, identity: bytes) -> Lark | None:
    """The parser of a tables file; None if the file is missing, damaged or out of date.

    The content is unpickled, so it must come from the package or from the user's own cache.
    """
    if content is None:
        return None
    digest, saved = content[: len(identity)], content[len(identity) :]
    # Lark's own `load` checks neither its version nor the grammar.
    if digest != sha256(identity + saved).digest():
        return None
    return Lark.load(io.BytesIO(saved))


def _cache_folder() -> str | None:
    """The folder for tables of this user; None if there is no home."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "j48geo", "parsers") if os.path.isabs(base) else None


def _is_private(folder: str) -> bool:
    """Whether nobody but this user can have written what is in the folder.

    What is read from it is unpickled, and so could run anything.
    """
    try:
        status = os.lstat(folder)
    except (OSError, ValueError):
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    if sys.platform == "win32":  # the folder is inside the user's profile
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & 0o077


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError):
        return None


def _write(path: str, content: bytes) -> None:
    """Write to the cache, if it can be written: without it the parser is built again."""
    from j48geo.output_files import (  # needed once for each new version
        OutputError,
        write_binary_file,
    )

    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if _is_private(folder):
            write_binary_file(path, content)  # whole or not at all, whoever else writes it
    except (OSError, ValueError, OutputError):
        return
