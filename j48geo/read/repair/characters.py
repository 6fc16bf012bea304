"""Characters that copying changed: quotation marks, entities, blanks, bars, operators.

Each repair is a function of the whole text, see `repairs`. The reader tries the text as it is
first, see `choose_repairs`.
"""

from __future__ import annotations

import html
import re

from j48geo.read.repair.marks import remove_bullets, remove_marks, replace_wide_brackets
from j48geo.read.repair.repairs import LARGEST_PASTE, Repair

# Possessive, and a bounded look ahead: a line of 100,000 bars must not cost its square.
_BRANCH = re.compile(
    r"^([ \t]*+)(?:J48 \w+ tree|(?:\|[ \t]*+)*+[^\n]{1,400}? (?:<=|>=|<|>|=|!=) +\S)", re.M
)
_QUOTED = re.compile(
    r"^[ \t]*+>[> \t]*+(?:J48 \w+ tree|(?:\|[ \t]*+)*+[^\n]{1,400}? (?:<=|>=|<|>|=|!=) +\S)", re.M
)
_UNQUOTED_BRANCH = re.compile(
    r"^[ \t]*+(?!>)(?:J48 \w+ tree|(?:\|[ \t]*+)*+[^\n]{1,400}? (?:<=|>=|<|>|=|!=) +\S)", re.M
)
_QUOTE_LEVELS = 8


def _unescape_literal(text: str) -> str:
    body = text.strip()
    if len(body) > LARGEST_PASTE // 4 or body.count("\n") > 2 or body.count("\\n") < 3:
        return text
    if body[0] in "'\"" and body[-1] == body[0]:
        body = body[1:-1]
    return re.sub(
        r"\\([nrt\"'\\])", lambda m: {"n": "\n", "r": "", "t": "\t"}.get(m[1], m[1]), body
    )


def _remove_mail_quotes(text: str) -> str:
    for _ in range(_QUOTE_LEVELS):
        # Lines of the answer may stand around the quotation, lines of the tree may not.
        if not _QUOTED.search(text) or _UNQUOTED_BRANCH.search(text):
            break
        text = re.sub(r"^[ \t]*> ?", "", text, flags=re.M)
    return text


def _decode_html(text: str) -> str:
    if not re.search(r"&(?:lt|gt|amp|quot|nbsp|le|ge|#\d+|#x[0-9a-f]+);", text, re.I):
        return text
    return html.unescape(re.sub(r"<br ?/?>\n?", "\n", text))


def _replace_hard_blanks(text: str) -> str:
    return re.sub("[\u00a0\u2007\u202f]", " ", text)


def _replace_operators(text: str) -> str:
    for sign, plain in (("\u2264", "<="), ("\u2265", ">="), ("\u2260", "!=")):
        text = re.sub(rf" ?{sign} ?", f" {plain} ", text)
    return text


def _remove_fences(text: str) -> str:
    return re.sub(r"^[ \t]*(?:```|~~~)[^\n]*$", "", text, flags=re.M)


def _replace_bars(text: str) -> str:
    """Box-drawing bars in the place of the indentation mark."""
    if not re.search("[\u2502\u2503\u00a6]", text):
        return text
    return re.sub(
        r"^[\u2502\u2503\u00a6| \t]+",
        lambda m: re.sub("[\u2502\u2503\u00a6]", "|", m[0]),
        text,
        flags=re.M,
    )


def _replace_tabs(text: str) -> str:
    if not re.search(r"\| *\t", text):
        return text
    return re.sub(r"^(?:\| *\t|\|   )+", lambda m: "|   " * m[0].count("|"), text, flags=re.M)


def _remove_shift(text: str) -> str:
    """Remove the blanks that stand before every line of a tree (an indented quotation)."""
    shifts = {found[1] for found in _BRANCH.finditer(text)}
    shift = min(shifts, key=len, default="")
    if not shift or not all(other.startswith(shift) for other in shifts):
        return text
    return re.sub(f"^{shift}", "", text, flags=re.M)


def _remove_trailing_blanks(text: str) -> str:
    return "\n".join(line.rstrip(" \t") for line in text.split("\n"))


CHARACTER_REPAIRS: tuple[Repair, ...] = (
    Repair("a string literal was unescaped", _unescape_literal),
    Repair("mail quotation marks '> ' were removed", _remove_mail_quotes),
    Repair("HTML entities were decoded", _decode_html),
    Repair("no-break blanks were read as blanks", _replace_hard_blanks),
    Repair("typographic operators were read as <=, >= and !=", _replace_operators),
    Repair("full-width brackets of counts were read as ( and )", replace_wide_brackets),
    Repair("Markdown fences were removed", _remove_fences),
    Repair("a mark before every line of the tree was removed", remove_marks),
    Repair("bullets of a nested list were read as indentation", remove_bullets),
    Repair("box-drawing bars were read as '|'", _replace_bars),
    Repair("tabs after indentation marks were read as three blanks", _replace_tabs),
    Repair("blanks before every line of the tree were removed", _remove_shift),
    Repair("blanks at line ends were removed", _remove_trailing_blanks),
)
