// Cases: a table by a chosen ranking, and one case in full.
const cases = facts.cases;
let ranking = 0, wanted = "";

function placeOf(row) { return cases ? cases.row.indexOf(row) : -1; }

function isWrong(k) { return cases.actual[k] >= 0 && cases.predicted[k] >= 0 && cases.actual[k] !== cases.predicted[k]; }

function className(c) { return c >= 0 ? facts.classes[c] : "–"; }

function passes(k) {
  if (!wanted) return true;
  if (/^errors?$/.test(wanted)) return isWrong(k);
  const leaf = /^leaf (\d+)$/.exec(wanted);
  if (leaf) return cases.leaf[k] === Number(leaf[1]) - 1;
  if (/^\d+$/.test(wanted)) return cases.row[k] === Number(wanted);
  return className(cases.predicted[k]).toLowerCase().includes(wanted) || className(cases.actual[k]).toLowerCase().includes(wanted);
}

function digits(x) {
  const value = numeric(x);
  if (value === null) return "–";
  return Number.isFinite(value) ? String(Number(value.toPrecision(3))) : value > 0 ? "∞" : "−∞";
}

function showCases() {
  const method = cases.methods[ranking];
  const order = cases.row.map((_, k) => k).filter(passes).sort((a, b) => method.rank[a] - method.rank[b] || a - b);
  const far = Math.max(...cases.distance.map(numeric).filter((d) => typeof d === "number" && Number.isFinite(d)), 1e-300);
  const titles = ["rank", "row", method.title, "distance", "predicted", "leaf", "actual"];
  const rows = order.map((k, place) => {
    const d = numeric(cases.distance[k]);
    const bar = make("span", { class: "far" });
    bar.style.width = `${typeof d === "number" && Number.isFinite(d) ? 34 * d / far : 0}px`;
    const score = numeric(method.score[k]);
    return make("tr", { tabindex: place ? -1 : 0, "data-row": cases.row[k], "aria-selected": String(cases.row[k] === state.row) },
      make("td", null, method.rank[k]), make("td", null, cases.row[k]), make("td", null, Number.isFinite(score) ? score.toFixed(4) : "–"),
      make("td", null, bar, digits(cases.distance[k])), make("td", { title: className(cases.predicted[k]) }, className(cases.predicted[k])),
      make("td", null, cases.leaf[k] >= 0 ? cases.leaf[k] + 1 : "–"),
      make("td", isWrong(k) ? { class: "wrong", title: className(cases.actual[k]) } : { title: className(cases.actual[k]) }, (isWrong(k) ? "✗ " : "") + className(cases.actual[k])));
  });
  put("case-table", make("table", { class: "cases", click: pick, keydown: caseKeys }, make("thead", null, make("tr", null, titles.map((t) => make("th", { scope: "col" }, t)))), make("tbody", null, rows)));
  byId("case-count").textContent = wanted ? `${order.length} of ${cases.row.length}` : "";
}

function pick(event) {
  const row = event.target.closest("tr[data-row]");
  if (row) change({ row: Number(row.dataset.row) });
}

function caseKeys(event) {
  const rows = [...byId("case-table").querySelectorAll("tr[data-row]")];
  const at = rows.indexOf(document.activeElement);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to !== undefined && rows[to]) { rows[at].tabIndex = -1; rows[to].tabIndex = 0; rows[to].focus(); }
  else if (event.key === "Enter" || event.key === " ") pick(event);
  else return;
  event.preventDefault();
}

function markCase() {
  for (const row of byId("case-table").querySelectorAll("tr[data-row]")) row.setAttribute("aria-selected", String(Number(row.dataset.row) === state.row));
}

// The nodes that a case passes, up to its leaf or to the first test of a missing value.
function wayDown(k) {
  const way = [0];
  while (tree.leaf[way[way.length - 1]] < 0) {
    const node = way[way.length - 1], value = cases.x[tree.attribute[node]][k];
    if (value === null) break;
    way.push(branchOf(node, value));
  }
  return way;
}

function showCase() {
  const k = placeOf(state.row);
  if (k < 0) { put("one-case", make("p", { class: "faint" }, "Choose a case to see its way down the tree, the smallest change that flips its class, and the leaves around it.")); return; }
  const way = wayDown(k), last = way[way.length - 1], leaf = tree.leaf[last];
  const steps = way.slice(1).map((node) => {
    const attribute = tree.attribute[tree.parent[node]];
    return make("li", null, `${tree.attributes[attribute].name} = ${valueWords(attribute, cases.x[attribute][k])} `, make("span", { class: "faint" }, `is ${tree.branch[node]}`));
  });
  const sums = leaf >= 0 ? sharesOf([leaf]) : null;
  const shares = sums && [...sums].map(([c, n]) => `${number(n)} ${facts.classes[c]}`).join(", ");
  const end = leaf >= 0 ? make("p", null, make("b", null, `Leaf ${leaf + 1}`), shares ? `: ${shares}` : "") :
    make("p", null, `${tree.attributes[tree.attribute[last]].name} is missing: the case is divided over the branches.`);
  const flip = cases.flip[k];
  const flipped = flip && make("div", { class: "change" }, make("b", null, `Smallest change to ${facts.classes[flip[0]]}`), make("span", { class: "faint" }, ` (leaf ${flip[1] + 1}; ${digits(flip[2])} away)`),
    flip[3].map(([attribute, to, must]) => make("div", null, `${tree.attributes[attribute].name}: ${valueWords(attribute, cases.x[attribute][k])} → ${valueWords(attribute, to)}`, must ? make("span", { class: "faint" }, tree.attributes[attribute].values ? ` (${must})` : ` (must be ${must})`) : null)));
  const around = cases.around[k], near = [];
  if (around) {
    for (let i = 0; i < around[0].length; i += 2) near.push(make("div", null, `${percent(around[0][i + 1])} leaf ${around[0][i] + 1}: ${facts.classes[tree.label[around[0][i]]]}`));
    if (around[1]) near.push(make("div", { class: "faint" }, `and ${around[1]} more`));
  }
  put("one-case", make("p", null, make("b", null, `Row ${state.row}: ${className(cases.predicted[k])}`)),
    isWrong(k) ? make("p", { class: "wrong" }, `its class is ${className(cases.actual[k])}`) : null,
    make("div", { class: "faint" }, "The way down"), make("ol", null, steps), end,
    flipped || make("p", { class: "faint" }, "No change flips its class."),
    near.length ? [make("div", { class: "faint" }, "Leaves around it"), near] : null,
    make("div", { class: "tools" }, leaf >= 0 ? make("button", { type: "button", click: () => { openTo(leaf); change({ leaf }); byId("tree").scrollIntoView(); } }, "Show in the tree") : null,
      make("button", { type: "button", click: () => byId("slice").scrollIntoView() }, "Show in a slice")));
}

function startCases() {
  if (!cases) return;
  put("case-controls", make("label", null, "by ", make("select", { id: "ranking", change: (event) => { ranking = Number(event.target.value); showCases(); } }, cases.methods.map((m, k) => make("option", { value: k }, m.title)))),
    make("input", { id: "case-filter", type: "search", size: 24, placeholder: "filter: row, class, leaf 3, errors", "aria-label": "filter cases by row, class, leaf or errors", input: (event) => { wanted = event.target.value.trim().toLowerCase(); showCases(); } }),
    make("span", { id: "case-count", class: "faint", "aria-live": "polite" }));
  listen((what) => { if ("row" in what) { markCase(); showCase(); } });
  showCases();
  showCase();
}
