// Lectures: with ?lecture in the address an answer stays locked until the reader has committed to a guess, and so does the
// sentence of its figure. On a figure's own page &ask=2 leaves the second of its questions alone. What is locked is hidden by
// css/3-article.css from the first moment on, until the question is `committed` and all of the figure's are, `told`.
// With #quiz-2 the second question of the quiz is left alone.

const FAR = 15; // degrees by which an arrow is turned in earnest
const wanted = new URLSearchParams(location.search), asked = Number(wanted.get("ask")) - 1;
const make = (tag, properties, ...content) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...content);
  return made;
};
for (const prompts of document.querySelectorAll(".alone .explorable-prompts")) if (prompts.children[asked]) leaveOne(prompts);
if (wanted.has("lecture")) {
  document.querySelectorAll(".explorable-prompts").forEach(lock);
  document.querySelectorAll("fieldset.quiz").forEach(lockUntilChecked);
  const one = document.querySelector("fieldset.quiz:target");
  if (one) leaveAlone(one);
  document.addEventListener("explorable-replaced", event => lockAgain(event.target.nextElementSibling, event.detail.prompts));
}

/** Hides the other questions of the quiz; what the window showed may have moved. */
function leaveAlone(question) {
  document.querySelectorAll("fieldset.quiz").forEach(other => (other.hidden = other !== question));
  question.scrollIntoView({ block: "center", behavior: "instant" });
}

/** Locks the answers to the questions that nobody has committed to. */
function lock(prompts) {
  for (const answer of prompts.querySelectorAll(":scope > :not([hidden], .committed) > .explorable-answer")) {
    const comparison = answer.parentElement.querySelector(".explorable-compare");
    comparison ? lockUntilCompared(answer, comparison) : lockUntilWritten(answer);
  }
}

/** The same where Python has drawn a figure anew; what was open in the prompts before stays open. */
function lockAgain(prompts, before) {
  if (!prompts?.matches(".explorable-prompts")) return;
  const earlier = before?.querySelectorAll(".explorable-answer") ?? [];
  prompts.querySelectorAll(".explorable-answer").forEach((answer, number) => earlier[number]?.closest(".committed") && commit(answer));
  lock(prompts);
}

/** The arrow of a guess, a slider, and the dashed line to it. */
function arrowOf(comparison) {
  const figure = comparison.closest(".explorable-prompts").previousElementSibling;
  const knob = figure.querySelector(`.explorable-guess[data-arrow="${CSS.escape(comparison.dataset.guess)}"]`);
  return [knob, knob.previousElementSibling];
}

/** Removes the other questions, with the arrows of their guesses. */
function leaveOne(prompts) {
  for (const question of [...prompts.children]) {
    if (question === prompts.children[asked]) continue;
    question.hidden = true;
    const comparison = question.querySelector(".explorable-compare");
    if (comparison) arrowOf(comparison).forEach(part => (part.hidden = true));
  }
}

function commit(answer) {
  const question = answer.parentElement, prompts = question.parentElement;
  question.classList.add("committed");
  const isOpen = one => !one.hidden && one.matches(":has(.explorable-answer):not(.committed)");
  prompts.previousElementSibling.classList.toggle("told", ![...prompts.children].some(isOpen));
}

/** A guess that is drawn: it can be compared once the arrow has been far from where it began; until then nothing moves that
    would show where it points. */
function lockUntilCompared(answer, comparison) {
  const [knob] = arrowOf(comparison), button = comparison.querySelector("button"), angle = () => Number(knob.ariaValueNow), start = angle();
  const moving = knob.closest("figure").querySelectorAll(".explorable-controls, .explorable-handle");
  const hold = isHeld => moving.forEach(control => (control.inert = isHeld));
  const says = comparison.querySelector("[role=status]");
  button.disabled = true;
  says.textContent = "Turn the arrow first.";
  hold(true);
  new MutationObserver((_, observer) => {
    if (Math.abs(((angle() - start + 540) % 360) - 180) < FAR) return;
    observer.disconnect();
    button.disabled = false;
    says.textContent = "";
  }).observe(knob, { attributeFilter: ["aria-valuenow"] });
  button.addEventListener("click", () => {
    hold(false);
    commit(answer);
  }, { once: true });
}

/** A guess in words, which then stands before the answer. */
function lockUntilWritten(answer) {
  const guess = make("input", { required: true, maxLength: 200, ariaLabel: "Your guess", placeholder: "First, your guess" });
  const form = make("form", { className: "commit" }, guess, make("button", { textContent: "Commit" }));
  answer.before(form);
  form.addEventListener("submit", event => {
    event.preventDefault();
    form.replaceWith(make("p", { textContent: `Your guess: ${guess.value}` }));
    commit(answer);
    answer.querySelector("summary").focus();
  });
}

/** The explanations of all alternatives, behind the one that was chosen and checked. */
function lockUntilChecked(question) {
  const all = question.querySelector("details");
  all.hidden = true;
  question.querySelector("button").addEventListener("click", () => (all.hidden = !question.querySelector("input:checked")));
}
