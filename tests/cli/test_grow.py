"""``j48geo grow``: Weka's words on the screen, and trees that every command reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run
from weka_live import Weka

from j48geo.core.criteria import CRITERIA


@pytest.fixture
def two_classes(tmp_path: Path) -> str:
    rows = "".join(
        f"{i % 17},{'xyz'[i % 3]},{'b' if i % 17 > 9 or i % 11 == 0 else 'a'}\n" for i in range(90)
    )
    file = tmp_path / "two.arff"
    file.write_text(
        "@relation two\n@attribute n numeric\n@attribute v {x,y,z}\n@attribute class {a,b}\n"
        f"@data\n{rows}?,x,a\n3,?,b\n"
    )
    return str(file)


@pytest.mark.weka
@pytest.mark.parametrize(
    "options", ["", "-C 0.1 -M 5", "-U -B -M 1", "-doNotMakeSplitPointActualValue -S -A -O -J -L"]
)
def test_it_prints_what_wekas_command_line_prints_of_the_model(
    j48geo: Run, two_classes: str, weka: Weka, options: str
) -> None:
    done = j48geo("grow", two_classes, *options.split())
    assert (done.code, done.err) == (0, "")
    assert weka.cli(Path(two_classes), options=f"-no-cv {options}").startswith(done.out)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("more", ["", "-B -M 3", "-U", "--prune none", "--smoothing 0"])
def test_every_tree_is_read_and_checked(
    j48geo: Run, two_classes: str, tmp_path: Path, criterion: str, more: str
) -> None:
    file = tmp_path / "tree.txt"
    done = j48geo("grow", two_classes, "--criterion", criterion, *more.split(), "-o", file)
    assert (done.code, done.out) == (0, "")
    own = criterion == "gain-ratio" and more in ("", "-B -M 3", "-U", "--smoothing 0")
    assert ("Weka did not make it" in done.err) != own
    assert file.read_text().splitlines()[0] == ("" if own else f"grown by j48geo ({criterion})")
    checked = j48geo("check", file, two_classes)
    assert checked.code == 0
    assert "leaf counts agree" in checked.out
    assert j48geo("rank", file, two_classes, "-q").code == 0


def test_options_are_told_in_the_order_in_which_they_were_typed(
    j48geo: Run, two_classes: str
) -> None:
    done = j48geo("grow", two_classes, "-M", "3", "-BJ", "-C", "0.10")
    assert done.out.startswith("\nOptions: -M 3 -B -J -C 0.10 \n\n=== Classifier model")
    done = j48geo("grow", two_classes, "--criterion", "auc", "-M", "3", "-q")
    assert done.lines[2] == "Options: --criterion auc -M 3 "


def test_what_weka_refuses_is_a_usage_error(j48geo: Run, two_classes: str) -> None:
    done = j48geo("grow", two_classes, "-U", "-S")
    assert (done.code, done.out) == (2, "")
    assert done.err == "-U with -S: an unpruned tree has nothing raised; expected one of them\n"
    done = j48geo("grow", two_classes, "-c", "1")
    assert (done.code, done.out) == (4, "")
    assert done.err == (
        "<data>: J48 cannot grow from a numeric class ('n'); expected a nominal one\n"
    )
    assert j48geo("grow", two_classes, "--criterion", "asymmetric", "--w", "much").code == 2


def test_weights_of_attributes_are_refused_as_weka_does(j48geo: Run, tmp_path: Path) -> None:
    data = tmp_path / "d.arff"
    text = "@relation r\n@attribute x numeric{}\n@attribute c {{a,b}}{}\n@data\n1,a\n2,b\n"
    data.write_text(text.format(" {0.5}", ""))
    refused = j48geo("grow", data)
    assert (refused.code, refused.out) == (4, "")
    assert "an attribute of weight 0.5 ('x')" in refused.err
    data.write_text(text.format("", " {0.5}"))  # the class is not asked
    assert j48geo("grow", data).code == 0
