"""A tree as one JavaScript function: tables and a loop, no module system needed."""

from __future__ import annotations

import json
from math import isnan
from typing import Any

from j48geo.export.comment import about, quoted
from j48geo.export.flat import Flat, Subject, Written, flat

__all__ = ["javascript"]

_KINDS = {"numeric": 0, "binary": 1, "multiway": 2}


def javascript(subject: Subject) -> Written:
    """A script that defines ``j48(row)``, which gives ``{leaf, class, distribution}``."""
    table = flat(subject)
    exactness = (
        "Exact: every test, in double; classes are those of 'j48geo predict', distributions Weka's."
    )
    header = table.tree.header
    used = [
        f"{quoted(header.attributes[a].name)} ({header.attributes[a].type})" for a in table.used
    ]
    explained = [
        "j48(row): a row has a property for every attribute that the tree asks about; null or NaN",
        "is missing; a nominal value is its text, a date its milliseconds since 1970 or a Date.",
        "Gives {leaf: its number from 1, null if a missing value divides the row; class: a label,",
        "null if it cannot be known; distribution: the weights in the order of j48.labels}.",
        f"Attributes: {', '.join(used) or 'none'}",
    ]
    lines = [
        *(f"// {line}" for line in (*about(subject, table, "js", exactness), *explained)),
        _FUNCTION,
        f"j48.labels = {_json(list(table.tree.classes))};",
        f"j48.tree = {_tables(table)};",
    ]
    return Written("\n".join(lines) + "\n")


def _tables(table: Flat) -> str:
    attributes = table.tree.header.attributes
    place = {a: k for k, a in enumerate(table.used)}
    speaks = [] if table.speaks is None else [int(k) for k in table.speaks]
    spoken = None if table.spoken is None else table.spoken.tolist()
    rows = {
        "names": [attributes[a].name for a in table.used],
        "values": [list(attributes[a].values) or None for a in table.used],
        "column": [place[test.attribute] for test in table.tests],
        "kind": [_KINDS[test.kind] for test in table.tests],
        "bound": [test.bound for test in table.tests],
        "next": [list(test.branches) for test in table.tests],
        "share": [list(test.shares) for test in table.tests],
        "leafClass": table.classes.tolist(),
        "leafLabel": table.labels.tolist(),
        "leafNew": speaks,
        "weight": table.distribution.tolist(),
        "spoken": spoken,
        "exact": table.exact,
    }
    return "{\n" + ",\n".join(f"  {name}: {_json(value)}" for name, value in rows.items()) + "\n}"


def _json(value: Any) -> str:
    r"""Plain ASCII, and nothing that ends a script element; NaN is a name of JavaScript's too."""
    if isinstance(value, list) and any(isinstance(v, list) for v in value):
        return "[" + ", ".join(map(_json, value)) + "]"
    if isinstance(value, list) and any(isinstance(v, float) and isnan(v) for v in value):
        return "[" + ", ".join(_number(v) for v in value) + "]"
    return json.dumps(value).replace("<", "\\u003c")


def _number(x: float) -> str:
    return "NaN" if isnan(x) else repr(x)


_FUNCTION = """\
function j48(row) {
  "use strict";
  const t = j48.tree, n = j48.labels.length, EQUAL = 1e-12;
  const x = t.names.map(function (name, k) {
    if (!Object.prototype.hasOwnProperty.call(row, name)) {
      throw new TypeError("j48: the row has no " + JSON.stringify(name));
    }
    const v = row[name], values = t.values[k];
    if (v === null || v === undefined || v !== v) return null;
    if (values === null) {
      if (typeof v === "number" || v instanceof Date) return +v;
    } else if (values.indexOf(v) >= 0) {
      return values.indexOf(v);
    }
    throw new TypeError("j48: " + JSON.stringify(name) + " cannot be " + JSON.stringify(v));
  });
  // A missing value takes all branches; a node adds them up before the node above it does.
  let leaf = null, label = null, agree = true, changed = false, divided = false;
  function walk(at, share, weight) {
    while (at >= 0) {
      const v = x[t.column[at]];
      if (v === null) {
        divided = true;
        const sum = new Array(n).fill(0);
        for (let b = 0; b < t.next[at].length; b++) {
          if (t.share[at][b] === 0) continue;
          const part = walk(t.next[at][b], share * t.share[at][b], weight);
          for (let k = 0; k < n; k++) sum[k] += part[k];
        }
        return sum;
      }
      const kind = t.kind[at];
      const b = kind === 2 ? v : (kind === 1 ? v === t.bound[at] : v <= t.bound[at]) ? 0 : 1;
      at = t.next[at][b];
    }
    leaf = -1 - at;
    if (label === null) label = t.leafLabel[leaf];
    if (label !== t.leafLabel[leaf]) agree = false;
    if (t.leafNew[leaf]) changed = true;
    return weight[leaf].map(function (w) { return share * w; });
  }
  function largest(p, preferred, equal) {
    const own = agree ? label : null, most = Math.max.apply(null, p);
    if (!(most > 0)) return own;
    const best = p.findIndex(function (w) { return w >= most - equal; });
    return preferred && own !== null && Math.abs(p[own] - p[best]) <= equal ? own : best;
  }
  const root = t.column.length ? 0 : -1;
  const p = walk(root, 1, t.weight);
  let c;
  if (!divided) c = t.leafClass[leaf];
  else if (changed) c = largest(walk(root, 1, t.spoken), false, EQUAL);
  else c = largest(p, true, t.exact ? 0 : EQUAL);
  return {
    leaf: divided ? null : leaf + 1,
    class: c === null ? null : j48.labels[c],
    distribution: p
  };
}"""
