"""The key to the grammars: finds them, reads them, builds parsers of them.

The grammars stand at the top of the checkout, beside the package; a wheel carries them as
``j48geo/grammars``. Nothing else in the package knows where they are.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from lark import Lark

from j48geo.errors import J48GeoError

__all__ = ["grammar_text", "load_grammar"]


def _places() -> list[Traversable]:
    """Where grammars may be: inside the installed package, or beside it in a checkout."""
    packaged = files("j48geo") / "grammars"
    checkout = Path(__file__).resolve().parents[2]
    # Some other project's folder called grammars must not be taken for ours.
    if (checkout / "pyproject.toml").is_file():
        return [packaged, checkout / "grammars"]
    return [packaged]


def grammar_text(name: str) -> str:
    """The text of the grammar called `name`, without its ending ``.lark``."""
    places = _places()
    for place in places:
        file = place / f"{name}.lark"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    checkout = Path(__file__).resolve().parents[2] / "grammars"
    raise J48GeoError(
        f"grammar {name!r} is missing; looked in {places[0]} and in {checkout} "
        "(which counts only with pyproject.toml beside it)"
    )


def _imported(base_path: object, grammar_path: str) -> tuple[str, str]:
    """What Lark calls to resolve ``%import .terminals``; an OSError sends it elsewhere."""
    name = Path(grammar_path).name
    try:
        return name, grammar_text(name.removesuffix(".lark"))
    except J48GeoError as error:
        raise FileNotFoundError(str(error)) from error


@cache
def load_grammar(name: str, **options: Any) -> Lark:
    """A parser for the grammar called `name`; built once for each set of options.

    Parameters
    ----------
    name
        Stem of a file in ``grammars/``.
    **options
        Passed to `lark.Lark`; must be hashable.
    """
    return Lark(
        grammar_text(name),
        source_path=f"{name}.lark",
        import_paths=[_imported],
        **options,
    )
