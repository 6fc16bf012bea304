"""The program ``j48geo``: its commands, its help, its exit codes."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from j48geo.cli.notes import print_error
from j48geo.errors import (
    ChoiceError,
    DecimalCommaError,
    FilterError,
    J48GeoError,
    NeedsPositiveError,
    NeedsTrainingError,
    ReplayError,
    SeveralTreesError,
    UnknownCountsError,
)
from j48geo.output_files import ReaderGoneError

COMMANDS = (
    *("check", "show", "data", "predict", "rank", "proba", "fit", "explain"),
    *("leaves", "labellings", "label", "audit", "curve", "evaluate"),
    *("report", "grow", "export", "plugins", "guide"),
)
"""In the order of the work; each is a module of `j48geo.cli.commands`."""

INTERRUPTED = 130
BROKEN_PIPE = 141

EPILOG = """\b
Examples:
  j48geo check model.txt data.arff       do the printed counts come from these rows?
  j48geo show model.txt data.arff        the tree explained, one rule a leaf
  j48geo data data.arff                  what is in the data
  j48geo predict model.txt new.arff --train data.arff --format csv -o out.csv
  j48geo rank model.txt data.arff        surest cases first
  j48geo explain model.txt data.arff --row 17
  j48geo labellings model.txt            which labels are best for which costs
  j48geo label model.txt --fn 5 --fp 1 -o relabelled.txt
  java weka.classifiers.trees.J48 -t data.arff | j48geo show - data.arff

\b
MODEL is the text that Weka's J48 prints (as it was saved or pasted), a '.model' file, or what
'fit' wrote; DATA is ARFF, CSV, Parquet or Arrow. One of them may be '-', standard input. Results
go to standard output in UTF-8, words to standard error (-q keeps notes back, -v says more).

\b
Exit codes:
  0  all is well
  1  a check failed
  2  the command was not understood, or the output cannot be written
  3  the model cannot be read
  4  the data cannot be read
  5  model and data do not fit together, or the model is several trees

\b
Shell completion: eval "$(_J48GEO_COMPLETE=bash_source j48geo)"   (or zsh_source, fish_source)
"""


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or context.resilient_parsing:
        return
    from j48geo.text import program_version

    click.echo(program_version())
    context.exit()


class _NoCommandError(click.UsageError):
    """The program was called without a command."""


class _Lazy(click.Group):
    """Imports a command when it is named; lists them in the order of the work."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Here, since click 8.1 exits with 0 where 8.2 raises an error of its own.
        if not args and not ctx.resilient_parsing:
            raise _NoCommandError("Missing command.", ctx)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            if near := get_close_matches(args[0], COMMANDS, n=2):
                message = f"no such command {args[0]!r}; did you mean {' or '.join(near)}?"
                raise click.UsageError(message, ctx) from error
            raise

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"j48geo.cli.commands.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command


@click.group(
    cls=_Lazy,
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
@click.option(
    "--threads",
    type=click.IntRange(1),
    metavar="N",
    help="Use so many threads at most; results are the same.  [default: J48GEO_THREADS, or all]",
)
def cli(threads: int | None) -> None:
    """Read the decision trees that Weka's J48 prints, exactly, and use them without Weka."""
    if threads is not None:
        from j48geo.compilation import limit_threads

        limit_threads(threads)


def run(argv: Sequence[str] | None = None) -> int:
    """Run the program; every expected error becomes one line and an exit code."""
    # A large tree is millions of small values that live to the end: to look for garbage among
    # them every 700 new ones, as Python does, takes a quarter of the time.
    gc.set_threshold(200_000, 50, 100)
    try:
        result = cli.main(
            args=None if argv is None else list(argv), prog_name="j48geo", standalone_mode=False
        )
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.UsageError as error:
        return _usage(error)
    except click.ClickException as error:
        print_error(f"j48geo: {error.format_message()}")
        return 2
    except J48GeoError as error:
        for note in getattr(error, "__notes__", ()):
            print_error(f"j48geo: note: {note}")
        print_error(_with_advice(error))
        return error.exit_code
    except (BrokenPipeError, ReaderGoneError):
        _close_stdout()
        return BROKEN_PIPE
    except (MemoryError, ImportError, RuntimeError, SystemError) as error:
        if not _is_lack_of_memory(error):
            raise
        print_error(
            "j48geo: not enough memory; close other programs, or raise the limit (ulimit -v)"
        )
        return 2
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def _is_lack_of_memory(error: Exception) -> bool:
    """Whether memory ran out, perhaps while a library was loaded or a thread started."""
    marks = ("failed to map segment", "cannot allocate memory", "can't start new thread")
    if isinstance(error, SystemError):
        # Where a limit is reached, Python may lose a MemoryError, or raise it in vain.
        return "exception" in str(error) and _is_memory_limited()
    return isinstance(error, MemoryError) or any(mark in str(error).lower() for mark in marks)


def _is_memory_limited() -> bool:
    """Whether the memory of this process has a limit of its own (``ulimit -v``)."""
    if os.name != "posix":
        return False
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


ADVICE: tuple[tuple[type[J48GeoError], str], ...] = (
    (NeedsPositiveError, " (--positive LABEL)"),
    (SeveralTreesError, " (--tree K)"),
    (FilterError, " (--train FILE), or --tree 1 if the rows are filtered already"),
    (DecimalCommaError, " (--decimal ,)"),
    (ReplayError, ", or --allow-mismatch"),
    (UnknownCountsError, " (as DATA, or with --train FILE)"),
)
"""The option that mends an error: the library does not know of options."""


def _with_advice(error: J48GeoError) -> J48GeoError | str:
    """The error with the option that mends it, if there is one."""
    if isinstance(error, ChoiceError):
        return f"--{error.name.replace('_', '-')} {error.problem}"
    if isinstance(error, NeedsTrainingError):
        return f"{error}: --train FILE{', or --calibrate FILE' if error.calibration else ''}"
    for kind, advice in ADVICE:
        if isinstance(error, kind):
            return f"{error}{advice}"
    return error


def _nearest(error: click.UsageError) -> str:
    """The message of click; a misspelt option is told the nearest one first."""
    if isinstance(error, click.NoSuchOption):
        from difflib import get_close_matches

        near = get_close_matches(error.option_name, error.possibilities or (), n=3, cutoff=0)
        return f"no such option {error.option_name}" + (
            f"; did you mean {' or '.join(near)}?" if near else ""
        )
    return error.format_message().rstrip(".")


def _usage(error: click.UsageError) -> int:
    context = error.ctx
    if isinstance(error, _NoCommandError) and context is not None:
        click.echo(context.get_help(), err=True)
        return 2
    path = context.command_path if context is not None else "j48geo"
    print_error(f"{path}: {_nearest(error)}; see '{path} --help'")
    return 2


def _close_stdout() -> None:
    """Let Python's own last flush go nowhere, so that it does not complain either."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError, AttributeError):
        return
