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
from j48geo.read.repair.lines import describe_damage, line_repairs
from j48geo.read.repair.marks import remove_open_marks
from j48geo.read.repair.repairs import Repair, apply_repairs, find_applicable
from j48geo.text import list_first

# Lines are mended in several ways, so that size counts several times.
_LARGEST_FOR_LINES = 1 << 20
_MOST_WAYS = 32
_OPEN_MARKS = Repair("marks before the lines of the tree were removed", remove_open_marks)


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
    best, problem = _read_with_characters(text, header, attempt, characters)
    if best is None or not best.is_whole:
        best = _read_with_lines(text, header, attempt, characters, best, problem)
    if best is None:
        assert problem is not None
        raise _explained(problem, apply_repairs(text, characters))
    needed, trees = _fewest(text, attempt, best)
    return replace(trees, notes=(*_notes(text, needed), *trees.notes))


def _read_with_characters(
    text: str, header: Header | None, attempt: _Attempt, characters: list[Repair]
) -> tuple[_Repaired | None, ModelReadError | None]:
    """What is read with and without repairs of characters, and the furthest error."""
    # Without a header damaged names would be taken for names, so that repairs come first.
    orders: list[list[Repair]] = [[], characters] if header is not None else [characters, []]
    problem: ModelReadError | None = None
    best: _Repaired | None = None
    for chosen in orders if characters else [[]]:
        try:
            candidate = _Repaired(attempt(apply_repairs(text, chosen), strict=False), chosen)
        except ModelReadError as error:
            if problem is None or error.line > problem.line:
                problem = error
            continue
        is_bare = header is None and bool(characters) and not chosen
        if is_bare and _begins_with_marks(candidate.found):
            continue  # a part of the tree, with its quotation marks for names
        if best is None or candidate.good > best.good:
            best = candidate
        if candidate.is_whole:
            break
    return best, problem


def _begins_with_marks(found: TreeText) -> bool:
    """Whether a name that was guessed begins with a mark of mail, or of indentation."""
    trees = (tree for entry in found.entries for tree in entry.readings)
    return any(name.startswith((">", "|")) for tree in trees for name in tree.header.names)


def _read_with_lines(
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
    candidates = _try_line_repairs(base, header, attempt, characters)
    most = max((candidate.good for candidate in candidates), default=0)
    if most <= (0 if best is None else best.good):
        return best
    fullest = [candidate for candidate in candidates if candidate.good == most]
    if any(_trees(candidate.found) != _trees(fullest[0].found) for candidate in fullest):
        if best is None and problem is not None:
            raise ModelReadError(
                f"{problem.problem} (repairs of the lines lead to different trees)",
                *problem.args[1:],
            )
        return best
    return fullest[0] if best is None or _keeps(best, fullest[0]) else best


def _try_line_repairs(
    base: str, header: Header | None, attempt: _Attempt, characters: list[Repair]
) -> list[_Repaired]:
    """What can be read after some repairs of lines, for every text that they make."""
    candidates = []
    # Without a header nobody can tell marks before all names from names.
    marks = () if header is None else (_OPEN_MARKS,)
    for after, used in _ways_to_mend(base, (*marks, *line_repairs(header))):
        try:
            candidates.append(_Repaired(attempt(after, strict=True), [*characters, *used]))
        except ModelReadError:
            continue
    return candidates


def _ways_to_mend(text: str, repairs: Sequence[Repair]) -> list[tuple[str, list[Repair]]]:
    """Different texts that some of the repairs make, those with the fewest first."""
    ways: dict[str, list[Repair]] = {text: []}
    for repair in repairs:
        for before, used in list(ways.items()):
            if len(ways) <= _MOST_WAYS:
                ways.setdefault(repair.mend(before), [*used, repair])
    return sorted(ways.items(), key=lambda way: len(way[1]))[1:]


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
