"""What strangers may hand in: answered, or refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run

WEIGHTED = """@relation r
@attribute x numeric
@attribute c {{a,b}}
@data
1,a
2,b,{{{weight}}}
3,b
"""
STUMP = "J48 pruned tree\n------------------\n\nx <= 1: a (2.0)\nx > 1: b (3.0)\n"


@pytest.mark.parametrize("weight", ["-5", "1e200", "Infinity"])
def test_training_rows_of_impossible_weight_are_refused(
    j48geo: Run, tmp_path: Path, weight: str
) -> None:
    model, train = tmp_path / "m.txt", tmp_path / "t.arff"
    model.write_text(STUMP)
    train.write_text(WEIGHTED.format(weight=weight))
    done = j48geo("predict", model, train, "--train", train, "--allow-mismatch")
    assert done.code == 5
    assert done.out == ""
    assert f"{train}: row 2 weighs" in done.err
    assert done.err.endswith("; expected weights from 0 to 1e+150\n")
