// Present: the scenes of a story one by one, as slides; their text is the speaker's notes, in a window of its own.
//
// `?present#scene-5` opens the fifth; with ?lecture&present answers are locked (lecture.js). A figure stays on its slide as
// it was left. css/6-slides.css lays slides out; nothing is scaled there, so that what is dragged stays under the hand.
const root = document.documentElement, story = document.querySelector("article");
const scenes = [...story.querySelectorAll(".scene")];
const headOf = scene => scene.querySelector("h2");
const figureOf = scene => scene.querySelector("figure.explorable");
const mode = () => root.dataset.present; // "slides", "overview" or nothing
const LECTURE = root.dataset.lecture === undefined ? [] : ["lecture"]; // stays in the address
let now = 0, began = 0, notes = null, touch = null, byHand = false;

function make(name, properties, ...content) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...content);
  return made;
}

const button = (textContent, title, onclick, ariaLabel = null) => make("button", { type: "button", textContent, title, onclick, ariaLabel });
const bar = make("nav", { className: "slides-bar", ariaLabel: "Slides" },
  button("‹", "Page Up", () => go(now - 1), "Previous slide"), button("›", "Page Down", () => go(now + 1), "Next slide"),
  button("Overview", "Key o", toggleOverview), button("Notes", "Key s", openNotes),
  button("Full screen", "Key f", toggleFullScreen), button("Reset figure", "Key r", reset), button("End", "Escape", end));

for (const [number, scene] of scenes.entries()) {
  scene.dataset.place = `${number + 1}/${scenes.length}`;
  headOf(scene).id ||= `head-of-scene-${number + 1}`;
  scene.setAttribute("aria-labelledby", headOf(scene).id);
  scene.style.setProperty("--row", Math.max(...[...scene.querySelectorAll(".explorable-panel")].map(ratio)));
}

/** Height over width of a panel, which may wait to be laid out. */
function ratio(panel) {
  const [width, height] = panel.style.aspectRatio.split("/");
  return height / width;
}

/** Shows a scene. When one first comes to it, a figure that the scene before shows, too, moves from there to its state. */
function go(number) {
  const before = figureOf(scenes[now]), scene = scenes[(now = Math.max(0, Math.min(scenes.length - 1, number)))];
  const figure = figureOf(scene), isNew = !scene.dataset.seen;
  if (figure !== before) before.querySelector("[data-running=true]")?.click(); // what plays would play on, unseen
  clearTimeout(before.view?.addressing); // or what was moved last would write its address over this scene's
  root.dataset.present = "slides";
  for (const other of scenes) put(other, { isNow: other === scene });
  scene.dataset.seen = "yes";
  if (isNew && figure !== before && figure.dataset.frames === before.dataset.frames)
    figure.view.place(before.view.at).then(() => figure.view.goTo({}));
  history.replaceState(history.state, "", `?${[...LECTURE, "present"].join("&")}#scene-${now + 1}`);
  scene.focus({ preventScroll: true }); // a screen reader reads its heading
  if (scenes[now + 1]) figureOf(scenes[now + 1]).source?.load().catch(() => {}); // its table is there when it is shown
  writeNotes();
}

/** What a scene is: a slide, or one of the overview, which can be opened and in which its parts rest. */
function put(scene, { isNow, opens = false }) {
  scene.classList.toggle("now", isNow);
  scene.tabIndex = opens ? 0 : -1;
  scene.ariaDescription = opens ? "Enter opens this slide." : null;
  for (const part of scene.children) part.inert = opens;
}

function begin(number) {
  now = number;
  began ||= Date.now();
  document.body.append(bar);
  go(number);
}

function end() {
  delete root.dataset.present;
  bar.remove();
  if (document.fullscreenElement) document.exitFullscreen();
  history.replaceState(history.state, "", `${location.pathname}${LECTURE.map(word => `?${word}`)}#${scenes[now].id}`);
  scenes[now].scrollIntoView({ block: "start", behavior: "instant" });
}

function toggleOverview() {
  if (mode() === "overview") return go(now);
  root.dataset.present = "overview";
  for (const scene of scenes) put(scene, { isNow: scene === scenes[now], opens: true });
  scenes[now].focus();
}

function toggleFullScreen() {
  const change = document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen();
  change.catch(() => {}); // a browser may refuse, of a key in the window of notes for one
}

function reset() {
  figureOf(scenes[now]).view.goTo({});
}

/** Opens the window of notes: an empty page, which this page writes and whose keys it hears. */
function openNotes() {
  notes = open("", "notes-of-a-story", "popup,width=720,height=900");
  if (!notes) return;
  const { document: page } = notes, sheet = document.querySelector('link[rel="stylesheet"]').href;
  page.title = `Notes: ${document.title}`;
  page.documentElement.lang = "en";
  page.documentElement.dataset.theme = root.dataset.theme;
  page.head.replaceChildren(make("link", { rel: "stylesheet", href: sheet }));
  page.body.className = "slides-notes";
  notes.onkeydown = event => SCROLLS.includes(event.key) || key(event);
  writeNotes();
}

