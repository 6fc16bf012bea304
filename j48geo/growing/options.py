"""The options with which J48 grows a tree, and what it refuses of them: `GrowOptions`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from j48geo.core.j48_options import J48Options, parse_words
from j48geo.errors import J48GeoError


class GrowOptionsError(J48GeoError):
    """Options that J48 refuses, alone or together."""

    exit_code = 2


@dataclass(frozen=True)
class GrowOptions(J48Options):
    """How to grow, in J48's own terms.

    The confidence is kept as the 32-bit number that Weka makes of it.

    Parameters
    ----------
    text
        The options as they were typed; empty if none were.
    """

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
        if self.confidence != J48Options.confidence and (self.unpruned or self.reduced_error):
            other = "-U" if self.unpruned else "-R"
            raise GrowOptionsError(f"-C with {other}: no confidence is used there; expected no -C")
        self._check_numbers()

    def _check_numbers(self) -> None:
        """Refuse numbers out of range, and those of ``-R`` without it."""
        if not self.reduced_error and self.folds != J48Options.folds:
            raise GrowOptionsError("-N: folds are those of -R; expected -R with it")
        if not self.reduced_error and self.seed != J48Options.seed:
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
        fields, problems = parse_words(words)
        if problems:
            raise GrowOptionsError(problems[0])
        return cls(**fields, text=" ".join(words))  # type: ignore[arg-type]
