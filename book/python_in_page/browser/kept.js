// What is kept in this browser, and sent nowhere: answers by the label of their exercise, and which are solved.

const ANSWER = "answer to ", SOLVED = "solved exercises";

function read(key) {
  try { return localStorage.getItem(key); } catch { return null; } // private browsing
}

function write(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch { /* private browsing, or the store is full: it lasts for the page */ }
}

export const keptAnswer = label => read(ANSWER + label);
export const keepAnswer = (label, text) => write(ANSWER + label, text);

/** The labels of the exercises that were solved. */
export function solved() {
  try { return JSON.parse(read(SOLVED)) ?? []; } catch { return []; }
}

export function keepSolved(label) {
  if (!solved().includes(label)) write(SOLVED, JSON.stringify([...solved(), label]));
}

/** All that is kept: the labels that were solved, and the answers by label. */
export function all() {
  const answers = {};
  try {
    for (const key of Object.keys(localStorage).sort()) if (key.startsWith(ANSWER)) answers[key.slice(ANSWER.length)] = localStorage.getItem(key);
  } catch { /* private browsing */ }
  return { solved: solved(), answers };
}
