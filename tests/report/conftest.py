"""Reports of many trees, made once, and a browser to open them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from j48geo import grow, load
from j48geo.model.model import Model

HOSTILE = (
    "\u202e</script><script>hacked()</script><img src=x onerror=hacked()>\u2028\"'`&amp;{{script}}"
)
ARFF = f"""@relation hostile
@attribute '<b onclick=hacked()>{HOSTILE.replace("'", "")}' numeric
@attribute plain numeric
@attribute 'a "set" <i>' {{'</script>','<!--<script>',c}}
@attribute class {{'<svg onload=hacked()>','{HOSTILE.replace("'", "")}'}}
@data
"""
NO_COUNTS = "x <= 2.5: no\nx > 2.5\n|   y <= 1: yes\n|   y > 1: no\n"
PURE = "x <= 2: no (3.0)\nx > 2: yes (4.0)\n"


def hostile_model() -> Model:
    """A tree whose every name tries to get out."""
    labels = ("'<svg onload=hacked()>'", f"'{HOSTILE.replace(chr(39), '')}'")
    values = ("'</script>'", "'<!--<script>'", "c")
    rows = []
    for i in range(60):
        label = labels[(i % 10 > 4) ^ (i % 3 == 2 and i % 4 == 0)]
        rows.append(f"{i % 10},{i * 7 % 11},{values[i % 3]},{label}\n")
    return grow((ARFF + "".join(rows)).encode())


@pytest.fixture(scope="session")
def model_of(fixtures_dir: Path) -> Callable[[str], tuple[Model, dict[str, Any]]]:
    """A model by name, and what its report is made with."""

    @cache
    def find(name: str) -> tuple[Model, dict[str, Any]]:
        texts = {"no-counts": NO_COUNTS, "pure": PURE, "one-class": ": a (3.0)\n"}
        if name == "hostile":
            return hostile_model(), {"title": HOSTILE}
        if name in texts:
            return load(texts[name]), {}
        folder = fixtures_dir / name
        model = load(folder / "model.txt", train=folder / "data.arff")
        test = folder / "test.arff"
        return model, {"test": str(test)} if test.exists() else {}

    return find


@pytest.fixture(scope="session")
def page_of(model_of: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The file of a report by the name of its model."""
    folder = tmp_path_factory.mktemp("reports")

    @cache
    def write(name: str) -> Path:
        model, how = model_of(name)
        path = folder / f"{name}.html"
        model.report(path, **how)
        return path

    return write


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A real browser; its absence is told."""
    import shutil

    sync_api = pytest.importorskip("playwright.sync_api", reason="no playwright")
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("no chromium: the report was not opened in a browser")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    quiet += ["--disable-dev-shm-usage"]  # containers have little of it
    with sync_api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=quiet)
        yield browser
        browser.close()


class Opened:
    """A page in the browser, and everything that it should not have done."""

    def __init__(self, browser: Any, path: Path, fragment: str = "", **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.context.add_init_script("window.hacked = () => console.error('hacked')")
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda m: self.wrong.append(f"console: {m.text}"))
        self.page.on("pageerror", lambda e: self.wrong.append(f"error: {e}"))
        self.page.on("dialog", lambda d: (self.wrong.append(f"dialog: {d.message}"), d.dismiss()))
        self.page.on("request", self._requested)
        self.url = path.as_uri()
        self.page.goto(self.url + fragment)

    def _requested(self, request: Any) -> None:
        if request.url.partition("#")[0] != self.url:
            self.wrong.append(f"request: {request.url}")

    def __enter__(self) -> Opened:
        return self

    def __exit__(self, *error: object) -> None:
        self.context.close()
        if error[0] is None:
            assert self.wrong == []


@pytest.fixture
def opened(chromium: Any, page_of: Any) -> Callable[..., Opened]:
    """Open a report: nothing may go wrong until it is closed."""

    def open_page(name: str, fragment: str = "", **context: Any) -> Opened:
        path = name if isinstance(name, Path) else page_of(name)
        return Opened(chromium, path, fragment, **context)

    return open_page
