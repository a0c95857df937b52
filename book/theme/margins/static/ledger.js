// The ledger as an instrument: its claims by chapter, verdict, source and status, each with its count.
// Without this script all claims are shown. Within a kind any of the values chosen will do; all kinds must agree.
const kinds = { chapter: "Chapter", verdict: "Verdict", source: "Source", status: "What holds is" };
const claims = [...document.querySelectorAll(".claim")];
const value = (claim, kind) => [...claim.classList].find(name => name.startsWith(`${kind}-`)).slice(kind.length + 1);

const form = document.createElement("form");
form.className = "ledger-filter";
form.setAttribute("aria-label", "Filter the claims");
for (const [kind, title] of Object.entries(kinds)) form.append(group(kind, title));
form.insertAdjacentHTML("beforeend", '<p><output></output> <button type="reset">Show all</button></p>');
document.querySelector("main h2").parentElement.before(form);

function group(kind, title) {
  const fieldset = document.createElement("fieldset");
  fieldset.innerHTML = `<legend>${title}</legend>`;
  for (const each of values(kind)) {
    const label = document.createElement("label");
    label.innerHTML = `<input type="checkbox" name="${kind}" value="${each}"> ${each.replaceAll("-", " ")} (<span class="count"></span>)`;
    fieldset.append(label);
  }
  return fieldset;
}

/* The values of a kind: chapters in order, the others by how many claims have them. */
function values(kind) {
  const all = claims.map(claim => value(claim, kind)), many = each => all.filter(other => other === each).length;
  const found = [...new Set(all)];
  return kind === "chapter" ? found : found.sort((a, b) => many(b) - many(a));
}

/* The claims that agree with what is chosen, of all kinds or of all but one. */
function agreeing(except) {
  const chosen = Object.keys(kinds).filter(kind => kind !== except)
    .map(kind => [kind, new FormData(form).getAll(kind)]).filter(([, values]) => values.length);
  return claims.filter(claim => chosen.every(([kind, values]) => values.includes(value(claim, kind))));
}

function update() {
  const shown = new Set(agreeing());
  for (const claim of claims) claim.hidden = !shown.has(claim);
  for (const section of document.querySelectorAll("main section:has(> .claim)"))
    section.hidden = !section.querySelector(".claim:not([hidden])");
  for (const kind of Object.keys(kinds)) {
    const others = agreeing(kind);
    for (const box of form.querySelectorAll(`[name="${kind}"]`)) {
      const count = box.parentElement.querySelector(".count");
      count.textContent = others.filter(claim => value(claim, kind) === box.value).length;
    }
  }
  form.querySelector("output").textContent = `${shown.size} of ${claims.length} claims are shown.`;
}

/* What is chosen stands in the address, as ?verdict=wrong&verdict=imprecise. */
function note() {
  const query = new URLSearchParams(new FormData(form)).toString();
  history.replaceState(history.state, "", location.pathname + (query && `?${query}`) + location.hash);
}

/* The place that the address names. */
const target = () => document.getElementById(decodeURIComponent(location.hash.slice(1)));

form.addEventListener("change", () => { update(); note(); });
form.addEventListener("reset", () => setTimeout(() => { // when the boxes are empty
  update();
  note();
  // once more when the sections that came back above it are laid out
  target()?.scrollIntoView();
  requestAnimationFrame(() => requestAnimationFrame(() => target()?.scrollIntoView()));
}));
form.addEventListener("submit", event => event.preventDefault());
/* A link to a claim that is hidden shows everything. */
const reveal = () => target()?.closest("[hidden]") && form.reset();
addEventListener("hashchange", reveal);
for (const [kind, chosen] of new URLSearchParams(location.search)) {
  const box = kind in kinds && form.querySelector(`[name="${kind}"][value="${CSS.escape(chosen)}"]`);
  if (box) box.checked = true;
}
update();
reveal();
