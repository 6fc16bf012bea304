"""What a reader of tree texts returns: every tree of the text, or why it could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from j48geo.core.counts import NodeCounts
from j48geo.core.dataset import Dataset
from j48geo.core.fitted_values import FittedValues
from j48geo.core.tree import BoxTree, Split
from j48geo.core.wrappers import Ensemble
from j48geo.errors import ModelReadError


@dataclass(frozen=True)
class Entry:
    """One tree of a text.

    Parameters
    ----------
    title
        What it is and where it stands.
    readings
        Every possible reading; more than one only where names and values of the header
        make the text ambiguous. Empty if the tree could not be read.
    error
        Why it could not be read, or None.
    exhausted
        Whether there may be more readings than these: then a single one is not certain either.
    open_line
        Two descriptions of the first line that can be read in two ways, where there is one.
    counts
        Counts of the training data, where the model file carries them.
    fitted
        What was learnt from the training data, where the model file carries it.
    choices
        If so, and all have the same shape: every split that a node can be read as, by node.
    training
        The training rows, where the model file keeps them.
    """

    title: str
    readings: tuple[BoxTree, ...]
    error: ModelReadError | None
    exhausted: bool = False
    counts: NodeCounts | None = None
    fitted: FittedValues | None = None
    choices: Mapping[int, tuple[Split, ...]] = field(default_factory=dict)
    training: Dataset | None = None
    open_line: tuple[str, str] | None = None


@dataclass(frozen=True)
class TreeText:
    """The trees of one text, in its order, and what was noticed on the way.

    Parameters
    ----------
    ensemble
        How these trees answer together, where the file is a wrapper's.
    sha256
        Of the bytes that were read (of a gzip file, those inside it).
    """

    entries: tuple[Entry, ...]
    notes: tuple[str, ...]
    source: str
    ensemble: Ensemble | None = None
    sha256: str = ""
