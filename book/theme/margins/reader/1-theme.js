// The theme: automatic, then the opposite of what that shows, then the other; the choice stays in this browser.
const root = document.documentElement;
const scriptAddress = document.currentScript.src, version = new URL(scriptAddress).search;
const modes = ["automatic", "light", "dark"];
const themeButton = document.querySelector(".theme-button");
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let mode = modes.includes(root.dataset.mode) ? root.dataset.mode : "automatic";

function applyMode() {
  root.dataset.mode = mode;
  root.dataset.theme = mode === "automatic" ? (prefersDark.matches ? "dark" : "light") : mode;
  themeButton.querySelector("span").textContent = mode;
}
themeButton.addEventListener("click", () => {
  const [shown, other] = prefersDark.matches ? ["dark", "light"] : ["light", "dark"];
  mode = { automatic: other, [other]: shown, [shown]: "automatic" }[mode];
  try { localStorage.setItem("mode", mode); } catch { /* private browsing: the choice lasts for the page */ }
  applyMode();
});
prefersDark.addEventListener("change", applyMode);
applyMode();
