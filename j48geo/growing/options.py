"""J48's own options, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from j48geo.errors import J48GeoError

FLAG_OPTIONS = {
    "-U": ("unpruned", True),
    "-R": ("reduced_error", True),
    "-B": ("binary", True),
    "-S": ("raising", False),
    "-O": ("collapse", False),
    "-A": ("laplace", True),
    "-J": ("correct", False),
    "-doNotMakeSplitPointActualValue": ("actual_values", False),
    "-L": ("", True),  # Weka keeps its rows then; the tree is the same
}
NUMBER_OPTIONS = {"-C": "confidence", "-M": "least", "-N": "folds", "-Q": "seed"}


class GrowOptionsError(J48GeoError):
    """Options that J48 refuses, alone or together."""

    exit_code = 2


@dataclass(frozen=True)
class GrowOptions:
    """How to grow, in J48's own terms.

    Parameters
    ----------
    unpruned
        ``-U``.
    confidence
        ``-C``, kept as the 32-bit number that Weka makes of it.
    least
        ``-M``, weight that two branches must have at least.
    reduced_error, folds, seed
        ``-R``, ``-N`` and ``-Q``.
    binary
        ``-B``: one value against all others.
    raising, collapse, correct, actual_values
        False for ``-S``, ``-O``, ``-J`` and ``-doNotMakeSplitPointActualValue``.
    laplace
        ``-A``, which changes predictions and not the tree.
    text
        The options as they were typed; empty if none were.
    """

    unpruned: bool = False
    confidence: float = 0.25
    least: int = 2
    reduced_error: bool = False
    folds: int = 3
    seed: int = 1
    binary: bool = False
    raising: bool = True
    collapse: bool = True
    correct: bool = True
    actual_values: bool = True
    laplace: bool = False
    text: str = ""

    def __post_init__(self) -> None:
        with np.errstate(over="ignore"):  # what is too large is refused below
            object.__setattr__(self, "confidence", float(np.float32(self.confidence)))
        if self.unpruned and not self.raising:
            raise GrowOptionsError(
                "-U with -S: an unpruned tree has nothing raised; expected one of them"
            )
        if self.unpruned and self.reduced_error:
            raise GrowOptionsError("-U with -R: a tree is unpruned or pruned; expected one of them")
        if self.confidence != 0.25 and (self.unpruned or self.reduced_error):
            other = "-U" if self.unpruned else "-R"
            raise GrowOptionsError(f"-C with {other}: no confidence is used there; expected no -C")
        self._check_numbers()

    def _check_numbers(self) -> None:
        """Refuse numbers out of range, and those of ``-R`` without it."""
        if not self.reduced_error and self.folds != 3:
            raise GrowOptionsError("-N: folds are those of -R; expected -R with it")
        if not self.reduced_error and self.seed != 1:
            raise GrowOptionsError("-Q: the seed is that of -R; expected -R with it")
        if not 0 < self.confidence < 1:
            raise GrowOptionsError(
                f"-C: {self.confidence:g} is no confidence; expected more than 0, less than 1"
            )
        if self.reduced_error and self.folds < 2:
            raise GrowOptionsError(f"-N: {self.folds} folds; expected at least 2")

    @classmethod
    def of(cls, words: Sequence[str]) -> GrowOptions:
        """The options of a command line, such as ``["-C", "0.1", "-B"]``.

        Raises
        ------
        GrowOptionsError
            If J48 would refuse them.
        """
        given: dict[str, bool | int | float] = {}
        left = list(words)
        while left:
            word = left.pop(0)
            if word in FLAG_OPTIONS:
                name, value = FLAG_OPTIONS[word]
                if name:
                    given[name] = value
            elif word in NUMBER_OPTIONS:
                if not left:
                    raise GrowOptionsError(f"{word}: no number follows; expected one")
                given[NUMBER_OPTIONS[word]] = _number(word, left.pop(0))
            else:
                known = ", ".join((*FLAG_OPTIONS, *NUMBER_OPTIONS))
                raise GrowOptionsError(f"{word}: no option of J48; expected {known}")
        return cls(**given, text=" ".join(words))  # type: ignore[arg-type]


def _number(word: str, text: str) -> int | float:
    try:
        return float(text) if word == "-C" else int(text)
    except ValueError:
        wanted = "a number" if word == "-C" else "a whole number"
        raise GrowOptionsError(f"{word}: {text!r} is none; expected {wanted}") from None
