// Labels for other costs. Python made the steps; here fractions are compared, nothing more.
let labels = [...tree.label];

// Sides of the comparison that puts costs below, at or beyond a cut: A own against B other.
function weights() {
  const fn = fraction(state.fn), fp = fraction(state.fp), share = state.share === "" ? null : fraction(state.share);
  let a = fn[0] * fp[1], b = fp[0] * fn[1];
  if (share) {
    const [own, rest] = facts.costs.classes[state.matters].odds.map(BigInt);
    a *= share[0] * rest;
    b *= (share[1] - share[0]) * own;
  }
  return [a, b];
}

function stepsNow() { return facts.costs.classes[state.matters].steps[state.smoothing]; }

function stateOf(steps) {
  const [a, b] = weights();
  let low = 0, high = steps.cuts.length;
  while (low < high) { // the first cut that the costs do not lie beyond
    const middle = (low + high) >> 1;
    const [other, own] = steps.cuts[middle];
    if (a * BigInt(own) > b * BigInt(other)) low = middle + 1; else high = middle;
  }
  if (low === steps.cuts.length) return 2 * low;
  const [other, own] = steps.cuts[low];
  return a * BigInt(own) === b * BigInt(other) ? 2 * low + 1 : 2 * low;
}

function labelsAt(steps, at) {
  const made = [...tree.label];
  for (let k = 0; k < steps.below.length; k += 2) made[steps.below[k]] = steps.below[k + 1];
  const tied = new Map();
  for (let k = 0; k < steps.tied.length; k += 2) tied.set(steps.tied[k], steps.tied[k + 1]);
  steps.cuts.forEach(([, , leaves], i) => {
    if (at < 2 * i + 1) return;
    for (const leaf of leaves) {
      if (at > 2 * i + 1) made[leaf] = state.matters;
      else made[leaf] = tied.has(leaf) ? tied.get(leaf) : tree.label[leaf];
    }
  });
  return made;
}

function mistakesAt(steps, at) {
  let k = at;
  while (steps.mistakes[k] === 0) k -= 1;
  return steps.mistakes[k];
}

function asModel() { return state.fn === "1" && state.fp === "1" && state.share === ""; }

function decide() {
  if (!facts.costs) return null;
  if (asModel()) { labels = [...tree.label]; return facts.costs.classes[state.matters].own; }
  const steps = stepsNow(), at = stateOf(steps);
  labels = labelsAt(steps, at);
  return mistakesAt(steps, at);
}

// Expected cost of 1,000 cases, by mistakes [missed, alarms, others].
function costOf(mistakes) {
  const totals = facts.costs.totals, own = totals[state.matters];
  const all = totals.reduce((a, b) => a + b, 0), rest = all - own;
  const fn = Number(state.fn), fp = Number(state.fp);
  if (state.share === "") return 1000 * (fn * mistakes[0] + fp * mistakes[2]) / all;
  const share = Number(state.share);
  return 1000 * ((own ? share * fn * mistakes[0] / own : 0) + (rest ? (1 - share) * fp * mistakes[2] / rest : 0));
}

// ------------------------------------------------------------------------------ showing

