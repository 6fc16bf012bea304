"""Words for the user, on standard error: settings in one line, notes, progress, errors."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from j48geo.errors import ReadError
from j48geo.text import pluralize, to_one_line

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset
    from j48geo.core.fitted_values import Metric
    from j48geo.model.fitting import FittedMethods
    from j48geo.model.model import Model
    from j48geo.score.ranking import ZeroDistances
    from j48geo.score.setting import Setting


class Notes:
    """Says each sentence once; `quiet` keeps all back, details come only if `verbose`.

    Parameters
    ----------
    sentences
        What was noted so far.
    """

    def __init__(self, quiet: bool = False, verbose: bool = False) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self.sentences: list[str] = []

    def note(self, *sentences: str) -> None:
        """Say what was repaired, dropped, assumed, or can change an answer."""
        for sentence in sentences:
            if sentence and sentence not in self.sentences:
                self.sentences.append(sentence)
                if not self.quiet:
                    _print_line(f"j48geo: note: {to_one_line(sentence)}")

    def detail(self, *sentences: str) -> None:
        """Print sentences that only ``-v`` asks for."""
        if self.verbose:
            self.note(*sentences)

    def settings(self, *clauses: str) -> None:
        """Say in one line what the answer depends on."""
        self.note("; ".join(clause for clause in clauses if clause))

    def progress(self, rows: Iterable[Dataset], done: str) -> Iterator[Dataset]:
        """The same rows; a terminal shows how many have passed."""
        if self.quiet or sys.stderr is None or not sys.stderr.isatty():
            return iter(rows)
        return show_progress(rows, done)

    def compilation(self, seconds: float) -> None:
        """Say on a terminal that loops are compiled, which takes so many seconds."""
        if not self.quiet and sys.stderr is not None and sys.stderr.isatty():
            clear_progress()
            _print_line(
                f"j48geo: compiling once for this machine (about {max(1, round(seconds))} s)"
            )


def describe_training(model: Model) -> str:
    """How model and data belong together."""
    fitted = model.fitted
    if fitted is None:
        return model.training_note
    description = f"{model.source} carries what was learnt from {fitted.training}"
    if fitted.densities and fitted.calibration != fitted.training:
        description += f", and by {' and '.join(fitted.densities)} from {fitted.calibration}"
    if fitted.nearby is not None and fitted.nearby.tuned:
        own = fitted.nearby
        what = {"rank": "rankings", "proba": "probabilities"}[own.tuned]
        description += f" (nearby: sigma {own.sigma:g}, {own.leaves} leaves, chosen for {what})"
    return description


def describe_positive(model: Model) -> str:
    """Which class is the positive one and why; empty if it was named."""
    choice = model.positive_choice
    if choice is None or choice.why in ("given", "only"):
        return ""
    if choice.why == "fitted":
        return f"positive class {model.positive!r}, as the model was fitted"
    root = model.counts.per_class[0].tolist()
    why = "the rarer one" if choice.why == "rarer" else "the first of two equally frequent ones"
    return (
        f"positive class {model.positive!r}, {why} ({root[choice.index]:.10g} of {sum(root):.10g})"
    )


def describe_metric(model: Model, metric: Metric) -> str:
    """The metric, where it is not the training data's; empty if it does not depend on rows."""
    if metric.kind not in ("standard", "minmax") or model.training is not None:
        return "" if metric.kind == "standard" else f"metric {metric.kind}"
    return f"metric {metric.kind}, from {metric.source}"


def zero_distance_notes(
    zeros: ZeroDistances, model: Model, setting: Setting, nearby: str
) -> list[str]:
    """That many distances are 0, with the ways out that can be followed here.

    Parameters
    ----------
    nearby
        How this command asks for the nearby-leaf average; empty if it is among the answers.
    """
    from j48geo.score.ranking import MANY_ZEROS

    if zeros.share <= MANY_ZEROS:
        return []
    from j48geo.show.reports.ranking import zero_warning

    ways = []
    if setting.face_tree is None and model.training is not None:
        ways.append("--separators midgap measures to the middle of the gap above it")
    if nearby and model.has_nearby:
        ways.append(f"{nearby} averages the leaves around instead")
    return zero_warning(zeros, ways)


def print_error(error: BaseException | str) -> None:
    """One line on standard error; on a terminal the offending line follows, with a caret."""
    text = to_one_line(str(error))
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    if on_terminal and "NO_COLOR" not in os.environ:
        text = f"\x1b[31merror:\x1b[0m {text}"
    _print_line(text)
    if isinstance(error, ReadError) and on_terminal:
        excerpt = error.caret()
        if excerpt:
            _print_line(excerpt)


def _print_line(text: str) -> None:
    stream = sys.stderr
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    safe = text.encode(encoding, "backslashreplace").decode(encoding)
    try:
        print(safe, file=stream, flush=True)
    except (BrokenPipeError, ValueError):  # nobody listens
        return


def note_fitting(learnt: FittedMethods, notes: Notes) -> None:
    """Note which cases gdk, ldk and recalibrations were fitted to."""
    from j48geo.score.methods import KERNEL_METHODS

    if learnt.recalibrated:
        notes.note(f"{', '.join(learnt.model.methods)}: {learnt.recalibrated}")
        return
    kernels = [name for name in learnt.model.methods if name in KERNEL_METHODS]
    if not kernels:
        return
    cases = f"{pluralize(learnt.cases, 'case')} of " * bool(learnt.cases)
    sentence = f"{' and '.join(kernels)}: learnt from {cases}{learnt.sample}"
    if learnt.seen:
        notes.note(
            f"{sentence}, the training data; optimistic, since the tree was fitted to them "
            "(--calibrate FILE names others)"
        )
    else:
        notes.detail(sentence)


# ------------------------------------------------------------------------------------ progress

FIRST_SECONDS = 2.0
"""Seconds before anything is shown."""
SECONDS_BETWEEN = 0.5
_shown = 0


def show_progress(blocks: Iterable[Dataset], done: str) -> Iterator[Dataset]:
    """The same blocks; after two seconds the terminal shows how many rows have passed.

    Parameters
    ----------
    done
        What happens to the rows: ``scored``.
    """
    stream = sys.stderr
    global _shown
    rows = 0
    due = time.monotonic() + FIRST_SECONDS
    try:
        for block in blocks:
            yield block
            rows += len(block)
            if time.monotonic() >= due:
                text = f"{rows:,} rows {done}"
                stream.write("\r" + text.ljust(_shown))
                stream.flush()
                _shown = len(text)
                due = time.monotonic() + SECONDS_BETWEEN
    finally:
        clear_progress()


def clear_progress() -> None:
    """Remove the line of progress from the terminal."""
    global _shown
    if _shown and sys.stderr is not None:
        sys.stderr.write("\r" + " " * _shown + "\r")
        sys.stderr.flush()
    _shown = 0
