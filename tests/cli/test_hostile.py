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


ODD_DATA = """@relation "r\x1b[31m\u202e"
@attribute "a\x1b]0;PWN\x07b" numeric
@attribute "n\x9bx" {"\x1b[2Jx","two\\nlines"}
@attribute "c\x1blass" {"yes\x1b[1m","n\x08o"}
@data
1,"\x1b[2Jx","yes\x1b[1m"
2,"\x1b[2Jx","n\x08o"
3,"two\\nlines","n\x08o"
0,"two\\nlines","yes\x1b[1m"
"""
ODD_TREE = """J48 pruned tree
------------------

a\x1b]0;PWN\x07b <= 1: yes\x1b[1m (2.0)
a\x1b]0;PWN\x07b > 1: n\x08o (2.0)
"""


@pytest.fixture
def odd(tmp_path: Path) -> tuple[Path, Path]:
    """A model and its training data whose names hold what terminals obey."""
    model, data = tmp_path / "m.txt", tmp_path / "d.arff"
    model.write_text(ODD_TREE, encoding="utf-8")
    data.write_text(ODD_DATA, encoding="utf-8")
    return model, data


def obeyed(text: str) -> set[str]:
    """The characters of a text that a terminal would obey."""
    return {c for c in text if not c.isprintable() and c != "\n"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("show",),
        ("show", "--format", "rules"),
        ("predict",),
        ("rank",),
        ("proba",),
        ("explain", "--row", "2"),
        ("leaves",),
        ("labellings",),
        ("label", "--fn", "2", "--fp", "1"),
        ("audit",),
        ("curve",),
        ("evaluate",),
    ],
    ids=" ".join,
)
def test_nothing_meant_for_people_commands_the_terminal(
    j48geo: Run, odd: tuple[Path, Path], arguments: tuple[str, ...]
) -> None:
    done = j48geo(arguments[0], *odd, *arguments[1:], "-v")
    assert done.code == 0
    assert done.out
    assert obeyed(done.out) == obeyed(done.err) == set()


def test_the_positive_class_above_each_table_shows_control_characters(
    j48geo: Run, tmp_path: Path
) -> None:
    model = tmp_path / "m.txt"
    rows = "x <= 1: \x1b[31mred (2.0)\nx > 1\n|   x <= 2: b (2.0)\n|   x > 2: c (2.0)\n"
    model.write_text(f"J48 pruned tree\n------------------\n\n{rows}")
    done = j48geo("labellings", model)
    assert done.lines[0] == "positive: \\x1b[31mred"
    assert obeyed(done.out) == obeyed(done.err) == set()


def test_the_summary_of_data_shows_control_characters(j48geo: Run, odd: tuple[Path, Path]) -> None:
    done = j48geo("data", odd[1])
    assert done.lines[0].startswith("r\\x1b[31m\\u202e: 4 rows")
    assert obeyed(done.out) == set()


def test_machine_formats_keep_control_characters(
    j48geo: Run, odd: tuple[Path, Path], tmp_path: Path
) -> None:
    assert j48geo("show", *odd, "--format", "text").out == f"{ODD_TREE}"
    assert "\x1b" in j48geo("predict", *odd, "--format", "csv").out
    relabelled = tmp_path / "out.txt"
    j48geo("label", *odd, "--fn", "2", "--fp", "1", "-o", relabelled)
    assert "\x1b" in relabelled.read_text(encoding="utf-8")


ASKED = {
    "--m": ("proba", "--method", "m"),
    "--sigma": ("proba", "--method", "nearby"),
    "--shrinkage": ("proba", "--method", "hs"),
    "--tau": ("proba", "--method", "gdk"),
    "--nominal-weight": ("rank", "--by", "global"),
    "--fn": ("label",),
    "--threshold": ("label",),
    "--prior": ("label", "--fp", "2"),
    "--fpr": ("evaluate",),
    "labellings --m": ("labellings", "--smoothing", "m"),
    "leaves --m": ("leaves", "--smoothing", "m"),
    "label --m": ("label", "--smoothing", "m", "--fn", "2"),
}


