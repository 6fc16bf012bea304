"""Live Wekas of several versions, each started when it is first needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from weka_live import Weka, running_weka


class LiveWekas:
    """Running Wekas by version: ``wekas["3.9.7"]``."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._running: dict[str, Weka] = {}

    def __getitem__(self, version: str) -> Weka:
        if version not in self._running:
            live = self._stack.enter_context(running_weka(version, fetch=True))
            self._running[version] = live
        return self._running[version]


@contextmanager
def live_wekas() -> Iterator[LiveWekas]:
    """All versions, to be stopped in the end."""
    with ExitStack() as stack:
        yield LiveWekas(stack)
