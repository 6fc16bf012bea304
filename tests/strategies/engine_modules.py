"""The engines that a model may run on and that the test environment need not have."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest


def import_engine(module: str, engine: str) -> Any:
    """A module of an engine; without it the test, or the file of tests, is skipped."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        pytest.skip(f"{engine} is not installed", allow_module_level=True)
