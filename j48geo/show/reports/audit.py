"""Every split of a tree with what the criteria say of it, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from j48geo.decide.criteria import AuditedSplit, ImpurityChange
from j48geo.show.text import PLAIN, Style, text_table
from j48geo.show.weka_text import threshold_text
from j48geo.text import to_one_line

IMPURITY_NAMES = ("error", "gini", "entropy", "dkm", "asymmetric", "off_centred")


def _split_text(audited: AuditedSplit) -> str:
    tree, split = audited.tree, audited.split
    attribute = tree.attribute(split)
    if split.kind == "numeric":
        return f"{attribute.name} {'<=' if split.closed else '<'} {threshold_text(tree, split)}"
    if split.kind == "binary":
        return f"{attribute.name} = {attribute.values[split.value]}"
    return attribute.name


def audit_titles() -> list[str]:
    """Titles of `audit_rows`; all but the first four, AUC and accuracy are gains.

    The last two are the entropy and the gain ratio under the names of ``grow --criterion``.
    """
    return [
        *("node", "depth", "split", "weight", "auc", "accuracy"),
        *("error", "gini", "entropy", "gain ratio", "dkm", "asymmetric", "off-centred"),
        *("gain", "gain-ratio"),
    ]


def audit_rows(splits: Sequence[AuditedSplit]) -> list[list[object]]:
    """One row a split: numbers of nodes count from 1, in the order of the text."""
    rows: list[list[object]] = []
    for s in splits:
        c = s.criteria
        gains = [c.error.gain, c.gini.gain, c.entropy.gain, c.gain_ratio]
        gains += [c.dkm.gain, c.asymmetric.gain, c.off_centred.gain]
        gains += [c.scores["gain"], c.scores["gain-ratio"]]
        rows.append(
            [s.node.index + 1, s.node.depth, _split_text(s), s.weight, c.auc, c.accuracy, *gains]
        )
    return rows


def audit_to_text(
    classes: Sequence[str],
    w: Sequence[float],
    splits: Sequence[AuditedSplit],
    style: Style = PLAIN,
) -> str:
    """The splits as a table for people, under the class shares W; no number stands there twice."""
    old = {"entropy": "gain", "gain ratio": "gain-ratio"}
    titles = [old.get(title, title) for title in audit_titles()[:-2]]
    shares = ", ".join(f"{c} {x:.4g}" for c, x in zip(classes, w, strict=True))
    rows = [row[:-2] for row in audit_rows(splits)]
    table = text_table(titles, rows, [*titles[:2], *titles[3:]], style)
    return f"W: {to_one_line(shares)}\n\n{table}"


def split_to_json(split: AuditedSplit) -> dict[str, object]:
    """One split; every impurity before, after, and its gain; scores by grow's names."""
    c = split.criteria
    return {
        "node": split.node.index + 1,
        "depth": split.node.depth,
        "split": _split_text(split),
        "weight": split.weight,
        "auc": c.auc,
        "accuracy": c.accuracy,
        "gain_ratio": c.gain_ratio,
        **{name: _impurity_to_json(getattr(c, name)) for name in IMPURITY_NAMES},
        "scores": c.scores,
    }


def _impurity_to_json(impurity: ImpurityChange) -> dict[str, float | None]:
    return {"parent": impurity.parent, "children": impurity.children, "gain": impurity.gain}
