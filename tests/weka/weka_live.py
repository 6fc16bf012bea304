"""Runs a live Weka: one JVM, many jobs. The Java side is scripts/java/WekaTruth.java."""

from __future__ import annotations

import csv
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "scripts" / "java" / "WekaTruth.java"
J48 = "weka.classifiers.trees.J48"
JVM_OPTIONS = (
    "-Xmx2g",
    "-Xss256m",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Djava.awt.headless=true",
    "-Duser.timezone=UTC",
    "-Dfile.encoding=UTF-8",
    "-Dweka.packageManager.offline=true",
)

_TIMES = re.compile(r"^(Time taken to .*: ).*( seconds)$", re.MULTILINE)


class NoWekaError(Exception):
    """There is no Weka to run here; the message says what is missing."""


class WekaError(Exception):
    """Weka refused the job; the message is its own."""


@dataclass(frozen=True)
class Prediction:
    """A row of weka.csv: what Weka says of one case."""

    set: str
    tree: int
    row: int
    actual: str
    predicted: str
    predicted_argmax: str
    weight: float
    distribution: tuple[float, ...]


class Answers(NamedTuple):
    """Of each row the class (NaN if it is left open), and the distribution to the last bit."""

    classified: NDArray[np.float64]
    distribution: NDArray[np.float64]

    def same(self, classified: NDArray[np.intp], distribution: NDArray[np.float64]) -> int:
        """How many rows have the same class (-1: left open) and the very same distribution."""
        classes = np.where(np.isnan(self.classified), -1, self.classified)
        bits = np.ascontiguousarray(distribution).view(np.uint64)
        equal = (bits == self.distribution.view(np.uint64)).all(axis=1)
        return int((equal & (classes == classified)).sum())


def answers(file: Path) -> Answers:
    """Lines of a class and the bits of its distribution in hexadecimal."""
    lines = [line.split() for line in file.read_text(encoding="ascii").splitlines()]
    bits = np.array([[int(word, 16) for word in words[1:]] for words in lines], dtype=np.uint64)
    return Answers(np.array([float(words[0]) for words in lines]), bits.view(np.float64))


class Weka:
    """A running JVM with Weka in it."""

    def __init__(self, version: str, process: subprocess.Popen[str], noise: IO[bytes]) -> None:
        self.version = version
        self._process = process
        self._noise = noise

    def truth(
        self,
        folder: Path,
        train: Path,
        *,
        test: Path | None = None,
        scheme: str = J48,
        options: str = "",
        class_index: int = -1,
    ) -> None:
        """Build a classifier and write model.txt, graph.dot, tree.json, weka.csv into the folder.

        A FilteredClassifier also leaves filtered.arff there: the rows its tree was built from.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self._ask("truth", folder, class_index, scheme, options, train, test or "")

    def text(
        self, train: Path | None, *, scheme: str = J48, options: str = "", class_index: int = -1
    ) -> str:
        """What the classifier says of itself after it was built from the rows, or before it was."""
        return self._text("text", class_index, scheme, options, train or "")

    def seconds(self, train: Path, *, options: str = "") -> float:
        """CPU time that a second build of the tree takes."""
        return float(self._ask("seconds", -1, J48, options, train))

    def cli(
        self,
        train: Path,
        *,
        test: Path | None = None,
        scheme: str = J48,
        options: str = "",
        class_index: int = -1,
    ) -> str:
        """What Weka's command line prints for -t, -T, -c and options, with the times set to 0."""
        arguments = f'-t "{train}"'
        if test is not None:
            arguments += f' -T "{test}"'
        if class_index >= 0:
            arguments += f" -c {class_index + 1}"
        return self._text("cli", scheme, f"{arguments} {options}")

    def explorer(
        self,
        train: Path,
        *,
        scheme: str = J48,
        options: str = "",
        class_index: int = -1,
        fold_models: int | None = None,
    ) -> str:
        """What the Explorer shows after Start, cross-validated, with the times set to 0.

        `fold_models` is a number of folds whose models are shown too.
        """
        return self._text("explorer", class_index, scheme, options, train, fold_models or "")

    def save(
        self,
        file: Path,
        train: Path,
        *,
        scheme: str = J48,
        options: str = "",
        class_index: int = -1,
        header: bool = True,
    ) -> None:
        """Build a classifier and save it as a .model, with the header as the Explorer does."""
        keep = "header" if header else "alone"
        self._ask("save", file, class_index, scheme, options, train, keep)

    def ask(
        self, model: Path, rows: Path, *, class_index: int = -1, keep: Path | None = None
    ) -> tuple[str, Answers]:
        """What a saved classifier prints, and what it says of every row.

        Where `keep` is given the answers are kept there too.
        """
        with tempfile.TemporaryDirectory() as folder:
            self._ask("ask", folder, class_index, model, rows)
            text = (Path(folder) / "text").read_text(encoding="utf-8")
            if keep is not None:
                shutil.copyfile(Path(folder) / "answers", keep)
            return text, answers(Path(folder) / "answers")

    def curve_area(self, curve: Path) -> float:
        """The ROC area that ThresholdCurve finds in the ARFF of a curve."""
        return float(self._ask("area", curve))

    def _text(self, verb: str, *fields: object) -> str:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "text"
            self._ask(verb, file, *fields)
            return _TIMES.sub(r"\g<1>0\2", file.read_bytes().decode("utf-8"))

    def _ask(self, *fields: object) -> str:
        words = [str(field) for field in fields]
        if any("\t" in word or "\n" in word for word in words):
            raise ValueError("a job's fields hold no tabs and no line breaks")
        jobs, answers = self._process.stdin, self._process.stdout
        assert jobs is not None
        assert answers is not None
        try:
            jobs.write("\t".join(words) + "\n")
            jobs.flush()
        except BrokenPipeError:
            pass
        status, _, message = answers.readline().rstrip("\n").partition("\t")
        if not status:
            self._noise.seek(0)
            last = self._noise.read().decode("utf-8", "replace")[-2000:]
            raise RuntimeError(f"the JVM of Weka {self.version} has died:\n{last}")
        if status != "ok":
            raise WekaError(message[:300])
        return message


