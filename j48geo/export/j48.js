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
}
