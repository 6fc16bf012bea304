"""Exports asked by the programs they are made for, on the rows of fixtures and corpus."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from consumers import (
    Answers,
    ask_c,
    ask_duckdb,
    ask_node,
    ask_onnx,
    ask_sqlite,
    compile_c,
)
from saved_cases import J48, corpus_cases, own_cases
from tree_cases import is_tree_text, meta_of, tree_cases

import j48geo
from j48geo.arrays import Bools, Floats, Ints
from j48geo.core.dataset import Dataset
from j48geo.export.tree_table import ExportError

Record = Callable[[str, str, int, int], None]
NEAR = 1e-14
FINER_THAN_SIX_DECIMALS = {
    *("drifts-midpoint", "standardised", "saved-standardised", "tiny-scale", "saved-tiny-scale"),
    *("p29-tiny-scale", "saved-j48-tiny"),
}


def has_classes_of_data(case: Path) -> bool:
    """Whether the trees have the classes of the data, as those of a MultiClassClassifier do not."""
    return is_tree_text(case) and not meta_of(case)["classifier"].endswith("MultiClassClassifier")


def export_cases() -> list[Any]:
    """Texts of trees, and saved trees whose counts are Weka's to the last bit."""
    found = []
    for case in tree_cases(has_classes_of_data):
        (folder,) = case.values
        found.append(pytest.param(folder.name, folder, None, id=case.id, marks=case.marks))
    for saved in (*own_cases(), *corpus_cases()):
        if saved.scheme == J48:
            marks = [] if saved.suite == "fixtures/saved" else [pytest.mark.corpus]
            name = f"saved-{saved.name}"
            found.append(pytest.param(name, saved.model, saved, id=name, marks=marks))
    return found


CASES = pytest.mark.parametrize(("name", "path", "saved"), export_cases())


@dataclass(frozen=True, eq=False)
class Asked:
    """A tree, rows, and what `predict` says of them."""

    name: str
    model: j48geo.Model
    rows: Dataset
    predicted: Ints
    leaf: Ints
    distribution: Floats

    @property
    def X(self) -> Floats:
        return self.rows.X

    @property
    def used(self) -> tuple[int, ...]:
        return self.model.tree.used_attributes

    @property
    def without_class(self) -> Bools:
        """Divided rows whose distribution the text does not tell: a program gives no class.

        `predict` may still know the class, by bounds of the counts; the file says so.
        """
        return (self.leaf < 0) & np.isnan(self.distribution).any(axis=1)

    @property
    def labels(self) -> Any:
        return np.array([*self.model.classes, None], dtype=object)[self.predicted]


@cache
def asked(name: str, path: Path, saved: Any) -> Asked:
    """The first tree of a case with its data, asked by `predict`."""
    if saved is not None:
        model_file, data, choice = path, saved.asked[0][0], saved.class_choice
    else:
        meta = meta_of(path)
        filtered = path / "filtered.arff"
        model_file = path / "model.txt"
        data = filtered if filtered.is_file() else path / "data.arff"
        column = meta.get("filtered_class_index", meta["class_index"])
        choice = "last" if column < 0 else str(column + 1)
    given = j48geo.read_arff(data).with_class(choice)
    model = j48geo.load(model_file, data=given)
    if model.committee is not None or model.filter is not None:
        model = j48geo.load(model_file, data=given, tree=1)
    rows = model.rows(given).all()
    found = [block.prediction for block in model.predictions(rows)]
    return Asked(
        name,
        model,
        rows,
        np.concatenate([part.predicted for part in found]),
        np.concatenate([part.leaf for part in found]),
        np.concatenate([part.distribution for part in found]),
    )


def exported(case: Asked, format: str, refused: bool, **options: Any) -> Any:
    """The export, or None where it must be refused."""
    if refused:
        with pytest.raises(ExportError):
            case.model.to(format, **options)
        return None
    return case.model.to(format, **options)


def near(found: Floats, wanted: Floats) -> Any:
    """Whether distributions are equal but for the last bits, unknown ones unknown."""
    return ((np.isnan(found) & np.isnan(wanted)) | (np.abs(found - wanted) <= NEAR)).all(axis=1)


def same_leaf(case: Asked, said: Answers) -> Any:
    return np.array([leaf or 0 for leaf in said.leaf]) == case.leaf + 1


def settle(record: Record, consumer: str, case: Asked, equal: Any) -> None:
    """Count the equal rows, and insist on all of them."""
    record(consumer, case.name, len(case.X), int(equal.sum()))
    assert equal.all(), np.flatnonzero(~equal)[:10]


@CASES
def test_a_c_program_says_what_predict_says(
    name: str, path: Path, saved: Any, tmp_path: Path, record_export: Record
) -> None:
    case = asked(name, path, saved)
    source = case.model.to("c")
    said, distribution = ask_c(source, case.X, len(case.model.classes), tmp_path)
    as_promised = (said == case.predicted) | (case.without_class & (said == -1))
    equal = as_promised & near(distribution, case.distribution)
    settle(record_export, "c, gcc", case, equal)
    tested = subprocess.run([compile_c(source, tmp_path, "-DSELFTEST")], capture_output=True)
    assert tested.returncode == 0, tested.stdout