function showCosts(mistakes) {
  const { matters } = state, about = facts.costs.classes[matters], totals = facts.costs.totals;
  const own = totals[matters], rest = totals.reduce((a, b) => a + b, 0) - own;
  const name = facts.classes[matters], two = facts.classes.length === 2;
  const flipped = [];
  labels.forEach((label, leaf) => { if (label !== tree.label[leaf]) flipped.push(leaf + 1); });
  const shown = flipped.slice(0, 14).join(", ") + (flipped.length > 14 ? ", …" : "");
  byId("flips").replaceChildren(make("b", null, flipped.length ? `${flipped.length} of ${labels.length} leaves change: ` : "All leaves as the model labels them."), flipped.length ? shown : "");
  const [missed, alarms, others] = mistakes;
  const cell = (x, right) => make("td", { "data-value": x }, right ? make("b", null, number(x)) : number(x));
  const rates = [["found of all (TPR)", own ? 1 - missed / own : null], ["false alarms (FPR)", rest ? alarms / rest : null],
    ["precision", own - missed + alarms > 0 ? (own - missed) / (own - missed + alarms) : null], ["accuracy", own + rest > 0 ? 1 - (missed + others) / (own + rest) : null]];
  const costs = [["these labels", mistakes], ["the model’s labels", about.own], ...about.trivial.map(([label, ...wrong]) => [`all ‘${facts.classes[label]}’`, wrong])].map(([words, wrong]) => [words, costOf(wrong)]);
  const most = Math.max(...costs.map(([, cost]) => cost), 1e-300);
  const worse = costs[0][1] > costs[1][1] * (1 + 1e-12);
  put("counts",
    make("table", { class: "confusion" }, make("thead", null, make("tr", null, make("th", { scope: "col" }, facts.costs.name), make("th", { scope: "col" }, "called so"), make("th", { scope: "col" }, "called else"))),
      make("tbody", null, make("tr", null, make("th", { scope: "row" }, name), cell(own - missed, true), cell(missed)),
        make("tr", null, make("th", { scope: "row" }, two ? facts.classes[1 - matters] : "all others"), cell(alarms), cell(rest - alarms, true)))),
    rates.map(([words, rate]) => make("div", { class: "between" }, make("span", { class: "faint" }, words), make("span", null, rate === null ? "–" : percent(rate)))),
    make("table", { class: "costs" }, make("thead", null, make("tr", null, make("th", { colspan: 3, scope: "col" }, "expected cost of 1,000 cases"))),
      make("tbody", null, costs.map(([words, cost], k) => {
        const bar = make("span", { class: "length" });
        bar.style.width = `${70 * cost / most}px`;
        return make("tr", { class: k ? null : "mine" }, make("td", null, short(words, 26)), make("td", null, bar), make("td", { "data-value": cost }, Number(cost.toPrecision(4)).toString()));
      }))),
    worse ? make("p", { class: "wrong" }, "These labels cost more than the model’s on these cases.") : null);
  showRoc(mistakes, own, rest);
}

function showRoc(mistakes, own, rest) {
  const about = facts.costs.classes[state.matters];
  const place = byId("roc");
  if (!place) return;
  place.hidden = !about.roc.length;
  if (place.hidden) return;
  const left = 34, top = 14, side = 240, svg = place.querySelector("svg");
  const at = (x, y) => [left + side * x, top + side * (1 - y)];
  const points = [];
  for (let k = 0; k < about.roc.length; k += 2) points.push(at(about.roc[k], about.roc[k + 1]).join(","));
  svg.querySelector(".leaves").setAttribute("points", points.join(" "));
  svg.querySelector(".legend-leaves").textContent = `leaves: AUC ${about.auc.toFixed(3)}`;
  const first = state.matters === facts.positive;
  for (const other of svg.querySelectorAll(".method, .legend-method, .hull")) other.setAttribute("visibility", first ? "visible" : "hidden");
  const rate = (wrong) => at(wrong[1] / rest, 1 - wrong[0] / own);
  const [x0, y0] = rate(about.own), [x, y] = rate(mistakes);
  const diamond = svg.querySelector(".own");
  if (diamond) diamond.setAttribute("d", `M${x0} ${y0 - 6}l6 6l-6 6l-6 -6z`);
  const marks = [];
  const share = state.share === "" ? own / (own + rest) : Number(state.share);
  const slope = Number(state.fp) * (1 - share) / (Number(state.fn) * share);
  if (!asModel() && facts.classes.length === 2 && Number.isFinite(slope)) {
    // The line of equal cost through the point, clipped to the plane.
    const ends = [];
    const u = (x - left) / side, v = 1 - (y - top) / side;
    for (const [p, q] of [[0, v - slope * u], [1, v + slope * (1 - u)], [u - v / slope, 0], [u + (1 - v) / slope, 1]]) if (p >= -1e-9 && p <= 1 + 1e-9 && q >= -1e-9 && q <= 1 + 1e-9) ends.push(at(p, q));
    if (ends.length >= 2) marks.push(draw("line", { x1: ends[0][0], y1: ends[0][1], x2: ends[ends.length - 1][0], y2: ends[ends.length - 1][1] }));
  }
  if (!asModel()) marks.push(draw("circle", { cx: x, cy: y, r: 6 }, draw("title", null, "these labels")));
  svg.querySelector(".now").replaceChildren(...marks);
}

// ------------------------------------------------------------------------------ controls

