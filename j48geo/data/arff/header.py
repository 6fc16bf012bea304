"""The header of an ARFF file: tokens through the grammar to a `Header`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from lark import Token, Transformer, UnexpectedToken, v_args
from lark.lexer import Lexer

from j48geo.core.dataset import Attribute, Header
from j48geo.data.arff.tokens import Kind, Tokens
from j48geo.data.grammar import GrammarParser
from j48geo.errors import DataReadError
from j48geo.java.numbers import parse_double

DEEPEST_RELATION = 100
"""Relational attributes inside one another, more than which are refused."""

_KEYWORDS = {
    "@relation": "RELATION",
    "@attribute": "ATTRIBUTE",
    "@data": "DATA",
    "@end": "END",
    "numeric": "NUMERIC",
    "real": "NUMERIC",
    "integer": "NUMERIC",
    "string": "STRING",
    "date": "DATE",
    "relational": "RELATIONAL",
}
_KEEL_KEYWORDS = frozenset({"@inputs", "@input", "@outputs", "@output"})
_TERMINALS = {
    Kind.OPEN: "OPEN",
    Kind.CLOSE: "CLOSE",
    Kind.END_OF_LINE: "EOL",
}


# A numeric attribute without anything to unquote, to decode or to ignore.
_PLAIN = re.compile(
    rb"[ \t]*+@attribute[ \t]++([!#-$&(-+\--z|~]++)[ \t]++"
    rb"(?:numeric|real|integer)[ \t]*+(?:\r\n?|\n)",
    re.I,
)


class _Run(NamedTuple):
    """Plain attributes in lines one after the other: the first line, the columns of the names."""

    attributes: list[Attribute]
    line: int
    columns: list[int]


def _fold_case(text: str) -> str:
    """`text` such that two texts are alike for Java's ``equalsIgnoreCase`` if this is equal.

    Java compares char by char and never lets one become two.
    """
    if text.isascii():
        return text.lower()
    folded = []
    for char in text:
        upper = char.upper()
        lower = (upper if len(upper) == 1 else char).lower()
        folded.append(lower if len(lower) == 1 else lower[0] if char == "\u0130" else char)
    return "".join(folded)


def same_ignoring_case(a: str, b: str) -> bool:
    """Whether Java would call the two texts equal but for case."""
    return _fold_case(a) == _fold_case(b)


class HeaderLexer(Lexer):
    """Weka's tokens as the grammar's terminals, up to the `@data` that begins a line."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, data: Any, parser_state: Any = None) -> Iterator[Token]:
        tokens, keel_lines = data
        first = True
        begun = False
        while True:
            if begun and first and (plain := _plain(tokens)):
                run = Token("PLAIN", "@attribute")
                run.value = plain
                yield run
            if (kind := tokens.next()) is Kind.END_OF_FILE:
                return
            if kind is Kind.END_OF_LINE and first:
                continue
            if kind in _TERMINALS:
                terminal = _TERMINALS[kind]
            else:
                folded = _fold_case(tokens.text)
                if first and folded in _KEEL_KEYWORDS:
                    keel_lines.append(tokens.line)
                    while tokens.next() not in (Kind.END_OF_LINE, Kind.END_OF_FILE):
                        pass
                    continue
                terminal = _KEYWORDS.get(folded, "WORD")
            yield Token(terminal, tokens.text, line=tokens.line, column=tokens.column)
            if first and terminal == "DATA":
                return
            first = kind is Kind.END_OF_LINE
            begun = begun or first


def _plain(tokens: Tokens) -> _Run | None:
    """The plain attributes that follow, line by line; None if there are none."""
    attributes: list[Attribute] = []
    columns: list[int] = []
    first = 0
    for line, match in tokens.skim(_PLAIN):
        first = first or line
        attributes.append(Attribute(match[1].decode("ascii")))
        columns.append(match.start(1) - match.start() + 1)
    return _Run(attributes, first, columns) if columns else None


_Parsed = tuple[str, tuple[Attribute, ...]]


class _Weight(NamedTuple):
    value: float


