"""HTML and SVG as text, everything escaped on the way: every name in a model may be hostile."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import isfinite

_EMPTY = frozenset({"br", "hr", "input", "meta", "circle", "line", "path", "polyline", "rect"})


@dataclass(frozen=True)
class Markup:
    """Text that is markup already; any other text is escaped by `tag`."""

    text: str

    def __str__(self) -> str:
        return self.text


Child = Markup | str | int | Iterable["Child"] | None


def raw(*parts: Markup | str) -> Markup:
    """Markup from text that is HTML or SVG already."""
    return Markup("".join(str(part) for part in parts))


def tag(name: str, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """An HTML or SVG element with its attributes and content, escaped.

    Parameters
    ----------
    children
        Markup, text, or several of them; None is nothing.
    **attributes
        Underscores become hyphens and a last one is dropped (``class_``); None and False leave an
        attribute out.
    """
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        word = key.removesuffix("_").replace("_", "-").replace("viewbox", "viewBox")
        shown = "" if value is True else number(value) if isinstance(value, float) else str(value)
        parts.append(f' {word}="{_safe(shown)}"')
    if name in _EMPTY:
        return Markup("".join([*parts, ">" if name in ("br", "hr", "input", "meta") else "/>"]))
    return Markup("".join([*parts, ">", *_inner(children), f"</{name}>"]))


def _inner(children: Iterable[Child]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Markup):
            yield child.text
        elif isinstance(child, (str, int)):
            yield _safe(str(child))
        else:
            yield from _inner(child)


def _safe(text: str) -> str:
    """Escaped; characters that no page may hold (NUL, lone surrogates, ...) become U+FFFD."""
    held = "".join(c if _is_allowed(c) else "\ufffd" for c in text)
    return escape(held, quote=True)


def _is_allowed(c: str) -> bool:
    code = ord(c)
    return (code >= 0x20 and not 0x7F <= code < 0xA0 and not 0xD800 <= code < 0xE000) or c in "\t\n"


def number(x: float) -> str:
    """A coordinate: at most two decimals, no trailing zeros."""
    return f"{x:.2f}".rstrip("0").rstrip(".") if isfinite(x) else "0"


def data_block(value: object) -> Markup:
    """JSON that can stand inside ``<script>``: nothing in it closes the element."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for c in "<>&":
        text = text.replace(c, f"\\u{ord(c):04x}")
    return Markup(text)
