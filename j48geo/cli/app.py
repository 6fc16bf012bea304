"""The program ``j48geo``: its commands, its help, its exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from j48geo.cli.commands.audit import audit
from j48geo.cli.commands.check import check
from j48geo.cli.commands.curve import curve
from j48geo.cli.commands.data import data
from j48geo.cli.commands.evaluate import evaluate
from j48geo.cli.commands.explain import explain
from j48geo.cli.commands.fit import fit
from j48geo.cli.commands.grow import grow
from j48geo.cli.commands.label import label
from j48geo.cli.commands.labellings import labellings
from j48geo.cli.commands.leaves import leaves
from j48geo.cli.commands.plugins import plugins
from j48geo.cli.commands.predict import predict
from j48geo.cli.commands.proba import proba
from j48geo.cli.commands.rank import rank
from j48geo.cli.commands.show import show
from j48geo.cli.output import NobodyReadsError
from j48geo.cli.words import complain
from j48geo.errors import J48GeoError

__all__ = ["cli", "run"]

COMMANDS: tuple[click.Command, ...] = (
    *(check, show, data, predict, rank, proba, fit, explain),
    *(leaves, labellings, label, audit, curve, evaluate),
    grow,
    plugins,
)

INTERRUPTED = 130
BROKEN_PIPE = 141

EPILOG = """\b
Examples:
  j48geo check model.txt data.arff       do the printed counts come from these rows?
  j48geo show model.txt data.arff        the tree explained, one rule a leaf
  j48geo data data.arff                  what is in the data
  j48geo predict model.txt new.arff --train data.arff --format csv -o out.csv
  j48geo rank model.txt data.arff        surest cases first, by distance to the boundary
  j48geo explain model.txt data.arff --row 17
  j48geo labellings model.txt            which labels are best for which costs
  j48geo label model.txt --fn 5 --fp 1 -o relabelled.txt
  java weka.classifiers.trees.J48 -t data.arff | j48geo show - data.arff

\b
MODEL is the text that Weka's J48 prints (as it was saved or pasted), DATA an ARFF file,
gzipped or not. One of them may be '-', standard input. Results go to standard output in
UTF-8, words to standard error (-q keeps notes back).

\b
Exit codes:
  0  all is well
  1  a check failed
  2  the command was not understood, or the output cannot be written
  3  the model cannot be read
  4  the data cannot be read
  5  model and data do not fit together

\b
Shell completion: eval "$(_J48GEO_COMPLETE=bash_source j48geo)"   (or zsh_source, fish_source)
"""


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("j48geo")
    except PackageNotFoundError:  # a bare checkout
        number = "(not installed)"
    click.echo(f"j48geo {number}")
    context.exit()


class _InOrder(click.Group):
    """Lists its commands in the order of the work, not of the alphabet."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    cls=_InOrder,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Read the decision trees that Weka's J48 prints, exactly, and use them without Weka."""


for _command in COMMANDS:
    cli.add_command(_command)


def run(argv: Sequence[str] | None = None) -> int:
    """Run the program; every expected error becomes one line and an exit code."""
    try:
        result = cli.main(
            args=None if argv is None else list(argv), prog_name="j48geo", standalone_mode=False
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.UsageError as error:
        return _usage(error)
    except click.ClickException as error:
        complain(f"j48geo: {error.format_message()}")
        return 2
    except J48GeoError as error:
        complain(error)
        return error.exit_code
    except (BrokenPipeError, NobodyReadsError):
        _close_stdout()
        return BROKEN_PIPE
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def _usage(error: click.UsageError) -> int:
    context = error.ctx
    if error.__class__.__name__ == "NoArgsIsHelpError" and context is not None:
        click.echo(context.get_help(), err=True)
        return 2
    path = context.command_path if context is not None else "j48geo"
    complain(f"{path}: {error.format_message().rstrip('.')}; see '{path} --help'")
    return 2


def _close_stdout() -> None:
    """Let Python's own last flush go nowhere, so that it does not complain either."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return
