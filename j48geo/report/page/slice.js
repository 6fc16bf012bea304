// A flat cut through the boxes: two attributes vary, the others stay as in one case.
const numericAttributes = tree.attributes.map((a, k) => k).filter((k) => !tree.attributes[k].values);

// Leaves that the cut meets, with left, right, bottom, top.
function cutBoxes(k, across, up) {
  const met = [], stack = [[0, -Infinity, Infinity, -Infinity, Infinity]];
  while (stack.length) {
    const [node, left, right, bottom, top] = stack.pop();
    if (tree.leaf[node] >= 0) { met.push([tree.leaf[node], left, right, bottom, top]); continue; }
    const attribute = tree.attribute[node], cut = numeric(tree.cut[node]);
    const [low, high] = children[node];
    if (attribute === across) {
      if (right > cut) stack.push([high, Math.max(left, cut), right, bottom, top]);
      if (left < cut) stack.push([low, left, Math.min(right, cut), bottom, top]);
    } else if (attribute === up) {
      if (top > cut) stack.push([high, left, right, Math.max(bottom, cut), top]);
      if (bottom < cut) stack.push([low, left, right, bottom, Math.min(top, cut)]);
    } else {
      const value = cases.x[attribute][k];
      if (value === null) return null;
      stack.push([branchOf(node, value), left, right, bottom, top]);
    }
  }
  return met;
}

function range(attribute, met, from) {
  const ends = met.flatMap((box) => [box[from], box[from + 1]]).filter(Number.isFinite);
  const known = cases.x[attribute].map(numeric).filter((x) => x !== null && Number.isFinite(x) && Math.abs(x) < 1e100);
  const all = [...ends, ...known];
  const low = all.reduce((a, b) => Math.min(a, b), Infinity), high = all.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(low <= high)) return [0, 1];
  const margin = high > low ? 0.04 * (high - low) : 1;
  return [low - margin, high + margin];
}

function ticks([low, high]) {
  const rough = (high - low) / 4, unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * unit).find((s) => s >= rough) || 10 * unit;
  const found = [];
  for (let t = Math.ceil(low / step) * step; t <= high && found.length < 12; t += step) found.push(Number(t.toPrecision(10)));
  return found;
}

function sliceCase() {
  const chosen = placeOf(state.row);
  if (chosen >= 0) return chosen;
  for (let k = 0; k < cases.row.length; k += 1) if (tree.attributes.every((_, a) => cases.x[a][k] !== null)) return k;
  return 0;
}

