"""The faults of scripts/mutants.txt fit the code, so that a renamed line does not drop one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "mutants"


def test_every_fault_stands_for_exactly_one_place_of_the_code() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "faults fit the code" in done.stdout
