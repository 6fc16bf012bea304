"""Lines that copying broke: wrapped, numbered, without bars or blanks, with pages between.

These repairs are tried only where a text cannot be read as it is. Each of them keeps every
letter of the tree's own lines, or gives up; whether the result is a tree, and the only one,
the scanner tells.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise

from j48geo.core.dataset import Header
from j48geo.read.repair.repairs import Repair

_NUMBER = r"\d+(?:[.,]\d+)?(?:E\d+)?"
BRANCH_OPERATOR = re.compile(r" (?P<operator><=|>=|!=|<|>|=)(?= |$)")
COUNTS_AT_END = re.compile(rf"\({_NUMBER}(?:/{_NUMBER})?\)$")
AFTER_TREE = re.compile(r"Number of Leaves|Size of (?:the )?tree|J48 \w+ tree|===|Time taken", re.I)
LINE_NUMBER = re.compile(r"[ \t]*(?P<number>\d+)(?P<rest>[ \t]*[:.)|\]\t][: .)|\]\t]*|[ \t]+|$)")
_COUNTS_TAIL = re.compile(rf"\(?(?:{_NUMBER}/)?{_NUMBER}\)")
_WITH_COMMA = re.compile(r"\(\d+,\d+(?:/\d+,\d+)?\)$|[<>]=? -?\d+,\d+(?::|$)")
_PAGE = re.compile(r"(?:[-–— ]*|page |p\. ?|seite )\d+(?: ?(?:/|of|von) ?\d+)?[-–— ]*", re.I)


def is_branch_like(line: str) -> bool:
    """Whether a line holds an operator, or ends as a leaf does."""
    line = line[:4000].rstrip()
    return BRANCH_OPERATOR.search(line) is not None or COUNTS_AT_END.search(line) is not None


def tree_regions(lines: list[str]) -> list[range]:
    """Where trees seem to stand: from a line at the left edge to the last one before a closing.

    A matrix of confusion ends in ` = ` and a label too, but its lines are indented.
    """
    regions: list[range] = []
    start = last = -1
    for i, line in enumerate(lines):
        if AFTER_TREE.match(line.lstrip()):
            if start >= 0:
                regions.append(range(start, last + 1))
            start = -1
        elif is_branch_like(line):
            if start < 0 and line[:1] not in ("|", " ", "\t"):
                start = i
            last = i
    if start >= 0:
        regions.append(range(start, last + 1))
    return regions


def describe_damage(line: str, following: str = "") -> str:
    """What damage a line that cannot be read looks like, in words; empty if like none."""
    line, following = line[:4000].strip(), following[:4000].strip()
    half = COUNTS_AT_END.search(line) and not BRANCH_OPERATOR.search(line)
    if half or _COUNTS_TAIL.fullmatch(line) or re.match(r"(?:<=|>=|!=|[<>=]) ", line):
        return "it looks like a continued line"
    if _WITH_COMMA.search(line):
        return "it looks like decimal commas"
    if _PAGE.fullmatch(line):
        return "it looks like a page number"
    numbered = LINE_NUMBER.match(line)
    if numbered and BRANCH_OPERATOR.search(line, numbered.end()):
        return "it looks like a numbered line"
    open_leaf = BRANCH_OPERATOR.search(line) and not COUNTS_AT_END.search(line)
    if open_leaf and following.endswith(")") and not BRANCH_OPERATOR.search(following):
        return "the line below it looks like a continued line"
    return ""


_MARK = "|   "
_MOST_BETWEEN = 6  # lines of text that a page may put between two lines of a tree
_SEPARATORS = ": .)|]\t"  # between the number of a line and the line
_ENDS_OPEN = re.compile(r" (?:<=|>=|!=|<|>|=)$")
_STARTS_OPEN = re.compile(r"(?:<=|>=|!=|[<>=]) ")
_NUMERIC_INNER = re.compile(r" (?:<=|>=|<|>) +-?\d+(?:[.,]\d+)?(?:E-?\d+)?$")
_NOMINAL_INNER = re.compile(r" (?:!=|=) (.*)$")
_HALF_COUNTS = re.compile(r" \(\d[\d.,E]*/?\d*[\d.,E]*$")
_COMMA_COUNTS = re.compile(r"\((\d+),(\d{1,2}|\d+E\d+)(?:/(\d+),(\d{1,2}|\d+E\d+))?\)(?=[ \t]*$)")
_COMMA_THRESHOLD = re.compile(r"(?<= )([<>]=? +-?\d+),(\d+)(?=E-?\d|:| :|$)")


def line_repairs(header: Header | None) -> tuple[Repair, ...]:
    """The repairs of lines, in the order in which they are applied.

    Parameters
    ----------
    header
        Names and values that must not be taken for damage; None if they are not known.
    """
    certain = header is not None and not _blanks_matter(header)
    return (
        Repair("line numbers were removed", _remove_line_numbers),
        Repair(
            "decimal commas were read as points", partial(_replace_decimal_commas, header=header)
        ),
        Repair(
            "lines between the lines of the tree were left out",
            partial(_remove_page_lines, header=header),
            partial(_list_page_lines, header=header),
        ),
        Repair(
            "continued lines were joined", partial(_join_lines, between=" " if certain else None)
        ),
        *(
            [Repair("broken words were joined", partial(_join_lines, between=""))]
            if certain
            else []
        ),
        Repair(
            "blanks after indentation marks were restored", partial(_restore_blanks, header=header)
        ),
        Repair("indentation marks were restored", partial(_restore_bars, header=header)),
    )


def _remove_line_numbers(text: str) -> str:
    """Remove numbers that count the lines, with what stands between number and line."""
    lines = text.split("\n")
    found = [(i, m) for i, line in enumerate(lines) if (m := LINE_NUMBER.match(line[:400]))]
    runs: list[list[tuple[int, re.Match[str]]]] = []
    for one in found:
        if runs and _counts_on(runs[-1][-1], one):
            runs[-1].append(one)
        else:
            runs.append([one])
    for run in runs:
        if len(run) < 2:
            continue
        # What all lines have between number and line is no indentation: the root has none.
        between = run[0][1]["rest"]
        for _, match in run:
            while _rest(match).strip(_SEPARATORS) and not _rest(match).startswith(between):
                between = between[:-1]
        if between:
            for i, match in run:
                lines[i] = lines[i][match.end("number") + len(between) :]
    return "\n".join(lines)


def _rest(match: re.Match[str]) -> str:
    """What follows the number in its line."""
    return match.string[match.end("number") :]


def _counts_on(before: tuple[int, re.Match[str]], after: tuple[int, re.Match[str]]) -> bool:
    step = int(after[1]["number"]) - int(before[1]["number"])
    return step == 1 or step == after[0] - before[0] > 0


def _replace_decimal_commas(text: str, header: Header | None) -> str:
    """Decimal commas of counts; those of thresholds only where every count has one.

    Without a header other commas between digits stop it: were they points in a name?
    """
    lines = text.split("\n")
    for region in tree_regions(lines):
        counted = [i for i in region if COUNTS_AT_END.search(lines[i][-200:].rstrip())]
        if not counted or not all(_COMMA_COUNTS.search(lines[i][-200:]) for i in counted):
            continue
        for i in region:
            line = _COMMA_COUNTS.sub(_write_points, lines[i])
            if len(BRANCH_OPERATOR.findall(line[:4000])) == 1:
                line = _COMMA_THRESHOLD.sub(r"\1.\2", line)
            if header is None and re.search(r"\d,\d", line):
                return text
            lines[i] = line
    return "\n".join(lines)


def _write_points(found: re.Match[str]) -> str:
    errors = "" if found[3] is None else f"/{found[3]}.{found[4]}"
    return f"({found[1]}.{found[2]}{errors})"


def _list_page_lines(text: str, header: Header | None) -> list[str]:
    """The lines that pages put between the lines of a tree."""
    lines = text.split("\n")
    return [shown for i in _find_page_lines(lines, header) if (shown := lines[i].strip())]


def _remove_page_lines(text: str, header: Header | None) -> str:
    lines = text.split("\n")
    gone = set(_find_page_lines(lines, header))
    return "\n".join(line.lstrip("\f") for i, line in enumerate(lines) if i not in gone)


def _find_page_lines(lines: list[str], header: Header | None) -> list[int]:
    """Which lines stand between two lines of a tree and are certainly not of it."""
    found: list[int] = []
    for region in tree_regions(lines):
        own = [i for i in region if is_branch_like(lines[i])]
        after = _footer_after(lines, region.stop)
        for i, j in pairwise([*own, after] if after else own):
            foreign = [lines[k].strip() for k in range(i + 1, j) if lines[k].strip()]
            if len(foreign) > _MOST_BETWEEN or (j == after and not foreign):
                continue
            if not foreign or _is_whole(lines[i].strip(), foreign[0], header):
                # The blank line above the footer is the tree's own.
                found.extend(range(i + 1 + (j == after), j))
                if j == after and lines[i + 1].strip():
                    found.append(i + 1)
    return found


def _footer_after(lines: list[str], stop: int) -> int | None:
    for i in range(stop, min(stop + 2 * _MOST_BETWEEN, len(lines))):
        if AFTER_TREE.match(lines[i].strip()):
            return i if lines[i].strip().lower().startswith("number of leaves") else None
    return None


def _is_whole(line: str, foreign: str, header: Header | None) -> bool:
    """Whether a line of a tree cannot go on with the foreign text below it."""
    if COUNTS_AT_END.search(line) or _NUMERIC_INNER.search(line):
        return True
    value = _NOMINAL_INNER.search(line)
    if value is None or header is None:
        return False
    declared = {v for attribute in header.attributes for v in attribute.values}
    longer = (f"{value[1]} {foreign}", f"{value[1]}{foreign}")
    return value[1] in declared and not any(v.startswith(longer) for v in declared)


def _join_lines(text: str, between: str | None) -> str:
    """Lines joined with the lines they continue.

    `between` stood where a word may have been broken; None if nobody knows what did.
    """
    joined: list[str] = []
    for line in text.split("\n"):
        body, last = line.strip(), joined[-1].rstrip() if joined else ""
        if body and last and _continues(last[-4000:], body[:4000]):
            glue = between
            if _HALF_COUNTS.search(last):
                glue = ""
            elif _parts_at_a_blank(last, body):
                glue = " "
            if glue is not None:
                joined[-1] = f"{last}{glue}{body}"
                continue
        joined.append(line)
    return "\n".join(joined)


def _parts_at_a_blank(last: str, body: str) -> bool:
    """Whether the line was broken where J48 prints a blank: at its counts or its operator."""
    after_operator = _ENDS_OPEN.search(last) is not None and COUNTS_AT_END.search(body) is not None
    return body[0] == "(" or _STARTS_OPEN.match(body) is not None or after_operator


def _blanks_matter(header: Header) -> bool:
    """Whether two words of the header differ in their blanks alone."""
    words = {word for a in header.attributes for word in (a.name, *a.values)}
    return len({word.replace(" ", "") for word in words}) < len(words)


def _continues(last: str, body: str) -> bool:
    if body.startswith("|") or AFTER_TREE.match(body) or AFTER_TREE.match(last.strip()):
        return False
    if _STARTS_OPEN.match(body):
        return BRANCH_OPERATOR.search(last) is None
    if BRANCH_OPERATOR.search(body):
        return False
    if _ENDS_OPEN.search(last):
        return True
    begun = BRANCH_OPERATOR.search(last) is not None or last.startswith(": ")
    return begun and body.endswith(")") and COUNTS_AT_END.search(last) is None


def _restore_blanks(text: str, header: Header | None) -> str:
    """Bars kept, the blanks after them collapsed, everywhere in the same way."""
    if _a_name_begins_with("| \t", header):
        return text
    lines = text.split("\n")
    marked = {}
    for region in tree_regions(lines):
        for i in region:
            found = re.match(r"(?:\|[ \t]*+)++", lines[i])
            if found and is_branch_like(lines[i]):
                marked[i] = found[0]
    gaps = [re.findall(r"\|([ \t]*)", marks) for marks in marked.values()]
    inner = {gap for of_line in gaps for gap in of_line[:-1]}
    last = {of_line[-1] for of_line in gaps}
    if len(inner) > 1 or len(last) > 1 or not inner | last <= {"", " "}:
        return text  # ragged, or the indentation of another program
    for i, marks in marked.items():
        lines[i] = _MARK * marks.count("|") + lines[i][len(marks) :]
    return "\n".join(lines)


def _restore_bars(text: str, header: Header | None) -> str:
    """Bars lost, the indentation kept: every level the same blanks."""
    if _a_name_begins_with("| \t", header):
        return text
    lines = text.split("\n")
    for region in tree_regions(lines):
        indents = {}
        for i in region:
            if is_branch_like(lines[i]):
                found = re.match(r"[| \t]*+", lines[i])
                indents[i] = found[0] if found else ""
        unit = min((indent for indent in indents.values() if indent), key=len, default="")
        if "|" in "".join(indents.values()):
            unit = " " * len(_MARK)  # some bars are left, so that each level has its old width
        if not unit or any(not _is_of_levels(indent, unit) for indent in indents.values()):
            continue
        for i, indent in indents.items():
            lines[i] = _MARK * (len(indent) // len(unit)) + lines[i][len(indent) :]
    return "\n".join(lines)


def _is_of_levels(indent: str, unit: str) -> bool:
    width = len(unit)
    levels = [indent[i : i + width] for i in range(0, len(indent), width)]
    return all(level in (unit, _MARK) for level in levels)


def _a_name_begins_with(letters: str, header: Header | None) -> bool:
    return header is not None and any(a.name[:1] in letters for a in header.attributes if a.name)
