"""Small helps for sentences: one line whatever a name contains, and "1 row" but "2 rows"."""

from __future__ import annotations

__all__ = ["one_line", "plural"]


def one_line(text: str) -> str:
    r"""A text in one line: line breaks and control characters, which names may hold, escaped.

    Examples
    --------
    >>> print(one_line("two\nlines"))
    two\nlines
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def plural(n: int, one: str, many: str = "") -> str:
    """A number and what there is of it.

    Parameters
    ----------
    many
        The words for any other number than 1; by default `one` and an s.

    Examples
    --------
    >>> plural(1, "row"), plural(0, "row"), plural(2, "leaf", "leaves")
    ('1 row', '0 rows', '2 leaves')
    """
    return f"{n} {one if n == 1 else many or f'{one}s'}"
