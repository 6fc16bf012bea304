"""A model that can be sent anywhere: it scores batches of columns, each by itself.

For engines that map a function over parts of a table, on other threads, processes or
machines. Nothing of any engine is imported: a batch is whatever pyarrow made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from j48geo.core.dataset import Attribute
from j48geo.data.arrow import check_columns, read_batch
from j48geo.errors import MismatchError, NeedsTrainingError
from j48geo.model.choices import CHOICE_TABLE, Carried
from j48geo.score.methods import PROBABILITIES
from j48geo.score.probabilities import estimate_cases
from j48geo.score.ranking import RankingFacts, find_weka_scores
from j48geo.score.setting import classify_cases

if TYPE_CHECKING:
    from j48geo.model.model import Model
    from j48geo.model.rankings import Scoring
    from j48geo.score.probabilities import ProbabilityModel

_restored: dict[str, Model] = {}
"""Models of this process by their digest, so that each is read once."""


@dataclass(frozen=True)
class PortableModel:
    """A model as text, with all that it has learnt and nothing of its training data.

    Parameters
    ----------
    text
        Our model file, JSON.
    choices
        What was chosen about it and is not in the file.
    digest
        Of both, to know it again.
    """

    text: str
    choices: tuple[tuple[str, Any], ...]
    digest: str

    @classmethod
    def of(cls, model: Model, methods: Sequence[str] = ()) -> PortableModel:
        """A model with what some methods learn from its training data.

        Raises
        ------
        NeedsTrainingError
            If the metric would have to be learnt from the rows to be scored: each part of
            these would get another one.
        SeveralTreesError, FilterError
            If it is not one tree on the rows as they are.
        """
        from j48geo.model.formats import model_file_pieces

        model.require_one("a scorer")
        model.require_unfiltered("a scorer")
        if model.fits_metric_to_rows:
            raise NeedsTrainingError("a scorer: the metric is that of the training data")
        fitted = model.fitted if model.training is None else model.learn(methods)
        text = "".join(model_file_pieces(model, fitted))
        places = {Carried.BESIDE_FILE}
        if not model.has_training:
            places.add(Carried.BESIDE_UNFITTED_FILE)
        names = [name for name, choice in CHOICE_TABLE.items() if choice.carried in places]
        values = [(name, getattr(model.choices, name)) for name in names]
        choices = tuple((name, value) for name, value in values if value is not None)
        digest = sha256(f"{choices!r}\n{text}".encode()).hexdigest()
        return cls(text, choices, digest)

    def restored(self) -> Model:
        """The model as it was sent; a process reads it once."""
        if self.digest not in _restored:
            from j48geo.model.loader import load

            _restored[self.digest] = load(self.text.encode()).with_(**dict(self.choices))
        return _restored[self.digest]

    def __repr__(self) -> str:
        return f"SentModel({len(self.text)} characters, {self.digest[:8]})"


@dataclass(frozen=True)
class Scorer:
    r"""Scores batches of columns; small, frozen, and fit to be pickled.

    Parameters
    ----------
    sent
        The model.
    method
        What rows are ranked by, see `Model.rank`.
    keep
        Columns that are passed on, before those that are added.
    probabilities
        Whether the probability of every class is added, if the method gives any.

    Notes
    -----
    Columns are matched by name and others are ignored. Null is missing. A nominal attribute
    takes text, a dictionary of text, whole numbers or true and false; a date takes time
    stamps; a whole number must have a double of its own, at most 2^53.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from j48geo import load
    >>> model = load("x <= 2: no (3.0)\nx > 2: yes (4.0)\n").with_(metric="none")
    >>> scorer = Scorer.of(model, "global", keep=["id"])
    >>> scorer.columns
    ('x', 'id')
    >>> scorer(pa.record_batch({"id": [7], "x": [5.0]})).to_pydict()
    {'id': [7], 'predicted': ['yes'], 'score': [-3.0], 'distance': [3.0]}
    """

    sent: PortableModel
    method: str
    keep: tuple[str, ...] = ()
    probabilities: bool = False

    @classmethod
    def of(
        cls,
        model: Model,
        method: str = "auto",
        *,
        keep: Iterable[str] = (),
        probabilities: bool = False,
    ) -> Self:
        """A scorer of a model; what cannot be answered is refused here."""
        from j48geo.model.rankings import ranking_name

        model.require_one("a scorer")
        name = ranking_name(model, method)
        if probabilities and name not in PROBABILITIES:
            raise MismatchError(f"{name} is a ranking; expected a method that gives probabilities")
        known = [name] if name in PROBABILITIES else []
        if name == "local" and model.choices.within == "nearby":
            known = ["nearby"]
        return cls(PortableModel.of(model, known), name, tuple(keep), probabilities)

    # ------------------------------------------------------------------------------ columns

    @property
    def used(self) -> tuple[Attribute, ...]:
        """Attributes that the tree asks for."""
        tree = self.sent.restored().tree
        return tuple(tree.header.attributes[k] for k in sorted(tree.used_attributes))

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that are read: those of the tree, and those passed on."""
        names = [attribute.name for attribute in self.used]
        return (*names, *(name for name in self.keep if name not in names))

    @property
    def added(self) -> dict[str, str]:
        """Columns that are added, and their type: ``string`` or ``double``."""
        model = self.sent.restored()
        columns = {"predicted": "string", "score": "double"}
        if self.method == "local":
            columns["within"] = "double"
        columns["distance"] = "double"
        if self.probabilities:
            columns |= {f"p({label})": "double" for label in model.classes}
        return columns

    def check(self, schema: Any) -> None:
        """Whether rows of a pyarrow schema can be scored, before any is read.

        Raises
        ------
        MismatchError
            If a column is missing, there twice, or of a type that its attribute cannot have.
        """
        names = list(schema.names)
        check_columns(schema, self.used)
        for name in self.keep:
            if names.count(name) != 1:
                raise MismatchError(f"{names.count(name)} columns {name!r} to keep; expected one")
            if name in self.added:
                raise MismatchError(f"column {name!r} would be there twice; expected another name")

    # -------------------------------------------------------------------------------- rows

    @cached_property
    def _ready(self) -> tuple[Scoring, ProbabilityModel | None]:
        from j48geo.model.fitting import fit_methods
        from j48geo.model.rankings import find_scoring
        from j48geo.model.settings import find_metric

        model = self.sent.restored()
        scoring = find_scoring(model, self.method, find_metric(model))
        estimates = fit_methods(model, [self.method]).model if self.probabilities else None
        return scoring, estimates

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_ready"}

    def __call__(self, batch: Any) -> Any:
        """The scores of a pyarrow RecordBatch or Table, as one of the same kind."""
        pyarrow: Any = sys.modules["pyarrow"]
        scoring, estimates = self._ready
        classes = scoring.setting.tree.classes
        X = read_batch(batch, self.used, scoring.setting.tree.header).X
        scored = scoring.batch(X)
        names = np.array([*classes, None], dtype=object)
        answers = {
            "predicted": pyarrow.array(names[scored.predicted].tolist(), pyarrow.string()),
            "score": pyarrow.array(scored.score),
            "distance": pyarrow.array(scored.distance),
        }
        if scored.within is not None:
            answers["within"] = pyarrow.array(scored.within)
        if estimates is not None:
            p = estimate_cases(estimates, classify_cases(estimates.setting, X))[
                self.method
            ].distribution
            answers |= {f"p({c})": pyarrow.array(p[:, k].copy()) for k, c in enumerate(classes)}
        columns = {name: batch[name] for name in self.keep}
        columns |= {name: answers[name] for name in self.added}
        return type(batch).from_arrays(list(columns.values()), names=list(columns))

    def facts(self, batch: Any) -> RankingFacts:
        """What the sentences under a ranking count, of a batch; those of several add up."""
        scoring, _ = self._ready
        X = read_batch(batch, self.used, scoring.setting.tree.header).X
        scored = scoring.batch(X)
        return RankingFacts.of(scored, find_weka_scores(scoring.setting, X, scored))

    def batches(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The scores of several batches, one after the other."""
        return map(self, batches)
