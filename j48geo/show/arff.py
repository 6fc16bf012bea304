"""A data set as ARFF text that Weka reads back as the same data set.

liac-arff escapes texts. Its encoder of headers knows neither dates, weights nor relations and does
not escape names, so declarations are written here; so are the quotes that it leaves out, around
braces, question marks and empty texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import isinf, isnan

import arff

from j48geo.core.dataset import Attribute, Dataset, Header
from j48geo.java.calendar import time_zone
from j48geo.java.dates import DateFormat


def _word(text: str) -> str:
    """`text` as one word of ARFF."""
    encoded: str = arff.encode_string(text)
    if encoded == text and (text in ("", "?") or any(char in "{}" or char < "!" for char in text)):
        return f"'{text}'"
    return encoded


def _number(value: float) -> str:
    """All digits, as Java reads them."""
    if isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value).removesuffix(".0")


def _weight(weight: float) -> str:
    return "" if weight == 1 else f" {{{'NaN' if isnan(weight) else _number(weight)}}}"


def _declaration(attribute: Attribute) -> Iterator[str]:
    name, weight = _word(attribute.name), _weight(attribute.weight)
    if attribute.is_nominal:
        labels = ",".join(map(_word, attribute.values))
        yield f"@ATTRIBUTE {name} {{{labels}}}{weight}"
    elif attribute.type == "date":
        yield f"@ATTRIBUTE {name} DATE {_word(attribute.format or '')}{weight}"
    else:
        yield f"@ATTRIBUTE {name} {attribute.type.upper()}{weight}"
    if attribute.type == "relational":
        for inner in attribute.attributes:
            yield from _declaration(inner)
        yield f"@END {name}"


def arff_header_lines(header: Header) -> Iterator[str]:
    """The lines of the header, up to and including ``@DATA``."""
    yield f"@RELATION {_word(header.relation)}"
    yield ""
    for attribute in header.attributes:
        yield from _declaration(attribute)
    yield ""
    yield "@DATA"


def arff_row_lines(data: Dataset, *, timezone: str = "UTC") -> Iterator[str]:
    """The rows of a data set as lines of ARFF."""
    shown = [_shower(data, index, timezone) for index in range(len(data.header))]
    for row, weight in zip(data.X.tolist(), data.weights.tolist(), strict=True):
        cells = ["?" if x != x else show(x) for x, show in zip(row, shown, strict=True)]
        yield ",".join(cells) + ("" if weight == 1 else f",{_weight(weight)}")


def _shower(data: Dataset, column: int, timezone: str) -> Callable[[float], str]:
    """The function from a cell that is not missing to its text."""
    attribute = data.header.attributes[column]
    if attribute.type == "numeric":
        return _number
    if attribute.type == "date":
        date_format = DateFormat(attribute.format or "", zone=time_zone(timezone))
        return lambda x: _word(date_format.text(x))
    if attribute.is_nominal:
        labels = [_word(label) for label in attribute.values]
        return lambda x: labels[int(x)]
    pool = data.pools[column]

    def show(x: float) -> str:
        value = pool[int(x)]
        if isinstance(value, str):
            return _word(value)
        return _word("\n".join(arff_row_lines(value, timezone=timezone)))

    return show


def arff_lines(data: Dataset, *, timezone: str = "UTC") -> Iterator[str]:
    """The lines of an ARFF file that holds `data`.

    Parameters
    ----------
    timezone
        The one that dates were read in.

    Notes
    -----
    A date pattern that cannot show all that a date holds shows what it can, as in Weka.
    """
    yield from arff_header_lines(data.header)
    yield from arff_row_lines(data, timezone=timezone)


def arff_text(data: Dataset, *, timezone: str = "UTC") -> str:
    r"""The text of an ARFF file that holds `data`; see `arff_lines`.

    Examples
    --------
    >>> import numpy as np
    >>> header = Header("r", (Attribute("x"), Attribute("c", "nominal", ("a b", "?"))), 1)
    >>> data = Dataset(header, np.array([[0.5, 1], [np.nan, 0]]), np.array([1.0, 2.0]))
    >>> print(arff_text(data), end="")
    @RELATION r
    <BLANKLINE>
    @ATTRIBUTE x NUMERIC
    @ATTRIBUTE c {'a b','?'}
    <BLANKLINE>
    @DATA
    0.5,'?'
    ?,'a b', {2}
    """
    return "".join(f"{line}\n" for line in arff_lines(data, timezone=timezone))
