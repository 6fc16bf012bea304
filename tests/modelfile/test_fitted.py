"""A fitted model in a file: old files stay what they are, and no key is written in vain."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from j48geo.core.tree_text import Entry
from j48geo.errors import ModelReadError
from j48geo.modelfile import read
from j48geo.modelfile.fitted import fitted_text
from j48geo.modelfile.tree import tree_to_json
from j48geo.show.text import json_text


def entry_of(data: bytes) -> Entry:
    text = read(data, source="m.json")
    assert text is not None
    (entry,) = text.entries
    return entry


@pytest.mark.parametrize("name", ["pima-fit", "iris-fit"])
def test_a_fitted_model_of_0_1_0_is_read_and_written_again_byte_for_byte(
    fixtures_dir: Path, name: str
) -> None:
    data = (fixtures_dir / "models-0.1.0" / f"{name}.json").read_bytes()
    entry = entry_of(data)
    assert entry.counts is not None
    assert entry.fitted is not None
    assert fitted_text(entry.readings[0], entry.counts, entry.fitted).encode() == data


def test_a_tree_of_0_1_0_is_read_and_written_again_byte_for_byte(fixtures_dir: Path) -> None:
    data = (fixtures_dir / "models-0.1.0" / "parcels-show.json").read_bytes()
    entry = entry_of(data)
    assert f"{json_text(tree_to_json(entry.readings[0], entry.counts), 1)}\n".encode() == data


def test_every_key_that_is_written_is_read(fixtures_dir: Path) -> None:
    data = (fixtures_dir / "models-0.1.0" / "iris-fit.json").read_bytes()
    whole = json.loads(data)
    in_vain = set()
    for path in _places(whole):
        less = json.loads(data)
        inner = less
        for step in path[:-1]:
            inner = inner[step]
        if inner.pop(path[-1]) is None:
            continue  # null and nothing are the same
        try:
            entry = entry_of(json.dumps(less).encode())
        except (AssertionError, ModelReadError):
            continue
        if entry.counts is None or entry.fitted is None:
            continue
        if fitted_text(entry.readings[0], entry.counts, entry.fitted).encode() == data:
            in_vain.add(path[-1])
    # The number of a node is its place in the list; it stands there for people.
    assert in_vain == {"node"}


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of all keys, of the first and last object of a list only."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            if key not in ("options", "layout"):  # as their dataclasses are, with defaults
                yield from _places(inner, (*path, key))
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for i in (0, len(value) - 1):
            yield from _places(value[i], (*path, i))


@pytest.mark.parametrize(("index", "taken"), [(-1, False), (0, True), (1, True), (2, False)])
def test_the_class_of_a_calibration_case_is_one_of_the_tree(
    fixtures_dir: Path, index: int, taken: bool
) -> None:
    whole = json.loads((fixtures_dir / "models-0.1.0" / "pima-fit.json").read_bytes())
    whole["fitted"]["densities"]["gdk"]["actual"][0] = index
    if taken:
        assert entry_of(json.dumps(whole).encode()).fitted is not None
        return
    with pytest.raises(ModelReadError, match=r"actual\[0\] is .*expected a whole number from 0 to"):
        read(json.dumps(whole).encode(), source="m.json")
