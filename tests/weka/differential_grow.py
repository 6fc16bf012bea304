"""Compares one grown tree with a live Weka's, as text."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from weka_live import Weka, WekaError

from j48geo.data.arff.stream import read_arff
from j48geo.errors import J48GeoError
from j48geo.growing.j48 import Engine, grow_j48
from j48geo.growing.options import GrowOptions
from j48geo.show.tree.weka_text import tree_text

Outcome = Literal["equal", "different", "refused", "no answer"]


def compare_texts(
    weka: Weka, train: Path, options: str, engine: Engine = "auto"
) -> tuple[Outcome, str, str]:
    """Whether both print the same, or both refuse; what each says.

    No answer is one that does not fit into Weka's memory.
    """
    try:
        wekas = weka.text(train, options=options)
        refused = False
    except WekaError as error:
        wekas, refused = str(error), True
        if "OutOfMemoryError" in wekas:
            return "no answer", "", wekas
    try:
        ours = tree_text(grow_j48(read_arff(train), GrowOptions.of(options.split()), engine=engine))
    except J48GeoError as error:
        return ("refused" if refused else "different"), str(error), wekas
    return ("equal" if ours == wekas and not refused else "different"), ours, wekas
