"""Pictures show what the numbers say; files are whole, equal and only of known kinds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from j48geo.arrays import Bools, Floats
from j48geo.decide.evaluation.intervals import wilson_interval
from j48geo.decide.evaluation.probability_metrics import calibration_error
from j48geo.decide.roc import curve, curves_by_method, interpolate_precision, locate_labels
from j48geo.output_files import OutputError
from j48geo.show.plots.figures import (
    curve_figure,
    overview_figure,
    precision_recall_figure,
    ranked_figure,
    reliability_figure,
    roc_figure,
)
from j48geo.show.plots.page import (
    PictureError,
    choose_styles,
    clean_label,
    figure_file,
    save_figure,
    thin_points,
)

ROOT = Path(__file__).resolve().parents[2]


def some_cases(n: int = 60, seed: int = 3) -> tuple[dict[str, Floats], Bools, Bools]:
    """Probabilities by two methods, one of them with ties, the classes, the tree's labels."""
    chance = np.random.default_rng(seed)
    positive = chance.random(n) < 0.4
    score = chance.normal(size=n) + positive
    p = 1 / (1 + np.exp(-score))
    return {"laplace": np.round(p * 5) / 5, "gdk": p}, positive, p > 0.6


def line_called(axes: Axes, label: str) -> Line2D:
    found = [line for line in axes.get_lines() if str(line.get_label()).startswith(label)]
    assert len(found) == 1, label
    return found[0]


