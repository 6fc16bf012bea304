"""Ctrl-C, SIGTERM and SIGHUP: silence, the right exit code, and nothing half written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command_line import ROOT

PIMA = ROOT / "fixtures" / "pima"

PATH = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))

# The program as its entry point starts it; Ctrl-C comes when a module is about to be imported.
HARNESS = """
import os, signal, sys
from j48geo.cli import main

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == moment:
            os.kill(os.getpid(), signal.SIGINT)

moment = sys.argv.pop(1)
sys.meta_path.insert(0, Interrupting())
sys.exit(main())
"""
MOMENTS = (
    *("j48geo.cli.signals", "j48geo.cli.app", "click", "click.core", "j48geo.cli.notes"),
    *("j48geo.errors", "j48geo.cli.commands.rank", "j48geo.cli.inputs", "numpy", "numpy.linalg"),
    *("j48geo.model.loader", "j48geo.data.arff.stream", "lark", "j48geo.score.ranking"),
)


def heard() -> None:
    """Signals in a new process as a terminal gives them: in the background some are ignored."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_while_the_program_is_still_imported_is_silent(moment: str) -> None:
    files = [str(PIMA / "model.txt"), str(PIMA / "data.arff")]
    done = subprocess.run(
        [sys.executable, "-c", HARNESS, moment, "rank", *files, "--format", "csv"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": PATH},
        preexec_fn=heard,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def start_endless(out: Path) -> subprocess.Popen[bytes]:
    """The program while it writes `out`: rows come until the file is begun, and never end."""
    text = (PIMA / "data.arff").read_text()
    rows = text.partition("@data\n")[2]
    many = subprocess.Popen(
        [
            *(sys.executable, "-m", "j48geo", "predict", str(PIMA / "model.txt"), "-"),
            *("--train", str(PIMA / "data.arff"), "--format", "csv", "-o", str(out)),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": PATH},
        preexec_fn=heard,
    )
    assert many.stdin is not None
    many.stdin.write(text.encode())
    before = set(unfinished(out))
    deadline = time.monotonic() + 60
    while not set(unfinished(out)) - before:
        assert time.monotonic() < deadline
        many.stdin.write(rows.encode())
        many.stdin.flush()
    return many


def unfinished(out: Path) -> list[Path]:
    """The unfinished copies of a file."""
    return list(out.parent.glob(f".{out.name}.*.part"))


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_writing_leaves_the_old_file_and_nothing_else(
    name: str, tmp_path: Path
) -> None:
    number = getattr(signal, name)
    out = tmp_path / "out.csv"
    out.write_text("old")
    many = start_endless(out)
    assert len(unfinished(out)) == 1
    many.send_signal(number)
    _, said = many.communicate()
    assert many.returncode == 128 + number
    assert b"Traceback" not in said
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.csv"]
    assert out.read_text() == "old"


def test_the_next_run_removes_what_a_killed_one_left_but_not_what_is_being_written(
    tmp_path: Path,
) -> None:
    out = tmp_path / "out.csv"
    killed = start_endless(out)
    killed.kill()
    killed.communicate()
    (left,) = unfinished(out)
    strangers = tmp_path / ".out.csv.mine.part"
    strangers.write_text("kept")
    running = start_endless(out)
    try:
        assert left not in unfinished(out)
        (growing,) = (path for path in unfinished(out) if path != strangers)
        done = subprocess.run(
            [sys.executable, "-m", "j48geo", "data", str(PIMA / "data.arff"), "-o", str(out)],
            env={**os.environ, "PYTHONPATH": PATH},
            check=False,
        )
        assert done.returncode == 0
        assert sorted(tmp_path.iterdir()) == sorted([growing, strangers, out])
    finally:
        running.kill()
        running.communicate()


@pytest.mark.parametrize("megabytes", [2, 5, 9, 30])
def test_too_little_memory_is_one_line(megabytes: int, tmp_path: Path) -> None:
    code = (
        "import resource, sys\n"
        "import numpy, j48geo.model.loader, j48geo.score.ranking\n"
        "from j48geo.cli import main\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        f"limit = used + {megabytes}_000_000\n"
        "resource.setrlimit(resource.RLIMIT_AS, (limit, limit))\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory in use is not told here")
    text = (PIMA / "data.arff").read_text()
    data = tmp_path / "many.arff"
    data.write_text(text + text.partition("@data\n")[2] * 600)
    out = tmp_path / "out.csv"
    done = subprocess.run(
        [
            *(sys.executable, "-c", code, "rank", str(PIMA / "model.txt"), str(data)),
            *("--format", "csv", "-o", str(out)),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": PATH},
        check=False,
    )
    assert done.returncode in (2, 3, 4)  # the program, the model or the data
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "memory" in line
    assert [path.name for path in tmp_path.iterdir()] == ["many.arff"]


def test_a_signal_that_the_caller_ignores_stays_ignored() -> None:
    code = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from j48geo.cli.signals import end_on_signals\n"
        "end_on_signals()\n"
        "os.kill(os.getpid(), signal.SIGHUP)\n"
        "print('still here')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": PATH},
        preexec_fn=heard,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "still here\n", "")
