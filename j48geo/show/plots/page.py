"""What all pictures share: the page, its colours, names that fit, and the way to a file.

matplotlib is imported when a picture is wanted, never before; no pyplot, so that nothing of
what a notebook has open is touched.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from j48geo.arrays import Floats
from j48geo.errors import J48GeoError
from j48geo.output_files import open_atomic, translate_os_errors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PICTURE_SUFFIXES = (".png", ".svg", ".pdf")
PICTURE_DPI = 150
"""Dots per inch of a bitmap: pages are 9 inches wide, so that 900 pixels show them well."""

CLASS_COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7"),
    *("#E69F00", "#56B4E9", "#8C7B00", "#555555"),
)
"""Colours that people with colour-blindness tell apart (after Okabe and Ito)."""

_METHODS = {
    "raw": ("#777777", "-"),
    "laplace": ("#0072B2", "-"),
    "m": ("#56B4E9", "--"),
    "hs": ("#333333", "--"),
    "gdk": ("#D55E00", "-"),
    "ldk": ("#009E73", "-"),
    "ldk-leaf": ("#8C7B00", "--"),
    "nearby": ("#CC79A7", "-"),
    "global": ("#E69F00", "-"),
    "local": ("#7A3E00", "-."),
    "leaf": ("#0072B2", "-"),
}
"""A method has the same colour and line in every picture."""

_MARKERS = "osD^vP*Xp<>hd"
_LINES = ("-", "--", "-.", (0, (5, 1, 1, 1, 1, 1)), ":")
_CONTROLS = str.maketrans(dict.fromkeys(map(chr, (*range(32), 127)), " "))


class PictureError(J48GeoError):
    """A picture that cannot be made or written: what is wrong, and what was expected."""

    exit_code = 2


@dataclass(frozen=True)
class MethodStyle:
    """Colour, marker and line by which a method is drawn."""

    colour: str
    line: str | tuple[int, tuple[int, ...]]
    marker: str


def choose_styles(names: Iterable[str]) -> dict[str, MethodStyle]:
    """A style for each method; known names keep theirs, others take what is left."""
    names = list(names)
    taken = {_METHODS[name][0] for name in names if name in _METHODS}
    free = [c for c in (*CLASS_COLOURS, "#000000") if c not in taken] or list(CLASS_COLOURS)
    styles: dict[str, MethodStyle] = {}
    others = 0
    for k, name in enumerate(names):
        marker = _MARKERS[k % len(_MARKERS)]
        if name in _METHODS:
            styles[name] = MethodStyle(*_METHODS[name], marker)
            continue
        line = _LINES[others // len(free) % len(_LINES)]
        styles[name] = MethodStyle(free[others % len(free)], line, marker)
        others += 1
    return styles


def clean_label(text: str, width: int = 28) -> str:
    """A name from the data as matplotlib must be given it: one line, not too long, no formula.

    Examples
    --------
    >>> clean_label("od280_od315_of_diluted_wines", 20)
    'od280_od31…ted_wines'
    """
    text = text.encode("utf-8", "replace").decode("utf-8")  # bytes that were no text
    text = text.translate(_CONTROLS).strip() or "(no name)"
    if len(text) > width:
        head = width // 2
        text = f"{text[:head]}…{text[len(text) - (width - head - 1) :]}"
    # matplotlib takes dollars for a formula, and leaves out of a legend what begins with "_".
    return (" " if text[0] == "_" else "") + text.replace("$", r"\$")


def thin_points(x: Floats, y: Floats, steps: int = 2000) -> tuple[Floats, Floats]:
    """The points without those that fall on the same spot as the one before.

    Parameters
    ----------
    steps
        Spots in each direction, over the range of the points. Up to as many points are
        left alone.
    """
    if len(x) <= steps:
        return x, y
    keys = np.stack([_spots(x, steps), _spots(y, steps)])
    new = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    is_kept = np.concatenate([[True], new])
    is_kept[-1] = True
    return x[is_kept], y[is_kept]


def _spots(values: Floats, steps: int) -> Floats:
    known = values[np.isfinite(values)]
    low, high = (known.min(), known.max()) if len(known) else (0.0, 1.0)
    spots: Floats = np.round((values - low) / ((high - low) or 1.0) * steps)
    return spots


def new_page(width: float = 9.0, height: float = 6.0) -> Figure:
    """An empty figure of a size in inches.

    Raises
    ------
    PictureError
        If matplotlib is not installed.
    """
    _require_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def draw_message(axes: Axes, words: str) -> None:
    """Words in the middle of a panel that has nothing to draw."""
    axes.text(
        *(0.5, 0.5, words),
        transform=axes.transAxes,
        ha="center",
        va="center",
        color="#555555",
        fontsize=10,
        wrap=True,
    )


def check_picture(path: str | Path) -> str:
    """The suffix of a picture's file, lower case; to be asked before any work is done.

    Raises
    ------
    PictureError
        If the suffix is not known, or matplotlib is not installed.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in PICTURE_SUFFIXES:
        raise PictureError(
            f"{path}: no kind of picture that can be written; expected a name that ends in "
            f"{', '.join(PICTURE_SUFFIXES[:-1])} or {PICTURE_SUFFIXES[-1]}"
        )
    _require_matplotlib()
    return suffix


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a picture; PNG, SVG or PDF by the suffix.

    The file appears when all of it is written, and equal pictures have equal bytes: no date
    is in them, and no number drawn by chance.

    Raises
    ------
    PictureError, OutputError
        If the suffix is not known; if the file cannot be written.
    """
    with figure_file(figure, path):
        pass


@contextmanager
def figure_file(figure: Figure, path: str | Path) -> Iterator[None]:
    """The same around other work: the picture is drawn before it, and appears after it.

    So what is wrong with the picture is known before that work, and if that fails the old
    picture stays.
    """
    content = _render_figure(figure, check_picture(path))
    name = os.fspath(path)
    with open_atomic(name) as stream:
        with translate_os_errors(name):
            stream.write(content)
        yield


def _render_figure(figure: Figure, suffix: str) -> bytes:
    import matplotlib

    nameless: dict[str, dict[str, str | None]] = {
        ".png": {"Software": "j48geo"},
        ".svg": {"Creator": "j48geo", "Date": None},
        ".pdf": {"Creator": "j48geo", "Producer": "j48geo", "CreationDate": None},
    }
    content = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "j48geo"}), warnings.catch_warnings():
        # A script that the font lacks gives boxes; the picture is none the worse for it.
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        figure.savefig(content, format=suffix[1:], dpi=PICTURE_DPI, metadata=nameless[suffix])
    return content.getvalue()


def _require_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise PictureError(
            "pictures need matplotlib; expected it to be installed: "
            f"{sys.executable} -m pip install matplotlib"
        ) from error
