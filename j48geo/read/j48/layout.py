"""What follows a tree block: its footer, and the layout by which its producer is known."""

from __future__ import annotations

import re

from lark import Token

from j48geo.core.tree import TreeLayout
from j48geo.read.j48.scanner import BlockReading
from j48geo.read.j48.surroundings import Surroundings
from j48geo.read.j48.text import TextPosition
from j48geo.read.j48.vocabulary import Dialect, DialectName

_LINE_LIKE_BRANCH = re.compile(
    r"(?:\|[ \t]+)+\S|[ \t]*\(\d|[^\n]+ (?:<=|>=|<|>|!=|=) +\S[^\n]*(?:\)|: \S+)?$"
)
_ENDS_LIKE_COUNTS = re.compile(r"(?:[^\n]*\([\d.]+(?:/[\d.]*)?|[\d./]*)\)[ \t]*$")
_NOT_BLANK = re.compile(r"^[^\n]*\S[^\n]*$", re.M)
_FOOTER = re.compile(
    r"(?P<before>\n*)Number of Leaves(?P<a>[ \t]*:[ \t]*)(?P<leaves>\d+)(?P<between>[ \t]*\n\s*)"
    r"(?P<word>Size of (?:the )?tree)(?P<b>[ \t]*:[ \t]*)(?P<size>\d+)(?P<after>[ \t]*\n?)",
    re.I,
)
_HALF = re.compile(
    r"\s*^(?:Number of Leaves[ \t]*:[ \t]*(?P<leaves>\d+)"
    r"|Size of (?:the )?tree[ \t]*:[ \t]*(?P<size>\d+))[ \t]*$",
    re.I | re.M,
)


def read_layout(
    place: TextPosition,
    around: Surroundings,
    reading: BlockReading,
    dialect: Dialect,
    banner: Token | None,
    *,
    strict: bool = False,
) -> tuple[TreeLayout, tuple[str, ...]]:
    """The layout of a block and its notes: the footer is compared, the counts are checked.

    Raises
    ------
    ModelReadError
        If the footer contradicts the tree and is Weka's own (or any, if `strict`), if lines
        are left over behind it, or if a leaf claims more errors than weight.
    """
    footer = _FOOTER.match(place.text, reading.end)
    name = _dialect_name(dialect, footer, around, banner)
    template = ""
    if footer is None:
        notes = [_compare_half_footer(place, reading)]
    else:
        binding = strict or (name == "weka" and _is_wekas(footer))
        wrong = _compare_footer(place, reading, footer, binding=binding)
        notes = list(wrong.values())
        template = _footer_template(footer, wrong)
    notes += _check_errors(place, reading, refuse=name == "weka")
    summed = False
    if name == "unico" and any(b.leaf and b.leaf.errors for b in reading.branches):
        summed, note = _counts_are_summed(place, reading)
        notes += [note] if note else []
    if not all(b.operand.isascii() for b in reading.branches if b.operator in ("<=", "<")):
        notes.append("digits or minus signs of another locale were read as numbers")
    if dialect.counts is None:
        notes.append("the leaves carry no counts; they can come from training data only")
    title = "" if banner is None else str(banner).strip().split("\n")[-2].strip()
    title = title.rpartition("Classifier model: ")[2].strip()
    layout = TreeLayout(name, title, dialect.colon, dialect.greater_text, template, summed=summed)
    return layout, tuple(notes)


def _compare_half_footer(place: TextPosition, reading: BlockReading) -> str:
    """Compare the one line of a footer that may be left; what is to be noted."""
    _refuse_lines_after(place, reading)
    half = _HALF.match(place.text, reading.end)
    if half is None:
        return "the text has no footer, so the number of leaves could not be compared"
    _compare_footer(place, reading, half, binding=True)
    return "one of the two lines of the footer is missing; the other one agrees"


def _footer_template(footer: re.Match[str], wrong: dict[str, str]) -> str:
    """The footer with gaps for its numbers; a number that is wrong stays as it is printed."""
    leaves, size = (
        footer[group] if group in wrong else f"{{{group}}}" for group in ("leaves", "size")
    )
    return (
        f"{footer['before']}Number of Leaves{footer['a']}{leaves}{footer['between']}"
        f"{footer['word']}{footer['b']}{size}{footer['after']}"
    )


def _check_errors(place: TextPosition, reading: BlockReading, *, refuse: bool) -> list[str]:
    """Refuse leaves with more errors than weight, or note them."""
    notes = []
    for branch in reading.branches:
        leaf = branch.leaf
        if leaf and leaf.errors and leaf.weight is not None and leaf.errors > leaf.weight:
            problem = f"the leaf claims {leaf.errors} errors in a weight of {leaf.weight}"
            if refuse:
                raise place.error(branch.start, problem, "expected at most its weight")
            notes.append(f"line {place.line(branch.start)}: {problem}")
    return notes


def _counts_are_summed(place: TextPosition, reading: BlockReading) -> tuple[bool, str]:
    """Whether ``(n/e)`` means n right and e wrong cases, and what is to be noted."""
    printed = _printed_total(place, reading.end)
    if printed is not None and printed == _total(reading, summed=True):
        note = f"(n/e) counts n right and e wrong cases here, as the printed total of {printed} "
        return True, note + "tells"
    if printed == _total(reading, summed=False):
        return False, ""
    return False, (
        "in some texts of this tool (n/e) means n right and e wrong: only training data can tell"
    )


