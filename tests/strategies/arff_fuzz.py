"""The makers of odd ARFF texts in scripts/fuzz_arff, for tests to use in small numbers."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from random import Random
from types import ModuleType

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "fuzz_arff"


def _load_script() -> ModuleType:
    loader = SourceFileLoader("fuzz_arff", str(SCRIPT))
    spec = spec_from_loader("fuzz_arff", loader)
    assert spec is not None
    module = module_from_spec(spec)
    # A compiled copy beside the script would be taken for a file of the project.
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module


fuzz = _load_script()


def odd_text(seed: int) -> bytes:
    """One text, mostly an ARFF file, always the same for the same seed."""
    chance = Random(seed)
    text: str = fuzz.damage_text(fuzz.random_text(chance), chance)
    return text.encode("utf-8", "surrogateescape")