function ratioToSlider() {
  const ratio = Math.log10(Number(state.fn) / Number(state.fp));
  return Number.isFinite(ratio) ? Math.round(Math.max(-100, Math.min(100, 50 * ratio))) : ratio > 0 ? 100 : -100;
}

function slideRatio(value) {
  const x = 10 ** (Math.abs(value) / 50);
  const text = String(Number(x.toPrecision(x < 10 ? 2 : 3)));
  change(value >= 0 ? { fn: text, fp: "1" } : { fn: "1", fp: text });
}

function typed(key, input) {
  const now = fraction(input.value), other = fraction(state[key === "fn" ? "fp" : "fn"]);
  const right = now && (now[0] > 0n || other[0] > 0n);
  input.setAttribute("aria-invalid", String(!right));
  if (right) change({ [key]: input.value.trim() });
}

function dataShare() {
  const [own, rest] = facts.costs.classes[state.matters].odds.map(Number);
  return own + rest > 0 ? own / (own + rest) : 0;
}

function startCosts() {
  if (!facts.costs) { listen(() => {}); return; }
  const box = (key, words) => make("label", null, words, make("input", { id: key, inputmode: "decimal", value: state[key], input: (event) => typed(key, event.target) }));
  const classes = facts.classes.length > 2 ? make("label", { class: "faint" }, "the class that matters ", make("select", { id: "matters", change: (event) => change({ matters: Number(event.target.value), share: "" }) }, facts.classes.map((name, c) => make("option", { value: c }, name)))) : null;
  const smoothings = { laplace: "Laplace estimates", none: "shares as counted", m: "m-estimates" };
  const [own, rest] = facts.costs.classes[facts.positive].odds;
  put("controls", classes, make("div", { class: "pair" }, box("fn", "a missed one costs"), box("fp", facts.classes.length > 2 ? "another mistake" : "a false alarm")),
    make("input", { type: "range", id: "ratio", min: -100, max: 100, step: 1, "aria-label": "cost of a missed one against a false alarm", input: (event) => slideRatio(Number(event.target.value)) }),
    make("div", { class: "between" }, make("label", { for: "share" }, "share in use"), make("span", { id: "share-words" })),
    make("input", { type: "range", id: "share", min: 0, max: 1000, step: 1, disabled: !own || !rest, input: (event) => change({ share: String(Number(event.target.value) / 1000) }) }),
    make("div", { class: "tools" }, make("button", { type: "button", id: "reset", click: () => change({ fn: "1", fp: "1", share: "" }) }, "the model’s costs"),
      make("select", { id: "smoothing", "aria-label": "estimates", change: (event) => change({ smoothing: Number(event.target.value) }) }, facts.costs.smoothings.map((name, k) => make("option", { value: k }, smoothings[name] || name)))),
    make("p", { id: "flips", class: "faint", "aria-live": "polite" }));
  const show = () => {
    const mistakes = decide();
    for (const key of ["fn", "fp"]) if (document.activeElement !== byId(key)) { byId(key).value = state[key]; byId(key).setAttribute("aria-invalid", "false"); }
    if (document.activeElement !== byId("ratio")) byId("ratio").value = ratioToSlider();
    byId("ratio").setAttribute("aria-valuetext", `${state.fn} to ${state.fp}`);
    const share = state.share === "" ? dataShare() : Number(state.share);
    if (state.share === "" || document.activeElement !== byId("share")) byId("share").value = Math.round(1000 * share);
    byId("share-words").textContent = percent(share) + (state.share === "" ? ", as in the data" : "");
    byId("share").setAttribute("aria-valuetext", byId("share-words").textContent);
    if (byId("matters")) byId("matters").value = state.matters;
    byId("smoothing").value = state.smoothing;
    showCosts(mistakes);
    showLegend();
  };
  listen((what) => { if (["fn", "fp", "share", "smoothing", "matters"].some((key) => key in what)) show(); });
  show();
}

function showLegend() {
  const entries = byId("legend").querySelectorAll(".entry");
  const order = [state.matters, ...facts.classes.keys()].filter((c, k, all) => all.indexOf(c) === k);
  const shown = facts.classes.length > 8 ? [[state.matters, facts.classes[state.matters]]] : order.map((c) => [c, facts.classes[c]]);
  shown.forEach(([c, name], k) => { if (entries[k]) { entries[k].replaceChildren(make("span", { class: `swatch ${slot(c)}` }), ` ${name}`); } });
}
