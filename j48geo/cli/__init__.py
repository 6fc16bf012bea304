"""The command line ``j48geo``: `main` turns options into calls of the library and writes results.

Every command is a module of `j48geo.cli.commands`; `options*` hold the options they share.
"""

from __future__ import annotations

import gc
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
            from j48geo.cli.signals import end_on_signals

            end_on_signals()  # before the long imports
        except KeyboardInterrupt:
            return 130
    from j48geo.cli.app import run

    code = run(argv)
    if argv is None:
        # Python looks for garbage once more as a process ends, among all that is left. That
        # took longer than most commands do, and the memory is given back anyway.
        gc.freeze()
    return code
