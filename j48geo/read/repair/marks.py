"""Marks that stand before every line of a tree: comments, bullets of lists, output of notebooks.

`remove_marks` and `remove_bullets` undo them where something proves that they are no part of the
names; `find_open_mark` tells where nothing does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from j48geo.core.tree import BoxTree
from j48geo.read.repair.lines import is_branch_like, tree_regions

_BANNER = re.compile(r"(?P<mark>[^\n]{1,40}?)J48 (?:un)?pruned tree[ \t]*")
_FOOTER = re.compile(r"(?P<mark>[^\w\n]{1,40}?)Number of Leaves[ \t]*:[ \t]*\d+[ \t]*")
# Neither letters nor digits, so that no name is taken for a mark.
_BEFORE_BARS = re.compile(r"(?P<mark>[ \t]*[^\w\s|]{1,3}[ \t]?)\|[ \t]")
_BULLET = re.compile(r"(?P<indent>[ \t]*)(?P<bullet>[^\w\s|<>=()\[\]{}\"']{1,3} )(?=\S)")
_LEADING_BULLET = re.compile(r"[-*+\u2022\u2023\u25e6\u25aa] ")
_LEADING_MARK = re.compile(r"(?:[-*+\u2022\u2023\u25e6\u25aa] |[#*/%;!~]+|--+)[ \t]?")
_LEVEL = "|   "


def remove_marks(text: str) -> str:
    """Remove a mark that every line of a tree begins with, before its bars.

    A banner, a footer or a bar behind the mark proves that it is no part of a name.
    """
    lines = text.split("\n")
    for mark, at in _find_marks(lines):
        start = stop = at
        while start > 0 and _has_mark(lines[start - 1], mark):
            start -= 1
        while stop < len(lines) and _has_mark(lines[stop], mark):
            stop += 1
        bare = [line[len(mark) :].rstrip() for line in lines[start:stop]]
        around = lines[stop : stop + 1] if not any(map(_is_footer, bare)) else []
        around += lines[max(0, start - 1) : start] if not any(map(_is_banner, bare)) else []
        if any(line.startswith("|") or is_branch_like(line) for line in around):
            return text  # a line of the tree seems to lack it
        lines[start:stop] = [
            line[len(mark) :] if line.startswith(mark) else "" for line in lines[start:stop]
        ]
    return "\n".join(lines)


def _find_marks(lines: list[str]) -> Iterator[tuple[str, int]]:
    """Marks with the number of a line that proves each; `lines` may change meanwhile."""
    for i in range(len(lines)):
        line = lines[i][:400]
        found = _BANNER.fullmatch(line)
        if found:
            rule = lines[i + 1][:400] if i + 1 < len(lines) else ""
            below = rule.removeprefix(found["mark"])
            proven = below != rule and re.fullmatch(r"-{5,}[ \t]*", below) is not None
        else:
            found = _FOOTER.fullmatch(line) or _BEFORE_BARS.match(line)
            proven = found is not None
        # Mail and shifted lines have repairs of their own.
        if found and proven and found["mark"].strip(" \t>"):
            yield found["mark"], i


def _has_mark(line: str, mark: str) -> bool:
    """Whether a line begins with the mark, or holds nothing else."""
    return line.startswith(mark) or line.strip() == mark.strip()


def _is_banner(line: str) -> bool:
    return line in ("J48 pruned tree", "J48 unpruned tree")


def _is_footer(line: str) -> bool:
    return line.startswith("Number of Leaves")


def remove_bullets(text: str) -> str:
    """Read the bullets of a nested list, one a line, as J48's indentation."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        stop = at
        while stop < len(lines) and _BULLET.match(lines[stop][:400]):
            stop += 1
        levels = _bullet_levels(lines[at:stop])
        if max(levels, default=0) > 0 and all(map(is_branch_like, lines[at:stop])):
            for i, level in zip(range(at, stop), levels, strict=True):
                lines[i] = _LEVEL * level + _BULLET.sub("", lines[i], count=1)
        at = max(stop, at + 1)
    return "\n".join(lines)


def _bullet_levels(lines: list[str]) -> list[int]:
    """Level of each line of a list; none if its steps are of different widths."""
    indents = [found["indent"] for line in lines if (found := _BULLET.match(line[:400]))]
    root = min(indents, key=len, default="")
    unit = min((indent[len(root) :] for indent in indents if indent != root), key=len, default="")
    if not unit:
        return []
    levels = [(len(indent) - len(root)) // len(unit) for indent in indents]
    steps = zip(indents, levels, strict=True)
    return levels if all(indent == root + unit * level for indent, level in steps) else []


def remove_open_marks(text: str) -> str:
    """Remove what all lines of a tree begin with; only a header can tell that this is right."""
    lines = text.split("\n")
    for region in tree_regions(lines):
        own = [i for i in region if is_branch_like(lines[i])]
        found = _LEADING_MARK.match(lines[own[0]])
        if found and all(lines[i].startswith(found[0]) for i in own):
            for i in own:
                lines[i] = lines[i][found.end() :]
    return "\n".join(lines)


def replace_wide_brackets(text: str) -> str:
    """Full-width brackets around the counts of leaves, as Asian keyboards write them."""
    counts = r"\d+\.\d+(?:E\d+)?"
    return re.sub(
        rf"[ \u3000][\uff08(]({counts}(?:/{counts})?)[\uff09)](?=[ \t]*$)",
        r" (\1)",
        text,
        flags=re.M,
    )


def find_open_mark(tree: BoxTree) -> str:
    """The mark that all names of a tree begin with and that may be no part of them; else "".

    A comment would stand before the banner, the footer and the bars, too; a bullet may stand
    in the lines of the tree alone.
    """
    names = [tree.attribute(split).name for _, split in tree.splits]
    if not names:
        return ""
    found = _LEADING_BULLET.match(names[0])
    has_own_frame = tree.layout.banner or tree.layout.footer or len(names) > 1
    if found is None and not has_own_frame:
        found = _LEADING_MARK.match(names[0])
    return found[0] if found and all(name.startswith(found[0]) for name in names) else ""
