"""The page: static HTML first, then one script that adds drawings and controls to it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files

from j48geo.report.drawing import COLOURS, colour_slot, tree_drawing, tree_map
from j48geo.report.facts import ReportFacts
from j48geo.report.markup import Markup, data_block, raw, tag
from j48geo.report.sections import cases_section, costs_section, sure_section
from j48geo.show.text import plain_number
from j48geo.show.tree.rules import leaf_rules
from j48geo.show.tree.words import numbered_tree
from j48geo.text import one_line

__all__ = ["report_page"]

SCRIPTS = ("base.js", "tree.js", "costs.js", "cases.js", "slice.js", "start.js")
_HOLE = re.compile(r"\{\{(\w+)\}\}")


def report_page(facts: ReportFacts) -> str:
    """The whole page, as one text."""
    style = _file("page.css")
    script = '"use strict";\n' + "".join(map(_file, SCRIPTS))
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; "
        f"style-src 'sha256-{_digest(style)}'; base-uri 'none'; form-action 'none'"
    )
    holes = {
        "policy": policy,
        "style": style,
        "script": script,
        "data": data_block(facts.to_json()).text,
        "title": _words(facts.title),
        "headline": _words(facts.headline),
        "matters": _words(facts.class_words),
        "verdicts": _all(_verdicts(facts)),
        "legend": _legend(facts).text,
        "map": tree_map(facts.drawn).text,
        "drawing": tree_drawing(facts.drawn).text,
        "rules": _rules(facts).text,
        "costs": costs_section(facts).text,
        "cases": cases_section(facts).text,
        "sure": sure_section(facts).text,
        "origin": _all(_origin(facts)),
    }
    # In one pass: a name that looks like a hole stays a name.
    return _HOLE.sub(lambda found: holes[found[1]], _file("page.html"))


def _file(name: str) -> str:
    return files("j48geo.report").joinpath("page", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _words(text: str) -> str:
    return tag("i", one_line(text)).text[3:-4]


def _all(parts: Iterator[Markup]) -> str:
    return raw(*parts).text


def _verdicts(facts: ReportFacts) -> Iterator[Markup]:
    signs = {"good": "✓", "bad": "✗", "plain": "–"}
    for verdict in facts.verdicts:
        sign = tag("span", signs[verdict.kind], class_="sign", aria_hidden="true")
        yield tag("p", sign, " ", one_line(verdict.words), class_=f"verdict {verdict.kind}")


def _legend(facts: ReportFacts) -> Markup:
    """Which colour means which class, and what width and paleness mean."""
    drawn = facts.drawn
    n = len(drawn.classes)
    shown = [drawn.positive, *(c for c in range(n) if c != drawn.positive)]
    named = [(colour_slot(n, drawn.positive, c), drawn.classes[c]) for c in shown]
    if n > len(COLOURS):
        named = [named[0], (1, f"the other {n - 1} classes")]
    entries = [
        tag("span", tag("span", "", class_=f"swatch k{slot}"), " ", words, class_="entry")
        for slot, words in named
    ]
    said = "line width and area: training cases; pale: mixed leaf"
    if not drawn.weighed:
        said = "the text has no counts: every leaf is as wide as another"
    return tag("p", entries, tag("span", said, class_="faint"), class_="legend", id="legend")


def _rules(facts: ReportFacts) -> Markup:
    """All leaves as rules, in a table."""
    titles = ("leaf", "class", "cases", "wrong", "rule")
    rows = []
    for rule in leaf_rules(facts.tree):
        node = facts.tree.leaf_nodes[rule.leaf - 1]
        counts = facts.drawn.counts[rule.leaf - 1]
        weight = facts.drawn.weight[node] if facts.drawn.weighed else None
        wrong = rule.errors
        if counts is not None:
            wrong = sum(counts) - counts[facts.drawn.label[rule.leaf - 1]]
        rows.append(
            tag(
                "tr",
                tag("td", rule.leaf),
                tag("td", one_line(rule.label)),
                tag("td", "–" if weight is None else plain_number(weight, 2)),
                tag("td", "–" if wrong is None else plain_number(wrong, 2)),
                tag("td", one_line(rule.text)),
            )
        )
    head = tag("thead", tag("tr", [tag("th", t, scope="col") for t in titles]))
    table = tag("table", head, tag("tbody", rows), class_="rules")
    summary = tag("summary", "All rules, one a leaf")
    return tag("details", summary, tag("div", table, class_="scroll"), id="rules")


def _origin(facts: ReportFacts) -> Iterator[Markup]:
    """Files with their digests, the command, the notes, J48's own text."""
    rows = [
        tag(
            "tr",
            tag("td", file.role),
            tag("td", one_line(file.name)),
            tag("td", tag("code", file.digest or "–")),
            tag("td", f"{file.size:,} bytes" if file.digest else "–"),
        )
        for file in facts.files
    ]
    head = tag("tr", [tag("th", t, scope="col") for t in ("what", "file", "SHA-256", "size")])
    yield tag("div", tag("table", tag("thead", head), tag("tbody", rows)), class_="scroll")
    made = f"Made by j48geo {facts.version} on {facts.made}; this file loads nothing."
    yield tag("p", made)
    if facts.command:
        yield tag("p", "Again: ", tag("code", one_line(facts.command)))
    yield tag("h3", "Notes")
    notes = [tag("li", one_line(note)) for note in facts.notes] or [tag("li", "none")]
    yield tag("ul", notes)
    text = tag("pre", numbered_tree(facts.tree))
    yield tag("details", tag("summary", "J48’s text, leaves numbered"), text, id="text")
