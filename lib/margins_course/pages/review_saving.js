// How a mark gets into the journal, and where it is until then: in this page, in the browser's store, then there.
// `marks` has what the journal says, `waiting` what was given here and is not in the journal yet; both by student.
const page = JSON.parse(document.getElementById("data").textContent);
const { marks } = page, waiting = {}, sending = new Set();
const NO_ANSWER = "the server does not answer", AGAIN = 2000, SOON = 500; // milliseconds until the next try, and after the last letter typed
let whyNot = "", tryAgain = 0, stores = true;

const drawer = `margins-review:${page.key}:${page.exercise}:`;

/** What the browser keeps beyond the page; where it keeps nothing, `stores` says so. */
function store(student) {
  try {
    if (waiting[student]) localStorage.setItem(drawer + student, JSON.stringify(waiting[student]));
    else localStorage.removeItem(drawer + student);
  } catch { stores = false; }
}

function storedBefore() {
  try {
    return Object.keys(localStorage).filter(key => key.startsWith(drawer))
      .map(key => [key.slice(drawer.length), JSON.parse(localStorage.getItem(key))]);
  } catch { stores = false; return []; }
}

const version = student => marks[student]?.version ?? "";
const same = (one, other) => ["fingerprint", "lines", "adjust", "comment"]
  .every(field => JSON.stringify(one?.[field]) === JSON.stringify(other?.[field]));

/** A mark given here: kept at once, sent at once or when the hand rests. */
function give(student, mark, when = 0) {
  const before = waiting[student];
  waiting[student] = { mark, base: before?.base ?? version(student), at: new Date().toISOString() };
  store(student);
  showState(student);
  showBar();
  clearTimeout(give[student]);
  give[student] = setTimeout(send, when, student);
}

/** Sends what waits for a student, one at a time, until the journal has the last of it. */
async function send(student, options = {}) {
  if (sending.has(student)) return;
  sending.add(student);
  try {
    while (waiting[student] && !waiting[student].two && !waiting[student].refused) {
      const sent = waiting[student], { mark, base } = sent;
      const body = JSON.stringify({ student, exercise: page.exercise, ...mark, base });
      const answer = await fetch("marks", { method: "PUT", headers: { "Content-Type": "application/json" }, body, ...options });
      settle(student, sent, answer.status, await answer.json());
    }
  } catch (problem) { failed(problem.reason ?? NO_ANSWER); }
  sending.delete(student);
  showState(student);
  showBar();
}

/** What the server's answer means for a mark that was sent. */
function settle(student, sent, status, answer) {
  if (status === 200) return saved(student, sent, answer.mark);
  if (status === 409) return twoMarks(student, answer.mark);
  if (status === 400 || status === 404 || status === 410) {
    waiting[student].refused = answer.reason;
    return store(student);
  }
  throw Object.assign(new Error(), { reason: answer.reason });
}

function saved(student, sent, mark) {
  marks[student] = mark;
  whyNot = "";
  if (waiting[student] === sent) delete waiting[student];
  else waiting[student].base = mark.version; // something was changed while this was on its way
  store(student);
  showState(student);
  say(`Saved: ${nameOf(student)}, ${scoreOf(student)}`);
  listComments();
}

function failed(reason) {
  whyNot = reason;
  clearTimeout(tryAgain);
  tryAgain = setTimeout(sendAll, AGAIN);
}

function sendAll() {
  for (const student of Object.keys(waiting)) send(student);
}

/** The journal's mark and the one given here: neither is written over the other before somebody has chosen. */
function twoMarks(student, stored) {
  marks[student] = stored;
  waiting[student].two = true;
  store(student);
  showTwo(student);
}

function choose(student, mine) {
  const { mark } = waiting[student];
  delete waiting[student];
  store(student);
  if (mine) give(student, { ...mark, fingerprint: card(student).dataset.fingerprint });
  fill(student);
  showState(student);
  showBar();
  card(student).focus();
}

/** What this browser kept from an earlier visit: sent now, or shown beside what the journal has by now. */
function takeUp() {
  for (const [student, kept] of storedBefore()) {
    if (!card(student) || same(kept.mark, marks[student])) { delete waiting[student]; store(student); continue; }
    waiting[student] = { mark: kept.mark, base: kept.base, at: kept.at };
    const isOld = kept.mark.fingerprint !== card(student).dataset.fingerprint;
    if (isOld || kept.base !== version(student)) twoMarks(student, marks[student]);
  }
  sendAll();
}

/** The journal as it is now: another window or another person may have marked meanwhile. */
async function lookAgain() {
  try {
    const answer = await fetch(`marks?exercise=${page.exercise}`);
    if (!answer.ok) return;
    for (const [student, mark] of Object.entries((await answer.json()).marks)) {
      if (!card(student) || waiting[student] || sending.has(student) || version(student) === mark.version) continue;
      marks[student] = mark;
      if (!card(student).contains(document.activeElement?.closest("textarea, [type=number]"))) fill(student);
      showState(student);
    }
  } catch { failed(NO_ANSWER); showBar(); }
}

/** Why what waits is not in the journal yet; empty if it is on its way. */
const reason = () => Object.values(waiting).map(wait => wait.refused ?? "").find(Boolean) ?? whyNot;

/** Whether somebody would lose something by leaving now. */
const isUnsafe = () => Object.values(waiting).some(wait => whyNot || wait.refused || wait.two)
  || cards.some(one => one.querySelector(":scope > .marking input:invalid"));

addEventListener("beforeunload", event => { if (isUnsafe()) event.preventDefault(); });
addEventListener("pagehide", () => { for (const student of Object.keys(waiting)) send(student, { keepalive: true }); });
addEventListener("online", sendAll);
addEventListener("focus", lookAgain);
