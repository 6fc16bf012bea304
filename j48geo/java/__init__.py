"""What Java prints, parses and serializes: numbers, dates, random numbers, objects."""

from __future__ import annotations

from j48geo.lazy import lazy_exports

TYPE_CHECKING = False  # as type checkers read it; importing typing takes longer than all of this
if TYPE_CHECKING:
    from j48geo.java.calendar import time_zone
    from j48geo.java.dates import DateFormat
    from j48geo.java.numbers import double_to_string, parse_double
    from j48geo.java.objects import JavaArray, JavaClass, JavaObject, write_objects
    from j48geo.java.random import JavaRandom

__all__ = [
    "DateFormat",
    "JavaArray",
    "JavaClass",
    "JavaObject",
    "JavaRandom",
    "double_to_string",
    "parse_double",
    "time_zone",
    "write_objects",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "DateFormat": "dates",
        "JavaArray": "objects",
        "JavaClass": "objects",
        "JavaObject": "objects",
        "JavaRandom": "random",
        "double_to_string": "numbers",
        "parse_double": "numbers",
        "time_zone": "calendar",
        "write_objects": "objects",
    },
)
