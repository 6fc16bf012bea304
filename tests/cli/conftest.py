from __future__ import annotations

import pytest
from command_line import Run, here


@pytest.fixture
def j48geo(capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Runs the program in this process: ``j48geo("check", model, data)``."""
    return here(capfdbinary)
