"""Signals that end the program do so at once, in silence, and leave nothing half written.

Exceptions would not do: raised while a module is imported they come out as tracebacks and as
errors of other kinds.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress


def end_on_signals() -> None:
    """End by Ctrl-C, SIGTERM and SIGHUP with 128 and the number of the signal.

    A signal that the caller ignores (``nohup``) stays ignored.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None:  # Windows has no SIGHUP
            continue
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _end_process)


def _end_process(number: int, frame: object) -> None:
    # Only what is imported already can have left something behind.
    for module, tidy in (
        ("j48geo.output_files", "remove_partial_files"),
        ("j48geo.cli.notes", "clear_progress"),
    ):
        function = getattr(sys.modules.get(module), tidy, None)
        if function is not None:
            with suppress(Exception):  # the signal may have come in the middle of it
                function()
    os._exit(128 + number)
