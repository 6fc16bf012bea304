"""Weka's wrappers around J48 as values: filters with their parameters, and committees of trees.

The values are those of the file; `j48geo.ensemble` applies the filters and combines the answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from j48geo.arrays import Floats
from j48geo.core.dataset import Header


@dataclass(frozen=True)
class Remove:
    """Keeps the columns `kept`, in that order: Remove, Reorder and RemoveType."""

    kept: tuple[int, ...]
    name: str = "Remove"


@dataclass(frozen=True, eq=False)
class ReplaceMissingValues:
    """Puts the mean or the mode of each column, shape (n_attributes,), for what is missing."""

    values: Floats


@dataclass(frozen=True, eq=False)
class ReplaceMissingWithUserConstant:
    """Puts a constant for what is missing.

    Parameters
    ----------
    values : array of float64, shape (n_attributes,)
        The constant of each column, NaN where it stays as it is; a place among the labels
        behind the filter.
    added
        Columns to which the constant is new: it becomes their first label.
    """

    values: Floats
    added: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class Standardize:
    """Subtracts means and divides by deviations above 0, each of shape (n_attributes,)."""

    means: Floats
    deviations: Floats


@dataclass(frozen=True, eq=False)
class Center:
    """Subtracts means, shape (n_attributes,)."""

    means: Floats


@dataclass(frozen=True, eq=False)
class Discretize:
    """Numbers become indices of intervals.

    Parameters
    ----------
    cuts
        For each column its cut points, ascending; no points make one interval; None where
        the column stays as it is.
    binary
        Whether every cut point makes a column of its own, 0 up to it and 1 above.
    """

    cuts: tuple[Floats | None, ...]
    binary: bool


@dataclass(frozen=True, eq=False)
class Normalize:
    """Brings smallest and largest of each column, shape (n_attributes,), to 0 and 1.

    Then times `scale`, plus `translation`. A constant column becomes 0.
    """

    smallest: Floats
    largest: Floats
    scale: float = 1.0
    translation: float = 0.0


@dataclass(frozen=True)
class NominalToBinary:
    """Each column of its result: the column it is made of, and which values make it 1.

    Without values (None) the column is passed on.
    """

    columns: tuple[tuple[int, frozenset[int] | None], ...]


@dataclass(frozen=True)
class NumericToNominal:
    """Numbers become labels, which are the numbers written out; others become missing.

    Parameters
    ----------
    labels
        For each column its labels; None where the column stays as it is.
    """

    labels: tuple[tuple[str, ...] | None, ...]


@dataclass(frozen=True)
class StringToNominal:
    """Texts become labels; others become missing.

    Parameters
    ----------
    labels
        For each column its labels; None where the column stays as it is.
    """

    labels: tuple[tuple[str, ...] | None, ...]


@dataclass(frozen=True)
class MultiFilter:
    """Filters one after the other, each with the attributes of the rows before it."""

    steps: tuple[tuple[Header, FittedFilter], ...]


FittedFilter = (
    Remove
    | ReplaceMissingValues
    | ReplaceMissingWithUserConstant
    | Standardize
    | Center
    | Discretize
    | Normalize
    | NominalToBinary
    | NumericToNominal
    | StringToNominal
    | MultiFilter
)


def filter_name(how: FittedFilter | NamedFilter) -> str:
    """The last part of Weka's class name of a filter."""
    return how.name if isinstance(how, (Remove, NamedFilter)) else type(how).__name__


CombinationRule = Literal[
    "only", "average", "average 3.6", "boost", "least cost", "stack", "one of each", "one of all"
]
"""How the answers of the members become one.

``only``: there is one member, and it is right. ``average``: distributions are added and
normalised; ``average 3.6`` divides by their number first, as the Vote of Weka 3.6 does.
``boost``: every member votes for its class with its weight, the sums are logarithms.
``least cost``: all for the class of least expected cost. ``stack``: the distributions are
the row of the last member. ``one of each``: member k knows the probability of class k;
``one of all`` adds that of the other classes too, as Weka 3.6 does.
"""


@dataclass(frozen=True)
class NamedFilter:
    """A filter that a text names with its options, whose parameters it does not tell."""

    scheme: str
    options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The last part of the class name."""
        return self.scheme.rpartition(".")[2]


@dataclass(frozen=True, eq=False)
class Ensemble:
    """A wrapper: what happens to rows, who is asked, and how the answers combine.

    Parameters
    ----------
    scheme
        Class name of the wrapper.
    header
        Attributes of the rows it is asked about.
    members
        Who is asked, in order: the number of a tree among the entries, from 0, or another
        wrapper. ``stack`` asks the last one about the answers of the others.
    rule
        How the answers combine.
    filter
        What is done to the rows before the members see them.
    weights : array of float64, shape (n_members,)
        Weights of the votes of ``boost``.
    costs : array of float64, shape (n_classes, n_classes)
        For ``least cost``: what it costs to predict the column's class for the row's.
    fallback : array of float64, shape (n_classes,)
        Distribution where no member of ``one of each`` and ``one of all`` has an opinion.
    refusal
        Why the answer of the whole cannot be given; empty if it can.
    laplace
        Whether each member smooths its leaves (``-A``), where the wrapper itself prints it.
    printed
        Whether it was read from a text, which rounds its numbers.
    slack
        How far below and above the printed one a weight or a cost may be.
    """

    scheme: str
    header: Header
    members: tuple[Member, ...]
    rule: CombinationRule = "only"
    filter: FittedFilter | NamedFilter | None = None
    weights: Floats | None = None
    costs: Floats | None = None
    fallback: Floats | None = None
    refusal: str = ""
    laplace: tuple[bool | None, ...] = ()
    printed: bool = False
    slack: tuple[float, float] = (0.0, 0.0)

    @property
    def name(self) -> str:
        """The last part of the class name, such as ``AdaBoostM1``."""
        return self.scheme.rpartition(".")[2]

    @property
    def refusals(self) -> Iterator[str]:
        """Why the whole cannot answer: its own reason, and those of wrappers inside."""
        if self.refusal:
            yield f"{self.name.strip('()')}: {self.refusal}"
        for member in self.members:
            if isinstance(member, Ensemble):
                yield from member.refusals

    @property
    def trees(self) -> Iterator[int]:
        """Numbers of the trees, those of wrappers inside included."""
        for member in self.members:
            if isinstance(member, Ensemble):
                yield from member.trees
            else:
                yield member

    @property
    def only_tree(self) -> int | None:
        """The number of the tree whose answer is that of the whole, if it is one tree's."""
        if self.rule != "only" or self.refusal or len(self.members) != 1:
            return None
        (member,) = self.members
        return member if isinstance(member, int) else member.only_tree

    @property
    def passes_classes(self) -> bool:
        """Whether its class is that of its one member, where others take the most probable."""
        return self.name == "InputMappedClassifier"

    @property
    def filters(self) -> Iterator[Ensemble]:
        """The wrappers with a filter that the rows of `only_tree` go through, in order."""
        if self.filter is not None:
            yield self
        for member in self.members:
            if isinstance(member, Ensemble):
                yield from member.filters

    def __str__(self) -> str:
        """What it is, such as ``6 J48 trees of an AdaBoostM1``."""
        n = len(list(self.trees))
        trees = "the J48 tree" if n == 1 else f"{n} J48 trees"
        name = self.name
        if name.endswith(")"):
            return f"{trees} of {name.strip('()')}"
        return f"{trees} of {'an' if name[0] in 'AEIOU' else 'a'} {name}"


Member = int | Ensemble
