"""A JVM with a Weka and one data set in it; its Java side is studies/java/Reproduce.java."""

from __future__ import annotations

import hashlib
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reproduction.places import ROOT
from reproduction.samples import Ints

__all__ = ["J48", "NoWekaError", "TooSlowError", "Weka", "running_weka"]

J48 = "weka.classifiers.trees.J48"
SOURCE = ROOT / "scripts" / "studies" / "java" / "Reproduce.java"
JVM_OPTIONS = (
    "-Xmx1500m",
    "-Xss64m",
    "-XX:+UseSerialGC",
    "-Djava.awt.headless=true",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    "-Dweka.packageManager.offline=true",
)


class NoWekaError(Exception):
    """There is no Weka to run here; the message says what is missing."""


class TooSlowError(Exception):
    """Weka did not answer in time; its JVM has been ended."""


class Weka:
    """A running JVM; ask it for one classifier at a time."""

    def __init__(self, version: str, process: subprocess.Popen[str]) -> None:
        self.version = version
        self._process = process

    def text(self, scheme: str, options: str, train: Ints) -> str:
        """What the classifier prints."""
        answer = self._ask(None, "text", scheme, options, _numbers(train))
        return answer.replace("\\n", "\n").replace("\\\\", "\\")

    def distribution(
        self, scheme: str, options: str, train: Ints, test: Ints, *, seconds: float | None = None
    ) -> NDArray[np.float64]:
        """Class probabilities of the test rows, shape (n_test, n_classes).

        TooSlowError if that takes more than `seconds` as `spent` counts them.
        """
        fields = (scheme, options, _numbers(train), _numbers(test))
        answer = self._ask(seconds, "distribution", *fields)
        return np.array(answer.split(), dtype=np.float64).reshape(len(test), -1)

    def classes(self, scheme: str, options: str, train: Ints, test: Ints) -> Ints:
        """Predicted class of the test rows."""
        fields = (scheme, options, _numbers(train), _numbers(test))
        return np.array(self._ask(None, "classes", *fields).split(), dtype=np.intp)

    def spent(self) -> float:
        """CPU seconds of the JVM, so that a busy machine changes nothing; else of the clock."""
        try:
            told = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="ascii")
        except FileNotFoundError:  # not Linux
            return time.monotonic()
        user, system = told.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _ask(self, seconds: float | None, *fields: str) -> str:
        jobs, answers = self._process.stdin, self._process.stdout
        assert jobs is not None
        assert answers is not None
        jobs.write("\t".join(fields) + "\n")
        jobs.flush()
        if seconds is not None:
            end = self.spent() + seconds
            # An answer is one line, so nothing waits in Python's own buffer.
            while not select.select([answers], [], [], 0.1)[0]:
                if self.spent() > end:
                    self._process.kill()
                    raise TooSlowError(f"no answer of Weka {self.version} in {seconds:.0f} s")
        status, _, message = answers.readline().rstrip("\n").partition("\t")
        if status != "ok":
            raise RuntimeError(f"Weka {self.version}: {message or 'its JVM has died'}")
        return message


def _numbers(rows: Ints) -> str:
    return " ".join(map(str, rows.tolist()))


@contextmanager
def running_weka(version: str, arff: str, *, offline: bool = False) -> Iterator[Weka]:
    """A Weka, 3.9.7 or 3.6.14, with the rows of `arff` in it."""
    jars = _class_path(version, offline=offline)
    class_path = f"{_compiled(version, jars)}{os.pathsep}{jars}"
    with tempfile.TemporaryDirectory() as home:
        data = Path(home) / "data.arff"
        data.write_text(arff, encoding="utf-8")
        process = subprocess.Popen(
            ["java", *JVM_OPTIONS, f"-Duser.home={home}", "-cp", class_path, "Reproduce", data],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "WEKA_HOME": home},
            cwd=home,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Weka(version, process)
        finally:
            try:
                process.stdin.close()
                process.wait(timeout=10)
            except (subprocess.TimeoutExpired, BrokenPipeError):
                process.kill()
                process.wait()
            process.stdout.close()


def _class_path(version: str, *, offline: bool) -> str:
    done = subprocess.run(
        [
            sys.executable,
            ROOT / "scripts" / "weka_jar",
            version,
            *(["--offline"] if offline else []),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoWekaError(done.stderr.strip().splitlines()[-1])
    return done.stdout.strip()


def _compiled(version: str, class_path: str) -> Path:
    """The folder with Reproduce compiled against this Weka, compiled if it is not there yet."""
    for program in ("java", "javac"):
        if shutil.which(program) is None:
            raise NoWekaError(f"no {program} on the PATH")
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:12]
    kept = ROOT / ".cache" / "weka" / version / f"reproduce-{digest}"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            classes = Path(folder) / "classes"
            javac = ("javac", "-nowarn", "-encoding", "UTF-8", "-cp", class_path)
            done = subprocess.run(
                [*javac, "-d", classes, SOURCE], capture_output=True, text=True, check=False
            )
            if done.returncode:
                raise RuntimeError(f"Reproduce.java does not compile:\n{done.stderr}")
            if not kept.exists():
                classes.rename(kept)
    return kept
