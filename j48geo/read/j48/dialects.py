"""How producers of tree texts differ in their lines, and what their numbers look like."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Dialect:
    """How one producer writes its lines.

    Parameters
    ----------
    less, greater
        Operators of a numeric split, in the order of the branches.
    greater_text
        The right operator with the blanks around it.
    colon
        What stands between a branch and its label.
    counts
        Pattern of the counts after the label; None if there are none.
    """

    name: str
    less: str = "<="
    greater: str = ">"
    greater_text: str = " > "
    colon: str = ": "
    counts: re.Pattern[str] | None = None


_WEKA_COUNTS = re.compile(r"\((\d+\.\d+(?:E\d+)?)(?:/(\d+\.\d+(?:E\d+)?))?\)")
_MEMS_COUNTS = re.compile(r"\((\d+)(?:/(\d+(?:\.\d+)?))?\)")

WEKA = Dialect("weka", counts=_WEKA_COUNTS)
WITHOUT_COUNTS = Dialect("no-counts")

# In the order in which they are tried; the first that reads the whole block is right.
DIALECTS: tuple[Dialect, ...] = (
    WEKA,
    Dialect("mems-studio", colon=" : ", counts=_MEMS_COUNTS),
    Dialect("whole-counts", counts=_MEMS_COUNTS),
    WITHOUT_COUNTS,
    Dialect("edgeai", greater_text=" >  ", counts=_WEKA_COUNTS),
    Dialect("edgeai", greater_text=" >  "),
    Dialect("matlab", less="<", greater=">=", greater_text=" >= ", counts=_WEKA_COUNTS),
    Dialect("matlab", less="<", greater=">=", greater_text=" >= "),
)

# A threshold as any JVM prints it: the minus sign and the digits follow its locale.
_MARKS = "[\u200e\u200f\u061c]*"
NUMBER = re.compile(rf"{_MARKS}[-+\u2212\u2013]?{_MARKS}\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
_INVISIBLE = dict.fromkeys(map(ord, "\u200e\u200f\u061c")) | {0x2212: "-", 0x2013: "-"}


def number(token: str) -> float:
    """The value of a threshold token, whatever the locale of the JVM that printed it."""
    return float(token.translate(_INVISIBLE))