/** Writes the scene's heading, text and formula, what its figure shows and asks with the answer, the next heading, and a clock that a click sets back. */
function writeNotes() {
  if (!notes || notes.closed) return;
  const scene = scenes[now], next = scenes[now + 1], copy = part => part.cloneNode(true);
  const clock = button("", "Set the clock back", () => tick((began = Date.now())));
  const parts = [".scene-text", ".scene-formula", "figcaption", ".explorable-prompts"].map(part => scene.querySelector(part)).filter(Boolean);
  notes.document.body.replaceChildren(
    make("p", { className: "clock" }, `${scene.dataset.place} `, clock), copy(headOf(scene)), ...parts.map(copy),
    make("p", { className: "next" }, "Next: ", ...(next ? copy(headOf(next)).childNodes : ["the end"])));
  for (const answer of notes.document.querySelectorAll("details")) answer.open = true;
  for (const part of notes.document.querySelectorAll(".commit")) part.remove();
  notes.scrollTo(0, 0);
  tick();
}

function tick() {
  const seconds = Math.floor((Date.now() - began) / 1000), clock = notes?.document?.querySelector(".clock > button");
  if (clock) clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
setInterval(tick, 1000);

const STEPS = { PageDown: 1, PageUp: -1, ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1, " ": 1, Home: -Infinity, End: Infinity };
const SCROLLS = ["ArrowDown", "ArrowUp"]; // notes that are longer than their window
const VERBS = { o: toggleOverview, s: openNotes, f: toggleFullScreen, r: reset };
const CONTROLS = '[role="slider"], input, select, button, summary, a';

/** Page keys, which remote controls send, always turn; other keys do unless a control has the focus. */
function key(event) {
  byHand = false;
  if (!mode() || event.ctrlKey || event.metaKey || event.altKey) return;
  const done = mode() === "overview" ? keyOfOverview(event) : keyOfSlide(event);
  if (!done) return;
  event.preventDefault();
  event.stopPropagation();
}

function keyOfSlide({ key, target, shiftKey }) {
  const held = target.closest(CONTROLS), step = STEPS[key] * (shiftKey ? -1 : 1);
  if (key.startsWith("Page") || (step && !held)) go(now + step);
  else if (key === "Escape") held ? scenes[now].focus() : end();
  else if (VERBS[key] && !held) VERBS[key]();
  else return false;
  return true;
}

function keyOfOverview({ key, target }) {
  const at = scenes.indexOf(target.closest(".scene")), step = { ArrowDown: columns(), ArrowUp: -columns() }[key] ?? STEPS[key];
  if (key === "Escape" || key === "o") go(now);
  else if (at < 0) return false;
  else if (key === "Enter" || key === " ") go(at);
  else if (step) scenes[Math.max(0, Math.min(scenes.length - 1, at + step))].focus();
  else return false;
  return true;
}

/** How many slides stand beside each other in the overview. */
function columns() {
  return scenes.filter(scene => scene.offsetTop === scenes[0].offsetTop).length;
}
addEventListener("keydown", key, true); // before a handle hears the page keys

/** When a hand has let go of a control, the arrows turn slides again; who moves it by keys keeps it. */
function letGo({ type, target }) {
  const isDone = type === "change" || target.closest(type === "click" ? "button, summary" : '[role="slider"]');
  if (mode() === "slides" && byHand && isDone) setTimeout(() => scenes[now].focus({ preventScroll: true }));
}
addEventListener("pointerdown", () => (byHand = true), true);
for (const type of ["pointerup", "change", "click"]) addEventListener(type, letGo);

story.addEventListener("click", ({ target }) => {
  const number = scenes.indexOf(target.closest(".scene"));
  if (mode() === "overview" && number >= 0) go(number);
});

/** A swipe turns, unless it begins on what is dragged. */
story.addEventListener("pointerdown", event => (touch = event.pointerType === "touch" && !event.target.closest(CONTROLS) ? event : null));
story.addEventListener("pointercancel", () => (touch = null));
story.addEventListener("pointerup", ({ clientX, clientY }) => {
  if (!touch || mode() !== "slides") return;
  const [x, y] = [clientX - touch.clientX, clientY - touch.clientY];
  if (Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(y)) go(now - Math.sign(x));
});

/** The number of the scene that the address names: by its place, by its heading, or by its figure. */
function addressed() {
  const [name] = location.hash.slice(1).split("?"), place = document.getElementById(name);
  return Math.max(0, scenes.findIndex((scene, number) => name === `scene-${number + 1}` || scene.contains(place)));
}
document.querySelector("button.present").addEventListener("click", () => begin(addressed()));
if (new URLSearchParams(location.search).has("present")) begin(addressed());
