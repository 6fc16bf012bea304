"""The definition of a tree among the fixtures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from weka_live import J48


@dataclass(frozen=True)
class TreeCase:
    """What to grow from what, and how to print it."""

    about: str
    train: str | Callable[[], str]
    test: str | None = None
    weka: str = "3.9.7"
    scheme: str = J48
    options: str = ""
    print_as: str = "cli"
    class_index: int = -1
    copied: str = ""
    status: str = "ok"
