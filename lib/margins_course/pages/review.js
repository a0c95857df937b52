// The cards of the answers: what is in their fields, what their state is, what is listed under the comment.
const cards = [...document.querySelectorAll(".card")];
const byStudent = new Map(cards.map(one => [one.dataset.student, one]));
const card = student => byStudent.get(student);
const part = (one, selector) => one.querySelector(`:scope > ${selector}`); // never inside of a student's answer
const fields = one => [...part(one, ".marking").querySelectorAll(".line [type=number]")];
const nameOf = student => part(card(student), "header").querySelector(namesAreHidden() ? ".number-of" : ".name bdi").textContent;
const namesAreHidden = () => document.getElementById("hide-names").checked;
const shown = student => waiting[student]?.mark ?? marks[student];
const number = text => Number(text.toFixed(4));

function element(name, text, properties = {}) {
  return Object.assign(document.createElement(name), { textContent: text }, properties);
}

function say(text) {
  document.querySelector(".news").textContent = text;
}

/* From fields to a mark and back. */
function read(one) {
  const given = fields(one), isGiven = !given.length || given.some(field => field.value !== "");
  const marking = part(one, ".marking");
  return {
    fingerprint: one.dataset.fingerprint,
    lines: isGiven ? given.map(field => Number(field.value)) : null,
    adjust: Number(marking.querySelector(".adjust input").value),
    comment: marking.querySelector("textarea").value.toWellFormed(),
  };
}

function fill(student) {
  const one = card(student), marking = part(one, ".marking"), mark = shown(student);
  fields(one).forEach((field, line) => (field.value = mark?.lines && fits(mark) ? number(mark.lines[line]) : ""));
  marking.querySelector(".adjust input").value = mark?.adjust ? number(mark.adjust) : "";
  marking.querySelector("textarea").value = mark?.comment ?? "";
  showTicks(one);
}

/** A line is ticked if it has all its points, half ticked if it has some. */
function showTicks(one) {
  for (const field of fields(one)) {
    const tick = field.closest(".line").querySelector("[type=checkbox]");
    tick.checked = field.value !== "" && field.value === field.max;
    tick.indeterminate = Number(field.value) > 0 && !tick.checked;
  }
}

/** Something was entered: once one line has points, those without have none. */
function changed(one, when = 0) {
  const given = fields(one);
  if (part(one, ".marking").querySelector("input:invalid")) return showState(one.dataset.student);
  if (given.some(field => field.value !== "")) for (const field of given) field.value ||= 0;
  showTicks(one);
  give(one.dataset.student, read(one), when);
}

function tick(one, line, on) {
  const field = fields(one)[line];
  if (!field) return;
  field.value = on ?? field.value !== field.max ? field.max : 0;
  changed(one);
}

function tickAll(one, on) {
  for (const field of fields(one)) field.value = on ? field.max : 0;
  if (fields(one).length) changed(one);
}

/* What a card says about itself. */
function points(one, mark) {
  const sum = Number(one.dataset.automatic) + (mark?.lines ?? []).reduce((a, b) => a + b, 0) + (mark?.adjust ?? 0);
  return number(Math.min(Math.max(sum, 0), Number(one.dataset.outOf)));
}

/** Whether a mark could have been given by the rubric as it is now. */
const fits = mark => !mark.lines
  || (mark.lines.length === page.rubric.length && mark.lines.every((given, line) => given <= page.rubric[line]));
const isOutdated = student => !waiting[student] && marks[student]
  && (marks[student].fingerprint !== card(student).dataset.fingerprint || !fits(marks[student]));
const isMarked = student => Boolean(shown(student)?.lines) && !isOutdated(student);
const needsMark = student => isOutdated(student) || waiting[student]?.two
  || (page.rubric.length > 0 && !("noText" in card(student).dataset) && !isMarked(student));

function scoreOf(student) {
  const one = card(student), waits = page.rubric.length > 0 && !("noText" in one.dataset) && !isMarked(student);
  return `${waits ? "–" : points(one, isOutdated(student) ? null : shown(student))} of ${number(Number(one.dataset.outOf))}`;
}

function clock(when) {
  const moment = new Date(when), today = moment.toDateString() === new Date().toDateString();
  const time = moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  return today ? time : `${moment.toLocaleDateString("en-GB", { day: "numeric", month: "long" })}, ${time}`;
}

function stateOf(student) {
  const one = card(student), wait = waiting[student];
  const wrong = part(one, ".marking").querySelector("input:invalid");
  if (wrong) return `Not saved: expected ${wrong.max ? `0 to ${wrong.max} points` : "a number"}`;
  if (wait?.refused) return `Not saved: ${wait.refused}`;
  if (wait?.two) return "Two marks of this answer: choose one";
  if (wait) return whyNot ? "not saved yet" : "saving …";
  if (isOutdated(student) && fits(marks[student])) return "The answer changed after it was marked: look again";
  if (isOutdated(student)) return `The rubric changed after it was marked: mark it again (it was ${inWords(marks[student])})`;
  if (isMarked(student)) return `marked ${clock(marks[student].when)}`;
  return needsMark(student) ? "not marked" : "";
}

let progressDue = 0;

function showState(student) {
  const one = card(student), marking = part(one, ".marking");
  const state = part(one, ".state"), text = stateOf(student);
  if (state.textContent !== text) state.textContent = text;
  one.classList.toggle("outdated", Boolean(isOutdated(student)));
  one.classList.toggle("waits", Boolean(needsMark(student)));
  one.classList.toggle("unsaved", Boolean(waiting[student] && whyNot));
  marking.querySelector(".keep").hidden = !isOutdated(student) || !fits(marks[student]);
  part(one, "header").querySelector(".score").textContent = scoreOf(student);
  if (!waiting[student]?.two) part(one, ".two-marks").hidden = true;
  cancelAnimationFrame(progressDue);
  progressDue = requestAnimationFrame(showProgress);
  showGroupButton(one);
}