@pytest.mark.parametrize(
    "number", ["1.7e308", "1e-308", "5e-324", "0", "-1", "nan", "inf", "1e400"]
)
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_numbers_at_the_ends_of_the_doubles_are_answered_or_refused(
    j48geo: Run, fixtures_dir: Path, asked: str, number: str
) -> None:
    command, *more = ASKED[asked]
    files = [fixtures_dir / "pima" / name for name in ("model.txt", "data.arff")]
    done = j48geo(command, *files, *more, asked.split()[-1], number)  # an exception would fail it
    assert done.code in (0, 2)
    assert (done.out == "") == (done.code == 2)


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_confidence_that_no_float_holds_is_refused(j48geo: Run, fixtures_dir: Path) -> None:
    done = j48geo("grow", fixtures_dir / "iris" / "data.arff", "-C", "1e308")
    assert done.code == 2
    assert "-C: inf is no confidence" in done.err


SPOILT_TREE = (
    "J48 pruned tree\n------------------\n\na <= 1: x (2.0)\na \x1b]0;PWN\x07> z: y (2.0)\n"
)
FORMULAS = """@relation r
@attribute "a\x1b[31mb" numeric
@attribute "=cmd|x" {"=1+1","@SUM(A1)","+2","-3","q\\"u,o","two\\nlines","\x1b[2Jx"}
@attribute "cl,a\\"ss" {"=HYPERLINK(1)","\x1b[31mred"}
@data
1,"=1+1","=HYPERLINK(1)"
2,"\x1b[2Jx","\x1b[31mred"
3,"two\\nlines","\x1b[31mred"
0,"q\\"u,o","=HYPERLINK(1)"
"""
BINARY_TREE = """J48 pruned tree
------------------

x > 2 =  = v6: c1 (21.39/4.04)
x > 2 =  != v6
|   x > 2 = v20: c1 (3.95)
|   x > 2 != v20: c0 (1306.66/18.7)
"""


@pytest.fixture
def hostile(tmp_path: Path, j48geo: Run, fixtures_dir: Path) -> Path:
    """A folder of inputs that were answered badly once."""
    outings = [fixtures_dir / "outings" / name for name in ("model.txt", "data.arff")]
    saved = j48geo("show", *outings, "--format", "json").out
    files = {
        "binary-odd-name.txt": BINARY_TREE,
        "overflow.json": saved.replace('"no": 15.0', f'"no": 1{"0" * 400}', 1),
        "escapes.txt": SPOILT_TREE,
        "escapes.arff": "@relation r\n@attribute x numeric\n@data\n\x1b]0;PWN\x07\x1b[31mz\n",
        "formulas.txt": "J48 pruned tree\n------------------\n\n"
        "a\x1b[31mb <= 1: =HYPERLINK(1) (2.0)\na\x1b[31mb > 1: \x1b[31mred (2.0)\n",
        "formulas.arff": FORMULAS,
    }
    assert files["overflow.json"] != saved
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (("show", "binary-odd-name.txt"), 0),
        (("show", "overflow.json"), 3),
        (("show", "escapes.txt"), 3),
        (("show", "escapes.txt", "escapes.arff"), 5),
        (("data", "escapes.arff"), 4),
        (("show", "formulas.txt", "formulas.arff"), 0),
        (("predict", "formulas.txt", "formulas.arff"), 0),
        (("audit", "formulas.txt", "formulas.arff"), 0),
        (("label", "formulas.txt", "formulas.arff", "--fn", "2", "--fp", "1"), 0),
        (("data", "formulas.arff"), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_what_once_went_wrong_is_answered_or_told_in_one_line(
    j48geo: Run, hostile: Path, given: tuple[str, ...], code: int
) -> None:
    done = j48geo(*(hostile / word if "." in word else word for word in given))
    assert done.code == code
    assert obeyed(done.out) == obeyed(done.err) == set()
    if code:
        assert len(done.err.splitlines()) == 1
    else:
        assert done.out