@CASES
def test_the_report_of_a_float_program_counts_the_rows_that_it_answers_otherwise(
    name: str, path: Path, saved: Any, tmp_path: Path, record_export: Record
) -> None:
    case = asked(name, path, saved)
    made = case.model.export("c", float32=True, data=case.rows)
    said, distribution = ask_c(str(made.content), case.X, len(case.model.classes), tmp_path)
    other = (said != case.predicted) & ~(case.without_class & (said == -1))
    assert made.notes[0].endswith(f", {int(other.sum())} other classes")
    record_export("c --float32, gcc", case.name, len(other), int((~other).sum()))
    at_risk = np.abs(distribution - case.distribution).max(axis=1) > 1e-6
    words = f"{int((at_risk | other).sum())} of {len(other)} row"
    assert f"; {words}" in made.notes[0]
    program = compile_c(str(made.content), tmp_path, "-DSELFTEST")
    tested = subprocess.run([program], capture_output=True)
    assert tested.returncode == 0, tested.stdout


@CASES
def test_a_javascript_function_says_what_predict_says(
    name: str, path: Path, saved: Any, record_export: Record
) -> None:
    case = asked(name, path, saved)
    (said,) = ask_node([(str(case.model.to("js")), case.model.tree.header, case.used, case.X)])
    label = np.array(said.label, dtype=object)
    as_promised = (label == case.labels) | (case.without_class & (label == None))  # noqa: E711
    equal = as_promised & same_leaf(case, said)
    settle(record_export, "js, node", case, equal & near(said.distribution, case.distribution))


def database(name: str, request: pytest.FixtureRequest) -> Callable[..., Answers]:
    if name == "PostgreSQL":
        return request.getfixturevalue("postgres").ask
    return ask_sqlite if name == "SQLite" else ask_duckdb


DATABASES = pytest.mark.parametrize("base", ["SQLite", "DuckDB", "PostgreSQL"])


def has_dates(case: Asked) -> bool:
    return any(case.model.tree.header.attributes[a].type == "date" for a in case.used)


@DATABASES
@CASES
def test_a_select_says_what_predict_says_where_no_value_is_missing_on_the_path(
    name: str, path: Path, saved: Any, base: str, request: Any, record_export: Record
) -> None:
    case = asked(name, path, saved)
    query = exported(case, "sql", has_dates(case))
    if query is None:
        return
    said = database(base, request)(query, case.model.tree.header, case.used, case.X)
    wanted = np.where(case.leaf >= 0, case.labels, None)
    equal = (np.array(said.label, dtype=object) == wanted) & same_leaf(case, said)
    settle(record_export, f"sql, {base}", case, equal)


@DATABASES
@CASES
def test_a_select_with_distributions_says_what_predict_says_on_every_row(
    name: str, path: Path, saved: Any, base: str, request: Any, record_export: Record
) -> None:
    case = asked(name, path, saved)
    many = len(case.model.tree.leaves) > 500
    unknown = bool(np.isnan(case.distribution).any())
    query = exported(case, "sql", has_dates(case) or many or unknown, distribution=True)
    if query is None:
        return
    said = database(base, request)(query, case.model.tree.header, case.used, case.X)
    equal = (np.array(said.label, dtype=object) == case.labels) & same_leaf(case, said)
    equal &= near(said.distribution, case.distribution)
    settle(record_export, f"sql --distribution, {base}", case, equal)


@CASES
def test_an_onnx_model_says_what_predict_says_of_complete_rows_and_nothing_of_others(
    name: str, path: Path, saved: Any, record_export: Record
) -> None:
    case = asked(name, path, saved)
    types = {case.model.tree.header.attributes[a].type for a in case.used}
    model = exported(case, "onnx", bool(types - {"numeric"}))
    if model is None:
        return
    said = ask_onnx(model, case.X)
    complete = ~np.isnan(case.X[:, list(case.used)]).any(axis=1)
    wanted = np.where(complete, case.labels, "")
    leaves = np.where(complete, case.leaf + 1, 0)
    alike = (said.distribution == case.distribution) | np.isnan(case.distribution)
    equal = (np.array(said.label, dtype=object) == wanted) & (np.array(said.leaf) == leaves)
    equal &= np.where(complete, alike.all(axis=1), np.isnan(said.distribution).all(axis=1))
    settle(record_export, "onnx, onnxruntime", case, equal)


@CASES
def test_the_text_of_sensor_tools_is_read_back_as_the_same_classes(
    name: str, path: Path, saved: Any, record_export: Record
) -> None:
    case = asked(name, path, saved)
    tree = case.model.tree
    types = {tree.header.attributes[a].type for a in case.used}
    names = [tree.header.attributes[a].name for a in case.used]
    refused = (
        bool(types - {"numeric"})
        or tree.size > 128
        or len(tree.classes) > 16
        or not all(re.fullmatch(r"[A-Za-z0-9_]+", label) for label in tree.classes)
        or not all(re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in names)
        or case.name in FINER_THAN_SIX_DECIMALS
    )
    text = exported(case, "st", refused, data=case.rows)
    if text is None:
        return
    back = j48geo.load(text.encode(), data=case.rows)
    whole = case.leaf >= 0
    equal = (back.predict(case.rows) == case.labels) | ~whole
    settle(record_export, "st, read back", case, equal)
