"""Weka's wrappers around J48: who is asked, about what, and how the answers combine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.dataset import Header
from j48geo.core.j48_options import J48_SCHEME
from j48geo.core.tree_text import Entry
from j48geo.core.wrappers import CombinationRule, Ensemble, FittedFilter, Member
from j48geo.java.objects import JavaArray, JavaObject, StreamError
from j48geo.read.java.filters import check_filter, filter_format, read_filter, selected_columns
from j48geo.read.java.instances import Headers
from j48geo.read.java.trees import Trees

_META: Final = "weka.classifiers.meta."
DEEPEST_WRAPPER: Final = 20
"""Wrappers inside wrappers."""


class Wrappers:
    """The classifiers of one stream: trees by number, and what is around them."""

    def __init__(self, headers: Headers, scheme: str) -> None:
        self.entries: list[Entry] = []
        self._headers = headers
        self._trees = Trees(headers)
        self._scheme = scheme
        self._met: set[int] = set()
        self._kinds: dict[str, Callable[[JavaObject, int], Ensemble]] = {
            f"{_META}Bagging": self._bagging,
            f"{_META}AdaBoostM1": self._boosting,
            f"{_META}CostSensitiveClassifier": self._cost_sensitive,
            f"{_META}AttributeSelectedClassifier": self._attribute_selected,
            f"{_META}CVParameterSelection": self._selected_parameters,
            f"{_META}FilteredClassifier": self._filtered,
            f"{_META}Stacking": self._stacking,
            f"{_META}Vote": self._vote,
            f"{_META}MultiClassClassifier": self._one_against_all,
            "weka.classifiers.misc.InputMappedClassifier": self._input_mapped,
        }

    def member(self, thing: object, depth: int = 0) -> Member | None:
        """A tree, a wrapper, or None where it is another kind of classifier."""
        if not isinstance(thing, JavaObject):
            raise StreamError("something else where a classifier was expected")
        if thing.cls.name == J48_SCHEME:
            self.entries.append(self._trees.entry(thing, self._scheme))
            return len(self.entries) - 1
        if thing.cls.name not in self._kinds:
            return self._unknown(thing, depth)
        if depth >= DEEPEST_WRAPPER:
            raise StreamError(f"wrappers nested more than {DEEPEST_WRAPPER} deep")
        if id(thing) in self._met:
            raise StreamError("a classifier that holds itself")
        self._met.add(id(thing))
        return self._kinds[thing.cls.name](thing, depth + 1)

    def _unknown(self, thing: JavaObject, depth: int) -> Ensemble | None:
        """Another classifier: its J48s may still be looked at, where it says that it has some."""
        inner: list[JavaObject] = []
        for name in ("m_Classifiers", "m_Classifier"):
            value = thing.values.get(name)
            found = value.items if isinstance(value, JavaArray) else [value]
            inner = [x for x in found if isinstance(x, JavaObject) and self._mentions_j48(x)]
            if inner:
                break
        if not inner:
            return None
        if depth >= DEEPEST_WRAPPER:
            raise StreamError(f"wrappers nested more than {DEEPEST_WRAPPER} deep")
        why = "its whole answer is not known"
        return self._ensemble(thing, list(inner), depth + 1, refusal=why)

    def _mentions_j48(self, thing: JavaObject) -> bool:
        """Whether it is a J48 that was built, or a wrapper that may be around one."""
        if thing.cls.name == J48_SCHEME:
            return thing.values.get("m_root") is not None
        return thing.cls.name in self._kinds

    def _ensemble(
        self,
        thing: JavaObject,
        inner: list[Any],
        depth: int,
        rule: CombinationRule = "only",
        *,
        header: Header | None = None,
        filtering: FittedFilter | None = None,
        refusal: str = "",
        weights: Floats | None = None,
    ) -> Ensemble:
        members: list[Member] = []
        for one in inner:
            found = self.member(one, depth)
            if found is None:
                refusal = refusal or f"{one.cls.name} inside is no J48"
            else:
                members.append(found)
        if not members:
            raise StreamError(f"no J48 inside {thing.cls.name}; expected one")
        if header is None:
            header = self._member_header(members[0])
        return Ensemble(
            thing.cls.name,
            header,
            tuple(members),
            rule,
            filtering,
            weights,
            refusal=refusal,
        )

    def _member_header(self, member: Member) -> Header:
        """Header of the rows that a member is asked about."""
        if isinstance(member, Ensemble):
            return member.header
        return self.entries[member].readings[0].header

    # ---------------------------------------------------------------- committees

    def _bagging(self, thing: JavaObject, depth: int) -> Ensemble:
        members = _first(thing.items("m_Classifiers"), thing.whole("m_NumIterations"))
        return self._ensemble(thing, members, depth, "average")

    def _boosting(self, thing: JavaObject, depth: int) -> Ensemble:
        built = thing.whole("m_NumIterationsPerformed")
        members = _first(thing.items("m_Classifiers"), built)
        betas = thing.values.get("m_Betas")
        room = len(betas) if isinstance(betas, np.ndarray) else 0
        if room < built:
            raise StreamError(f"AdaBoostM1 has {built} members and {room} weights")
        weights = thing.floats("m_Betas", room)[:built]
        rule: CombinationRule = "only" if built == 1 else "boost"
        return self._ensemble(thing, members, depth, rule, weights=weights)

    def _vote(self, thing: JavaObject, depth: int) -> Ensemble:
        members = list(thing.items("m_Classifiers"))
        if thing.values.get("m_preBuiltClassifiers") is not None:
            members += thing.elements("m_preBuiltClassifiers")
        made = self._ensemble(thing, members, depth)
        refusal = made.refusal
        if thing.whole("m_CombinationRule") != _AVERAGE:
            refusal = refusal or "its combination rule is not the average of probabilities"
        rule: CombinationRule = "average 3.6"
        if not self._is_old():
            rule = "average"
            if not set(thing.values) >= _VOTE_397:
                refusal = refusal or "how this version of Weka averages is not known"
        return replace(made, rule=rule, refusal=refusal)

    def _stacking(self, thing: JavaObject, depth: int) -> Ensemble:
        members = [*thing.items("m_Classifiers"), thing.values.get("m_MetaClassifier")]
        header = self._headers.of(thing.values.get("m_BaseFormat"))
        return self._ensemble(thing, members, depth, "stack", header=header)

    def _one_against_all(self, thing: JavaObject, depth: int) -> Ensemble:
        method = thing.whole("m_Method")
        members = [x for x in thing.items("m_Classifiers") if x is not None]
        filters = thing.items("m_ClassFilters") if len(members) > 1 else []
        header = self._filter_header(filters[0]) if filters else None
        made = self._ensemble(thing, members, depth, header=header)
        if len(members) == 1:
            return made
        if method != _ONE_AGAINST_ALL:
            why = f"its method is {_METHODS.get(method, method)}; only 1-against-all is known"
            return replace(made, refusal=made.refusal or why)
        classes = len(made.header.classes)
        rule: CombinationRule = "one of each"
        refusal = made.refusal
        if not thing.has("m_logLossDecoding"):
            rule = "one of all"
            if not self._is_old():
                refusal = refusal or "how this version of Weka adds probabilities is not known"
        if len(members) != classes or len(filters) != classes:
            raise StreamError(f"{len(members)} members of 1-against-all; expected {classes}")
        refusal = refusal or _undecided_class(filters, made.header.classes)
        return replace(made, rule=rule, refusal=refusal, fallback=_zero_r(thing, classes))

    def _filter_header(self, first: object) -> Header:
        """The header that the first filter of a MultiClassClassifier was given."""
        if not isinstance(first, JavaObject):
            raise StreamError("a MultiClassClassifier without its filters")
        return self._headers.of(filter_format(first))

    def _is_old(self) -> bool:
        return all(entry.readings[0].options.old_weka for entry in self.entries)

    # ---------------------------------------------------------------- one member

    def _cost_sensitive(self, thing: JavaObject, depth: int) -> Ensemble:
        made = self._ensemble(thing, [thing.values.get("m_Classifier")], depth)
        if not thing.flag("m_MinimizeExpectedCost"):
            return made  # the costs are in the weights of the training rows
        classes = len(made.header.classes)
        matrix = thing.inside("m_CostMatrix")
        rows = matrix.items("m_matrix")
        if matrix.whole("m_size") != classes or len(rows) != classes:
            raise StreamError(f"costs of {len(rows)} classes; expected {classes}")
        costs = np.zeros((classes, classes))
        for i, row in enumerate(rows):
            cells = row.items if isinstance(row, JavaArray) else []
            if len(cells) != classes:
                raise StreamError(f"a row of {len(cells)} costs; expected {classes}")
            for j, cell in enumerate(cells):
                if isinstance(cell, JavaObject) and cell.cls.name == "java.lang.Double":
                    costs[i, j] = cell.number("value")
                else:
                    return replace(made, refusal="a cost that depends on the row is not known")
        return replace(made, rule="least cost", costs=costs)

    def _selected_parameters(self, thing: JavaObject, depth: int) -> Ensemble:
        return self._ensemble(thing, [thing.values.get("m_Classifier")], depth)

    def _input_mapped(self, thing: JavaObject, depth: int) -> Ensemble:
        header = self._headers.of(thing.values.get("m_modelHeader"))
        made = self._ensemble(thing, [thing.values.get("m_Classifier")], depth, header=header)
        if thing.values.get("m_modelPath"):
            return replace(made, refusal="it reads its model from another file")
        return made

    def _filtered(self, thing: JavaObject, depth: int) -> Ensemble:
        filtering = thing.inside("m_Filter")
        refusal = ""
        if any(
            thing.values.get(f"m_Reorder{when}") is not None for when in ("Original", "Filtered")
        ):
            refusal = "it draws its attributes by their weights"
        return self._around(thing, filtering, depth, refusal)

    def _attribute_selected(self, thing: JavaObject, depth: int) -> Ensemble:
        selection = thing.optional("m_AttributeSelection")
        if selection is None:
            return self._ensemble(thing, [thing.values.get("m_Classifier")], depth)
        refusal = ""
        if selection.values.get("m_transformer") is not None:
            transformer = selection.inside("m_transformer").cls.name
            refusal = f"the transformation of {transformer} is not known"
        return self._around(thing, selection.inside("m_attributeFilter"), depth, refusal)

    def _around(
        self, thing: JavaObject, filtering: JavaObject, depth: int, refusal: str
    ) -> Ensemble:
        header = self._headers.of(filter_format(filtering))
        made: FittedFilter | None = None
        if not refusal:
            made, refusal = read_filter(filtering, header, self._headers)
        inner = [thing.values.get("m_Classifier")]
        ensemble = self._ensemble(
            thing, inner, depth, header=header, filtering=made, refusal=refusal
        )
        if made is not None:
            check_filter(made, header, self._member_header(ensemble.members[0]))
        return ensemble


_AVERAGE: Final = 1
_ONE_AGAINST_ALL: Final = 0
_METHODS: Final = {1: "a random code", 2: "the exhaustive code", 3: "1-against-1"}

_VOTE_397: Final = {
    "m_classifiersToLoad",
    "m_dontPrintModels",
    "m_preBuiltClassifiers",
    "m_structure",
}
"""Fields of the Vote that normalises; some between 3.6 and it divide, as 3.6 does."""


def _first(members: list[Any], count: int) -> list[Any]:
    if not 0 <= count <= len(members):
        raise StreamError(f"{len(members)} members, of which {count} were built")
    return members[:count]


def _undecided_class(filters: list[Any], classes: Sequence[str]) -> str:
    """Why the members do not tell one class from all others each; empty if they do."""
    for k, label in enumerate(classes):
        if not _indicates(filters[k], k, len(classes)):
            return f"member {k + 1} does not tell the class {label!r} apart"
    return ""


def _indicates(thing: object, k: int, classes: int) -> bool:
    """Whether a filter is a MakeIndicator of class k alone."""
    name = "weka.filters.unsupervised.attribute.MakeIndicator"
    if not isinstance(thing, JavaObject) or thing.cls.name != name:
        return False
    return bool(
        (selected_columns(thing.inside("m_ValIndex"), classes) == (np.arange(classes) == k)).all()
    )


def _zero_r(thing: JavaObject, classes: int) -> Floats:
    """Distribution of the ZeroR inside: its counts, normalised."""
    counts = thing.inside("m_ZeroR").floats("m_Counts", classes)
    total = 0.0
    for count in counts.tolist():
        total += count
    if not total > 0:
        raise StreamError("a ZeroR without counts")
    return counts / total
