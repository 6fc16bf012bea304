"""``j48geo check``: whether the text agrees with itself, and with the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from j48geo.cli.options import (
    InputOptions,
    data_argument,
    data_options,
    format_option,
    model_argument,
    model_options,
    output_option,
    quiet_option,
)
from j48geo.cli.output import write_output
from j48geo.cli.words import Words

if TYPE_CHECKING:
    from j48geo.cli.inputs import Loaded
    from j48geo.core.tree import BoxTree
    from j48geo.show.reports.check import CheckReport

__all__ = ["check"]

EXAMPLES = """\b
Examples:
  j48geo check model.txt
  j48geo check model.txt data.arff
  j48geo check model.txt data.arff --format json
"""


@click.command(epilog=EXAMPLES, short_help="Do the printed counts come from these rows?")
@model_argument
@data_argument(required=False)
@model_options
@data_options
@format_option(("table", "json"))
@output_option
@quiet_option
def check(
    model: str,
    data: str | None,
    output_format: str,
    output: str | None,
    quiet: bool,
    **given: Any,
) -> int:
    """Check the tree of MODEL against its own footer, and its counts against DATA.

    With DATA, its training data, every row is sent down the tree and the counts of every leaf
    are compared with those printed. Exit code 0 only if all agree, 1 if some differ, 5 if the
    data does not fit the tree at all.
    """
    from j48geo.cli.inputs import load
    from j48geo.show.text import json_text

    words = Words(quiet)
    with load(model, data, InputOptions(**given), words, whole=True) as loaded:
        made = loaded.trees > 1 or loaded.tree.options.is_wrapped
        if made and loaded.replay is not None and not loaded.replay.ok:
            words.note(
                "ensembles and other classifiers around J48 grow their trees from resampled, "
                "reweighted or filtered rows, which nothing can give back"
            )
        report = _report(loaded, tuple(words.sentences))
    pieces = [f"{json_text(report.to_json())}\n"] if output_format == "json" else [report.words()]
    write_output(output, pieces)
    return 0 if report.ok else 1


def _footer(tree: BoxTree) -> bool | None:
    """Whether the footer agrees; None if the text has none. Weka's own is binding for a reader."""
    if not tree.layout.footer or any("Graphviz" in note for note in tree.notes):
        return None
    return not any("footer says" in note for note in tree.notes)


def _report(loaded: Loaded, notes: tuple[str, ...]) -> CheckReport:
    from j48geo.show.reports.check import CheckReport, CountDifference, ExactThreshold

    tree, replay = loaded.tree, loaded.replay
    return CheckReport(
        leaves=len(tree.leaves),
        size=tree.size,
        trees=loaded.trees,
        footer=_footer(tree),
        rows=None if replay is None else loaded.replayed_rows,
        compared=0 if replay is None else replay.compared,
        differences=()
        if replay is None
        else tuple(
            CountDifference(
                leaf=d.leaf + 1,
                line=d.line,
                label=tree.classes[tree.leaves[d.leaf].label],
                printed=(d.printed_weight, d.printed_errors),
                replayed=(d.weight, d.errors),
                on_threshold=d.on_threshold,
            )
            for d in replay.differences
        ),
        restored=()
        if replay is None
        else tuple(
            ExactThreshold(t.node, t.attribute, t.printed, t.value) for t in replay.restored
        ),
        notes=notes,
    )
