// What all parts share: the facts, elements made without HTML text, the state and its listeners.
const facts = JSON.parse(document.getElementById("facts").textContent);
const tree = facts.tree;
const children = tree.parent.map(() => []);
tree.parent.forEach((parent, node) => { if (parent >= 0) children[parent].push(node); });
const leafNode = [];
tree.leaf.forEach((leaf, node) => { if (leaf >= 0) leafNode[leaf] = node; });

function byId(id) { return document.getElementById(id); }

// An element; text reaches the page as text only.
function make(name, attributes, ...inside) {
  return fill(document.createElement(name), attributes, inside);
}

function draw(name, attributes, ...inside) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, inside);
}

function fill(element, attributes, inside) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...inside.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

function put(id, ...inside) {
  const place = byId(id);
  if (place) place.replaceChildren(...inside.flat(Infinity).filter((child) => child));
  return place;
}

function short(text, width) { return text.length <= width ? text : text.slice(0, Math.max(width - 1, 1)) + "…"; }

// Cut in the middle: names often begin alike.
function cutName(name, width) {
  if (name.length <= width) return name;
  const tail = Math.floor((width - 1) / 2);
  return `${name.slice(0, width - 1 - tail)}…${name.slice(name.length - tail)}`;
}

function number(x, decimals = 2) {
  return x.toLocaleString("en-US", { maximumFractionDigits: decimals });
}

function percent(x) { return `${(100 * x).toFixed(1)} %`; }

// Colours: the class that matters has the first, beyond eight classes all others the second.
function slot(c, matters = state.matters) {
  if (c === matters) return "k0";
  return facts.classes.length > 8 ? "k1" : `k${1 + c - (c > matters ? 1 : 0)}`;
}

// A value of a case in words.
function valueWords(attribute, value) {
  if (value === null) return "missing";
  const about = tree.attributes[attribute];
  if (about.values) return about.values[value];
  if (about.type === "date" && typeof value === "number" && Math.abs(value) < 8e15) {
    return new Date(Math.round(value)).toISOString().replace("T", " ").replace("Z", "")
      .replace(/\.000$/, "").replace(/ 00:00:00$/, "");
  }
  return String(value);
}

function numeric(value) { return value === "Infinity" ? Infinity : value === "-Infinity" ? -Infinity : value; }

// Which child a known value leads to: what the tree asks, nothing else.
function branchOf(node, value) {
  const kind = tree.kind[node], cut = numeric(tree.cut[node]), x = numeric(value);
  if (kind === "m") return children[node][x];
  if (kind === "b") return children[node][x === cut ? 0 : 1];
  const left = openLeft.has(node) ? x < cut : x <= cut;
  return children[node][left || x - cut < tree.tolerance ? 0 : 1];
}
const openLeft = new Set(tree.open_left);

function pathTo(node) {
  const way = [];
  for (let at = node; at >= 0; at = tree.parent[at]) way.unshift(at);
  return way;
}

function testWords(node) {
  const attribute = tree.attribute[tree.parent[node]];
  return `${tree.attributes[attribute].name} ${tree.branch[node]}`;
}

// ------------------------------------------------------------------------------ state

const state = {
  matters: facts.positive, fn: "1", fp: "1", share: "", smoothing: 0,
  leaf: -1, row: 0, across: -1, up: -1, view: "",
};
const shortNames = { matters: "class", fn: "fn", fp: "fp", share: "share", smoothing: "by", leaf: "leaf", row: "row", across: "x", up: "y", view: "view" };
const atFirst = { ...state };
const listeners = [];

function change(what) {
  Object.assign(state, what);
  for (const listener of listeners) listener(what);
  remember();
}

function listen(listener) { listeners.push(listener); }

// The view in the address, so that it can be sent to someone else. Leaves count from 1.
function remember() {
  const parts = [];
  for (const [key, name] of Object.entries(shortNames)) {
    if (state[key] === atFirst[key]) continue;
    const value = key === "leaf" ? state.leaf + 1 : state[key];
    parts.push(`${name}=${encodeURIComponent(value)}`);
  }
  const hash = parts.length ? `#${parts.join("&")}` : location.pathname + location.search;
  try { history.replaceState(null, "", hash); } catch { /* some browsers refuse it for files */ }
}

function recall() {
  const found = {};
  for (const part of location.hash.slice(1).split("&")) {
    const [name, value] = part.split("=");
    const key = Object.keys(shortNames).find((k) => shortNames[k] === name);
    if (key === undefined || value === undefined) continue;
    let text = "";
    try { text = decodeURIComponent(value); } catch { continue; }
    const whole = /^\d+$/.test(text) ? Number(text) : -1;
    const most = { matters: facts.classes.length, smoothing: facts.costs ? facts.costs.smoothings.length : 0, across: tree.attributes.length, up: tree.attributes.length, row: 1e9 }[key];
    if (key === "leaf") { if (whole >= 1 && whole <= leafNode.length) found.leaf = whole - 1; }
    else if (most !== undefined) { if (whole >= 0 && whole < most) found[key] = whole; }
    else if (key === "view") { if (text === "outline" || text === "drawing") found.view = text; }
    else if (fraction(text)) found[key] = text;
  }
  return found;
}

// ------------------------------------------------------------------------------ exact numbers

// A decimal number as it was typed, exactly: [numerator, denominator]; null if it is none.
function fraction(text) {
  const found = /^(\d*)(?:\.(\d*))?$/.exec(String(text).trim());
  if (!found || !(found[1] || found[2]) || String(text).length > 30) return null;
  const behind = found[2] || "";
  return [BigInt(found[1] + behind), 10n ** BigInt(behind.length)];
}
