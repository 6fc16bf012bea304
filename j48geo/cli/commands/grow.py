"""``j48geo grow``: the tree that Weka's J48 grows, without Weka."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from j48geo.cli.inputs import Inputs
from j48geo.cli.options import Decorator, grouped, reads, writes
from j48geo.cli.output import Output

if TYPE_CHECKING:
    from j48geo.core.dataset import Dataset
    from j48geo.growing.nodes import Grown
    from j48geo.growing.papers import PaperOptions

__all__ = ["grow"]

BANNER = "=== Classifier model (full training set) ===\n\n"
CRITERIA = ("gain-ratio", "gain", "gini", "dkm", "error", "auc", "asymmetric", "off-centred")
TYPED = "j48geo.grow.typed"
"""Where the options are kept in the order in which they were typed."""

EXAMPLES = """\b
Examples:
  j48geo grow data.arff
  j48geo grow data.arff -C 0.1 -M 5 -o tree.txt
  j48geo grow data.arff -B -U | j48geo rank - data.arff
  j48geo grow data.arff --evaluate -x 5
  j48geo grow data.arff --criterion auc
  j48geo grow data.arff --criterion asymmetric --w prior --min-gain 0.03
"""


def _typed(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """Remember an option of J48 as it was typed: click calls this in the order of typing."""
    assert option.name is not None
    if context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
        more = () if isinstance(value, bool) else (str(value),)
        context.meta.setdefault(TYPED, []).append((option.opts[0], *more))
    return value


def _flag(word: str, name: str, text: str) -> Callable[..., Any]:
    return click.option(word, name, is_flag=True, callback=_typed, expose_value=False, help=text)


def _number(word: str, name: str, default: str, text: str) -> Callable[..., Any]:
    return click.option(
        word,
        name,
        metavar="N",
        default=default,
        show_default=True,
        callback=_typed,
        expose_value=False,
        help=text,
    )


def j48_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """J48's own options; what was typed of them is found by `typed_words`."""
    made = (
        _flag("-U", "unpruned", "No pruning."),
        _number("-C", "confidence", "0.25", "Confidence of pruning."),
        _number("-M", "least", "2", "Weight that two branches must have at least."),
        _flag("-R", "reduced_error", "Reduced-error pruning, as Weka 3.9.5 (it fails in 3.9.7)."),
        _number("-N", "folds", "3", "With -R: folds, one of which prunes."),
        _flag("-B", "binary", "Nominal splits: one value against all others."),
        _flag("-S", "no_raising", "No subtree raising."),
        _flag("-O", "no_collapse", "No collapsing."),
        _flag("-L", "keep", "No effect on the tree."),
        _flag("-A", "laplace", "Predictions are smoothed; no effect on the tree."),
        _flag("-J", "no_correction", "No MDL correction of gains by numbers."),
        _number("-Q", "seed", "1", "With -R: seed of the order of rows."),
        _flag("-doNotMakeSplitPointActualValue", "midpoint", "Thresholds half way between values."),
    )
    for option in reversed(made):
        function = option(function)
    return function


def paper_options() -> Decorator:
    """How to grow otherwise than J48; the command gets it as `papers`."""
    return grouped(
        "papers",
        dict,
        click.option(
            "--criterion",
            type=click.Choice(CRITERIA),
            default="gain-ratio",
            show_default=True,
            callback=_typed,
            help="What the best split is.",
        ),
        click.option(
            "--w",
            metavar="prior|W",
            default="prior",
            show_default=True,
            callback=_typed,
            help="Share of the positive class where asymmetric and off-centred are largest.",
        ),
        click.option(
            "--min-gain",
            type=float,
            metavar="X",
            callback=_typed,
            help="What a split must gain.  [default: 0.03 for asymmetric and off-centred, else 0]",
        ),
        click.option(
            "--min-gain-of",
            type=click.Choice(["parent", "absolute", "node-share"]),
            default="parent",
            show_default=True,
            callback=_typed,
            help="Of what --min-gain is a share.",
        ),
        click.option(
            "--prune",
            type=click.Choice(["c45", "pep", "none"]),
            callback=_typed,
            help="Pruning.  [default: c45 for gain-ratio, none for asymmetric and off-centred,"
            " else pep]",
        ),
        click.option(
            "--smoothing",
            type=float,
            metavar="S",
            callback=_typed,
            help="Added to every class of every branch.  [default: 0 for gain-ratio, else 1]",
        ),
        click.option(
            "--positive",
            metavar="CLASS",
            callback=_typed,
            help="The positive class.  [default: the rarest]",
        ),
    )


def evaluation_options() -> Decorator:
    """Whether and how to evaluate; the command gets it as `judging`."""
    return grouped(
        "judging",
        dict,
        click.option(
            "--evaluate",
            is_flag=True,
            help="Also print what Weka prints after the tree: how it does on DATA, and in"
            " cross-validation or on a test file. Only the times are left out.",
        ),
        click.option("-x", "parts", type=int, metavar="FOLDS", help="Folds.  [default: 10]"),
        click.option("-s", "order", type=int, metavar="SEED", help="Their seed.  [default: 1]"),
        click.option("-T", "test", metavar="TEST", help="Test by this ARFF file, without folds."),
    )


