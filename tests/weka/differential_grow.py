"""Compares one grown tree with a live Weka's, as text."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from random_growing import GrowCase
from weka_live import Weka, WekaError

from j48geo.cli import main
from j48geo.data.arff.stream import read_arff
from j48geo.errors import J48GeoError
from j48geo.growing.j48 import Engine, grow_j48
from j48geo.growing.options import GrowOptions
from j48geo.show.weka_text import tree_text

TIMES = re.compile(r"^Time taken to .*\n", re.MULTILINE)
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


def compare_evaluations(
    weka: Weka, train: Path, options: str, *, test: Path | None = None
) -> tuple[Outcome, str, str]:
    """Whether ``grow --evaluate`` prints all that Weka's command line prints, but for the times.

    No answer is a failure of Weka in its own bookkeeping, not in the options or the data: weights
    that are negative, or so small that its matrix has no room for a letter.
    """
    refused = False
    try:
        wekas = TIMES.sub("", weka.cli(train, test=test, options=options))
    except WekaError as error:
        wekas, refused = str(error), True
        if any(word in wekas for word in ("OutOfMemory", "NegativeArraySize", "IndexOutOf")):
            return "no answer", "", wekas
    written = train.with_name("evaluation.txt")
    words = ["grow", str(train), "--evaluate", *([] if test is None else ["-T", str(test)])]
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        failed = main([*words, *options.split(), "-o", str(written)])
    if failed:
        return ("refused" if refused else "different"), said.getvalue(), wekas
    ours = written.read_bytes().decode()
    return ("equal" if ours == wekas and not refused else "different"), ours, wekas


def compare_case(
    weka: Weka, reduced: Weka, case: GrowCase, folder: Path
) -> Iterator[tuple[str, Outcome, str, str]]:
    """Evaluations of a random case: by folds of its own number and seed, or by its odd rows."""
    train, test = folder / "data.arff", folder / "test.arff"
    train.write_text(case.arff, encoding="utf-8", newline="")
    head, mark, rows = case.arff.partition("@data\n")
    odd = "".join(rows.splitlines(keepends=True)[1::2])
    test.write_text(f"{head}{mark}{odd}", encoding="utf-8", newline="")
    for i, options in enumerate(case.options):
        # -R fails in 3.9.7.
        live = reduced if "-R" in options.split() else weka
        if (case.seed + i) % 4 == 3:
            yield f"{options} -T", *compare_evaluations(live, train, options, test=test)
        else:
            more = ("", "-x 3", "-x 5 -s 7")[(case.seed + i) % 3]
            together = f"{more} {options}".strip()
            yield together, *compare_evaluations(live, train, together)
