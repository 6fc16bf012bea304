"""A tree grown from rows, as a `Model` whose training data is known."""

from __future__ import annotations

from typing import Any

from j48geo.core.dataset import Dataset
from j48geo.data.files import read_data
from j48geo.growing.options import GrowOptions
from j48geo.growing.papers import PaperOptions, grow_by_criterion
from j48geo.model.loading.recognise import named_training
from j48geo.model.model import Model

__all__ = ["grow"]


def grow(
    data: Any, options: str = "", *, class_attribute: str | int = "last", **papers: Any
) -> Model:
    r"""Grow the tree that Weka's J48 grows from these rows, without Java.

    Parameters
    ----------
    data
        A `Dataset`, or the name of an ARFF file.
    options
        J48's own, as on its command line: ``"-C 0.1 -M 5"``.
    class_attribute
        Of a file: ``first``, ``last``, a number from 1, or a name.
    **papers
        Other ways to grow: ``criterion``, ``w``, ``min_gain``, ``min_gain_of``, ``prune``,
        ``smoothing``, ``positive``, see `j48geo.growing.papers.PaperOptions`.

    Examples
    --------
    >>> rows = b"@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"
    >>> rows += b"1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n"
    >>> print(grow(read_data(rows)).to("text").split("\n\n")[1])
    x <= 3: a (3.0)
    x > 3: b (3.0)
    """
    given = isinstance(data, Dataset)
    rows = data if given else read_data(data, class_attribute=class_attribute)
    name = "the rows it was grown from" if given else str(data)
    how = PaperOptions(j48=GrowOptions.of(options.split()), **papers)
    known = named_training(grow_by_criterion(rows, how), rows, name, allow_mismatch=False)
    return Model(
        known.tree,
        known.counts,
        training=known.training,
        training_name=name,
        replay=known.replay,
        replayed=known.replayed,
        source="<grown>",
        titles=(known.tree.layout.banner,),
        said=known.said,
        notes=known.notes,
    )
