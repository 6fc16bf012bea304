"""Quotes and escapes as Weka's ``Utils.quote`` and ``Utils.backQuoteChars`` write them."""

from __future__ import annotations

__all__ = ["back_quoted", "weka_quoted"]

_ESCAPES = str.maketrans(
    {
        "\\": "\\\\",
        "'": "\\'",
        '"': '\\"',
        "%": "\\%",
        "\t": "\\t",
        "\n": "\\n",
        "\r": "\\r",
        "\x1e": "\\u001E",
    }
)


def back_quoted(text: str) -> str:
    r"""`text` with a backslash before quotes, percent signs, backslashes and control characters.

    Examples
    --------
    >>> back_quoted("100% \"sure\"")
    '100\\% \\"sure\\"'
    """
    return text.translate(_ESCAPES)


def weka_quoted(text: str) -> str:
    """`text` as Weka writes it in a row: in single quotes if it would not stand alone.

    Examples
    --------
    >>> weka_quoted("yes"), weka_quoted("build wind float"), weka_quoted(""), weka_quoted("?")
    ('yes', "'build wind float'", "''", "'?'")
    """
    escaped = back_quoted(text)
    if escaped != text or text in ("", "?") or any(c in "{}, " for c in text):
        return f"'{escaped}'"
    return text
