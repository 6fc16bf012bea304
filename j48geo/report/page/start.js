// Light, dark, or as the system has it.
function startTheme() {
  const root = document.documentElement;
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);
  put("theme", make("button", { type: "button", "aria-label": "light or dark", click: () => { root.dataset.theme = dark() ? "light" : "dark"; } }, "◐"));
}

Object.assign(state, recall());
if (state.leaf >= 0) openTo(state.leaf);
startTheme();
startCosts();
startTree();
startCases();
startSlice();
addEventListener("hashchange", () => { if (location.hash.includes("=")) change({ ...atFirst, ...recall() }); });

// For the console: what the page has in force.
window.report = { state, labels: () => [...labels], slice: (row, across, up) => cutBoxes(placeOf(row), across, up) };
