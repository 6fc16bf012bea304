"""The command line: options -> library calls -> tables; nothing else."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``j48geo`` and return its exit code.

    Parameters
    ----------
    argv
        Arguments after the program's name; those of the process if None.
    """
    if argv is None:
        try:
            from j48geo.cli.signals import end_quietly

            end_quietly()  # before the long imports
        except KeyboardInterrupt:
            return 130
    from j48geo.cli.app import run

    return run(argv)
