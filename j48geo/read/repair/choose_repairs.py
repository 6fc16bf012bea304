"""Which repairs a text needs: as few as possible, and none where two would disagree.

The text as it is comes first: a repair is tried only where the text cannot be read without
it, and only the repairs that are needed are kept and reported. Without a header the order is
turned round for changed characters, since damaged names would be taken for names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from j48geo.core.dataset import Header
from j48geo.core.tree_text import Entry, TreeText
from j48geo.errors import ModelReadError
from j48geo.read.repair.characters import CHARACTER_REPAIRS
from j48geo.read.repair.line_signs import describe_damage
from j48geo.read.repair.lines import line_repairs
from j48geo.read.repair.repairs import Repair, apply_repairs, find_applicable
from j48geo.text import list_first

# Lines are mended in several ways, so that size counts several times.
_LARGEST_FOR_LINES = 1 << 20
_MOST_WAYS = 32


class _Attempt(Protocol):
    def __call__(self, text: str, *, strict: bool) -> TreeText: ...


class _Repaired(NamedTuple):
    """A text that could be read after these repairs; `good` of its trees without an error."""

    found: TreeText
    repairs: list[Repair]

    @property
    def good(self) -> int:
        return sum(entry.error is None for entry in self.found.entries)

    @property
    def is_whole(self) -> bool:
        return self.good == len(self.found.entries)


def read_with_repairs(text: str, header: Header | None, attempt: _Attempt) -> TreeText:
    """Read a text with `attempt`, as it is or after the repairs it needs.

    Parameters
    ----------
    attempt
        Reads a text without repairs; if `strict`, a footer must agree whatever its spelling.

    Raises
    ------
    ModelReadError
        That of the attempt that came furthest, with what the line looks like.
    """
    characters = find_applicable(text, CHARACTER_REPAIRS)
    orders: list[list[Repair]] = [[], characters] if header is not None else [characters, []]
    problem: ModelReadError | None = None
    best: _Repaired | None = None
    for chosen in orders if characters else [[]]:
        try:
            trial = _Repaired(attempt(apply_repairs(text, chosen), strict=False), chosen)
        except ModelReadError as error:
            if problem is None or error.line > problem.line:
                problem = error
            continue
        if header is None and characters and not chosen and _begins_with_marks(trial.found):
            continue  # a part of the tree, with its quotation marks for names
        if best is None or trial.good > best.good:
            best = trial
        if trial.is_whole:
            break
    if best is None or not best.is_whole:
        best = _with_lines_mended(text, header, attempt, characters, best, problem)
    if best is None:
        assert problem is not None
        raise _explained(problem, apply_repairs(text, characters))
    needed, found = _fewest(text, attempt, best)
    return replace(found, notes=(*_notes(text, needed), *found.notes))


def _begins_with_marks(found: TreeText) -> bool:
    """Whether a name that was guessed begins with a mark of mail, or of indentation."""
    trees = (tree for entry in found.entries for tree in entry.readings)
    return any(name.startswith((">", "|")) for tree in trees for name in tree.header.names)


def _with_lines_mended(
    text: str,
    header: Header | None,
    attempt: _Attempt,
    characters: list[Repair],
    best: _Repaired | None,
    problem: ModelReadError | None,
) -> _Repaired | None:
    """What is read after repairs of lines, if that is more, and the same by every way."""
    base = apply_repairs(text, characters)
    if len(base) > _LARGEST_FOR_LINES:
        return best
    lines = line_repairs(header)
    ways: dict[str, list[Repair]] = {base: []}
    for repair in lines:
        for before, used in list(ways.items()):
            if len(ways) <= _MOST_WAYS:
                ways.setdefault(repair.mend(before), [*used, repair])
    trials = []
    for after, used in sorted(ways.items(), key=lambda way: len(way[1]))[1:]:
        try:
            trials.append(_Repaired(attempt(after, strict=True), [*characters, *used]))
        except ModelReadError:
            continue
    most = max((trial.good for trial in trials), default=0)
    if most <= (0 if best is None else best.good):
        return best
    fullest = [trial for trial in trials if trial.good == most]
    if any(_trees(trial.found) != _trees(fullest[0].found) for trial in fullest):
        if best is None and problem is not None:
            raise ModelReadError(
                f"{problem.problem} (repairs of the lines lead to different trees)",
                *problem.args[1:],
            )
        return best
    return fullest[0] if best is None or _keeps(best, fullest[0]) else best


def _keeps(before: _Repaired, after: _Repaired) -> bool:
    """Whether every tree that could be read before is still the same."""
    pairs = zip(before.found.entries, after.found.entries, strict=False)
    return len(before.found.entries) == len(after.found.entries) and all(
        _tree(old) == _tree(new) for old, new in pairs if old.error is None
    )


def _fewest(text: str, attempt: _Attempt, best: _Repaired) -> tuple[list[Repair], TreeText]:
    """Drop every repair without which the same trees are read."""
    needed, found = list(best.repairs), best.found
    for repair in best.repairs:
        fewer = [r for r in needed if r is not repair]
        strict = any(r not in CHARACTER_REPAIRS for r in fewer)
        try:
            again = attempt(apply_repairs(text, fewer), strict=strict)
        except ModelReadError:
            continue
        if _trees(again) == _trees(found):
            needed, found = fewer, again
    return needed, found


def _trees(found: TreeText) -> list[object]:
    return [_tree(entry) for entry in found.entries]


def _tree(entry: Entry) -> object:
    return [
        (t.header, t.nodes, [(x.label, x.weight, x.errors, x.token) for x in t.leaves])
        for t in entry.readings
    ]


def _notes(text: str, repairs: Sequence[Repair]) -> list[str]:
    """What each repair did; what it left out is named."""
    notes = []
    for repair in repairs:
        gone = repair.lines(text) if repair.lines is not None else ()
        notes.append(f"{repair.note}: {list_first(gone)}" if gone else repair.note)
        text = repair.mend(text)
    return notes


def _explained(problem: ModelReadError, text: str) -> ModelReadError:
    """The same error, with what its line looks like."""
    if not problem.line or not problem.excerpt:
        return problem
    below = text.split("\n")[problem.line : problem.line + 1]
    looks = describe_damage(problem.excerpt, *below)
    if not looks:
        return problem
    return ModelReadError(f"{problem.problem} ({looks})", *problem.args[1:])
