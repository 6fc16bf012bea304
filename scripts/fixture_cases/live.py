"""Live Wekas of several versions, each started when it is first needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from weka_live import Weka, running_weka


class LiveWekas:
    """Running Wekas by version: ``wekas["3.9.7"]``, in Swedish ``wekas["3.9.7 sv-SE"]``."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._running: dict[str, Weka] = {}

    def __getitem__(self, name: str) -> Weka:
        if name not in self._running:
            version, _, locale = name.partition(" ")
            live = running_weka(version, fetch=True, locale=locale or "en-US")
            self._running[name] = self._stack.enter_context(live)
        return self._running[name]


@contextmanager
def live_wekas() -> Iterator[LiveWekas]:
    """All versions, to be stopped in the end."""
    with ExitStack() as stack:
        yield LiveWekas(stack)
