"""Mutated model files: each is refused with one error of one line, or is a model that works."""

from __future__ import annotations

import json
import random
import time
import warnings
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import j48geo
from j48geo.modelfile import read

SLOW = 5.0
LONGEST = 1_000
HOSTILE: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2,
        7,
        -5,
        0.5,
        1e-320,
        1e308,
        -1e308,
        10**400,
        -(10**400),
        2**63,
    ),
    *("", "x", "Infinity", "-Infinity", "NaN", "\x1b[31m", "\ud800", "y" * 9_000, "0", "1e999"),
    *([], [[]], [None], [1, 2], ["a", "a"], {}, {"a": 1}, {"node": 0}),
)
PIECES = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"null", b"1e999", b"-", b"NaN", b"\\", b"\x00"),
    *(b"\xff", b"\xef\xbb\xbf", b'"a":1,', b"9" * 5_000, b"[" * 5_000, b"\n"),
)


@dataclass(frozen=True)
class Source:
    """A model file to spoil."""

    name: str
    data: bytes


def sources(fixtures: Path) -> list[Source]:
    """The model files of the fixtures."""
    return [
        Source(path.name, path.read_bytes())
        for path in sorted((fixtures / "models-0.1.0").glob("*.json"))
        if b'"j48geo tree"' in path.read_bytes()[:100]
    ]


def mutants(source: Source, count: int, seed: int) -> Iterator[bytes]:
    """Files a few edits away: values replaced, lost, doubled, exchanged; bytes changed."""
    chance = random.Random(f"{seed} {source.name}")
    for _ in range(count):
        if chance.random() < 0.25:
            yield _spoilt(source.data, chance)
            continue
        value = json.loads(source.data)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            _edit(value, chance)
        yield json.dumps(value).encode("utf-8", "surrogatepass")


def _spoilt(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    to = min(len(data), at + chance.choice((0, 1, 1, 10, 1000)))
    return data[:at] + chance.choice((b"", *PIECES)) + data[to:]


def _edit(value: Any, chance: random.Random) -> None:
    """Walk down to a random place and change it."""
    while True:
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = chance.choice(keys)
        inner = value[key]
        if isinstance(inner, (dict, list)) and inner and chance.random() < 0.9:
            value = inner
            continue
        how = chance.random()
        if how < 0.6:
            value[key] = deepcopy(chance.choice(HOSTILE))
        elif how < 0.75 and isinstance(inner, float):
            value[key] = inner * chance.choice((-1, 2, 1e10, 0.999))
        elif how < 0.85:
            del value[key]
        elif isinstance(value, list):
            value.insert(key, deepcopy(chance.choice((inner, *HOSTILE))))
        else:
            value[key] = deepcopy(value[chance.choice(keys)])
        return


def examine_model_file(data: bytes) -> tuple[str, str]:
    """What became of a file (refused, read, not ours), and what is wrong with that."""
    begun = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome, problem = _met(data)
    took = time.process_time() - begun
    return outcome, problem or (f"took {took:.1f} s" if took > SLOW else "")


def _met(data: bytes) -> tuple[str, str]:
    try:
        found = read(data, source="m.json")
    except j48geo.ModelReadError as error:
        text = str(error)
        wrong = "\n" in text or not text.isprintable() or len(text) > LONGEST
        return "refused", f"the message {text[:200]!r} of {len(text)} characters" if wrong else ""
    if found is None:
        return "not ours", ""
    try:
        model = j48geo.load(data)
        rows = np.random.default_rng(1).normal(3.0, 3.0, (3, len(model.tree.header)))
        for column, attribute in enumerate(model.tree.header.attributes):
            if attribute.is_nominal:
                rows[:, column] = 0 if attribute.values else np.nan
        model.predict(rows)
        model.predict_proba(rows, method="laplace")
        for method in () if model.fitted is None else ("nearby", "gdk"):
            model.predict_proba(rows, method=method)
    except j48geo.J48GeoError as error:
        return "refused later", "" if len(str(error)) <= LONGEST else f"{str(error)[:200]!r}"
    return "read", ""