_TOTAL = re.compile(r"^Total Number of Instances\s*:?\s+(\d+)", re.M)


def _printed_total(place: TextPosition, end: int) -> int | None:
    """How many cases the text behind the tree says there are."""
    total = _TOTAL.search(place.text, end)
    return None if total is None else int(total[1])


def _total(reading: BlockReading, *, summed: bool) -> float:
    """How many cases the leaves hold, if ``(n/e)`` is e of n, or n and e."""
    leaves = [b.leaf for b in reading.branches if b.leaf is not None]
    held = sum(float(leaf.weight or 0) for leaf in leaves)
    return held + sum(float(leaf.errors or 0) for leaf in leaves) * summed


def _compare_footer(
    place: TextPosition, reading: BlockReading, footer: re.Match[str], *, binding: bool
) -> dict[str, str]:
    """What the footer says wrong: refused where it is binding, else a note for each number."""
    leaves = sum(branch.leaf is not None for branch in reading.branches)
    # One line a branch: every node but the root has one, and a lone leaf is the root.
    size = len(reading.branches) + (reading.branches[0].operator != "")
    notes = {}
    for group, counted, what in (("leaves", leaves, "leaves"), ("size", size, "nodes")):
        if footer[group] is None:
            continue
        printed = int(footer[group])
        if printed != counted:
            problem = f"the footer says {printed} {what}"
            if binding:
                raise place.error(footer.start(group), problem, f"the tree above it has {counted}")
            notes[group] = f"{problem}, the tree has {counted}"
    return notes


def _refuse_lines_after(place: TextPosition, reading: BlockReading) -> None:
    end = reading.end
    stop = place.text.find("\n", end)
    line = place.text[end : stop if stop >= 0 else len(place.text)][:2000]
    first = reading.branches[0]
    # The only line of a tree of one leaf may be broken anywhere, also in its label.
    is_leaf_without_counts = not first.operator and first.leaf and first.leaf.weight is None
    if is_leaf_without_counts:  # its counts may stand below blank lines
        below = _NOT_BLANK.search(place.text, end)
        end = end if below is None else below.start()
        line = "" if below is None else below[0][:2000]
    is_rest_of_leaf = is_leaf_without_counts and _ENDS_LIKE_COUNTS.match(line)
    if _LINE_LIKE_BRANCH.match(line) or is_rest_of_leaf:
        raise place.error(
            end, "the tree is complete before this line", "expected a blank line or the footer"
        )


_NEXT_LINE = re.compile(
    r"^(?:(?P<own>Number of Leaves|\|[| \t]*+[^\n]{0,4000}? (?:<=|>=|<|>|!=|=) )"
    r"|(?P<other>J48 \w+ tree|===)|[^\s|][^\n]{0,4000}? (?:<=|>=|<|>|!=|=) )",
    re.M,
)
_AGAIN = re.compile(r"(?P<name>[^\n]{1,4000}?) = (?P<value>[^\n]{0,4000}?)(?:: [^\n]*)?(?:\n|$)")


def refuse_later_lines(place: TextPosition, reading: BlockReading, *, strict: bool) -> None:
    """Refuse a tree that goes on below other lines, as only the declared values could tell.

    Without a header nobody knows how many values a nominal attribute has, so that a tree may
    seem complete where a page ends. If `strict`, no other tree may follow either.

    Raises
    ------
    ModelReadError
    """
    if _FOOTER.match(place.text, reading.end) or _HALF.match(place.text, reading.end):
        return
    following = _NEXT_LINE.search(place.text, reading.end)
    if following is None:
        return
    goes_on = _continues_root(place, reading, following.start())
    # J48 prints a blank line below its tree: text there belongs to a line that was broken.
    attached = (
        place.text[reading.end : reading.end + 1].strip() != "" and following["other"] is None
    )
    if (
        following["own"] is not None
        or goes_on
        or attached
        or (strict and following["other"] is None)
    ):
        raise place.error(
            following.start(),
            "the tree is complete before this line",
            "expected the footer above it",
        )


def _continues_root(place: TextPosition, reading: BlockReading, pos: int) -> bool:
    """Whether the line at `pos` is a branch of the root for one more value."""
    root = [branch for branch in reading.branches if branch.depth == 0]
    again = _AGAIN.match(place.text, pos)
    return (
        again is not None
        and root[0].operator == "="
        and again["name"] == root[0].name
        and again["value"] not in {branch.operand for branch in root}
    )


def _is_wekas(footer: re.Match[str]) -> bool:
    """Whether the footer has Weka's own spelling, blanks included (a tab may have become some)."""
    spelt = footer[0].lstrip("\n")
    return spelt.startswith("Number of Leaves  :") and "Size of the tree :" in spelt


def _dialect_name(
    dialect: Dialect, footer: re.Match[str] | None, around: Surroundings, banner: Token | None
) -> DialectName:
    """The producer: dialects that read alike differ in what follows the tree."""
    if dialect.name != "weka" or banner is not None:
        return dialect.name
    if around.features or (footer is not None and footer["between"].count("\n") == 1):
        return "unico"
    return "weka"
