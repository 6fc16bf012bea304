from __future__ import annotations

import io
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from command_line import ROOT, Run, apart, commands

from j48geo.cli.output import Output


def test_help_shows_every_command_the_exit_codes_examples_and_completion(j48geo: Run) -> None:
    done = j48geo("--help")
    assert done.code == 0
    for name in commands():
        assert f"\n  {name} " in done.out
    assert "Exit codes:\n    0  all is well\n    1  a check failed" in done.out
    assert "Examples:" in done.out
    assert "_J48GEO_COMPLETE=bash_source j48geo" in done.out


@pytest.mark.parametrize("command", commands().values(), ids=lambda c: c.name)
def test_every_command_and_option_has_help(command: click.Command, j48geo: Run) -> None:
    done = j48geo(command.name, "--help")
    assert done.code == 0
    assert command.help
    assert command.short_help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name


def test_without_arguments_the_help_is_shown_and_the_code_is_that_of_usage(j48geo: Run) -> None:
    done = j48geo()
    assert done.code == 2
    assert "Usage: j48geo" in done.err


def test_the_version_is_said(j48geo: Run) -> None:
    done = j48geo("--version")
    assert done.code == 0
    assert done.out.startswith("j48geo ")


def test_help_needs_no_heavy_library() -> None:
    code = (
        "import sys; from j48geo.cli import main; main(['--help']); "
        "sys.exit(any(m in sys.modules for m in ('numpy', 'scipy', 'lark', 'numba', 'arff')))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0


def test_completion_is_offered() -> None:
    done = apart(_J48GEO_COMPLETE="bash_source")
    assert done.code == 0
    assert "_j48geo_completion" in done.out
    options = apart(
        _J48GEO_COMPLETE="bash_complete", COMP_WORDS="j48geo predict --form", COMP_CWORD="2"
    )
    assert options.out.strip() == "plain,--format"


# ------------------------------------------------------------------------------ bad input


def test_a_missing_model_is_code_3_and_missing_data_code_4(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    model, data = fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff"
    absent = tmp_path / "absent"
    assert j48geo("show", absent).err == f"{absent}: no such file\n"
    assert j48geo("show", absent).code == 3
    done = j48geo("show", model, absent)
    assert (done.code, done.err) == (4, f"{absent}: no such file\n")
    assert j48geo("predict", model, data, "--train", absent).code == 4
    assert j48geo("data", absent).code == 4


def test_a_folder_is_no_model_and_no_data(j48geo: Run, fixtures_dir: Path, tmp_path: Path) -> None:
    done = j48geo("show", tmp_path)
    assert (done.code, done.err) == (3, f"{tmp_path}: this is a folder; expected a file\n")
    done = j48geo("check", fixtures_dir / "iris" / "model.txt", tmp_path)
    wanted = f"{tmp_path}: this is a folder; expected a file, or Parquet in it\n"
    assert (done.code, done.err) == (4, wanted)


def test_errors_are_one_line_with_the_place(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    data = fixtures_dir / "iris" / "data.arff"
    text = (fixtures_dir / "iris" / "model.txt").read_text()
    broken = tmp_path / "broken.txt"
    broken.write_text(text.replace("|   |   petallength > 4.9\n", ""))
    done = j48geo("check", broken, data)
    assert done.code == 3
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith(f"{broken}:11:")
    bad = tmp_path / "bad.arff"
    bad.write_text(data.read_text() + "1,2,3,4,Iris-gigantea\n")
    done = j48geo("data", bad)
    assert done.code == 4
    (line,) = done.err.splitlines()
    assert line.startswith(f"{bad}:{len(bad.read_text().splitlines())}:")


def test_data_of_another_tree_is_code_5(j48geo: Run, fixtures_dir: Path) -> None:
    model = fixtures_dir / "iris" / "model.txt"
    filtered = fixtures_dir / "filtered"
    done = j48geo("check", filtered / "model.txt", filtered / "data.arff", "--tree", 1)
    assert done.code == 5
    assert done.err.splitlines()[-1].startswith(f"{filtered / 'data.arff'}: column ")
    done = j48geo("predict", model, fixtures_dir / "pima" / "data.arff")
    assert done.code in (3, 5)
    assert len(done.err.splitlines()) == 1


def test_model_and_data_that_were_swapped_are_told(j48geo: Run, fixtures_dir: Path) -> None:
    model, data = fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff"
    for command in ("predict", "rank", "check", "evaluate"):
        done = j48geo(command, data, model)
        assert (done.code, done.out, done.err) == (
            3,
            "",
            f"{data}: this is data (ARFF), not a tree; expected MODEL first, then DATA: it seems "
            f"that {data} and {model} are swapped\n",
        )
    done = j48geo("show", data)
    assert (done.code, done.err) == (
        3,
        f"{data}: this is data (ARFF), not a tree; expected the text that J48 prints, or a model "
        "file\n",
    )


def test_an_unknown_tree_reader_class_or_encoding_is_said_with_what_is_known(
    j48geo: Run, fixtures_dir: Path
) -> None:
    model, data = fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff"
    assert j48geo("show", model, "--tree", 2).err == "unknown tree number '2'; known: 1..1\n"
    assert j48geo("show", model, "--tree", 2).code == 2
    assert j48geo("show", model, "--reader", "c50").code == 2
    done = j48geo("data", data, "-c", "petal")
    assert done.code == 2
    assert "unknown class attribute 'petal'; known: first, last, 1..5, sepallength" in done.err
    assert j48geo("data", data, "--timezone", "Mars/Olympus").code in (2, 4)
    assert j48geo("data", data, "--encoding", "klingon").code in (2, 4)


def test_control_characters_of_a_file_never_reach_the_terminal(j48geo: Run, tmp_path: Path) -> None:
    model = tmp_path / "m.txt"
    model.write_bytes(b"J48 pruned tree\n------------------\n\n\x1b[31mx\r <= 1: a\x07 (1.0\n")
    done = j48geo("show", model)
    assert done.code == 3
    assert "\x1b" not in done.err
    assert len(done.err.splitlines()) == 1


def test_a_bug_shows_its_traceback() -> None:
    code = (
        "from j48geo.cli import main\n"
        "from j48geo.cli.commands.plugins import plugins\n"
        "plugins.callback = lambda **options: 1 / 0\n"
        "main(['plugins'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert b"ZeroDivisionError" in done.stderr


# ------------------------------------------------------------------------------- streams


def test_the_model_or_the_data_may_be_standard_input(fixtures_dir: Path) -> None:
    model, data = fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff"
    done = apart("check", "-", data, stdin=model.read_bytes())
    assert (done.code, done.lines[0]) == (
        0,
        "5 leaves, size 9: agrees with the footer; 150 rows replayed: all 5 leaf counts agree",
    )
    assert apart("check", model, "-", stdin=data.read_bytes()).lines == done.lines
    broken = apart("check", "-", data, stdin=b"no tree\n")
    assert broken.code == 3
    assert broken.err.startswith("<stdin>:")


class Slow(io.RawIOBase):
    """Takes seven bytes at a time, as a pipe may that nothing buffers."""

    def __init__(self) -> None:
        self.taken = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.taken += bytes(data[:7])
        return min(7, len(data))


def test_an_output_without_a_buffer_takes_everything_bit_by_bit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = f"{'é' * 100}end\n"
    for result in ([whole[:60], whole[60:]], whole.encode()):
        slow = Slow()
        monkeypatch.setattr(sys, "stdout", SimpleNamespace(buffer=slow))
        Output(("table",), named_by_suffix=False).write(result)
        assert slow.taken == whole.encode()


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no broken pipes here")
@pytest.mark.parametrize("unbuffered", [[], ["-u"]])
def test_a_broken_pipe_is_quiet(fixtures_dir: Path, tmp_path: Path, unbuffered: list[str]) -> None:
    long = tmp_path / "long.arff"
    text = (fixtures_dir / "pima" / "data.arff").read_text()
    head, _, rows = text.partition("@data\n")
    long.write_text(f"{head}@data\n{rows * 20}")
    process = subprocess.Popen(
        [sys.executable, *unbuffered, "-m", "j48geo", "data", long, "--format", "jsonl"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline().startswith(b'{"row":1,')
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


def test_notes_go_to_standard_error_and_quiet_keeps_them_back(
    j48geo: Run, fixtures_dir: Path
) -> None:
    model, data = fixtures_dir / "iris" / "model.txt", fixtures_dir / "iris" / "data.arff"
    said = j48geo("predict", model, data, "--format", "csv")
    assert said.err.splitlines() == [
        f"j48geo: note: {data} is the training data (all 5 leaf counts replay); leaves are not "
        "smoothed, as no options line says -A",
    ]
    hushed = j48geo("predict", model, data, "--format", "csv", "-q")
    assert (hushed.out, hushed.err) == (said.out, "")
    more = j48geo("predict", model, data, "--format", "csv", "-v")
    assert more.out == said.out
    assert more.err.splitlines() == [
        *said.err.splitlines(),
        "j48geo: note: 150 rows predicted; 147 of 150 with a known class are right (98.00%)",
    ]


def test_nothing_is_coloured(fixtures_dir: Path) -> None:
    for environment in ({}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1"}):
        done = apart("show", fixtures_dir / "iris" / "model.txt", **environment)
        assert "\x1b" not in done.out + done.err


def test_output_is_utf_8_whatever_the_locale(fixtures_dir: Path) -> None:
    folder = fixtures_dir / "odd-names"
    arguments = ("show", folder / "model.txt", folder / "data.arff", "-f", "text")
    plain = apart(*arguments)
    assert plain.code == 0
    assert not plain.out.isascii()
    other = apart(*arguments, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert other.out == plain.out


# ---------------------------------------------------------------------------------- files


def test_a_file_is_written_whole_and_with_ordinary_permissions(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    data = fixtures_dir / "iris" / "data.arff"
    target = tmp_path / "out.csv"
    done = j48geo("data", data, "-f", "csv", "-o", target)
    assert (done.code, done.out) == (0, "")
    assert target.read_text() == j48geo("data", data, "-f", "csv").out
    assert list(tmp_path.iterdir()) == [target]
    mask = os.umask(0)
    os.umask(mask)
    if os.name == "posix":
        assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~mask


def test_an_ending_of_a_format_that_the_command_has_not_is_told(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    target = tmp_path / "leaves.arff"
    model = fixtures_dir / "pima" / "model.txt"
    done = j48geo("leaves", model, "-o", target)
    assert done.code == 0
    told = f"{target} is written as table: this command has no arff"
    assert f"j48geo: note: {told} (--format table|csv|json|jsonl)\n" in done.err
    assert target.read_text() == j48geo("leaves", model).out
    for kept in (("-o", tmp_path / "leaves.txt"), ("-o", target, "-f", "csv")):
        assert "has no arff" not in j48geo("leaves", model, *kept).err


@pytest.mark.parametrize("suffix", ["csv", "json", "jsonl", "arff"])
def test_the_name_of_the_output_tells_its_format(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, suffix: str
) -> None:
    folder = fixtures_dir / "iris"
    target = tmp_path / f"out.{suffix}"
    arguments = ("predict", folder / "model.txt", folder / "data.arff", "-q")
    assert j48geo(*arguments, "-o", target).code == 0
    assert target.read_text() == j48geo(*arguments, "-f", suffix).out
    # What is asked for goes before what the name suggests.
    assert j48geo(*arguments, "-f", "table", "-o", target).code == 0
    assert target.read_text() == j48geo(*arguments).out


def test_an_error_on_the_way_leaves_the_old_file_and_no_other(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.arff"
    text = (fixtures_dir / "iris" / "data.arff").read_text()
    bad.write_text(text + "1,2,3,4,Iris-gigantea\n")
    folder = tmp_path / "results"
    folder.mkdir()
    target = folder / "out.csv"
    target.write_text("precious")
    assert j48geo("data", bad, "-f", "csv", "-o", target).code == 4
    assert target.read_text() == "precious"
    assert list(folder.iterdir()) == [target]


def test_a_file_that_cannot_be_written_is_one_line_and_code_2(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    data = fixtures_dir / "iris" / "data.arff"
    done = j48geo("data", data, "-o", tmp_path)
    assert (done.code, done.err) == (2, f"{tmp_path}: this is a folder; expected a file to write\n")
    nowhere = tmp_path / "no" / "such" / "folder.csv"
    done = j48geo("data", data, "-o", nowhere)
    assert done.code == 2
    assert done.err.startswith(f"{nowhere}: cannot be written: ")
    assert j48geo("data", data, "-o", "-").out.startswith("iris: 150 rows")


@pytest.mark.parametrize("name", ["木" * 81, "木" * 85, "a" * 255])
def test_a_name_as_long_as_the_system_allows_is_written(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, name: str
) -> None:
    target = tmp_path / name
    try:
        target.write_text("old")
    except OSError:
        pytest.skip("no such names here")
    assert j48geo("data", fixtures_dir / "iris" / "data.arff", "-o", target).code == 0
    assert target.read_text().startswith("iris: 150 rows")
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("predict", "{model}", "{data}", "-o", "{data}"), "DATA"),
        (("predict", "{model}", "{data}", "-o", "{model}"), "MODEL"),
        (("predict", "{model}", "{data}", "--train", "{train}", "-o", "{train}"), "--train"),
        (("fit", "{model}", "--train", "{train}", "-o", "{model}"), "MODEL"),
        (("grow", "{data}", "--evaluate", "-T", "{train}", "-o", "{train}"), "-T"),
        (("data", "{data}", "-f", "csv", "-o", "{link}"), "DATA"),
        (("show", "{model}", "--plot", "{model}"), "MODEL"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_an_input_is_not_written_over_unless_that_is_asked_for(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path, arguments: tuple[str, ...], name: str
) -> None:
    files = {"model": "model.txt", "data": "data.arff", "train": "train.arff", "link": "link"}
    paths = {key: tmp_path / value for key, value in files.items()}
    for key in ("model", "data", "train"):
        source = "model.txt" if key == "model" else "data.arff"
        shutil.copy(fixtures_dir / "iris" / source, paths[key])
    try:
        paths["link"].symlink_to(paths["data"])
    except OSError:
        shutil.copy(paths["data"], paths["link"])
    before = {path: path.read_bytes() for path in paths.values()}
    words = [word.format(**paths) for word in arguments]
    done = j48geo(*words)
    assert (done.code, done.out) == (2, "")
    assert f" is also {name}, which would be lost; name another file, or add --overwrite" in (
        done.err
    )
    assert {path: path.read_bytes() for path in paths.values()} == before
    if "--plot" not in words:  # a picture has endings of its own
        assert j48geo(*words, "--overwrite").code == 0
        assert {path: path.read_bytes() for path in paths.values()} != before


def test_a_link_stays_a_link_and_a_device_a_device(
    j48geo: Run, fixtures_dir: Path, tmp_path: Path
) -> None:
    data = fixtures_dir / "iris" / "data.arff"
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    try:
        link.symlink_to(target)
    except OSError:
        pytest.skip("no symbolic links here")
    assert j48geo("data", data, "-o", link).code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("iris: 150 rows")
    if Path("/dev/null").is_char_device():
        assert j48geo("data", data, "-o", "/dev/null").code == 0
        assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line_and_code_2(fixtures_dir: Path) -> None:
    data = fixtures_dir / "iris" / "data.arff"
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "j48geo", "data", data],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"<stdout>: cannot be written: No space left on device\n"
    named = apart("data", data, "-o", "/dev/full")
    assert (named.code, named.out) == (2, "")
    assert named.err == "/dev/full: cannot be written: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="no limits of files here")
@pytest.mark.parametrize("rows_format", ["table", "csv"])
def test_a_file_that_outgrows_its_disk_is_one_line_and_leaves_nothing(
    fixtures_dir: Path, tmp_path: Path, rows_format: str
) -> None:
    data = fixtures_dir / "iris" / "data.arff"
    target = tmp_path / "out"
    code = (
        "import resource, sys; from j48geo.cli import main; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40)); sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "data", data, "-f", rows_format, "-o", target],
        cwd=ROOT,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.decode() == f"{target}: cannot be written: File too large\n"
    assert list(tmp_path.iterdir()) == []