function showSlice() {
  const across = state.across >= 0 ? state.across : usual[0], up = state.up >= 0 ? state.up : usual[1];
  byId("across").value = across;
  byId("up").value = up;
  const k = sliceCase();
  const met = across === up ? null : cutBoxes(k, across, up);
  if (!met) {
    put("slice-body", make("p", { class: "faint" }, across === up ? "Choose two different attributes." : `Row ${cases.row[k]} has a missing value that a test asks for: choose another case.`));
    return;
  }
  const xs = range(across, met, 1), ys = range(up, met, 3);
  const W = 900, H = 500, left = 64, top = 24, room = [left, W - 20, top, H - 40];
  const px = (x) => room[0] + (room[1] - room[0]) * (Math.min(Math.max(x, xs[0]), xs[1]) - xs[0]) / (xs[1] - xs[0]);
  const py = (y) => room[3] - (room[3] - room[2]) * (Math.min(Math.max(y, ys[0]), ys[1]) - ys[0]) / (ys[1] - ys[0]);
  const parts = [draw("rect", { class: "plane", x: room[0], y: room[2], width: room[1] - room[0], height: room[3] - room[2] })];
  for (const [leaf, l, r, b, t] of met) {
    const x = px(l), y = py(t), width = px(r) - x, height = py(b) - y;
    parts.push(draw("rect", { x, y, width, height, class: slot(labels[leaf]), "data-leaf": leaf, click: () => chooseLeaf(leaf) }, draw("title", null, leafWords(leaf))));
    if (width > 24 && height > 16) parts.push(draw("text", { x: x + 4, y: y + 13, "font-size": 11, class: "faint" }, leaf + 1));
  }
  const inside = new Set(met.map((box) => box[0]));
  for (let i = 0; i < cases.row.length; i += 1) {
    const x = numeric(cases.x[across][i]), y = numeric(cases.x[up][i]);
    if (x === null || y === null || !Number.isFinite(x) || !Number.isFinite(y)) continue;
    const c = cases.actual[i] >= 0 ? cases.actual[i] : cases.predicted[i];
    const here = inside.has(cases.leaf[i]);
    parts.push(draw("circle", { cx: px(x), cy: py(y), r: 2.6, class: `${c >= 0 ? slot(c) : "k1"}${here ? "" : " hollow"}` }));
  }
  const x0 = numeric(cases.x[across][k]), y0 = numeric(cases.x[up][k]), flip = cases.flip[k];
  if (x0 !== null && y0 !== null) {
    if (flip) {
      const to = new Map(flip[3].map(([attribute, value]) => [attribute, numeric(value)]));
      const x1 = px(to.has(across) ? to.get(across) : x0), y1 = py(to.has(up) ? to.get(up) : y0);
      if (x1 !== px(x0) || y1 !== py(y0)) parts.push(draw("line", { class: "arrow", x1: px(x0), y1: py(y0), x2: x1, y2: y1 }), draw("circle", { class: "arrow tip", cx: x1, cy: y1, r: 3 }));
    }
    parts.push(draw("circle", { class: "here", cx: px(x0), cy: py(y0), r: 7 }));
  }
  const tickWords = (attribute, t) => short(valueWords(attribute, t), 16);
  for (const t of ticks(xs)) parts.push(draw("text", { x: px(t), y: room[3] + 16, "text-anchor": "middle", class: "faint", "font-size": 11 }, tickWords(across, t)));
  for (const t of ticks(ys)) parts.push(draw("text", { x: room[0] - 6, y: py(t) + 4, "text-anchor": "end", class: "faint", "font-size": 11 }, tickWords(up, t)));
  parts.push(draw("text", { x: room[1], y: H - 6, "text-anchor": "end", "font-size": 12 }, short(tree.attributes[across].name, 60)), draw("text", { x: room[0], y: 14, "font-size": 12 }, short(tree.attributes[up].name, 60)));
  const others = tree.attributes.map((a, n) => n).filter((n) => n !== across && n !== up);
  const fixed = others.slice(0, 12).map((n) => `${tree.attributes[n].name} = ${valueWords(n, cases.x[n][k])}`).join(", ") + (others.length > 12 ? ", …" : "");
  put("slice-body", make("p", { class: "faint" }, `Cut through row ${cases.row[k]}${fixed ? `: ${fixed}` : ""}. Filled dots lie in this slice’s leaves; hollow ones belong to leaves elsewhere. Colours of dots: the actual class.`),
    make("div", { class: "scroll" }, draw("svg", { class: "slice", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": `Slice along ${tree.attributes[across].name} and ${tree.attributes[up].name}` }, parts)));
}

const usual = [];

function startSlice() {
  if (!cases || numericAttributes.length < 2) {
    put("slice-body", make("p", { class: "faint" }, cases ? "A slice needs two numeric attributes that the tree asks for." : "A slice needs cases: give DATA."));
    return;
  }
  // The two attributes that most training weight is asked for.
  const asked = new Map(numericAttributes.map((k) => [k, 0]));
  tree.attribute.forEach((attribute, node) => { if (asked.has(attribute)) asked.set(attribute, asked.get(attribute) + weightOf(node)); });
  usual.push(...[...asked].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 2).map(([k]) => k));
  const choice = (id, words) => make("label", null, words, make("select", { id, change: (event) => change({ [id]: Number(event.target.value) }) }, numericAttributes.map((k) => make("option", { value: k }, short(tree.attributes[k].name, 40)))));
  put("slice-controls", choice("across", "across "), choice("up", "up "));
  listen(() => showSlice());
  showSlice();
}