function showProgress() {
  const progress = document.querySelector(".done progress");
  if (!progress) return;
  const written = cards.filter(one => !("noText" in one.dataset));
  progress.value = written.filter(one => isMarked(one.dataset.student)).length;
  progress.nextElementSibling.textContent = `${progress.value} of ${written.length} marked`;
}

function showBar() {
  const bar = document.querySelector(".not-saved"), count = Object.keys(waiting).length;
  bar.hidden = !count || !reason();
  if (bar.hidden) return bar.replaceChildren();
  const changes = `${count} ${count === 1 ? "change" : "changes"}`;
  const kept = stores ? "" : " This browser keeps nothing: leave the page open until all is saved.";
  const text = `Not saved yet (${changes}): ${reason()}.${kept}`;
  if (bar.firstChild?.textContent === text) return; // a bar written anew would lose the focus
  bar.replaceChildren(element("span", text), element("button", "Try now", { type: "button", onclick: sendAgain }));
}

function sendAgain() {
  for (const wait of Object.values(waiting)) delete wait.refused;
  showBar();
  sendAll();
}

/* Two marks of one answer, side by side in words. */
function inWords(mark) {
  if (!mark) return "no mark";
  const lines = mark.lines ? mark.lines.map(number).join(" + ") || "no rubric" : "no points yet";
  const adjust = mark.adjust ? `, adjusted by ${mark.adjust > 0 ? "+" : ""}${number(mark.adjust)}` : "";
  return `${lines}${adjust}${mark.comment ? `, “${mark.comment}”` : ""}`;
}

function showTwo(student) {
  const box = part(card(student), ".two-marks"), { mark, at } = waiting[student];
  const isOld = mark.fingerprint !== card(student).dataset.fingerprint;
  const mine = `Yours${isOld ? ", given before the answer changed" : ""}, ${clock(at)}: ${inWords(mark)}`;
  const theirs = marks[student] ? `In the journal, ${clock(marks[student].when)}: ${inWords(marks[student])}` : "In the journal: no mark";
  box.replaceChildren(
    element("p", theirs), element("button", "Take the journal’s", { type: "button", onclick: () => choose(student, false) }),
    element("p", mine), element("button", "Take yours", { type: "button", onclick: () => choose(student, true) }));
  box.hidden = false;
}

/* Comments used before, under the box that is written in. */
function commentsUsed() {
  const counts = new Map();
  for (const one of cards) {
    const comment = shown(one.dataset.student)?.comment.trim();
    if (comment) counts.set(comment, (counts.get(comment) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([comment]) => comment).slice(0, 9);
}

const usedComments = Object.assign(document.createElement("ol"), { className: "used" });
usedComments.setAttribute("aria-label", "Comments used before");

function listComments(one = usedComments.closest(".card")) {
  if (!one) return;
  const own = part(one, ".marking").querySelector("textarea").value.trim();
  const items = commentsUsed().filter(comment => comment !== own).map((comment, place) => {
    const item = element("li", ""), button = element("button", comment, { type: "button", onclick: () => insert(one, comment) });
    button.prepend(element("kbd", `Alt ${place + 1}`), " ");
    button.dataset.comment = comment;
    item.append(button);
    return item;
  });
  usedComments.replaceChildren(...items);
  part(one, ".marking").querySelector(".commenting").append(usedComments);
}

function insert(one, comment) {
  const box = part(one, ".marking").querySelector("textarea");
  box.value = [box.value.trimEnd(), comment].filter(Boolean).join("\n");
  changed(one);
  listComments(one);
  box.focus();
}

/* One mark for a group. */
function others(one) {
  const group = [...one.closest(".grid").children].filter(other => other !== one);
  return group.filter(other => !shown(other.dataset.student));
}

function canBeGiven(one) {
  const mark = shown(one.dataset.student);
  return mark && !waiting[one.dataset.student]?.two && (mark.comment || mark.adjust || mark.lines?.length);
}

function showGroupButton(one) {
  const button = part(one, ".marking").querySelector(".for-group"), count = others(one).length;
  button.hidden = !canBeGiven(one) || !count;
  button.textContent = `Give this mark and comment to ${count === 1 ? "the other answer" : `all ${count} others`} of this group`;
}

function askForGroup(one) {
  const targets = others(one), dialog = document.querySelector("dialog.ask");
  if (!canBeGiven(one) || !targets.length) return say("There is no mark to give to others of this group");
  const count = targets.length === 1 ? "one answer" : `${targets.length} answers`;
  const group = one.closest("details").querySelector("h2").firstChild.textContent.trim();
  dialog.querySelector("p").textContent =
    `Give this mark to ${count} of “${group}” not marked yet? ${inWords(shown(one.dataset.student))}`;
  dialog.querySelector(".yes").onclick = () => { dialog.close(); giveToGroup(one, targets); };
  dialog.querySelector(".no").onclick = () => dialog.close();
  dialog.showModal();
}

function giveToGroup(one, targets) {
  const { lines, adjust, comment } = shown(one.dataset.student);
  for (const { dataset } of targets) {
    give(dataset.student, { fingerprint: dataset.fingerprint, lines, adjust, comment });
    fill(dataset.student);
  }
  for (const each of one.closest(".grid").children) showGroupButton(each);
  one.focus();
}
