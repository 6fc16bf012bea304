"""Small helps for sentences: one line of bearable length whatever a name contains; plurals."""

from __future__ import annotations

from collections.abc import Sequence


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


def shortened(text: str, width: int = 60) -> str:
    """A text of at most `width` characters: what strangers wrote may be megabytes long.

    Examples
    --------
    >>> shortened("a long word", 9)
    'a long...'
    """
    return text if len(text) <= width else f"{text[: width - 3]}..."


def shown(value: object) -> str:
    """A foreign value as Python writes it, in quotes if it is text, shortened.

    Examples
    --------
    >>> print(shown("it"), shown(None), shown([1.5]))
    'it' None [1.5]
    """
    return repr(shortened(value)) if isinstance(value, str) else shortened(_written(value))


def _written(value: object) -> str:
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a whole number of more than 60 digits"  # Python refuses to write the longest
    if isinstance(value, list | dict) and len(value) > 60:
        return f"a{' list' if isinstance(value, list) else 'n object'} of {len(value)} values"
    return repr(value)


def listed(words: Sequence[str], most: int = 12) -> str:
    """The first words of a list, each shortened, and how many there are.

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a", "b", "c"], most=2)
    ('a, b, c', 'a, b, ... (3 in all)')
    """
    first = ", ".join(shortened(word) for word in words[:most])
    return first + (f", ... ({len(words)} in all)" if len(words) > most else "")


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


def program() -> str:
    """The name of this program and its version."""
    from importlib.metadata import PackageNotFoundError, version  # costs more than a small command

    try:
        return f"j48geo {version('j48geo')}"
    except PackageNotFoundError:  # a bare checkout
        return "j48geo (not installed)"
