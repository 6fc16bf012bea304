// The tree three times: map, drawing and outline of the same nodes, one chosen leaf in all.
const ROW = 28, TOP = 30, TREE_WIDTH = 590, WIDTH = 980;
const opened = new Set(tree.opened);
const found = new Set();
let zoom = 1;

function weightOf(node) { return tree.weight[node]; }

function leavesBelow(node) {
  if (tree.leaf[node] >= 0) return [tree.leaf[node]];
  const below = [];
  const stack = [node];
  while (stack.length) {
    const at = stack.pop();
    if (tree.leaf[at] >= 0) below.push(tree.leaf[at]);
    else for (let k = children[at].length - 1; k >= 0; k -= 1) stack.push(children[at][k]);
  }
  return below;
}

function sharesOf(leaves) {
  const sums = new Map();
  for (const leaf of leaves) {
    const counts = tree.counts[leaf];
    if (counts === null) return null;
    for (let k = 0; k < counts.length; k += 2) sums.set(counts[k], (sums.get(counts[k]) || 0) + counts[k + 1]);
  }
  return sums;
}

function purity(leaf) {
  const sums = sharesOf([leaf]);
  if (sums === null) return 1;
  let total = 0;
  for (const k of sums.values()) total += k;
  return total ? (sums.get(labels[leaf]) || 0) / total : 1;
}

function leafWords(leaf) {
  const said = `leaf ${leaf + 1}: ${facts.classes[labels[leaf]]}`;
  return tree.weighed ? `${said}, ${number(weightOf(leafNode[leaf]), 1)} cases` : said;
}

function isFlipped(leaf) { return labels[leaf] !== tree.label[leaf]; }

// -------------------------------------------------------------------------------- map

const mapRects = [];
const painted = [];

