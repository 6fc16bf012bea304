"""The one family of errors; every child knows the exit code of the command line.

=================  =====  =====================================================
class              exit   meaning
=================  =====  =====================================================
J48GeoError            1  a check failed, or the common ancestor
UnknownNameError       2  a name the caller gave is not known (lists the known)
ChoiceError            2  a value the caller gave makes no sense
NeedsTrainingError     2  what was asked for learns from training data; there is none
NeedsPositiveError     2  what was asked for speaks of one class; none is named
ModelReadError         3  the tree text cannot be read
DataReadError          4  the data cannot be read
MismatchError          5  tree and data do not fit together
ColumnError            5  the data lacks a column of the tree, or it has another type
FitError               5  tree and data do not fit, with the place in the tree text
ReplayError            5  the training data does not give back the leaf counts
=================  =====  =====================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from j48geo.text import to_one_line


class J48GeoError(Exception):
    """Ancestor of every error that j48geo raises on purpose; its text is one line."""

    exit_code: ClassVar[int] = 1

    def __str__(self) -> str:
        return to_one_line(self.sentence())

    def sentence(self) -> str:
        """The message as its class words it."""
        return super().__str__()


class ReadError(J48GeoError):
    """A text that cannot be read: where, what is wrong, what was expected.

    Parameters
    ----------
    problem
        What is wrong, without a full stop.
    expected
        What would have been right; may be empty.
    source
        Name of the file, ``<stdin>`` for standard input.
    line, column
        Place in the source, counted from 1; 0 if there is none.
    excerpt
        The offending line, shown by `caret`.
    """

    def __init__(
        self,
        problem: str,
        expected: str = "",
        source: str = "",
        line: int = 0,
        column: int = 0,
        excerpt: str = "",
    ) -> None:
        # All arguments go to Exception, so that pickling calls __init__ with them again.
        super().__init__(problem, expected, source, line, column, excerpt)
        self.problem = problem
        self.expected = expected
        self.source = source
        self.line = line
        self.column = column
        self.excerpt = excerpt

    @property
    def place(self) -> str:
        """``file:line:col``, as far as it is known."""
        place = self.source or "<text>"
        if self.line:
            place += f":{self.line}"
            if self.column:
                place += f":{self.column}"
        return place

    def sentence(self) -> str:
        """Place, problem and what was expected."""
        text = f"{self.place}: {self.problem}"
        return f"{text}; {self.expected}" if self.expected else text

    def caret(self, width: int = 100) -> str:
        """The offending line with a caret under the column; empty if unknown."""
        if not self.excerpt or not self.column:
            return ""
        at = self.column - 1
        start = max(0, at - width // 2)
        before = to_one_line(self.excerpt[start:at].replace("\t", " "))
        after = to_one_line(self.excerpt[at : start + width].replace("\t", " "))
        return f"{before}{after}\n{' ' * len(before)}^"


class ModelReadError(ReadError):
    """The text is not a J48 tree, or not a whole one."""

    exit_code = 3


class DataReadError(ReadError):
    """The data is not what its format demands."""

    exit_code = 4


class DecimalCommaError(DataReadError):
    """A number with a decimal comma where none was declared."""


class MismatchError(J48GeoError):
    """Tree and data are each readable but do not belong together."""

    exit_code = 5


class ColumnError(DataReadError, MismatchError):
    """Readable rows whose columns are not those of the model: one is absent or of another type."""

    exit_code = 5


class DoubledColumnError(ColumnError):
    """Two columns have the name of one attribute, so nobody knows which of them it is."""

    exit_code = 4


class FitError(ModelReadError, MismatchError):
    """A readable tree that speaks of other attributes, values or classes than the data."""

    exit_code = 5


class ReplayError(MismatchError):
    """Data named as training data does not give back the printed leaf counts."""


class UnknownCountsError(MismatchError):
    """The class counts of some leaf are not known; the message says what to give."""


class SeveralTreesError(MismatchError):
    """What was asked for is one tree's answer, and the model is several trees, or a wrapper."""


class FilterError(MismatchError):
    """Rows from before a filter whose parameters are not known."""


class UnknownNameError(J48GeoError):
    """A name that is not known; the message lists those that are."""

    exit_code = 2

    def __init__(self, what: str, name: str, known: Iterable[str] = ()) -> None:
        known = tuple(known)
        super().__init__(what, name, known)
        self.what = what
        self.name = name
        self.known = known

    def sentence(self) -> str:
        """What is unknown, and what is known."""
        shown = ", ".join(self.known[:20]) + (", ..." if len(self.known) > 20 else "")
        return f"unknown {self.what} {self.name!r}; known: {shown or 'none'}"


class ChoiceError(J48GeoError):
    """A value that makes no sense, or not together with the others.

    Parameters
    ----------
    name
        The argument, as the library calls it.
    """

    exit_code = 2

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(name, problem)
        self.name = name
        self.problem = problem

    def sentence(self) -> str:
        """The argument, and what is wrong with it."""
        return f"{self.name} {self.problem}"


class NeedsTrainingError(J48GeoError):
    """What was asked for learns from the training data, and there is none.

    Parameters
    ----------
    calibration
        Whether other cases whose class is known would do, too.
    """

    exit_code = 2

    def __init__(self, problem: str, calibration: bool = False) -> None:
        super().__init__(problem, calibration)
        self.problem = problem
        self.calibration = calibration

    def sentence(self) -> str:
        """What needs the training data."""
        return self.problem


class NeedsPositiveError(J48GeoError):
    """What was asked for speaks of one class against the others, and none is named."""

    exit_code = 2

    def __init__(self, problem: str, classes: Iterable[str] = ()) -> None:
        classes = tuple(classes)
        super().__init__(problem, classes)
        self.problem = problem
        self.classes = classes

    def sentence(self) -> str:
        """Why none can be chosen, and the classes there are."""
        shown = ", ".join(self.classes[:20]) + (", ..." if len(self.classes) > 20 else "")
        return f"{self.problem}; expected a positive class: {shown}"
