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

// A small screen shows the sliders beside the tree first; paper shows all.
const more = byId("more");
if (more) {
  more.open = !matchMedia("(max-width: 640px)").matches;
  addEventListener("beforeprint", () => { more.open = true; });
}