@v_args(inline=True)
class HeaderBuilder(Transformer[Token, Any]):
    """Attributes from the grammar's rules, as soon as each is complete."""

    def start(self, relation: str, *rest: Any) -> _Parsed:
        *attributes, _ = rest  # the @data token
        return relation, _unique(attributes)

    def relation(self, keyword: Token, name: Token, eol: Token) -> str:
        return str(name)

    def attribute(self, keyword: Token, name: Token, content: dict[str, Any]) -> Any:
        end = content.pop("end", None)
        if end is not None and not same_ignoring_case(name, end):
            raise _error(end, f"@end {end} does not close {name}", f"expected @end {name}")
        if content["type"] == "relational" and _depth(content["attributes"]) >= DEEPEST_RELATION:
            raise _error(name, f"more than {DEEPEST_RELATION} relations inside one another")
        return name, Attribute(str(name), **content)

    def numeric(self, keyword: Token, weight: float, eol: Token) -> dict[str, Any]:
        return {"type": "numeric", "weight": weight}

    def string(self, keyword: Token, weight: float, eol: Token) -> dict[str, Any]:
        return {"type": "string", "weight": weight}

    def date(self, keyword: Token, *rest: Any) -> dict[str, Any]:
        from j48geo.java.dates import DEFAULT_FORMAT  # most files have no dates

        weight = rest[0].value if isinstance(rest[0], _Weight) else 1.0
        return {"type": "date", "weight": weight, "format": DEFAULT_FORMAT}

    def date_with_format(
        self, keyword: Token, pattern: Token, weight: float, eol: Token
    ) -> dict[str, Any]:
        from j48geo.java.dates import DateFormat

        try:
            DateFormat(str(pattern))
        except ValueError as problem:
            raise _error(pattern, str(problem), "expected a pattern of SimpleDateFormat") from None
        return {"type": "date", "weight": weight, "format": str(pattern)}

    def relational(self, keyword: Token, weight: float, eol: Token, *rest: Any) -> dict[str, Any]:
        *attributes, _, end, _ = rest
        return {
            "type": "relational",
            "weight": weight,
            "attributes": _unique(attributes),
            "end": end,
        }

    def nominal(self, opening: Token, *rest: Any) -> dict[str, Any]:
        *labels, _, weight, _ = rest
        values = tuple(map(str, labels))
        if len(set(values)) < len(values):
            seen: set[str] = set()
            for label in labels:
                if label in seen:
                    raise _error(label, f"label {str(label)!r} is declared twice")
                seen.add(str(label))
        return {"type": "nominal", "weight": weight, "values": values}

    def tail(self, *rest: Any) -> float:
        return rest[0].value if rest and isinstance(rest[0], _Weight) else 1.0

    def weight(self, opening: Token, number: Token, closing: Token) -> _Weight:
        value = parse_double(number)
        if value is None:
            raise _error(number, f"{str(number)!r} is no weight", "expected a number")
        return _Weight(value)

    def word(self, word: Token) -> Token:
        return word


def _error(token: Token, problem: str, expected: str = "") -> DataReadError:
    return DataReadError(problem, expected, line=token.line or 0, column=token.column or 0)


def _unique(parts: list[Any]) -> tuple[Attribute, ...]:
    """The attributes of single declarations and of runs of plain ones."""
    by_name: dict[str, Attribute] = {}
    for part in parts:
        if isinstance(part, Token):
            attributes, line, columns = part.value
        else:
            attributes, line, columns = [part[1]], part[0].line, [part[0].column]
        for k, attribute in enumerate(attributes):
            if attribute.name in by_name:
                problem = f"attribute {attribute.name!r} is declared twice"
                raise DataReadError(problem, line=line + k, column=columns[k])
            by_name[attribute.name] = attribute
    return tuple(by_name.values())


def _depth(attributes: tuple[Attribute, ...]) -> int:
    """How many relations are inside one another below `attributes`; stops at the deepest."""
    depth, level = 0, attributes
    while level and depth < DEEPEST_RELATION:
        level = tuple(inner for attribute in level for inner in attribute.attributes)
        depth += 1
    return depth


def read_header(tokens: Tokens) -> tuple[Header, list[str]]:
    """Read up to and including the `@data` token.

    Returns
    -------
    header
        Without a class attribute.
    notes
        One sentence for each kindness that Weka does not have.
    """
    keel_lines: list[int] = []
    try:
        relation, attributes = cast(_Parsed, HEADER_PARSER.load().parse((tokens, keel_lines)))
    except UnexpectedToken as problem:
        raise _translate_error(problem, tokens) from problem
    except DataReadError as problem:
        error = tokens.error(problem.problem, problem.expected)
        if problem.line != error.line:
            error.excerpt = ""
        raise DataReadError(
            problem.problem,
            problem.expected,
            tokens.source,
            problem.line,
            problem.column,
            error.excerpt,
        ) from None
    notes = []
    if keel_lines:
        lines = ", ".join(map(str, keel_lines[:5])) + (", ..." if len(keel_lines) > 5 else "")
        notes.append(
            f"KEEL's lines @inputs and @outputs were skipped, which Weka refuses (line {lines})"
        )
    return Header(relation, attributes), notes


HEADER_PARSER = GrammarParser("arff_header", lexer=HeaderLexer, transformer=HeaderBuilder)

_WORDS = frozenset(_KEYWORDS.values()) | {"WORD"}
_SHOWN = {
    "RELATION": "@relation",
    "ATTRIBUTE": "@attribute",
    "DATA": "@data",
    "END": "@end",
    "OPEN": "{",
    "CLOSE": "}",
    "EOL": "the end of the line",
}


def _translate_error(problem: UnexpectedToken, tokens: Tokens) -> DataReadError:
    """Lark's complaint in the words of the format."""
    expected = set(problem.expected)
    wanted: list[str] = []
    if expected >= _WORDS:
        wanted.append("a word")
        expected -= _WORDS
    elif {"NUMERIC", "OPEN"} <= expected:
        wanted.append("numeric, real, integer, string, date, relational or {labels}")
        expected.clear()
    wanted += [shown for terminal, shown in _SHOWN.items() if terminal in expected]
    hint = "expected " + " or ".join(wanted) if wanted else ""
    token = problem.token
    if token.type == "$END":
        return tokens.error("the file ends within the header", hint)
    if token.type == "EOL":
        return tokens.error("the line ends too early", hint)
    return tokens.error(f"{str(token)[:80]!r} is out of place", hint)
