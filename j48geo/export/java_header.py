"""Headers as Weka keeps them inside a saved classifier."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from j48geo.core.dataset import Attribute, Header
from j48geo.errors import MismatchError
from j48geo.export import java_classes as classes
from j48geo.java.objects import JavaArray, JavaEnum, JavaObject

_TYPES: Final = {"numeric": 0, "nominal": 1, "date": 3}
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
_DAYS: Final = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")


def build_instances(header: Header) -> JavaObject:
    """An ``Instances`` without rows.

    Raises
    ------
    MismatchError
        If an attribute is of a type that no J48 takes.
    """
    column = -1 if header.class_index is None else header.class_index
    names = [
        part
        for place, name in enumerate(header.names)
        for part in (name, JavaObject(classes.INTEGER, {"value": place}))
    ]
    return JavaObject(
        classes.INSTANCES_CLASS,
        {
            "m_ClassIndex": column,
            "m_Lines": 0,
            "m_Attributes": _list([_attribute(a, i) for i, a in enumerate(header.attributes)]),
            "m_Instances": _list([]),
            "m_NamesToAttributeIndices": _table(classes.HASH_MAP, names),
            "m_RelationName": header.relation,
        },
    )


def _attribute(attribute: Attribute, place: int) -> JavaObject:
    if attribute.type not in _TYPES:
        raise MismatchError(
            f"attribute {attribute.name!r} is of the type {attribute.type}; "
            "expected what J48 takes: numeric, nominal or date"
        )
    info = None
    if attribute.is_nominal:
        values = [
            part
            for i, value in enumerate(attribute.values)
            for part in (value, JavaObject(classes.INTEGER, {"value": i}))
        ]
        table = _table(classes.HASHTABLE, values)
        listed = _list(attribute.values)
        info = JavaObject(classes.NOMINAL_INFO, {"m_Hashtable": table, "m_Values": listed})
    elif attribute.type == "date":
        date_format = _date_format(attribute.format or "yyyy-MM-dd'T'HH:mm:ss")
        info = JavaObject(classes.DATE_INFO, {"m_DateFormat": date_format})
    return JavaObject(
        classes.ATTRIBUTE_CLASS,
        {
            "m_Index": place,
            "m_Type": _TYPES[attribute.type],
            "m_Weight": attribute.weight,
            "m_AttributeInfo": info,
            "m_AttributeMetaInfo": None,
            "m_Name": attribute.name,
        },
    )


def _list(items: Sequence[Any]) -> JavaObject:
    size = struct.pack(">i", len(items))
    return JavaObject(classes.ARRAY_LIST, {"size": len(items)}, [size, *items])


def _table(layout: Any, pairs: list[Any]) -> JavaObject:
    """A hash table: its buckets and size, then keys and values in turn."""
    size = len(pairs) // 2
    buckets = 16
    while buckets * 3 < size * 4:
        buckets *= 2
    return JavaObject(
        layout,
        {"loadFactor": 0.75, "threshold": buckets * 3 // 4},
        [struct.pack(">ii", buckets, size), *pairs],
    )


def _texts(*items: str) -> JavaArray:
    return JavaArray(classes.TEXTS, items)


def _date_format(pattern: str) -> JavaObject:
    """A SimpleDateFormat of this pattern: English names, UTC."""
    locale = JavaObject(
        classes.LOCALE_CLASS,
        {
            "hashcode": -1,
            "country": "US",
            "extensions": "",
            "language": "en",
            "script": "",
            "variant": "",
        },
    )
    symbols = JavaObject(
        classes.DATE_SYMBOLS,
        {
            "ampms": _texts("AM", "PM"),
            "eras": _texts("BC", "AD"),
            "localPatternChars": "GyMdkHmsSEDFwWahKzZ",
            "locale": locale,
            "months": _texts(*_MONTHS, ""),
            "shortMonths": _texts(*(month[:3] for month in _MONTHS), ""),
            "shortWeekdays": _texts("", *(day[:3] for day in _DAYS)),
            "weekdays": _texts("", *_DAYS),
            "zoneStrings": None,
        },
    )
    return JavaObject(
        classes.DATE_FORMAT,
        {
            # Version 0 has no start of the century: Java works it out when it reads.
            "serialVersionOnStream": 0,
            "defaultCenturyStart": None,
            "formatData": symbols,
            "locale": locale,
            "pattern": pattern,
            "calendar": _calendar(),
            "numberFormat": _number_format(locale),
        },
    )


def _calendar() -> JavaObject:
    rules = ("Day", "DayOfWeek", "Mode", "Month", "Time", "TimeMode")
    none = {f"{end}{rule}": 0 for end in ("start", "end") for rule in rules}
    zone = JavaObject(
        classes.TIME_ZONE,
        {
            "ID": "UTC",
            "dstSavings": 3_600_000,
            "serialVersionOnStream": 2,
            "useDaylight": False,
            "rawOffset": 0,
            "startYear": 0,
            "monthLength": np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int8),
            **none,
        },
        [struct.pack(">i6x", 6), np.zeros(2, np.int32)],
    )
    return JavaObject(
        classes.CALENDAR,
        {
            "areFieldsSet": False,
            "firstDayOfWeek": 1,
            "isTimeSet": True,
            "lenient": False,  # as Weka sets it
            "minimalDaysInFirstWeek": 1,
            "nextStamp": 2,
            "serialVersionOnStream": 1,
            "time": 0,
            "fields": np.zeros(17, np.int32),
            "isSet": np.zeros(17, np.bool_),
            "zone": zone,
            "gregorianCutover": -12_219_292_800_000,
        },
    )


def _number_format(locale: JavaObject) -> JavaObject:
    symbols = {
        "decimalSeparator": ".",
        "digit": "#",
        "exponential": "E",
        "groupingSeparator": ",",
        "minusSign": "-",
        "monetaryGroupingSeparator": ",",
        "monetarySeparator": ".",
        "patternSeparator": ";",
        "perMill": "‰",
        "percent": "%",
        "zeroDigit": "0",
    }
    texts = {
        "NaN": "NaN",
        "currencySymbol": None,
        "exponentialSeparator": "E",
        "infinity": "∞",
        "intlCurrencySymbol": None,
        "minusSignText": "-",
        "perMillText": "‰",
        "percentText": "%",
    }
    used = JavaObject(
        classes.NUMBER_SYMBOLS,
        {
            **{name: ord(char) for name, char in symbols.items()},
            **texts,
            "serialVersionOnStream": 5,
            "locale": locale,
        },
    )
    affixes = dict.fromkeys(("posPrefixPattern", "posSuffixPattern", "negSuffixPattern"), "")
    affixes |= dict.fromkeys(("positivePrefix", "positiveSuffix", "negativeSuffix"), "")
    return JavaObject(
        classes.NUMBER_FORMAT,
        {
            "groupingUsed": False,
            "maxFractionDigits": 0,
            "maxIntegerDigits": 127,
            "maximumFractionDigits": 0,
            "maximumIntegerDigits": 2**31 - 1,
            "NumberFormat.maximumIntegerDigits": 309,
            "minFractionDigits": 0,
            "minIntegerDigits": 1,
            "minimumFractionDigits": 0,
            "minimumIntegerDigits": 1,
            "parseIntegerOnly": True,
            "serialVersionOnStream": 4,
            "NumberFormat.serialVersionOnStream": 1,
            "decimalSeparatorAlwaysShown": False,
            "groupingSize": 3,
            "minExponentDigits": 0,
            "multiplier": 1,
            "parseBigDecimal": False,
            "useExponentialNotation": False,
            "negPrefixPattern": "'-",
            "negativePrefix": "-",
            "roundingMode": JavaEnum(classes.ROUNDING_CLASS, "HALF_EVEN"),
            "symbols": used,
            **affixes,
        },
    )
