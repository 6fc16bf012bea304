"""The report as text: what stands in it without a script, and that nothing hostile gets out."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from j48geo import load
from j48geo.model.answers.reporting import gather
from j48geo.report.page import report_page

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
    return Page(report_page(gather(model, title="Pima")))


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
