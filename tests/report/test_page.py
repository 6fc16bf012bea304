"""The report as text: what stands in it without a script, and that nothing hostile gets out."""

from __future__ import annotations

import json
import math
import re
import time
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest
from command_line import apart

from j48geo import load
from j48geo.decide.cost_steps import find_cost_steps
from j48geo.decide.leaf_counts import ClassCounts
from j48geo.model.report_facts import gather_facts
from j48geo.report.page import render_page

VOID = {"br", "hr", "input", "meta"}


class Page(HTMLParser):
    """Elements and texts of a page; it fails where tags do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self.feed(text)
        self.close()
        assert self.stack == []

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attrs) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag) -> None:
        assert self.stack.pop() == tag

    def handle_data(self, data) -> None:
        if self.stack and self.stack[-1] == "script":
            self.scripts.append(data)
        elif self.stack and self.stack[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    @property
    def facts(self) -> dict:
        return json.loads(self.scripts[0])


@pytest.fixture(scope="module")
def pima(fixtures_dir: Path) -> Page:
    folder = fixtures_dir / "pima"
    model = load(folder / "model.txt", train=folder / "data.arff")
    return Page(render_page(gather_facts(model, title="Pima")))


def test_the_page_tells_all_without_a_script(pima: Page) -> None:
    for words in (
        "20 leaves, size 39: agrees with the footer; 768 rows replayed: all 20 leaf counts agree",
        "All 768 cases of data.arff, the training data (optimistic)",
        "RESUBSTITUTION",
        "leaves: AUC 0.888",
        "Lambda = ",
        "plas <= 127 and mass <= 26.4",
        "0087a74e5c1ccb3eda0df86057a4c5bfbb8ea725389e154333097f8e065158a0",
        "J48’s text, leaves numbered",
    ):
        assert words in pima.text
    assert sum(tag == "svg" for tag, _ in pima.tags) > 15


def test_the_page_loads_nothing_and_allows_no_other_script(pima: Page) -> None:
    assert not any(tag in {"link", "img", "iframe", "object", "form"} for tag, _ in pima.tags)
    for _, attributes in pima.tags:
        assert not {"src", "srcset", "style"} & set(attributes)
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith("#")
    policy = next(a["content"] for _, a in pima.tags if a.get("http-equiv"))
    assert policy is not None
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_same_files_give_the_same_bytes(
    fixtures_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    folder = fixtures_dir / "iris"
    for name in ("one.html", "two.html"):
        load(folder / "model.txt", train=folder / "data.arff").report(tmp_path / name)
    made = (tmp_path / "one.html").read_bytes()
    assert made == (tmp_path / "two.html").read_bytes()
    assert b"on 1970-01-02 00:00 UTC" in made
    assert len(made) < 150_000


def test_hostile_names_are_text_everywhere(page_of) -> None:
    text = page_of("hostile").read_text(encoding="utf-8")
    page = Page(text)
    assert sum(tag == "script" for tag, _ in page.tags) == 2
    assert not any(tag in {"img", "b", "i"} and attrs for tag, attrs in page.tags)
    assert not any(name.startswith("on") for _, attrs in page.tags for name in attrs)
    block = page.scripts[0]
    assert not set("<>&\u2028\u2029") & set(block)
    assert "\u2028" not in text
    assert any("<img src=x onerror=hacked()>" in name for name in page.facts["classes"])


@pytest.mark.parametrize("name", ["no-counts", "pure", "one-class"])
def test_what_cannot_be_told_says_what_it_needs(page_of, name: str) -> None:
    page = Page(page_of(name).read_text(encoding="utf-8"))
    assert "No rows were given: give DATA" in page.text
    assert "No rows with a class were given" in page.text
    if name == "no-counts":
        assert "need the class counts of the leaves" in page.text
    assert page.facts["cases"] is None
    assert (page.facts["costs"] is None) == (name != "pure")


def test_rows_without_a_class_are_shown_and_not_judged(fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "iris"
    model = load(folder / "model.txt", train=folder / "data.arff")
    assert model.training is not None
    X = model.training.X.copy()
    X[:, -1] = math.nan
    X[3, 2] = math.nan  # a missing value, too
    model.report(tmp_path / "page.html", X)
    page = Page((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert "No rows with a class were given" in page.text
    assert set(page.facts["cases"]["actual"]) == {-1}
    assert page.facts["costs"]["name"] == "training cases"


def test_every_case_of_the_facts_is_what_the_library_says(pima: Page, fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    model = load(folder / "model.txt", train=folder / "data.arff")
    found = model.ranking(model.training, "nearby").rows
    cases = pima.facts["cases"]
    assert [row - 1 for row in cases["row"]] == found.shown.tolist()
    assert cases["methods"][0]["rank"] == found.ranking.rank[found.shown].tolist()
    assert cases["leaf"] == found.leaf[found.shown].tolist()
    assert cases["predicted"] == found.predicted[found.shown].tolist()
    for place in (0, 100, 767):
        explanation = model.explain(model.training.X[cases["row"][place] - 1])
        flip = explanation.explanation.flip
        assert flip is not None
        to, leaf, distance, changes = cases["flip"][place]
        assert (to, leaf) == (flip.flips_to, flip.leaf)
        assert distance == pytest.approx(flip.distance, rel=1e-5)
        assert [change[1] for change in changes] == [change.to for change in flip.changes]


def test_the_order_of_a_sample_is_even_and_ranks_are_among_all(
    fixtures_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from j48geo.model import report_facts

    monkeypatch.setattr(report_facts, "CASES", 100)
    monkeypatch.setattr(report_facts, "JUDGED_LEAVES", 0)
    folder = fixtures_dir / "pima"
    model = load(folder / "model.txt", train=folder / "data.arff")
    page = Page(render_page(gather_facts(model)))
    ranks = page.facts["cases"]["methods"][0]["rank"]
    assert len(ranks) == 100
    assert (ranks[0], ranks[-1]) == (1, 768)
    assert "100 of 768 cases" in page.text
    assert "Judged on 500 of 768 rows, evenly through the file" in page.text


def test_steps_of_26_classes_take_less_than_a_second() -> None:
    def weight(leaf: int, c: int) -> int:
        return (leaf * 7 + c * c * 3) % 41 if (leaf + c) % 5 == 0 else 0

    rows = [[weight(leaf, c) for c in range(26)] for leaf in range(1226)]
    counts = ClassCounts.of(rows)
    own = [row.index(max(row)) for row in rows]
    before = time.process_time()
    assert len(find_cost_steps(counts, own)) == 26
    assert time.process_time() - before < 1


def test_explaining_a_case_costs_no_more_than_ten_predictions(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "pima"
    model = load(folder / "model.txt", train=folder / "data.arff")
    assert model.training is not None
    cases = model.training.X[:200]
    explaining, predicting = [], []
    for _ in range(3):
        before = time.process_time()
        assert len(list(model.explanations(model.training, range(1, 201)))) == 200
        between = time.process_time()
        assert len([model.predict(case) for case in cases]) == 200
        explaining.append(between - before)
        predicting.append(time.process_time() - between)
    assert min(explaining) < 10 * min(predicting)


def test_several_trees_are_refused_and_a_fitted_model_is_not(
    fixtures_dir: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    several = fixtures_dir / "bagging"
    done = apart("report", several / "model.txt", several / "data.arff", "-o", page)
    assert done.code == 5
    assert not page.exists()
    fitted = fixtures_dir / "models-0.1.0" / "pima-fit.json"
    done = apart("report", fitted, fixtures_dir / "pima" / "data.arff", "-o", page)
    assert done.code == 0
    shown = Page(page.read_text(encoding="utf-8"))
    assert "All 768 cases of data.arff" in shown.text
    assert "AUC with 95 % interval" in shown.text


# ------------------------------------------------------------------------------- colours


def themes() -> list[dict[str, str]]:
    """The colours of light and dark, as the style sheet has them."""
    style = files("j48geo.report").joinpath("page", "page.css").read_text(encoding="utf-8")
    light, by_system, by_hand = (
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root[^{]*\{([^}]*)\}", style)[:3]
    )
    assert by_system == by_hand
    assert set(light) == set(by_system)
    return [light, by_system]


def brightness(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((brightness(one), brightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_words_and_graphics_stand_out_in_light_and_in_dark() -> None:
    for theme in themes():
        for ground in ("paper", "panel", "shade", "plane"):
            for words in ("ink", "faint"):
                assert contrast(theme[words], theme[ground]) >= 4.5, (words, ground)
        for ground in ("paper", "panel", "shade"):
            assert contrast(theme["bad"], theme[ground]) >= 4.5, ground
        for graphic in (*(f"k{k}" for k in range(8)), "line", "focus", "good"):
            assert contrast(theme[graphic], theme["paper"]) >= 3, graphic


def test_the_drawing_has_the_light_colours_of_the_page() -> None:
    from j48geo.report.tree_drawing import DRAWING_COLOURS

    assert tuple(themes()[0][f"k{k}"] for k in range(8)) == DRAWING_COLOURS


def test_the_command_writes_the_page_and_tells_how(fixtures_dir: Path, tmp_path: Path) -> None:
    folder = fixtures_dir / "wdbc-split"
    page = tmp_path / "report.html"
    words = ["report", str(folder / "model.txt"), str(folder / "data.arff")]
    words += ["--test", str(folder / "test.arff"), "--title", "Breast & cancer", "-o", str(page)]
    found = apart(*words)
    assert found.code == 0
    shown = Page(page.read_text(encoding="utf-8"))
    assert "Breast & cancer" in shown.text
    assert "All 189 cases of test.arff" in shown.text
    assert "--test" in shown.text
    assert "a33caf325c9370316ae456f9b5a4f34fd1402a5eb8f26acd6dce34055874f793" in shown.text
    assert "RESUBSTITUTION" not in shown.text
