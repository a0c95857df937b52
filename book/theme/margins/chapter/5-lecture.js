// Lectures: with ?lecture in the address an answer stays locked until the reader has committed to a guess.
/* Committed: the arrow was turned, a line was written, or an answer to the quiz was checked. */
if (new URLSearchParams(location.search).has("lecture")) {
  for (const answer of document.querySelectorAll(".explorable-prompts .explorable-answer")) {
    const comparison = answer.parentElement.querySelector(".explorable-compare");
    comparison ? lockUntilDrawn(answer, comparison) : lockUntilWritten(answer);
  }
  for (const question of document.querySelectorAll("fieldset.quiz")) lockUntilChecked(question);
}

/* A guess that is drawn: no comparing before the arrow was turned, and no control that would show where it points. */
function lockUntilDrawn(answer, comparison) {
  const figure = answer.closest(".explorable-prompts").previousElementSibling;
  const knob = figure.querySelector(`[data-arrow="${CSS.escape(comparison.dataset.guess)}"]`);
  const button = comparison.querySelector("button"), moving = figure.querySelectorAll(".explorable-controls, .explorable-handle");
  const lock = locked => {
    answer.hidden = button.disabled = locked;
    moving.forEach(control => (control.inert = locked));
  };
  lock(true);
  new MutationObserver((_, observer) => {
    observer.disconnect();
    lock(false);
  }).observe(knob, { attributeFilter: ["aria-valuenow"] });
}

/* A guess in words, which then stands before the answer. */
function lockUntilWritten(answer) {
  const guess = make("input", { required: true, maxLength: 200, ariaLabel: "Your guess", placeholder: "First, your guess" });
  const form = make("form", { className: "commit" }, guess, make("button", { textContent: "Commit" }));
  answer.hidden = true;
  answer.before(form);
  form.addEventListener("submit", event => {
    event.preventDefault();
    form.replaceWith(make("p", { textContent: `Your guess: ${guess.value}` }));
    answer.hidden = false;
    answer.querySelector("summary").focus();
  });
}

/* The explanations of all alternatives, behind the one that was chosen and checked. */
function lockUntilChecked(question) {
  const all = question.querySelector("details");
  all.hidden = true;
  question.querySelector("button").addEventListener("click", () => (all.hidden = !question.querySelector("input:checked")));
}
