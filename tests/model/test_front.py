"""The fronts of folders offer what they list, and nothing is imported before it is used."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest


@pytest.mark.parametrize("folder", ["j48geo.model", "j48geo.engines"])
def test_every_name_of_a_front_is_there(folder: str) -> None:
    front = import_module(folder)
    for name in front.__all__:
        assert getattr(front, name) is not None, name
        assert name in dir(front)
    with pytest.raises(AttributeError, match="nonsense"):
        front.nonsense  # noqa: B018


@pytest.mark.parametrize("folder", ["j48geo.model", "j48geo.engines", "j48geo.cli"])
def test_importing_a_front_loads_nothing_heavy(folder: str) -> None:
    code = f"import sys, {folder}; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
