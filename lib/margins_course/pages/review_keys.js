// Hands and keys: what a click or a key on the page does. Needs review_saving.js and review.js before it.
const remembered = { columns: "auto", "hide-names": "", keys: "on" };
const help = document.querySelector("dialog.keys"), keysOn = help.querySelector(".keys-on");
let current = null;

/* What this browser remembers of how the page is looked at. */
function remember(name, value) {
  try { localStorage.setItem(`margins-review-view:${name}`, value); } catch { /* it lasts for this page */ }
}

function recall(name) {
  try { return localStorage.getItem(`margins-review-view:${name}`) ?? remembered[name]; } catch { return remembered[name]; }
}

/* Going from answer to answer. */
function goTo(one) {
  one.closest("details").open = true;
  one.focus({ preventScroll: true });
  one.scrollIntoView({ block: one.offsetHeight > innerHeight * 0.8 ? "start" : "center" });
}

function step(by) {
  const open = cards.filter(one => one.closest("details").open);
  const place = open.indexOf(current);
  const next = open[place < 0 ? 0 : Math.min(Math.max(place + by, 0), open.length - 1)];
  if (next) goTo(next);
}

function nextToMark() {
  const place = cards.indexOf(current) + 1;
  const next = [...cards.slice(place), ...cards.slice(0, place)].find(one => needsMark(one.dataset.student));
  if (next) goTo(next);
  else say("Nothing is left to mark here");
}

function keep(one) {
  const { student, fingerprint } = one.dataset;
  if (!isOutdated(student) || !fits(marks[student])) return;
  const { lines, adjust, comment } = marks[student];
  give(student, { fingerprint, lines, adjust, comment });
  one.focus();
}

const onCard = {
  c: one => part(one, ".marking").querySelector("textarea").focus(),
  f: one => tickAll(one, true),
  0: one => tickAll(one, false),
  g: askForGroup,
  y: keep,
};
const anywhere = { j: () => step(1), k: () => step(-1), n: nextToMark, "?": () => help.showModal() };

function onKey(event) {
  if (document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey) return;
  const typing = event.target.closest("textarea, [type=number]");
  if (event.key === "Escape" && typing) return current?.focus();
  if (event.altKey) return onAlt(event);
  if (typing || !keysOn.checked || event.target.closest("[type=radio]")) return;
  const action = anywhere[event.key] ?? (current && forCard(event.key));
  if (!action) return;
  event.preventDefault();
  action();
}

function forCard(key) {
  if (/^[1-9]$/.test(key)) return () => tick(current, Number(key) - 1);
  return Object.hasOwn(onCard, key) ? () => onCard[key](current) : null;
}

/** Alt and a digit, by its place on the keyboard: with Alt a key gives another sign on some. */
function onAlt(event) {
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (!digit || !current) return;
  if (usedComments.closest(".card") !== current) listComments(current);
  const button = usedComments.children[digit - 1]?.firstChild;
  if (!button) return;
  event.preventDefault();
  insert(current, button.dataset.comment);
}

document.addEventListener("keydown", onKey);
document.addEventListener("focusin", event => {
  const one = event.target.closest(".card");
  if (!one) return;
  current?.classList.remove("current");
  current = one;
  one.classList.add("current");
  if (event.target.localName === "textarea") listComments(one);
});

/* Fields of a card. */
for (const one of cards) {
  const marking = part(one, ".marking");
  marking.addEventListener("input", event => {
    if (event.target.type === "checkbox") tick(one, fields(one).indexOf(event.target.closest(".line").querySelector("[type=number]")), event.target.checked);
    else changed(one, SOON);
  });
  marking.addEventListener("change", event => { // who leaves a field waits no longer
    if (event.target.type !== "checkbox" && waiting[one.dataset.student]) send(one.dataset.student);
  });
  marking.querySelector(".for-group").onclick = () => askForGroup(one);
  marking.querySelector(".keep").onclick = () => keep(one);
}

/* The bar at the top and the list of keys. */
for (const choice of document.querySelectorAll("[name=columns]")) {
  choice.checked = choice.value === recall("columns");
  choice.addEventListener("change", () => remember("columns", choice.value));
}
const hideNames = document.getElementById("hide-names");
hideNames.checked = recall("hide-names") === "on";
hideNames.addEventListener("change", () => remember("hide-names", hideNames.checked ? "on" : ""));
keysOn.checked = recall("keys") === "on";
keysOn.addEventListener("change", () => remember("keys", keysOn.checked ? "on" : "off"));
document.querySelector("button.help").onclick = () => help.showModal();
help.querySelector(".close").onclick = () => help.close();

takeUp();
for (const student of byStudent.keys()) { fill(student); showState(student); }
showBar();
lookAgain();
