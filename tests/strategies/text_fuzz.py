"""Mutated tree texts: each is refused with one error, or read as something it really says."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import j48geo
from j48geo.read.readers import read_trees
from j48geo.show.weka_text import tree_lines

SLOW = 5.0
PIECES = [
    "|   ", "|", " <= ", " > ", " = ", " != ", ": ", " (", ")", "/", "\n", "\n\n", " ", "\t", "1.0",
    "(0.0)", "0", "-", "\u2212", "J48 pruned tree\n------------------\n\n",
    "Number of Leaves  : \t", "Size of the tree : \t", "> ", "&lt;", "```", "\r\n", "\x00",
    "\ufeff", "\u00a0", "\u2264", "é",
    "@relation x\n@attribute a numeric\n@data\n", "digraph J48Tree {\n", '"', "'", "\\n", "E9", ".",
]  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A text to spoil, and the header of its data."""

    name: str
    text: str
    header: j48geo.Header
    sizes: frozenset[tuple[int, int]]


def sources(fixtures: Path) -> list[Source]:
    """The texts of the fixtures."""
    found = []
    for folder in sorted(p.parent for p in fixtures.glob("*/model.txt")):
        header = j48geo.read_arff(folder / "data.arff").header
        if folder.name == "class-first":
            header = header.with_class("first")
        try:
            text = (folder / "model.txt").read_text(encoding="utf-8").partition("Time taken")[0]
            trees = read_trees(text.encode(), header=header)
        except (UnicodeDecodeError, j48geo.errors.ModelReadError):
            continue  # spoilt texts are UTF-8, and are compared with the trees of the whole text
        sizes = {(e.readings[0].size, len(e.readings[0].leaves)) for e in trees.entries}
        found.append(Source(folder.name, text, header, frozenset(sizes)))
    return found


def mutants(source: Source, count: int, seed: int) -> Iterator[str]:
    """Texts a few edits away: cut, doubled, swapped, spliced, characters changed."""
    chance = random.Random(f"{seed} {source.name}")
    for _ in range(count):
        text = source.text
        for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
            text = _edit_text(text, chance)
        yield text


def _edit_text(text: str, chance: random.Random) -> str:
    kind = chance.randrange(8)
    lines = text.split("\n")
    at = chance.randrange(len(text) + 1)
    line = chance.randrange(len(lines))
    if kind == 0:
        return text[:at] + chance.choice(PIECES) + text[at:]
    if kind == 1:
        return text[:at] + text[at + chance.randrange(1, 9) :]
    if kind == 2:
        return text[:at]
    if kind == 3:
        del lines[line]
    elif kind == 4:
        lines.insert(line, chance.choice(lines))
    elif kind == 5:
        other = chance.randrange(len(lines))
        lines[line], lines[other] = lines[other], lines[line]
    elif kind == 6:
        return text[:at] + chr(chance.choice((*range(32, 127), 0x2264, 0x661))) + text[at + 1 :]
    else:
        piece = chance.choice(PIECES)
        return text.replace(piece, chance.choice(PIECES), chance.choice((1, -1)))
    return "\n".join(lines)


def examine_text(text: str, header: j48geo.Header | None) -> tuple[str, str]:
    """How a text was taken: ``refused`` or ``read``, and what is wrong with that, if anything."""
    before = time.process_time()
    try:
        found = read_trees(text.encode("utf-8", "surrogatepass"), header=header)
    except j48geo.J48GeoError as error:
        outcome, problem = "refused", "" if _is_one_line(error) else f"not one line: {error}"
    else:
        outcome, problem = "read", ""
        for entry in found.entries:
            if len(entry.readings) == 1:  # of two readings neither is taken without data
                problem = problem or _silent_difference(text, entry.readings[0], found)
    took = time.process_time() - before
    return outcome, problem or (f"took {took:.1f} s" if took > SLOW else "")


def _is_one_line(error: j48geo.J48GeoError) -> bool:
    return str(error).count("\n") == 0


def _silent_difference(text: str, tree: j48geo.BoxTree, found: object) -> str:
    """A tree that is read without a word must stand in the text letter by letter."""
    notes = getattr(found, "notes", ())
    block = j48geo.tree_text(tree)
    header = None if tree.header.inferred else tree.header
    try:
        again = j48geo.read_tree(block.encode("utf-8", "surrogatepass"), header=header)
    except j48geo.ModelReadError as error:  # a footer that is noted above is binding here
        return "" if tree.layout.footer_agrees is False and tree.notes else f"its own text: {error}"
    if _named_splits(again) != _named_splits(tree):
        return "its own text reads as another tree"
    lines = "\n".join(line for line, _ in tree_lines(tree))
    if not notes and lines not in text.replace("\r\n", "\n"):
        return "the tree does not stand in the text, and nothing was said"
    return ""


def _named_splits(tree: j48geo.BoxTree) -> list[tuple[object, ...]]:
    """The splits by names: a header that is not given is inferred, its columns in another order."""
    splits = []
    for _, split in tree.splits:
        attribute = tree.attribute(split)
        value = attribute.values[split.value] if split.kind == "binary" else ""
        splits.append((attribute.name, split.kind, split.threshold, split.closed, value))
    return splits
