"""Class probabilities of rows, through a model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from j48geo.core.dataset import Dataset
from j48geo.data.rows import Rows
from j48geo.model.answers.watching import Watch, unwatched
from j48geo.model.learning.learn import Learnt, learn
from j48geo.model.usable import auto_probability, check_names
from j48geo.score.cases import cases_of
from j48geo.score.methods import METHODS
from j48geo.score.probabilities import ProbabilityModel, estimate_cases
from j48geo.score.zero_distances import ZeroDistances
from j48geo.show.reports.cases.proba import EstimatedBlock, ProbabilityTally

if TYPE_CHECKING:
    from j48geo.model.model import Model

__all__ = ["Estimates", "estimate"]


class Estimates:
    """Probabilities by several methods, a block at a time."""

    def __init__(self, learnt: Learnt, rows: Rows, watch: Watch = unwatched) -> None:
        self.learnt = learnt
        self._rows = rows
        self._watch = watch
        self.tally = ProbabilityTally()
        self.zeros = ZeroDistances()

    @property
    def model(self) -> ProbabilityModel:
        """What the methods have learnt."""
        return self.learnt.model

    def __iter__(self) -> Iterator[EstimatedBlock]:
        setting = self.model.setting
        measured = any(METHODS[name].measures for name in self.model.methods)
        first = 1
        for block in self._watch(self._rows, "estimated"):
            cases = cases_of(setting, block.X)
            made = EstimatedBlock(first, block, cases.predicted, estimate_cases(self.model, cases))
            self.tally.add(made)
            if measured:
                self.zeros.add(setting, block.X, cases.predicted, cases.distance)
            yield made
            first += len(block)


def estimate(
    model: Model,
    rows: Rows,
    methods: tuple[str, ...] | None = None,
    *,
    sample: Dataset | None = None,
    sample_name: str = "",
    sample_seen: bool = False,
    watch: Watch = unwatched,
) -> Estimates:
    """Probabilities of every class for every row.

    Parameters
    ----------
    methods
        Names; None for the one that suits what is known.
    sample, sample_name, sample_seen
        Cases for the kernel estimates, see `j48geo.model.learning.learn`.
    """
    names = (auto_probability(model),) if methods is None else check_names(methods)
    if "m" in names and model.choices.m is None:
        model.require_positive("the m-estimate")  # m is 10 / p, p its share
    learnt = learn(model, names, sample, name=sample_name, seen=sample_seen)
    return Estimates(learnt, rows, watch)
