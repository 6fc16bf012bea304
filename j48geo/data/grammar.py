"""The key to the grammars: finds them, reads them, gives parsers of them.

Building a parser takes longer than most commands do, so they come ready-made beside the
grammars (``scripts/parsers``); without that file, with another release of Lark, or where a
grammar was changed, they are built.

The grammars stand at the top of the checkout, beside the package; a wheel carries them as
``j48geo/grammars``. Nothing else in the package knows where they are.
"""

from __future__ import annotations

import os
import pickle
from functools import cache
from typing import Any

import lark
from lark import Lark

from j48geo.errors import J48GeoError

READY = "parsers.pickle"
_LOADED_AGAIN = ("transformer",)
"""What is no part of a ready-made parser, and is given when it is loaded."""


_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_CHECKOUT = os.path.dirname(os.path.realpath(_PACKAGE))


def _places() -> list[str]:
    """Where grammars may be: inside the installed package, or beside it in a checkout."""
    packaged = os.path.join(_PACKAGE, "grammars")
    # Some other project's folder called grammars must not be taken for ours.
    if os.path.isfile(os.path.join(_CHECKOUT, "pyproject.toml")):
        return [packaged, os.path.join(_CHECKOUT, "grammars")]
    return [packaged]


def grammar_text(name: str) -> str:
    """The text of the grammar called `name`, without its ending ``.lark``."""
    places = _places()
    for place in places:
        file = os.path.join(place, f"{name}.lark")
        if os.path.isfile(file):
            with open(file, encoding="utf-8") as opened:
                return opened.read()
    raise J48GeoError(
        f"grammar {name!r} is missing; looked in {places[0]} and in "
        f"{os.path.join(_CHECKOUT, 'grammars')} "
        "(which counts only with pyproject.toml beside it)"
    )


def _imported(base_path: object, grammar_path: str) -> tuple[str, str]:
    """What Lark calls to resolve ``%import .terminals``; an OSError sends it elsewhere."""
    name = os.path.basename(grammar_path)
    try:
        return name, grammar_text(name.removesuffix(".lark"))
    except J48GeoError as error:
        raise FileNotFoundError(str(error)) from error


@cache
def load_grammar(name: str, **options: Any) -> Lark:
    """A parser for the grammar called `name`; made once for each set of options.

    Parameters
    ----------
    name
        Stem of a file in ``grammars/``.
    **options
        Passed to `lark.Lark`; must be hashable.
    """
    ready = _ready().get(name)
    if ready is not None and ready["of"] == _identity(name, options):
        again = {key: options[key] for key in _LOADED_AGAIN if key in options}
        # Lark's own generated parsers are loaded by this; its releases are part of `of`.
        loaded: Lark = Lark._load_from_dict(  # type: ignore[no-untyped-call]
            ready["data"], ready["memo"], **again
        )
        return loaded
    return _built(name, options)


def prepared(name: str, **options: Any) -> dict[str, Any]:
    """A parser as it is kept ready-made: its tables, and what they are made of."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    plain = {key: value for key, value in options.items() if key not in _LOADED_AGAIN}
    data, memo = _built(name, plain).memo_serialize([TerminalDef, Rule])
    data["options"]["import_paths"] = []
    return {"of": _identity(name, options), "data": data, "memo": memo}


def _built(name: str, options: dict[str, Any]) -> Lark:
    return Lark(grammar_text(name), source_path=f"{name}.lark", import_paths=[_imported], **options)


def _identity(name: str, options: dict[str, Any]) -> tuple[object, ...]:
    kept = {key: value for key, value in options.items() if key not in _LOADED_AGAIN}
    return lark.__version__, grammar_text(name), kept


@cache
def _ready() -> dict[str, dict[str, Any]]:
    for place in _places():
        file = os.path.join(place, READY)
        if os.path.isfile(file):
            with open(file, "rb") as opened:
                found: dict[str, dict[str, Any]] = pickle.load(opened)
            return found
    return {}
