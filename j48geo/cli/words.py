"""Words for the user: notes and errors, on standard error."""

from __future__ import annotations

import sys

from j48geo.errors import ReadError
from j48geo.words import one_line

__all__ = ["Words", "complain"]


class Words:
    """Says notes once each; `quiet` keeps them back, errors are always said."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.sentences: list[str] = []

    def note(self, *sentences: str) -> None:
        """Say each sentence that was not said before."""
        for sentence in sentences:
            if sentence not in self.sentences:
                self.sentences.append(sentence)
                if not self.quiet:
                    _print(f"j48geo: note: {one_line(sentence)}")


def complain(error: BaseException | str) -> None:
    """One line on standard error; on a terminal the offending line follows, with a caret."""
    _print(one_line(str(error)))
    if isinstance(error, ReadError) and sys.stderr is not None and sys.stderr.isatty():
        excerpt = error.caret()
        if excerpt:
            _print(excerpt)


def _print(text: str) -> None:
    stream = sys.stderr
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    safe = text.encode(encoding, "backslashreplace").decode(encoding)
    try:
        print(safe, file=stream, flush=True)
    except (BrokenPipeError, ValueError):  # nobody listens
        return