def typed_words(context: click.Context, *, papers: bool) -> list[str]:
    """J48's options in the order in which they were typed, with those of the papers or not."""
    typed: list[tuple[str, ...]] = context.meta.get(TYPED, [])
    return [word for one in typed if papers or one[0][:2] != "--" for word in one]


@click.command(epilog=EXAMPLES, short_help="Grow the tree that Weka's J48 grows, without Weka.")
@reads("DATA", model=False, train=False)
@j48_options
@paper_options()
@evaluation_options()
@writes(file_help="Write the tree here, whole or not at all, instead of standard output.")
@click.pass_context
def grow(
    context: click.Context,
    inputs: Inputs,
    papers: dict[str, Any],
    judging: dict[str, Any],
    output: Output,
) -> None:
    """Grow J48's tree from DATA (an ARFF file, '-' for standard input).

    The options of one letter are J48's own. What is printed is what Weka's command line prints
    of the model, letter for letter, and every other command reads it.

    Another --criterion, --prune, --min-gain or --smoothing grows the trees of two papers on
    ranking by trees (AUCsplit; asymmetric and off-centred entropy); Weka has none of these, and
    a first line of the text says so.
    """
    from j48geo.growing.options import GrowOptions
    from j48geo.growing.papers import PaperOptions, grown_by_criterion
    from j48geo.show.tree.weka_text import tree_text

    _check_judging(**judging)
    j48 = GrowOptions.of(typed_words(context, papers=False))
    options = PaperOptions(**{**papers, "w": _share(papers["w"])}, j48=j48)
    rows = _read(inputs.data or "", inputs)
    tested = None if judging["test"] is None else _read(judging["test"], inputs)
    grown = grown_by_criterion(rows, options)
    first = "\n"
    if not options.is_j48:
        first = f"grown by j48geo ({options.criterion})\n\n"
        output.notes.note("this tree is j48geo's own, Weka did not make it")
    words = typed_words(context, papers=not options.is_j48)
    told = f"Options: {' '.join(words)} \n\n" if words else ""
    evaluation: Iterable[str] = ()
    if judging["evaluate"]:
        parts, seed = judging["parts"], judging["order"]
        evaluation = _evaluation(
            grown,
            rows,
            tested,
            options,
            folds=10 if parts is None else parts,
            seed=1 if seed is None else seed,
        )
    output.write([first, told, BANNER, tree_text(grown.tree), *evaluation])


def _check_judging(
    *, evaluate: bool, parts: int | None, order: int | None, test: str | None
) -> None:
    given = {"-x": parts, "-s": order, "-T": test}
    for word, value in given.items():
        if value is not None and not evaluate:
            raise click.UsageError(f"{word} is of --evaluate; expected that with it")
        if value is not None and test is not None and word != "-T":
            raise click.UsageError(
                f"{word} with -T: a test file has no folds; expected one of them"
            )


def _read(name: str, inputs: Inputs) -> Dataset:
    from j48geo.data.files import read_data

    return read_data(
        name,
        class_attribute=inputs.class_attribute,
        timezone=inputs.timezone,
        encoding=inputs.encoding,
    )


def _evaluation(
    grown: Grown,
    rows: Dataset,
    tested: Dataset | None,
    options: PaperOptions,
    *,
    folds: int,
    seed: int,
) -> Iterator[str]:
    """What Weka prints after the tree, but for the lines that tell times."""
    from j48geo.data.rows import Rows
    from j48geo.decide.evaluation.weka import weka_evaluation
    from j48geo.growing.judging import cross_validated, judged
    from j48geo.growing.papers import grown_by_criterion
    from j48geo.replaying.align import in_columns
    from j48geo.show.reports.weka_evaluation import weka_evaluation_text

    classes = rows.header.classes
    found = weka_evaluation(judged(grown, rows, rows))
    # Blank lines stand where Weka tells times.
    yield "\n\n\n" + weka_evaluation_text("Error on training data", found, classes) + "\n"
    if tested is not None:
        test = in_columns(Rows.of(tested, "the test file"), rows.header).all()
        found = weka_evaluation(judged(grown, rows, test))
        yield weka_evaluation_text("Error on test data", found, classes)
    else:
        validated = cross_validated(
            rows, lambda part: grown_by_criterion(part, options), folds=folds, seed=seed
        )
        found = weka_evaluation(validated)
        yield "\n" + weka_evaluation_text("Stratified cross-validation", found, classes)
    yield "\n"


def _share(text: str) -> float | None:
    """The argument of --w: a share, or None for that of the training data."""
    if text == "prior":
        return None
    try:
        return float(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is none; expected prior or 0 < W < 1") from None