def legend_of(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


def words_on(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


# ------------------------------------------------------------------------ ROC and precision


def test_roc_shows_every_curve_the_hull_of_the_leaves_and_the_labels_of_the_tree() -> None:
    scores, positive, called = some_cases()
    curves = curves_by_method(scores, positive)
    fpr, tpr, _ = locate_labels(called, positive)
    (axes,) = roc_figure(curves, point=(fpr, tpr)).axes
    for name, found in curves.items():
        line = line_called(axes, f"{name}  AUC {found.auc:.3f}")
        assert np.array_equal(line.get_xdata(), found.fpr)
        assert np.array_equal(line.get_ydata(), found.tpr)
    leaves = curves["laplace"]
    hull = line_called(axes, "convex hull of laplace")
    assert np.array_equal(hull.get_xdata(), leaves.fpr[leaves.hull])
    assert np.array_equal(hull.get_ydata(), leaves.tpr[leaves.hull])
    point = line_called(axes, "the tree's labels")
    assert (list(point.get_xdata()), list(point.get_ydata())) == ([fpr], [tpr])
    assert len(legend_of(axes)) == 4


def test_the_hull_of_another_method_can_be_asked_for() -> None:
    scores, positive, _ = some_cases()
    (axes,) = roc_figure(curves_by_method(scores, positive), hull="gdk").axes
    assert "convex hull of gdk" in legend_of(axes)
    with pytest.raises(PictureError, match="no curve 'nonsense' to draw the hull of; known: lap"):
        roc_figure(curves_by_method(scores, positive), hull="nonsense")


def test_the_operating_point_counts_weights_and_tells_what_is_0_over_0() -> None:
    called = np.array([True, True, False, False])
    positive = np.array([True, False, True, False])
    assert locate_labels(called, positive) == (0.5, 0.5, 0.5)
    weights = np.array([3.0, 1.0, 1.0, 3.0])
    assert locate_labels(called, positive, weights) == (0.25, 0.75, 0.75)
    fpr, tpr, precision = locate_labels(np.zeros(4, bool), np.ones(4, bool))
    assert np.isnan([fpr, precision]).all()
    assert tpr == 0


def test_the_operating_point_of_a_score_of_labels_is_on_its_curve() -> None:
    _, positive, called = some_cases()
    roc = curve(called.astype(float), positive)
    assert locate_labels(called, positive)[:2] == (roc.fpr[1], roc.tpr[1])


def test_precision_between_two_points_is_that_of_counts_that_grow_evenly() -> None:
    roc = curve([0.9, 0.5, 0.5, 0.5], [True, True, False, False])
    recall, precision = interpolate_precision(roc)
    assert (recall[0], precision[0]) == (0, 1)
    assert (recall[-1], precision[-1]) == (1, 0.5)
    tp = recall[1:] * 2
    fp = np.maximum(tp - 1, 0) * 2
    assert precision[1:] == pytest.approx(tp / (tp + fp), abs=1e-12)
    assert len(recall) > 40
    # A straight line would be above it; where only positives come it would be below.
    assert precision[(recall > 0.6) & (recall < 0.9)].max() < 1 - 0.1
    late = curve([0.9, 0.5, 0.5], [False, True, True])
    recall, precision = interpolate_precision(late)
    assert precision == pytest.approx(recall * 2 / (recall * 2 + 1), abs=1e-12)


def test_precision_recall_shows_prior_and_labels() -> None:
    scores, positive, called = some_cases()
    _, tpr, precision = locate_labels(called, positive)
    curves = curves_by_method(scores, positive)
    (axes,) = precision_recall_figure(curves, point=(tpr, precision)).axes
    assert legend_of(axes) == ["laplace", "gdk", "the tree's labels"]
    assert words_on(axes) == [f" prior {positive.mean():.3f}"]
    point = line_called(axes, "the tree's labels")
    assert (list(point.get_xdata()), list(point.get_ydata())) == ([tpr], [precision])
    assert np.array_equal(
        line_called(axes, "gdk").get_ydata(), interpolate_precision(curves["gdk"])[1]
    )


def test_infinite_scores_are_drawn_and_classes_that_lack_are_told() -> None:
    positive = np.array([True, False, True])
    scores = {"global": np.array([np.inf, -np.inf, np.inf])}
    (axes,) = roc_figure(curves_by_method(scores, positive)).axes
    assert list(line_called(axes, "global").get_ydata()) == [0, 1, 1]
    (axes,) = roc_figure(curves_by_method(scores, np.zeros(3, bool))).axes
    assert words_on(axes) == ["no positive cases: no ROC curve"]
    (axes,) = roc_figure(curves_by_method(scores, np.ones(3, bool))).axes
    assert words_on(axes) == ["no negative cases: no ROC curve"]
    (axes,) = precision_recall_figure(curves_by_method(scores, np.zeros(3, bool))).axes
    assert words_on(axes) == ["no positive cases: no precision-recall curve"]


def test_a_curve_has_both_panels() -> None:
    scores, positive, called = some_cases()
    point = locate_labels(called, positive)
    figure = curve_figure(curves_by_method(scores, positive), point=point, title="yes")
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["ROC", "Precision and recall"]
    for axes, wanted in zip(figure.axes, (point[:2], point[1:]), strict=True):
        line = line_called(axes, "the tree's labels")
        assert (*line.get_xdata(), *line.get_ydata()) == wanted
    assert figure.get_suptitle() == "yes"


def test_nothing_to_draw_is_an_error() -> None:
    with pytest.raises(PictureError, match="nothing to draw; expected at least one method"):
        roc_figure({})
    with pytest.raises(PictureError, match="nothing to draw"):
        precision_recall_figure({})


# --------------------------------------------------------------------------- probabilities


def test_reliability_shows_bins_of_equal_weight_with_their_counts() -> None:
    p = np.array([0.1, 0.1, 0.3, 0.4, 0.8, 0.8, 0.8, 0.8])
    positive = np.array([0, 1, 0, 0, 1, 1, 1, 0], dtype=bool)
    (axes,) = reliability_figure({"laplace": p}, positive, bins=2).axes
    marks, _ = axes.collections
    assert np.asarray(marks.get_offsets()).tolist() == pytest.approx(
        np.array([[0.225, 0.25], [0.8, 0.75]])
    )
    assert words_on(axes) == ["4", "4"]
    (axes,) = reliability_figure({"laplace": p}, positive, np.full(8, 5000.0), bins=2).axes
    assert words_on(axes) == ["20k", "20k"]
    many = {f"m{k}": p for k in range(7)}
    panels = reliability_figure(many, positive).axes
    assert [axes.get_title(loc="left") for axes in panels] == list(many)
    assert all(words_on(axes) == [] for axes in panels)


def test_reliability_has_an_interval_for_every_bin_whatever_the_weights_add_up_to() -> None:
    p = np.array([0.2] * 10 + [0.9] * 10)
    positive = np.array([True] * 5 + [False] * 5 + [True] * 10)
    for weights in (None, np.full(20, 7.0)):
        (axes,) = reliability_figure({"raw": p}, positive, weights, bins=2).axes
        _, bars = axes.collections
        ends = [segment[:, 1].tolist() for segment in bars.get_segments()]  # type: ignore[attr-defined]
        assert ends == [
            pytest.approx(wilson_interval(0.5, 10)),
            pytest.approx(wilson_interval(1.0, 10)),
        ]


def test_reliability_has_the_bins_of_the_calibration_error() -> None:
    probabilities, positive, _ = some_cases(35)
    (axes,) = reliability_figure({"gdk": probabilities["gdk"]}, positive).axes
    marks, _ = axes.collections
    promised, share = np.asarray(marks.get_offsets()).T
    weight = np.array([float(text) for text in words_on(axes)])
    found = float(np.dot(weight, np.abs(promised - share)) / weight.sum())
    assert found == pytest.approx(calibration_error(probabilities["gdk"], positive), abs=1e-12)


def test_one_ranked_case_is_a_point_of_every_method() -> None:
    one = {"laplace": np.array([0.7]), "gdk": np.array([0.7])}
    (axes,) = ranked_figure(one, np.array([True]), np.array([True])).axes
    laplace, gdk = line_called(axes, "laplace"), line_called(axes, "gdk")
    assert (laplace.get_marker(), gdk.get_marker()) == ("s", "o")
    assert laplace.get_markersize() > gdk.get_markersize()  # and is seen behind it
    assert all(x == round(x) for x in axes.get_xticks())


def test_ranked_cases_are_in_the_order_of_one_method_with_the_errors_of_the_tree() -> None:
    probabilities, positive, called = some_cases()
    (axes,) = ranked_figure(probabilities, positive, called).axes
    order = np.argsort(-probabilities["gdk"], kind="stable")
    for name in ("laplace", "gdk"):
        line = line_called(axes, name)
        assert np.array_equal(line.get_ydata(), probabilities[name][order])
        assert list(line.get_xdata()) == list(range(1, 61))
    alarms, missed = int((called & ~positive).sum()), int((~called & positive).sum())
    assert [text.get_text() for text in axes.get_yticklabels(minor=True)] == [
        f"{alarms} false alarms",
        f"{missed} missed",
    ]
    for strip, marked in zip(
        axes.collections, (called & ~positive, ~called & positive), strict=True
    ):
        at = [segment[0, 0] for segment in strip.get_segments()]  # type: ignore[attr-defined]
        assert at == (np.flatnonzero(marked[order]) + 1).tolist()


def test_cases_can_be_ordered_by_another_method_or_by_what_has_no_ties() -> None:
    probabilities, positive, called = some_cases()
    (axes,) = ranked_figure(probabilities, positive, called, by="laplace").axes
    assert legend_of(axes)[:2] == ["gdk", "laplace"]
    order = np.argsort(-probabilities["gdk"], kind="stable")
    (axes,) = ranked_figure(
        probabilities, positive, called, by="laplace", order=probabilities["gdk"]
    ).axes
    assert np.array_equal(line_called(axes, "laplace").get_ydata(), probabilities["laplace"][order])
    with pytest.raises(PictureError, match="no probabilities 'ldk'; known: laplace, gdk"):
        ranked_figure(probabilities, positive, called, by="ldk")


def test_many_cases_are_drawn_in_columns() -> None:
    probabilities, positive, called = some_cases(20_000)
    (axes,) = ranked_figure(probabilities, positive, called).axes
    line = line_called(axes, "gdk")
    assert len(line.get_xdata()) == 500  # type: ignore[arg-type]
    values = np.sort(probabilities["gdk"])[::-1].reshape(500, 40)
    assert np.asarray(line.get_ydata()) == pytest.approx(values.mean(axis=1), rel=1e-12)
    (axes,) = roc_figure(curves_by_method(probabilities, positive)).axes
    assert len(line_called(axes, "gdk").get_xdata()) <= 4002  # type: ignore[arg-type]


def test_an_overview_has_all_panels_even_of_no_probabilities_and_no_cases() -> None:
    probabilities, positive, called = some_cases()
    titles = ["ROC", "Precision and recall", "laplace", "gdk", "Cases ranked by gdk"]
    figure = overview_figure(probabilities, probabilities, positive, called, title="a title")
    assert [axes.get_title(loc="left") for axes in figure.axes] == titles
    assert figure.get_suptitle() == "a title"
    figure = overview_figure(probabilities, {}, positive, called)
    assert [words_on(axes) for axes in figure.axes[2:]] == [["no probabilities"]] * 2
    nothing = {"gdk": np.empty(0)}
    figure = overview_figure(nothing, nothing, np.empty(0, bool), np.empty(0, bool))
    assert [words_on(axes) for axes in figure.axes[2:]] == [["no cases"]] * 2


# ------------------------------------------------------------------------- names and points


def test_names_of_the_data_are_shortened_and_never_formulas_or_hidden() -> None:
    assert clean_label("a$b$") == r"a\$b\$"
    assert clean_label("_x") == " _x"
    assert clean_label("two\nlines\t") == "two lines"
    assert clean_label("") == "(no name)"
    assert clean_label("abcdefghij", 7) == "abc…hij"
    assert clean_label("\ud800") == "?"
    p = np.array([0.2, 0.7])
    long = {"_hidden": p, "$": p, "x" * 90: p}
    (axes,) = roc_figure(curves_by_method(long, np.array([False, True]))).axes
    assert sum("AUC" in words for words in legend_of(axes)) == 3
    panels = reliability_figure(long, np.array([False, True])).axes
    assert max(len(axes.get_title(loc="left")) for axes in panels) == 28


def test_methods_have_their_own_colours_whatever_else_is_drawn() -> None:
    one, many = choose_styles(["gdk"]), choose_styles(["other", "laplace", "gdk", "another"])
    assert one["gdk"].colour == many["gdk"].colour
    assert len({style.colour for style in many.values()}) == 4
    every = choose_styles(f"m{k}" for k in range(40))
    assert len({(style.colour, style.line) for style in every.values()}) == 40


def test_thinning_keeps_few_points_alone_and_drops_only_what_is_not_seen() -> None:
    x = np.linspace(0, 1, 100)
    assert thin_points(x, x)[0] is x
    x = np.linspace(0, 1, 100_000)
    found, same = thin_points(x, x**2, 500)
    assert len(found) <= 1001
    assert (found[0], found[-1], same[-1]) == (0, 1, 1)
    at = np.interp(x, found, same)
    assert np.abs(at - x**2).max() < 1 / 250


# ------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf", ".SVG"])
def test_a_picture_has_equal_bytes_in_two_runs(tmp_path: Path, suffix: str) -> None:
    probabilities, positive, called = some_cases()
    written = []
    for name in ("one", "two"):
        figure = ranked_figure(probabilities, positive, called)
        path = tmp_path / f"{name}{suffix}"
        save_figure(figure, path)
        written.append(path.read_bytes())
    assert written[0] == written[1]
    start = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[suffix.lower()]
    assert written[0].startswith(start)
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"one{suffix}", f"two{suffix}"]


def a_figure() -> Figure:
    probabilities, positive, _ = some_cases()
    return roc_figure(curves_by_method(probabilities, positive))


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.svgz", ".png"])
def test_another_suffix_is_refused_before_anything_is_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(PictureError) as caught:
        save_figure(a_figure(), tmp_path / name)
    assert str(caught.value) == (
        f"{tmp_path / name}: no kind of picture that can be written; expected a name that ends in "
        ".png, .svg or .pdf"
    )
    assert caught.value.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_an_error_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    path.write_text("before")
    figure = a_figure()
    figure.axes[0].set_title("$\\nonsense$")
    with pytest.raises(ValueError, match="nonsense"):
        save_figure(figure, path)
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.svg", "before")]
    with pytest.raises(OutputError, match="cannot be written: No such file or directory"):
        save_figure(a_figure(), tmp_path / "missing" / "a.png")
    (tmp_path / "b.png").mkdir()
    with pytest.raises(OutputError, match=r"b\.png: this is a folder; expected a file to write"):
        save_figure(a_figure(), tmp_path / "b.png")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.svg", "b.png"]


def test_a_picture_appears_after_the_work_inside_and_not_if_that_fails(tmp_path: Path) -> None:
    probabilities, positive, _ = some_cases()
    figure = reliability_figure(probabilities, positive)
    path = tmp_path / "a.svg"
    with pytest.raises(KeyError), figure_file(figure, path):
        raise KeyError("the work")
    assert list(tmp_path.iterdir()) == []
    with figure_file(figure, path):
        assert not path.exists()
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OSError, match="other"), figure_file(figure, path):
        raise OSError("other")  # not the picture's fault


