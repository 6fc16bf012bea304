"""Weka's ``Instances``: header and rows."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import Any, Final

import numpy as np

from j48geo.arrays import Floats
from j48geo.core.columns import check_labels
from j48geo.core.dataset import Attribute, AttributeType, Dataset, Header
from j48geo.errors import MismatchError
from j48geo.java.objects import JavaObject, StreamError
from j48geo.read.java.stream import read_objects

INSTANCES: Final = "weka.core.Instances"
MOST_UNPACKED: Final = 64 << 20
"""Bytes that a packed stream, or all packed values of one, may unpack to."""

_TYPES: Final[tuple[AttributeType, ...]] = ("numeric", "nominal", "string", "date", "relational")
_DEEPEST_RELATION: Final = 8
_ROWS: Final = ("weka.core.DenseInstance", "weka.core.Instance")


def is_old_weka(instances: JavaObject) -> bool:
    """Whether Weka 3.6 (or 3.7.0) wrote it: its lists are FastVectors."""
    listed = instances.values.get("m_Attributes")
    return isinstance(listed, JavaObject) and listed.cls.name == "weka.core.FastVector"


class Headers:
    """Headers by the objects that hold them, each read once however often it is shown."""

    def __init__(self) -> None:
        self._attributes: dict[int, tuple[Attribute, ...]] = {}
        self._left = MOST_UNPACKED

    def of(self, instances: object, depth: int = 0) -> Header:
        """The attributes, and which of them is the class."""
        if not isinstance(instances, JavaObject) or instances.cls.name != INSTANCES:
            raise StreamError("no header where one was expected")
        place = id(instances.values.get("m_Attributes"))
        if place not in self._attributes:
            listed = tuple(self._attribute(a, depth) for a in instances.elements("m_Attributes"))
            if len({attribute.name for attribute in listed}) != len(listed):
                raise StreamError("two attributes of the same name")
            self._attributes[place] = listed
        attributes = self._attributes[place]
        column = instances.whole("m_ClassIndex")
        if not -1 <= column < len(attributes):
            raise StreamError(f"class {column + 1} of {len(attributes)} attributes")
        relation = instances.text("m_RelationName")
        return Header(relation, attributes, column if column >= 0 else None)

    def _attribute(self, value: object, depth: int) -> Attribute:
        if not isinstance(value, JavaObject) or value.cls.name != "weka.core.Attribute":
            raise StreamError("something else among the attributes of a header")
        name = value.text("m_Name")
        code = value.whole("m_Type")
        if not 0 <= code < len(_TYPES):
            raise StreamError(f"attribute {name!r} has the type {code}; expected 0 to 4")
        kind = _TYPES[code]
        # Up to 3.7.0 an attribute holds values and formats itself, later its info does.
        info = value if value.has("m_Values") else value.optional("m_AttributeInfo")
        weight = value.number("m_Weight") if value.has("m_Weight") else 1.0
        if kind in ("numeric", "string"):
            return Attribute(name, kind, weight=weight)
        if info is None:
            raise StreamError(f"attribute {name!r} has no description of its type")
        if kind == "nominal":
            values = tuple(self._label(v, name) for v in info.elements("m_Values"))
            if len(set(values)) != len(values):
                raise StreamError(f"attribute {name!r} has a value twice")
            return Attribute(name, kind, values, weight=weight)
        if kind == "date":
            pattern = info.inside("m_DateFormat").text("pattern")
            return Attribute(name, kind, format=pattern, weight=weight)
        if depth >= _DEEPEST_RELATION:
            raise StreamError(f"relations nested more than {_DEEPEST_RELATION} deep")
        inner = self.of(info.values.get("m_Header"), depth + 1).attributes
        return Attribute(name, kind, attributes=inner, weight=weight)

    def _label(self, value: object, name: str) -> str:
        """A nominal value; those of more than 200 characters are packed."""
        if isinstance(value, JavaObject) and value.cls.name == "weka.core.SerializedObject":
            value = self._unpack_value(value)
        if not isinstance(value, str):
            raise StreamError(f"a value of attribute {name!r} is no text")
        return value

    def _unpack_value(self, packed: JavaObject) -> Any:
        stored = packed.values.get("m_storedObjectArray")
        if not isinstance(stored, np.ndarray) or stored.dtype != np.int8:
            raise StreamError("a packed value without its bytes")
        data = stored.tobytes()
        if packed.flag("m_isCompressed"):
            data = unpack(data, self._left)
        self._left -= len(data)
        if self._left < 0:
            raise StreamError(f"more than {MOST_UNPACKED >> 20} MiB of packed values")
        objects = read_objects(data, most=1)
        if len(objects) != 1:
            raise StreamError("a packed value that holds nothing")
        return objects[0]


def unpack(data: bytes, limit: int = MOST_UNPACKED) -> bytes:
    """What gzip packed, if it is not more than `limit` bytes."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            unpacked = packed.read(limit + 1)
    except (OSError, EOFError, zlib.error) as problem:
        raise StreamError(f"damaged gzip data: {problem}") from problem
    if len(unpacked) > limit:
        raise StreamError(f"more than {MOST_UNPACKED >> 20} MiB after unpacking")
    return unpacked


def read_rows(instances: JavaObject, header: Header) -> Dataset | None:
    """The rows inside, or None if only the header was kept."""
    listed = instances.elements("m_Instances")
    if not listed:
        return None
    if any(a.type in ("string", "relational") for a in header.attributes):
        return None  # no tree grows from these, so no tree's own rows hold them
    n = len(header)
    if len(listed) * n > MOST_UNPACKED // 8:
        raise StreamError(f"{len(listed):,} rows of {n:,} columns inside the model; expected fewer")
    X = np.zeros((len(listed), n))
    weights = np.empty(len(listed))
    for i, row in enumerate(listed):
        if not isinstance(row, JavaObject):
            raise StreamError("something else among the rows of a data set")
        weights[i] = row.number("m_Weight")
        values = row.values.get("m_AttValues")
        if row.cls.name in _ROWS:
            X[i] = _cells(values, n)
        elif row.cls.name == "weka.core.SparseInstance":
            places = row.integers("m_Indices")
            if len(places) and not (places.min() >= 0 and places.max() < n):
                raise StreamError("a sparse row with a column that is none")
            X[i, places] = _cells(values, len(places))
        else:
            raise StreamError(f"a row of class {row.cls.name}")
    try:
        check_labels(header, X)
    except MismatchError as error:
        raise StreamError(f"among the rows inside, {error}") from error
    return Dataset(header, X, weights)


def _cells(values: object, count: int) -> Floats:
    """The numbers of a row, NaN where one is missing."""
    if not isinstance(values, np.ndarray) or values.dtype != np.float64 or len(values) != count:
        raise StreamError(f"a row without its {count} numbers")
    return values
