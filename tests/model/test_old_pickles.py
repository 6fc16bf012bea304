"""Pickles of models that 0.1.0 wrote are read, though modules, classes and fields moved since."""

from __future__ import annotations

import pickle
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import j48geo

ROOT = Path(__file__).resolve().parents[2]
OLD = ROOT / "fixtures" / "models-0.1.0"
SOURCES = {
    "iris": ("iris/model.txt", "iris/data.arff"),
    "iris-fit": ("models-0.1.0/iris-fit.json",),
    "bagging": ("bagging/model.txt", "bagging/data.arff"),
    "standardised": ("standardised/model.txt", "standardised/data.arff"),
}


@pytest.mark.skipif(
    int(np.__version__.partition(".")[0]) < 2,
    reason="NumPy 1 does not read the arrays that NumPy 2 pickled",
)
@pytest.mark.parametrize("name", SOURCES)
def test_a_pickle_of_0_1_0_is_the_model_that_is_loaded_now(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    old = pickle.loads((OLD / f"{name}.pickle").read_bytes())
    new = j48geo.load(*(f"fixtures/{source}" for source in SOURCES[name]))
    assert set(vars(old)) == {field.name for field in fields(j48geo.Model)}
    assert repr(old) == repr(new)
    assert old.tree == new.tree
    assert (old.committee is None) == (new.committee is None)
    data = j48geo.read_arff(f"fixtures/{name.removesuffix('-fit')}/data.arff")
    np.testing.assert_array_equal(old.predict(data), new.predict(data))
    if new.committee is None:  # several trees together predict a class only
        np.testing.assert_array_equal(old.predict_proba(data), new.predict_proba(data))


def test_an_old_name_is_found_in_a_fresh_process_and_an_unknown_one_is_not() -> None:
    code = (
        "import j48geo.core.learnt as old; print(old.Fitted.__name__); import j48geo.core.nothing"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stdout == "FittedValues\n"
    assert "No module named 'j48geo.core.nothing'" in done.stderr
