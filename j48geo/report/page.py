"""The report page: static HTML first, then one script that adds drawings and controls to it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files

from j48geo.decide.evaluation.evaluation import MethodMetrics
from j48geo.decide.leaf_rules import leaf_rules
from j48geo.report.facts import METHOD_TITLES, EvaluationFacts, ReportFacts
from j48geo.report.markup import Markup, data_block, raw, tag
from j48geo.report.pictures import (
    draw_auc,
    draw_ranking,
    draw_reliability,
    draw_roc,
    method_points,
)
from j48geo.report.tree_drawing import DRAWING_COLOURS, choose_colour, draw_tree, draw_tree_map
from j48geo.score.leaf_estimates import Number
from j48geo.show.reports.evaluation import (
    format_log_loss,
    proximity_sentence,
    resubstitution_sentence,
)
from j48geo.show.rules import rule_texts, tree_with_leaf_numbers
from j48geo.show.text import format_number
from j48geo.text import pluralize, to_one_line

PAGE_SCRIPTS = ("base.js", "tree.js", "costs.js", "cases.js", "slice.js", "start.js")
_HOLE = re.compile(r"\{\{(\w+)\}\}")


def render_page(facts: ReportFacts) -> str:
    """Render the report page from its facts, as one text."""
    style = _read_file("page.css")
    script = '"use strict";\n' + "".join(map(_read_file, PAGE_SCRIPTS))
    policy = (
        f"default-src 'none'; script-src 'sha256-{_digest(script)}'; "
        f"style-src 'sha256-{_digest(style)}'; base-uri 'none'; form-action 'none'"
    )
    holes = {
        "policy": policy,
        "style": style,
        "script": script,
        "data": data_block(facts.to_json()).text,
        "title": _escape_text(facts.title),
        "headline": _escape_text(facts.headline),
        "matters": _escape_text(facts.class_words),
        "verdicts": _verdict(facts).text,
        "legend": _legend(facts).text,
        "map": draw_tree_map(facts.drawn).text,
        "drawing": draw_tree(facts.drawn).text,
        "rules": _rules(facts).text,
        "costs": costs_section(facts).text,
        "cases": cases_section(facts).text,
        "sure": evaluation_section(facts).text,
        "origin": _join_markup(_origin(facts)),
    }
    # In one pass: a name that looks like a hole stays a name.
    return _HOLE.sub(lambda match: holes[match[1]], _read_file("page.html"))


def _read_file(name: str) -> str:
    return files("j48geo.report").joinpath("page", name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _escape_text(text: str) -> str:
    return tag("i", to_one_line(text)).text[3:-4]


def _join_markup(parts: Iterator[Markup]) -> str:
    return raw(*parts).text


def _verdict(facts: ReportFacts) -> Markup:
    """Whether tree and data agree."""
    verdict = facts.verdict
    sign = {"good": "✓", "bad": "✗", "plain": "–"}[verdict.kind]
    mark = tag("span", sign, class_="sign", aria_hidden="true")
    return tag("p", mark, " ", to_one_line(verdict.words), class_=f"verdict {verdict.kind}")


def _legend(facts: ReportFacts) -> Markup:
    """Which colour means which class, and what width and paleness mean."""
    drawn = facts.drawn
    n = len(drawn.classes)
    shown = [drawn.positive, *(c for c in range(n) if c != drawn.positive)]
    named = [(choose_colour(n, drawn.positive, c), drawn.classes[c]) for c in shown]
    if n > len(DRAWING_COLOURS):
        named = [named[0], (1, f"the other {n - 1} classes")]
    entries = [
        tag("span", tag("span", "", class_=f"swatch k{slot}"), " ", words, class_="entry")
        for slot, words in named
    ]
    explanation = "line width and area: training cases; pale: mixed leaf"
    if not drawn.weighed:
        explanation = "the text has no counts: every leaf is as wide as another"
    return tag("p", entries, tag("span", explanation, class_="faint"), class_="legend", id="legend")


def _rules(facts: ReportFacts) -> Markup:
    """All leaves as rules, in a table."""
    titles = ("leaf", "class", "cases", "wrong", "rule")
    rows = []
    rules = leaf_rules(facts.tree)
    for rule, conditions in zip(rules, rule_texts(facts.tree, rules), strict=True):
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
                tag("td", to_one_line(rule.label)),
                tag("td", "–" if weight is None else format_number(weight, 2)),
                tag("td", "–" if wrong is None else format_number(wrong, 2)),
                tag("td", to_one_line(conditions)),
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
            tag("td", to_one_line(file.name)),
            tag("td", tag("code", file.digest or "–")),
            tag("td", f"{file.size:,} bytes" if file.digest else "–"),
        )
        for file in facts.files
    ]
    head = tag("tr", [tag("th", t, scope="col") for t in ("what", "file", "SHA-256", "size")])
    yield tag("div", tag("table", tag("thead", head), tag("tbody", rows)), class_="scroll")
    origin = f"Made by j48geo {facts.version} on {facts.made}; this file loads nothing."
    yield tag("p", origin)
    if facts.command:
        yield tag("p", "Again: ", tag("code", to_one_line(facts.command)))
    yield tag("h3", "Notes")
    notes = [tag("li", to_one_line(note)) for note in facts.notes] or [tag("li", "none")]
    yield tag("ul", notes)
    text = tag("pre", tree_with_leaf_numbers(facts.tree))
    yield tag("details", tag("summary", "J48’s text, leaves numbered"), text, id="text")


TOP_CASES = 20


def costs_section(facts: ReportFacts) -> Markup:
    """Counts, rates and the ROC curve of the labels in force; the script adds the sliders."""
    title = tag("h2", "If mistakes do not cost the same")
    if facts.costs is None:
        return raw(tag("h2", "Costs"), tag("p", facts.why["costs"], class_="faint"))
    positive = facts.drawn.positive
    roc = facts.costs.roc[positive]
    shown = []
    wrong = facts.costs.own_mistakes(positive)
    totals = facts.costs.judged.totals
    positives, rest = totals[positive], sum(totals) - totals[positive]
    own = None
    if roc.points and positives and rest:
        own = (float(wrong.alarms / rest), float(1 - wrong.missed / positives))
    if roc.points:
        curves = []
        if facts.sure is not None:
            rows = {row.method: row for row in facts.sure.evaluation.rows}
            for method in facts.sure.judged.methods:
                area = rows[method.method].auc
                if method.method == facts.sure.best and area is not None:
                    curves.append((method.method, method_points(facts.sure.judged, method), area))
        shown.append(tag("div", draw_roc(roc, own, curves), id="roc"))
    name = facts.drawn.classes[positive]
    other = "all others" if len(totals) > 2 else facts.drawn.classes[1 - positive]
    head = tag(
        "tr",
        [tag("th", t, scope="col") for t in (facts.costs.judged_name, "called so", "called else")],
    )
    table = tag(
        "table",
        tag("thead", head),
        tag(
            "tbody",
            _row(name, positives - wrong.missed, wrong.missed),
            _row(other, wrong.alarms, rest - wrong.alarms),
        ),
        class_="confusion",
    )
    shown.append(tag("div", table, id="counts", aria_live="polite"))
    summary = tag("summary", "ROC, counts and costs")
    more = tag("details", summary, shown, id="more", open=True)
    return raw(title, tag("div", id="controls"), more)


def _row(name: str, *cells: Number) -> Markup:
    shown = [tag("td", format_number(float(cell), 2)) for cell in cells]
    return tag("tr", tag("th", name, scope="row"), shown)


def cases_section(facts: ReportFacts) -> Markup:
    """The first cases of the ranking; the script adds the others and what is known of each."""
    cases = facts.cases
    if cases is None:
        return tag("p", facts.why["cases"], class_="faint")
    first = cases.rankings[0]
    classes = facts.drawn.classes
    named = METHOD_TITLES.get(first.method, first.method)
    shown = len(cases.explained)
    which, sampled = f"All {pluralize(cases.total, 'case')}", ""
    if shown < cases.total:
        which = f"{shown} of {pluralize(cases.total, 'case')}"
        sampled = "They lie evenly along the ranking; ranks are among all. "
    summary = (
        f"{which} of {cases.name}. {sampled}"
        "Choose one to see its way down the tree and what would change its class."
    )
    titles = ("rank", "row", named, "distance", "predicted", "leaf", "actual")
    rows = [
        tag(
            "tr",
            tag("td", case.rank),
            tag("td", case.row),
            tag("td", f"{case.score:.4f}"),
            tag("td", format_number(case.distance)),
            tag("td", _class(classes, case.predicted)),
            tag("td", case.leaf + 1 if case.leaf >= 0 else "–"),
            tag("td", _class(classes, case.actual)),
        )
        for case in cases.top(TOP_CASES)
    ]
    head = tag("thead", tag("tr", [tag("th", t, scope="col") for t in titles]))
    table = tag("table", head, tag("tbody", rows), class_="cases")
    return raw(
        tag("p", to_one_line(summary), class_="faint"),
        tag(
            "div",
            tag("div", table, id="case-table", class_="scroll"),
            tag("div", id="one-case", aria_live="polite"),
            class_="beside",
        ),
    )


def _class(classes: tuple[str, ...], c: int) -> str:
    return classes[c] if c >= 0 else "–"


def evaluation_section(facts: ReportFacts) -> Markup:
    """The methods side by side, promises and what came true, and what lambda says."""
    sure = facts.sure
    if sure is None:
        return tag("p", facts.why["sure"], class_="faint")
    evaluation = sure.evaluation
    cases = pluralize(evaluation.cases, "case")
    sample = f"{cases} of {sure.name}, {evaluation.positives} of them {evaluation.positive}."
    parts = [tag("p", to_one_line(sample), class_="faint")]
    if evaluation.optimistic:
        parts.append(tag("p", resubstitution_sentence(), class_="warning"))
    parts.extend(tag("p", to_one_line(note), class_="faint") for note in sure.notes)
    parts.append(tag("div", _method_table(sure), class_="scroll"))
    legend = "AUC, accuracy: larger is better; squared error, log-loss, calibration error: smaller."
    parts.append(tag("p", legend, class_="faint"))
    parts.append(tag("p", _capitalize(proximity_sentence(evaluation.proximity)) + "."))
    drawn = [m for m in sure.judged.methods if m.distribution is not None]
    if drawn:
        parts.append(tag("h3", "Promised against come true"))
        small = [draw_reliability(sure.judged, method) for method in drawn]
        parts.append(tag("div", small, class_="multiples"))
    best = next((m for m in drawn if m.method == sure.best), None)
    if best is not None:
        parts.append(tag("h3", "Probability along the ranked cases"))
        parts.append(tag("div", draw_ranking(sure.judged, best), class_="scroll"))
    return raw(*parts)


def _method_table(sure: EvaluationFacts) -> Markup:
    evaluation = sure.evaluation
    several = len(evaluation.classes) > 2
    titles = ["method", "AUC with 95 % interval", "AUC", "interval", "squared error"]
    titles += ["log-loss", "calibration error", "accuracy", "scores", "tied pairs"]
    if several:
        titles.insert(4, "M")
    lows = [row.interval[0] for row in evaluation.rows if row.interval is not None]
    aucs = [row.auc for row in evaluation.rows if row.auc is not None]
    least = min([0.9, *lows, *aucs])
    best = max(aucs, default=None)
    rows = [tag("tr", list(_cells(row, least, best, several))) for row in evaluation.rows]
    head = tag("thead", tag("tr", [tag("th", t, scope="col") for t in titles]))
    return tag("table", head, tag("tbody", rows), class_="methods")


def _cells(row: MethodMetrics, least: float, best: float | None, several: bool) -> Iterator[Markup]:
    yield tag("th", row.method, scope="row")
    picture = None if row.auc is None else draw_auc(row.auc, row.interval, min(least, 0.999))
    yield tag("td", picture or "–")
    yield tag(
        "td", _number(row.auc), class_="best" if row.auc is not None and row.auc == best else None
    )
    ends = "–" if row.interval is None else f"{row.interval[0]:.3f}–{row.interval[1]:.3f}"
    yield tag("td", ends)
    if several:
        yield tag("td", _number(row.m))
    yield tag("td", _number(row.mse))
    yield tag("td", format_log_loss(row.log_loss) or "–")
    yield tag("td", _number(row.calibration_error))
    yield tag("td", _number(row.accuracy))
    yield tag("td", row.distinct)
    yield tag("td", _number(row.tied_pairs))


def _number(x: float | None) -> str:
    return "–" if x is None else f"{x:.3f}"


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]