def predictions(file: Path) -> list[Prediction]:
    """The rows of a weka.csv."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines)
        next(rows)
        return [
            Prediction(
                set=row[0],
                tree=int(row[1]),
                row=int(row[2]),
                actual=row[3],
                predicted=row[4],
                predicted_argmax=row[5],
                weight=float(row[6]),
                distribution=tuple(map(float, row[7:])),
            )
            for row in rows
        ]


@contextmanager
def running_weka(
    version: str, *, fetch: bool = False, fully_compiled: bool = False, locale: str = "en-US"
) -> Iterator[Weka]:
    """A Weka of this version, 3.9.7, 3.9.5 or 3.6.14, in English and UTC; raises NoWekaError.

    The jar is only looked for where scripts/weka_jar keeps it, unless it may be fetched.
    A JVM that compiles fully starts slower; it is for measuring times.
    """
    options = [o for o in JVM_OPTIONS if not (fully_compiled and "TieredStop" in o)]
    options += _locale_options(locale)
    class_path = f"{_compiled(version, fetch=fetch)}{os.pathsep}{_class_path(version, fetch=fetch)}"
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile() as noise:
        process = subprocess.Popen(
            ["java", *options, f"-Duser.home={home}", "-cp", class_path, "WekaTruth"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=noise,
            encoding="utf-8",
            env={**os.environ, "WEKA_HOME": home},
            cwd=home,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield Weka(version, process, noise)
        finally:
            process.stdin.close()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            process.stdout.close()


def printed_with_errors(version: str, scheme: str, arguments: list[str]) -> str:
    """What a JVM of its own prints for a command, standard error among it (2>&1)."""
    class_path = _class_path(version, fetch=True)
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(
            [
                *("java", *JVM_OPTIONS, *_locale_options("en-US"), f"-Duser.home={home}"),
                *("-cp", class_path, scheme, *arguments),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            env={**os.environ, "WEKA_HOME": home},
            check=True,
        )
    return _TIMES.sub(r"\g<1>0\2", done.stdout)


def _locale_options(locale: str) -> list[str]:
    """Options that make a JVM speak this language, such as sv-SE."""
    language, _, country = locale.partition("-")
    return [f"-Duser.language={language}", f"-Duser.country={country}"]


def _class_path(version: str, *, fetch: bool) -> str:
    """The class path of a Weka, from scripts/weka_jar."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "weka_jar", version, *([] if fetch else ["--offline"])],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoWekaError(done.stderr.strip().splitlines()[-1])
    return done.stdout.strip()


def _compiled(version: str, *, fetch: bool) -> Path:
    """The folder with WekaTruth compiled against this Weka, compiled if it is not there yet."""
    for program in ("java", "javac"):
        if shutil.which(program) is None:
            raise NoWekaError(f"no {program} on the PATH")
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:12]
    kept = ROOT / ".cache" / "weka" / version / f"classes-{digest}"
    if not kept.exists():
        class_path = _class_path(version, fetch=fetch)
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            classes = Path(folder) / "classes"
            javac = ("javac", "-nowarn", "-encoding", "UTF-8", "-cp", class_path)
            done = subprocess.run(
                [*javac, "-d", classes, SOURCE],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                raise RuntimeError(f"WekaTruth does not compile:\n{done.stderr}")
            if not kept.exists():
                classes.rename(kept)
    return kept
