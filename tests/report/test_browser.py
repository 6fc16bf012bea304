"""The report in a real browser: what it shows is what the library says, and nothing gets out."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tree_cases import named_cases

from j48geo.decide.costs import CostMatrix, cost_matrix, reweight_costs
from j48geo.decide.leaf_counts import class_counts, count_coverage
from j48geo.decide.relabelling import (
    class_estimates,
    default_smoothing,
    label_leaves,
    labelling_cost,
)
from j48geo.defaults import LABELS_M
from j48geo.geometry.metric import fit_metric
from j48geo.geometry.slices import cut_slice
from j48geo.model.costs import CostRequest, choose_labels
from j48geo.score.leaf_estimates import to_fraction

PAGES = (
    *("pima", "iris", "wdbc-split", "one-leaf", "odd-names", "date", "multiway-empty"),
    *("wine-laplace", "parcels-weights", "hostile", "no-counts", "pure", "one-class"),
)
WIDE = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.mark.parametrize("name", PAGES)
def test_a_report_opens_wide_and_narrow_light_and_dark(name: str, opened: Any) -> None:
    for size, scheme in product((WIDE, PHONE), ("light", "dark")):
        with opened(name, **size, color_scheme=scheme) as shown:
            width = size["viewport"]["width"]
            assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
            assert shown.page.locator("#map svg").count() == 1
            assert "NaN" not in shown.page.inner_text("body")
            assert "undefined" not in shown.page.inner_text("body")
            paper = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert paper == ("rgb(253, 253, 252)" if scheme == "light" else "rgb(20, 23, 28)")


# -------------------------------------------------------------------------------- costs

POINTS = [
    (fn, fp, share)
    for fn, fp in [("5", "1"), ("1", "3"), ("2.5", "1"), ("0", "1"), ("1", "0"), ("0.1", "0.7")]
    for share in ("", "0.5", "0.05")
]


def matrix_of(fn: str, fp: str, c: int, n: int) -> list[list[float]]:
    return [[0.0 if i == j else float(fn if i == c else fp) for j in range(n)] for i in range(n)]


def shifted(matrix: CostMatrix, shares: Any, c: int, share: str) -> CostMatrix:
    """The costs if class `c` has this share and the others keep theirs among themselves."""
    if not share:
        return matrix
    b = to_fraction(float(share))
    rest = 1 - shares[c]
    return reweight_costs(
        matrix, shares, [b if k == c else (1 - b) * a / rest for k, a in enumerate(shares)]
    )


@pytest.mark.parametrize(
    "name", ["pima", "iris", "wdbc-split", "odd-names", "multiway-empty", "parcels-weights"]
)
def test_labels_and_costs_at_any_point_are_those_of_the_library(
    name: str, opened: Any, model_of: Any
) -> None:
    model, how = model_of(name)
    n = len(model.classes)
    counts = class_counts(model.tree, model.counts)
    shares = counts.shares
    assert shares is not None
    judged = counts
    if "test" in how:
        with model.rows(how["test"]) as rows:
            judged = count_coverage(model.tree, model.counts, [rows.all()])
    totals = judged.totals
    of_judged = [t / sum(totals) for t in totals]
    own = [leaf.label for leaf in model.tree.leaves]
    points = [
        {"fn": fn, "fp": fp, "share": share, "matters": c, "smoothing": by}
        for (fn, fp, share), c, by in product(POINTS, range(n), (0, 1))
    ]
    with opened(name, **WIDE) as shown:
        answers = shown.page.evaluate(
            """points => points.map(what => {
              Object.assign(state, what);
              const mistakes = decide();
              return [labels, costOf(mistakes)];
            })""",
            points,
        )
        last = points[-1]
        shown.page.evaluate("change", last)
        cell = shown.page.locator(".costs .mine td").last
        assert float(cell.get_attribute("data-value")) == answers[-1][1]
    for what, (labels, cost) in zip(points, answers, strict=True):
        c, share = what["matters"], what["share"]
        plain = cost_matrix(matrix_of(what["fn"], what["fp"], c, n))
        smoothing = (default_smoothing(counts), "none")[what["smoothing"]]
        estimates = class_estimates(counts, smoothing, m=LABELS_M)
        expected = label_leaves(estimates, shifted(plain, shares, c, share), own)
        assert tuple(labels) == expected, what
        matrix = shifted(plain, of_judged, c, share)
        expected_cost = 1000 * labelling_cost(judged.own, labels, matrix) / sum(totals)
        assert cost == pytest.approx(float(expected_cost), rel=1e-12, abs=1e-12), what


def test_labels_at_every_cut_and_between_are_those_of_the_library(
    opened: Any, model_of: Any
) -> None:
    model, _ = model_of("pima")
    found = {Fraction(1)}
    with opened("pima", **WIDE) as shown:
        cuts = shown.page.evaluate("stepsNow().cuts.map(([other, own]) => [other, own])")
        ratios = sorted(found | {Fraction(a, b) for a, b in cuts if b})
        for r in (*ratios, *(r + Fraction(1, 1000) for r in ratios)):
            fn, fp = r.numerator, r.denominator
            if fn == fp:
                continue
            labels = shown.page.evaluate(
                "([fn, fp]) => { Object.assign(state, { fn, fp }); decide(); return labels; }",
                [str(fn), str(fp)],
            )
            assert tuple(labels) == choose_labels(model, CostRequest(fn=fn, fp=fp)).labels, r


def test_moving_the_slider_changes_what_is_shown(opened: Any, model_of: Any) -> None:
    model, _ = model_of("pima")
    with opened("pima", **WIDE) as shown:
        page = shown.page
        assert page.inner_text("#flips") == "All leaves as the model labels them."
        page.fill("#fn", "5")
        changed = choose_labels(model, CostRequest(fn=5, fp=1)).labels
        leaves = [k + 1 for k, leaf in enumerate(model.tree.leaves) if leaf.label != changed[k]]
        assert page.inner_text("#flips").endswith(": " + ", ".join(map(str, leaves)))
        assert page.locator(".drawing .row.flipped").count() == len(leaves)
        assert page.locator(".map title", has_text=", flipped").count() == len(leaves)
        assert page.evaluate("location.hash") == "#fn=5"
        page.focus("#ratio")
        page.keyboard.press("End")
        assert page.input_value("#fn") == "100"
        page.click("#reset")
        assert page.locator(".flipped").count() == 0
        page.fill("#fn", "nonsense")
        assert page.get_attribute("#fn", "aria-invalid") == "true"


# -------------------------------------------------------------------------------- cases


def test_a_chosen_case_shows_what_explain_says(opened: Any, model_of: Any) -> None:
    model, _ = model_of("pima")
    assert model.training is not None
    with opened("pima", **WIDE) as shown:
        for row in (1, 4, 300, 768):
            case = next(iter(model.explanations(model.training, [row])))
            shown.page.evaluate("row => change({ row })", row)
            text = shown.page.inner_text("#one-case")
            assert f"Row {row}: {case.predicted}" in text
            assert f"Leaf {case.explanation.leaf + 1}" in text
            assert text.count(" is ") >= len(case.explanation.path)
            flip = case.explanation.flip
            assert flip is not None
            for change in flip.changes:
                name = model.attributes[change.attribute]
                assert f"{name}: {change.before:g} → {change.to:g}" in text
            assert case.nearby is not None
            for leaf, weight in zip(case.nearby.leaf[:6], case.nearby.weight[:6], strict=True):
                assert f"{weight:.1%}".replace("%", " %") + f" leaf {leaf + 1}" in text


def test_slices_are_those_of_the_library(opened: Any, model_of: Any) -> None:
    model, how = model_of("wdbc-split")
    with model.rows(how["test"]) as rows:
        X = rows.all().X
    metric = fit_metric(model.tree, "standard", X)
    used = model.tree.used_attributes
    with opened("wdbc-split", **WIDE) as shown:
        for row, (i, j) in product((1, 50, 189), [(0, 1), (2, 3), (4, 1)]):
            boxes = shown.page.evaluate(
                """([row, a, b]) => cutBoxes(placeOf(row), a, b).map(
                   box => box.map(x => x === Infinity ? "inf" : x === -Infinity ? "-inf" : x))""",
                [row, i, j],
            )
            found = cut_slice(model.tree, metric, (used[i], used[j]), X[row - 1], steps=3)
            ours = {int(box[0]): [float(x) for x in box[1:]] for box in boxes}
            theirs = dict(zip(found.leaves.tolist(), found.rectangles.tolist(), strict=True))
            assert ours == theirs


def test_cases_are_filtered_and_ranked_by_another_method(opened: Any, model_of: Any) -> None:
    model, _ = model_of("pima")
    found = model.ranking(model.training, "global").rows
    with opened("pima", **WIDE) as shown:
        page = shown.page
        page.select_option("#ranking", label="signed distance")
        first = page.locator("#case-table tbody tr").first
        assert first.get_attribute("data-row") == str(found.shown[0] + 1)
        page.fill("#case-filter", "errors")
        wrong = int((found.predicted != found.actual).sum())
        assert page.locator("#case-table tbody tr").count() == wrong
        page.fill("#case-filter", "leaf 9")
        assert page.locator("#case-table tbody tr").count() == int((found.leaf == 8).sum())


# ------------------------------------------------------------------- keyboard, paper, no script


def test_everything_can_be_reached_by_keyboard(opened: Any) -> None:
    with opened("pima", "#view=outline", **WIDE) as shown:
        page = shown.page
        page.focus("[role=treeitem]")
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.dataset.node") == "1"
        page.keyboard.press("ArrowLeft")
        assert page.evaluate("document.activeElement.getAttribute('aria-expanded')") == "false"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        assert page.evaluate("state.leaf") == 0
        assert "plas <= 127 and mass <= 26.4" in page.inner_text("#leaf")
        page.focus("#case-table tr[data-row]")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.inner_text("#one-case").startswith("Row 632")
        page.click("[data-view=drawing]")
        page.focus(".drawing .row[tabindex='0']")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert page.evaluate("state.leaf") == 1
        assert page.evaluate("document.activeElement.classList.contains('row')")


def test_tabbing_reaches_all_controls(opened: Any) -> None:
    with opened("pima", **WIDE) as shown:
        reached = set()
        for _ in range(60):
            shown.page.keyboard.press("Tab")
            reached.add(shown.page.evaluate("document.activeElement.id"))
        assert {"fn", "fp", "ratio", "share", "reset", "smoothing", "ranking"} <= reached


def test_the_address_brings_a_view_back(opened: Any) -> None:
    with opened("pima", "#fn=5&leaf=4&row=4", **WIDE) as shown:
        assert "Leaf 4: tested_positive" in shown.page.inner_text("#leaf")
        assert shown.page.inner_text("#one-case").startswith("Row 4")
        assert shown.page.input_value("#fn") == "5"
    for nonsense in ("#fn=x&leaf=99999&row=-1&class=7&x=%E0%A4%A", "#=&&=5", "#by=9&share=7e9"):
        with opened("pima", nonsense, **WIDE) as shown:
            assert shown.page.inner_text("#flips") == "All leaves as the model labels them."


@pytest.mark.parametrize("name", ["pima", "iris", "multiway-empty", "no-counts", "one-leaf"])
def test_the_drawing_of_the_script_is_the_one_that_stands_in_the_page(
    name: str, opened: Any
) -> None:
    words = """() => [...document.querySelectorAll(".drawing text")].map(t =>
      [Math.round(t.getAttribute("x")), Math.round(t.getAttribute("y")),
       [...t.childNodes].filter(n => n.nodeType === 3).map(n => n.data).join("")]).sort()"""
    with opened(name, **WIDE, java_script_enabled=False) as shown:
        still = shown.page.evaluate(words)
    with opened(name, **WIDE) as shown:
        assert shown.page.evaluate(words) == still


def test_without_scripts_it_is_still_a_report(opened: Any) -> None:
    with opened("wdbc-split", **WIDE, java_script_enabled=False) as shown:
        text = shown.page.inner_text("body")
        for words in ("all 9 leaf counts agree", "0.900–0.988", "Lambda = 8.1339", "called so"):
            assert words in text
        assert shown.page.locator("#cases tbody tr").count() == 20


def test_on_paper_there_are_no_controls_and_all_is_open(opened: Any) -> None:
    with opened("pima", **PHONE, color_scheme="dark") as shown:
        assert not shown.page.is_visible("#roc svg")
        shown.page.emulate_media(media="print")
        shown.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert shown.page.is_visible("#roc svg")
        for hidden in ("nav", "#controls", "#tree-controls", "#slice-controls"):
            assert not shown.page.is_visible(hidden)
        assert len(shown.page.pdf()) > 20_000
        paper = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(255, 255, 255)"


@pytest.mark.parametrize("bypass", [False, True])
def test_hostile_names_stay_names(opened: Any, bypass: bool) -> None:
    with opened("hostile", "#fn=5&row=1&leaf=1", **WIDE, bypass_csp=bypass) as shown:
        page = shown.page
        for control in ("[data-view=outline]", "[data-view=drawing]"):
            page.click(control)
        page.hover(".drawing .row")
        assert page.locator("img, b[onclick], svg[onload], i").count() == 0
        assert page.locator("script").count() == 2
        assert "<img src=x onerror=hacked()>" in page.inner_text("h1")
        assert "{{script}}" in page.inner_text("h1")


def test_the_theme_can_be_changed_by_hand(opened: Any) -> None:
    with opened("iris", **WIDE, color_scheme="light") as shown:
        shown.page.click("#theme button")
        paper = shown.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert paper == "rgb(20, 23, 28)"


def test_a_large_tree_opens_at_its_heaviest_parts_and_can_be_searched(
    opened: Any, chromium: Any, tmp_path: Any
) -> None:
    from j48geo import Dataset, grow, read_arff

    rng = np.random.default_rng(3)
    header = read_arff(
        b"@relation r\n@attribute x numeric\n@attribute y numeric\n@attribute c {a,b,d}\n@data\n"
    ).header
    places = rng.uniform(size=(3000, 2))
    slope = places[:, 1] - places[:, 0]
    X = np.column_stack([places, np.digitize(slope, [-0.5, -0.2, 0.1, 0.4]) % 3])
    model = grow(Dataset(header, X, np.ones(3000)), "-U -M 2")
    assert len(model.tree.leaves) > 60
    path = tmp_path / "large.html"
    model.report(path)
    with opened(path, **WIDE) as shown:
        page = shown.page
        before = page.locator(".drawing .row").count()
        assert before <= 30
        page.click("text=Open more")
        assert page.locator(".drawing .row").count() > before
        page.fill("#tree-controls input", f"leaf {len(model.tree.leaves)}")
        assert page.inner_text("#hits") == "1 found"
        assert page.locator(f".drawing .row[data-node='{model.tree.size - 1}']").count() == 1
        page.evaluate("for (let k = -20; k < 20; k += 1) slideRatio(5 * k)")


@pytest.mark.parametrize(
    "folder",
    named_cases(
        *("birds", "digits", "odd-names", "date", "breast-cancer-explorer"),
        *("sensor/edgeai", "sensor/tilt", "sensor/unico", "st/edgeai", "st/tilt", "st/unico"),
        *("j48/p15-soybean-multiway", "j48/p26-letter-deep", "j48/p38-unicode", "j48/p41-date"),
        "j48/p07-vote-missing-test",
    ),
)
def test_reports_of_many_trees_open(folder: Path, opened: Any, tmp_path: Any) -> None:
    from j48geo import load

    data = folder / "data.arff"
    rows = data if data.exists() else None
    path = tmp_path / "page.html"
    load(folder / "model.txt", data=rows).report(path, rows)
    assert path.stat().st_size < 1_500_000
    for how in ({**WIDE, "color_scheme": "dark"}, PHONE):
        with opened(path, "#fn=5", **how) as shown:
            width = how["viewport"]["width"]
            assert shown.page.evaluate("document.documentElement.scrollWidth") <= width
            text = shown.page.inner_text("body")
            assert "NaN" not in text
            assert "undefined" not in text