function drawMap() {
  const width = Math.max(300, byId("map").clientWidth || WIDTH), height = 120;
  const depth = [0];
  tree.parent.forEach((parent, node) => { if (parent >= 0) depth[node] = depth[parent] + 1; });
  const deepest = depth.reduce((a, b) => Math.max(a, b), 1);
  const line = Math.min(12, (height - 24) / deepest);
  const left = [0], total = weightOf(0) || 1, parts = [];
  mapRects.length = 0;
  painted.length = 0;
  for (let node = 0; node < tree.parent.length; node += 1) {
    const wide = width * weightOf(node) / total, y = line * depth[node];
    const leaf = tree.leaf[node];
    if (leaf >= 0) {
      const rect = draw("rect", { x: left[node], y, width: Math.max(0, wide - Math.min(1, wide * 0.15)), height: height - y, "data-leaf": leaf, click: () => chooseLeaf(leaf) }, draw("title", null, ""));
      mapRects[leaf] = rect;
      parts.push(rect);
      continue;
    }
    const name = tree.attributes[tree.attribute[node]].name;
    if (wide > 7 * Math.min(name.length, 6) && line >= 10) {
      parts.push(draw("text", { x: left[node] + wide / 2, y: y + 10, "text-anchor": "middle", "font-size": 10.5, class: "faint" }, cutName(name, Math.max(3, Math.floor(wide / 6.5)))));
    }
    let x = left[node];
    for (const kid of children[node]) { left[kid] = x; x += width * weightOf(kid) / total; }
  }
  put("map", draw("svg", { class: "map", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": "Map of the tree: every leaf as wide as its training weight" }, parts));
  paintMap();
}

function paintMap() {
  mapRects.forEach((rect, leaf) => {
    const now = `${labels[leaf]} ${state.matters} ${leaf === state.leaf}`;
    if (painted[leaf] === now) return;
    painted[leaf] = now;
    const classes = [slot(labels[leaf])];
    // An outline would hide what is narrower than a few of it.
    if (isFlipped(leaf) && rect.width.baseVal.value > 5) classes.push("flipped");
    if (leaf === state.leaf) classes.push("chosen");
    rect.setAttribute("class", classes.join(" "));
    rect.setAttribute("fill-opacity", 0.5 + 0.5 * purity(leaf));
    rect.firstChild.textContent = leafWords(leaf) + (isFlipped(leaf) ? ", flipped" : "");
  });
}

// ---------------------------------------------------------------------------- drawing

function layOut() {
  const rows = [], drawn = [], depth = { 0: 0 }, stack = [0];
  while (stack.length) {
    const node = stack.pop();
    drawn.push(node);
    if (!opened.has(node)) { rows.push(node); continue; }
    for (let k = children[node].length - 1; k >= 0; k -= 1) {
      depth[children[node][k]] = depth[node] + 1;
      stack.push(children[node][k]);
    }
  }
  const y = {}, x = {};
  rows.forEach((node, k) => { y[node] = TOP + ROW * (k + 0.5); });
  let deepest = 0;
  for (const node of [...drawn].reverse()) {
    if (!opened.has(node)) continue;
    const kids = children[node];
    y[node] = (y[kids[0]] + y[kids[kids.length - 1]]) / 2;
    deepest = Math.max(deepest, depth[node]);
  }
  const step = Math.min(130, (TREE_WIDTH - 20) / (deepest + 1));
  for (const node of drawn) x[node] = 12 + step * depth[node];
  return { rows, drawn, x, y, step };
}

function drawTree() {
  const { rows, drawn, x, y, step } = layOut();
  const height = TOP + ROW * rows.length + 10, total = weightOf(0) || 1;
  const way = new Set(state.leaf >= 0 ? pathTo(leafNode[state.leaf]) : []);
  const lines = [], words = [];
  for (const node of drawn) {
    if (node > 0) {
      const parent = tree.parent[node];
      const end = opened.has(node) ? x[node] : TREE_WIDTH;
      lines.push(draw("path", { d: `M${x[parent]} ${y[parent]}V${y[node]}H${end}`, "stroke-width": Math.max(way.has(node) ? 2.5 : 1, 10 * weightOf(node) / total), class: way.has(node) ? "path" : null }));
      const second = children[parent].length === 2 && children[parent][1] === node;
      const off = Math.max(1, 10 * weightOf(node) / total) / 2 + 3;
      const above = y[node] + (second ? off + 8 : -off);
      // The name of the attribute stands on the height of the parent: keep clear of it.
      const base = Math.abs(above - y[parent] - 4) < 11 ? y[node] + 15 : above;
      const room = opened.has(node) ? Math.max(5, Math.floor((step - 12) / 6)) : 22;
      words.push(draw("text", { x: x[parent] + 10, y: base, "font-size": 10.5, class: "faint halo" }, draw("title", null, testWords(node)), short(tree.branch[node], room)));
    }
    if (opened.has(node)) {
      const name = tree.attributes[tree.attribute[node]].name;
      const close = () => toggle(node);
      words.push(draw("g", { class: "dot", click: close }, draw("title", null, `${name}: close this part`), draw("circle", { cx: x[node], cy: y[node], r: 4, fill: "currentColor" }),
        draw("text", { x: x[node] + 9, y: y[node] + 4, "font-weight": "bold", class: found.has(node) ? "halo found" : "halo" }, cutName(name, Math.max(4, Math.floor(step / 8))))));
    }
  }
  const titles = [[TREE_WIDTH + 8, "leaf and its label", "start"]];
  if (tree.weighed) titles.push([TREE_WIDTH + 180, "class shares", "start"], [TREE_WIDTH + 318, "cases", "end"]);
  const svg = draw("svg", { class: zoom === 1 ? "drawing" : "drawing zoomed", viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH * zoom, height: height * zoom, role: "group", "aria-label": "Drawing of the tree", "font-size": 12, keydown: drawingKeys },
    draw("g", { class: "lines", fill: "none" }, lines),
    titles.map(([at, text, anchor]) => draw("text", { x: at, y: 14, class: "faint", "text-anchor": anchor, "font-size": 11 }, text)),
    rows.map((node, k) => drawRow(node, y[node], k === 0)), words);
  put("drawing", svg);
}

function drawRow(node, y, first) {
  const leaf = tree.leaf[node], left = TREE_WIDTH + 8, parts = [];
  const below = leavesBelow(node);
  let words, flipped = false;
  if (leaf >= 0) {
    flipped = isFlipped(leaf);
    words = `${leaf + 1} ${facts.classes[labels[leaf]]}`;
    parts.push(draw("rect", { x: left, y: y - 6, width: 12, height: 12, rx: 2, class: `mark ${slot(labels[leaf])}` }));
  } else {
    const positive = below.filter((k) => labels[k] === state.matters).length;
    const changed = below.filter(isFlipped).length;
    flipped = changed > 0;
    words = `${below.length} leaves, ${positive} ${facts.classes[state.matters]}`;
    parts.push(draw("path", { d: `M${left + 1} ${y - 6}l10 6l-10 6z`, fill: "var(--line)" }));
    if (changed) parts.push(draw("text", { x: TREE_WIDTH + 328, y: y + 4, "font-size": 11, class: "faint" }, `${changed} flipped`));
  }
  parts.push(draw("text", { x: left + 18, y: y + 4, class: found.has(node) ? "found" : null }, draw("title", null, words), short(words, 22)));
  if (tree.weighed) {
    parts.push(...shareBar(sharesOf(below), TREE_WIDTH + 180, y - 5));
    parts.push(draw("text", { x: TREE_WIDTH + 318, y: y + 4, "text-anchor": "end" }, number(weightOf(node), 1)));
  }
  if (leaf >= 0 && flipped) parts.push(draw("text", { x: TREE_WIDTH + 328, y: y + 4, "font-size": 11, class: "faint" }, "flipped"));
  const classes = ["row"];
  if (flipped && leaf >= 0) classes.push("flipped");
  if (leaf >= 0 && leaf === state.leaf) classes.push("chosen");
  const said = leaf >= 0 ? leafWords(leaf) + (flipped ? ", flipped" : "") : `${words}: open this part`;
  const act = () => (leaf >= 0 ? chooseLeaf(leaf) : toggle(node));
  return draw("g", { class: classes.join(" "), role: "button", tabindex: first ? 0 : -1, "aria-label": said, "data-node": node, click: act },
    draw("rect", { class: "back", x: TREE_WIDTH + 2, y: y - ROW / 2 + 1, width: WIDTH - TREE_WIDTH - 4, height: ROW - 2, rx: 3 }), parts);
}

function shareBar(sums, left, top) {
  if (sums === null) return [];
  let total = 0;
  for (const k of sums.values()) total += k;
  const order = [...sums.keys()].sort((a, b) => (a !== state.matters) - (b !== state.matters) || sums.get(b) - sums.get(a) || a - b);
  const parts = [];
  for (const c of order) {
    const width = total > 0 ? 98 * sums.get(c) / total : 0;
    if (width <= 0) continue;
    parts.push(draw("rect", { x: left, y: top, width: Math.max(width - 0.7, 0.4), height: 10, class: slot(c) }));
    left += width;
  }
  return parts;
}

function drawingKeys(event) {
  const rows = [...byId("drawing").querySelectorAll(".row")];
  const at = rows.indexOf(document.activeElement);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to !== undefined && rows[to]) { rows[at].setAttribute("tabindex", -1); rows[to].setAttribute("tabindex", 0); rows[to].focus(); }
  else if (event.key === "Enter" || event.key === " ") rows[at].dispatchEvent(new Event("click"));
  else return;
  event.preventDefault();
}

// ---------------------------------------------------------------------------- outline

function drawOutline() {
  const items = [];
  const visit = (node, level) => {
    const leaf = tree.leaf[node], open = opened.has(node);
    const inside = [];
    if (node > 0) inside.push(make("span", { class: "faint" }, testWords(node)), " ");
    if (leaf >= 0) {
      inside.push(make("span", { class: `swatch ${slot(labels[leaf])}${isFlipped(leaf) ? " flipped" : ""}` }), ` ${leaf + 1} `,
        make("span", { class: isFlipped(leaf) ? "flipped" : null }, facts.classes[labels[leaf]]),
        tree.weighed ? make("span", { class: "faint" }, ` (${number(weightOf(node), 1)})`) : null,
        isFlipped(leaf) ? " flipped" : null);
    } else {
      inside.push(open ? "▾ " : "▸ ", make("b", null, tree.attributes[tree.attribute[node]].name), open ? null : make("span", { class: "faint" }, ` ${leavesBelow(node).length} leaves`));
    }
    const classes = [leaf >= 0 && leaf === state.leaf ? "chosen" : "", found.has(node) ? "found" : ""].join(" ").trim();
    const item = make("li", { role: "treeitem", "aria-level": level, "aria-expanded": leaf >= 0 ? null : String(open), "aria-selected": leaf >= 0 ? String(leaf === state.leaf) : null, tabindex: items.length ? -1 : 0, "data-node": node, class: classes || null, click: () => (leaf >= 0 ? chooseLeaf(leaf) : toggle(node)) }, inside);
    item.style.paddingLeft = `${4 + 12 * Math.min(level - 1, 12)}px`;
    items.push(item);
  };
  const stack = [[0, 1]];
  while (stack.length) {
    const [node, level] = stack.pop();
    visit(node, level);
    if (opened.has(node)) for (const kid of [...children[node]].reverse()) stack.push([kid, level + 1]);
  }
  put("drawing", make("ul", { role: "tree", class: "outline", "aria-label": "Outline of the tree", keydown: outlineKeys }, items));
}

function outlineKeys(event) {
  const items = [...byId("drawing").querySelectorAll("[role=treeitem]")];
  const at = items.indexOf(document.activeElement);
  if (at < 0) return;
  const node = Number(items[at].dataset.node);
  const focus = (k) => { if (items[k]) { items[at].tabIndex = -1; items[k].tabIndex = 0; items[k].focus(); } };
  if (event.key === "ArrowDown") focus(at + 1);
  else if (event.key === "ArrowUp") focus(at - 1);
  else if (event.key === "Home") focus(0);
  else if (event.key === "End") focus(items.length - 1);
  else if (event.key === "Enter" || event.key === " ") items[at].click();
  else if (event.key === "ArrowRight" && tree.leaf[node] < 0) { if (opened.has(node)) focus(at + 1); else toggle(node); }
  else if (event.key === "ArrowLeft") {
    if (opened.has(node)) toggle(node);
    else if (node > 0) focus(items.findIndex((item) => Number(item.dataset.node) === tree.parent[node]));
  } else return;
  event.preventDefault();
}

// ---------------------------------------------------------------------------- both

function showTree() {
  const held = document.activeElement && byId("drawing").contains(document.activeElement) ? document.activeElement.dataset.node : undefined;
  const outline = state.view ? state.view === "outline" : matchMedia("(max-width: 640px)").matches;
  if (outline) drawOutline(); else drawTree();
  for (const button of document.querySelectorAll("[data-view]")) button.setAttribute("aria-pressed", String((button.dataset.view === "outline") === outline));
  if (held !== undefined) {
    const again = byId("drawing").querySelector(`[data-node="${held}"]`);
    if (again && again.focus) { for (const other of byId("drawing").querySelectorAll("[tabindex='0']")) other.setAttribute("tabindex", -1); again.setAttribute("tabindex", 0); again.focus({ preventScroll: true }); }
  }
}

function toggle(node) {
  if (opened.has(node)) opened.delete(node);
  else if (tree.leaf[node] < 0) opened.add(node);
  showTree();
}

function openTo(leaf) {
  for (const node of pathTo(leafNode[leaf])) if (tree.leaf[node] < 0) opened.add(node);
}

function openMore() {
  let rows = 0;
  const waiting = [];
  const stack = [0];
  while (stack.length) {
    const node = stack.pop();
    if (opened.has(node)) stack.push(...children[node]);
    else if (tree.leaf[node] < 0) waiting.push(node);
  }
  while (waiting.length && rows < 30) {
    waiting.sort((a, b) => weightOf(b) - weightOf(a));
    const node = waiting.shift();
    opened.add(node);
    rows += children[node].length - 1;
    waiting.push(...children[node].filter((kid) => tree.leaf[kid] < 0));
  }
  showTree();
}

function closeAll() {
  opened.clear();
  if (tree.leaf[0] < 0) opened.add(0);
  showTree();
}

function search(text) {
  found.clear();
  const wanted = text.trim().toLowerCase();
  if (wanted) {
    const whole = /^(?:leaf )?(\d+)$/.exec(wanted);
    if (whole && Number(whole[1]) >= 1 && Number(whole[1]) <= leafNode.length) {
      const leaf = Number(whole[1]) - 1;
      found.add(leafNode[leaf]);
      openTo(leaf);
    } else {
      for (let node = 0; node < tree.parent.length; node += 1) {
        const leaf = tree.leaf[node];
        const name = leaf >= 0 ? facts.classes[labels[leaf]] : tree.attributes[tree.attribute[node]].name;
        if (!name.toLowerCase().includes(wanted)) continue;
        found.add(node);
        if (found.size <= 30) for (const above of pathTo(node)) if (above !== node) opened.add(above);
      }
    }
  }
  byId("hits").textContent = wanted ? `${found.size} found` : "";
  showTree();
}

function chooseLeaf(leaf) {
  openTo(leaf);
  change({ leaf: leaf === state.leaf ? -1 : leaf });
}

function showLeaf() {
  const leaf = state.leaf;
  if (leaf < 0) { put("leaf", make("p", { class: "faint" }, "Choose a leaf to see its rule and its path.")); return; }
  const row = byId("rules").querySelectorAll("tbody tr")[leaf];
  const sums = sharesOf([leaf]);
  const shares = sums && [...sums].map(([c, k]) => `${number(k)} ${facts.classes[c]}`).join(", ");
  put("leaf", make("p", null, make("b", null, `Leaf ${leaf + 1}: ${facts.classes[labels[leaf]]}`),
    isFlipped(leaf) ? ` (flipped; the model says ${facts.classes[tree.label[leaf]]})` : null),
  make("p", null, "if ", row.lastElementChild.textContent),
  make("p", { class: "faint" }, shares ? `training cases: ${shares}` : sums ? "no training case reached it" : "the text shows no counts"));
}

function startTree() {
  const view = (name, words) => make("button", { type: "button", "data-view": name, "aria-pressed": "false", click: () => change({ view: name }) }, words);
  const zoomBy = (factor) => () => { zoom = Math.min(3, Math.max(0.4, zoom * factor)); showTree(); };
  put("tree-controls", view("drawing", "Drawing"), view("outline", "Outline"),
    make("input", { type: "search", "aria-label": "find an attribute, a class or a leaf number", placeholder: "find: attribute, class or leaf", size: 24, input: (event) => search(event.target.value) }),
    make("span", { id: "hits", class: "faint", "aria-live": "polite" }),
    make("button", { type: "button", click: openMore }, "Open more"), make("button", { type: "button", click: closeAll }, "Close"),
    make("button", { type: "button", "aria-label": "smaller", click: zoomBy(0.8) }, "−"), make("button", { type: "button", "aria-label": "larger", click: zoomBy(1.25) }, "+"));
  listen((what) => {
    if ("leaf" in what && state.leaf >= 0) openTo(state.leaf);
    showTree(); paintMap(); showLeaf();
  });
  let wide = 0;
  const resize = () => { const now = byId("map").clientWidth; if (now !== wide) { wide = now; drawMap(); showTree(); } };
  resize();
  addEventListener("resize", resize);
  showTree();
  showLeaf();
}