def test_a_picture_keeps_permissions_and_links(tmp_path: Path) -> None:
    real, link = tmp_path / "real.svg", tmp_path / "link.svg"
    real.write_text("before")
    real.chmod(0o640)
    link.symlink_to(real)
    save_figure(a_figure(), link)
    assert link.is_symlink()
    assert real.read_bytes().startswith(b"<?xml")
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_letter_that_the_font_lacks_is_no_reason_to_complain(tmp_path: Path) -> None:
    p = np.array([0.2, 0.7])
    save_figure(reliability_figure({"日本": p}, np.array([False, True])), tmp_path / "a.png")


def test_settings_of_matplotlib_are_as_they_were(tmp_path: Path) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    save_figure(a_figure(), tmp_path / "a.svg")
    assert dict(matplotlib.rcParams) == before


# ------------------------------------------------------------------------------- matplotlib


def test_matplotlib_is_not_loaded_before_a_picture_is_wanted() -> None:
    code = (
        "import sys, j48geo.show.plots.figures, j48geo.show.plots.slice\n"
        "assert not any(name.startswith('matplotlib') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_pyplot_is_never_loaded(tmp_path: Path) -> None:
    code = (
        "import sys, numpy\n"
        "from j48geo.show.plots.figures import roc_figure\n"
        "from j48geo.decide.roc import curves_by_method\n"
        "from j48geo.show.plots.page import save_figure\n"
        "found = curves_by_method({'gdk': numpy.array([0.1, 0.2])}, numpy.array([False, True]))\n"
        "save_figure(roc_figure(found), sys.argv[1])\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "a.png"], check=True, cwd=ROOT)


def test_a_missing_matplotlib_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    figure = a_figure()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    wanted = (
        "pictures need matplotlib; expected it to be installed: "
        f"{sys.executable} -m pip install matplotlib"
    )
    with pytest.raises(PictureError) as caught:
        a_figure()
    assert str(caught.value) == wanted
    assert caught.value.exit_code == 2
    with pytest.raises(PictureError) as caught:
        save_figure(figure, tmp_path / "a.png")
    assert str(caught.value) == wanted
    assert list(tmp_path.iterdir()) == []


def test_more_points_than_spots_lose_those_that_cannot_be_told_apart() -> None:
    x = np.array([0.0] * 10 + [1.0])
    assert [len(thin_points(x, x, steps)[0]) for steps in (10, 11)] == [2, 11]
