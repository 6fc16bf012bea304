"""A progress bar on a terminal, lines elsewhere."""

from __future__ import annotations

import shutil
import sys
import time

__all__ = ["Progress"]


class Progress:
    """Counts steps; a terminal shows one line that is overwritten."""

    def __init__(self, total: int, what: str) -> None:
        self._total = max(total, 1)
        self._what = what
        self._done = 0
        self._began = time.monotonic()
        self._said = self._began
        self._terminal = sys.stderr.isatty()

    def step(self, word: str = "", count: int = 1) -> None:
        """So many steps are done; `word` says which."""
        self._done += count
        now = time.monotonic()
        over = self._done >= self._total
        if self._terminal:
            width = 24
            full = width * self._done // self._total
            left = (now - self._began) * (self._total - self._done) / max(self._done, 1)
            bar = f"{'#' * full}{'.' * (width - full)} {self._done}/{self._total}"
            text = f"{self._what} {bar} {left:.0f} s left {word}"
            columns = shutil.get_terminal_size().columns - 1
            sys.stderr.write("\r" + text[:columns].ljust(columns) + ("\n" if over else ""))
            sys.stderr.flush()
        elif over or now - self._said > 20:
            self._said = now
            print(f"{self._what} {self._done}/{self._total} {word}", file=sys.stderr, flush=True)
