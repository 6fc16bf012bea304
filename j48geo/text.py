"""Helpers for messages: one line, shortened values and lists, plurals, the program's version."""

from __future__ import annotations

from collections.abc import Sequence


def to_one_line(text: str) -> str:
    r"""A text in one line: line breaks and control characters, which names may hold, escaped.

    Examples
    --------
    >>> print(to_one_line("two\nlines"))
    two\nlines
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def shorten(text: str, width: int = 60) -> str:
    """A text of at most `width` characters: what strangers wrote may be megabytes long.

    Examples
    --------
    >>> shorten("a long word", 9)
    'a long...'
    """
    return text if len(text) <= width else f"{text[: width - 3]}..."


def quote_value(value: object) -> str:
    """A foreign value as Python writes it, in quotes if it is text, shortened.

    Examples
    --------
    >>> print(quote_value("it"), quote_value(None), quote_value([1.5]))
    'it' None [1.5]
    """
    return repr(shorten(value)) if isinstance(value, str) else shorten(_write_value(value))


def _write_value(value: object) -> str:
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a whole number of more than 60 digits"  # Python refuses to write the longest
    if isinstance(value, list | dict) and len(value) > 60:
        return f"a{' list' if isinstance(value, list) else 'n object'} of {len(value)} values"
    return repr(value)


def list_first(words: Sequence[str], most: int = 12) -> str:
    """The first words of a list, each shortened, and how many there are.

    Examples
    --------
    >>> list_first(["a", "b", "c"]), list_first(["a", "b", "c"], most=2)
    ('a, b, c', 'a, b, ... (3 in all)')
    """
    first = ", ".join(shorten(word) for word in words[:most])
    return first + (f", ... ({len(words)} in all)" if len(words) > most else "")


def pluralize(n: int, one: str, many: str = "") -> str:
    """A number and what there is of it.

    Parameters
    ----------
    many
        The words for any other number than 1; by default `one` and an s.

    Examples
    --------
    >>> pluralize(1, "row"), pluralize(0, "row"), pluralize(2, "leaf", "leaves")
    ('1 row', '0 rows', '2 leaves')
    """
    return f"{n} {one if n == 1 else many or f'{one}s'}"


def program_version() -> str:
    """The name of this program and its version."""
    from importlib.metadata import PackageNotFoundError, version  # costs more than a small command

    try:
        return f"j48geo {version('j48geo')}"
    except PackageNotFoundError:  # a bare checkout
        return "j48geo (not installed)"
