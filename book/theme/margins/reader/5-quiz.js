// Quizzes: the explanation of the alternative that was chosen, announced when it is asked for.
for (const question of document.querySelectorAll("fieldset.quiz")) {
  const explanations = question.querySelectorAll("details > ol > li");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Check my answer";
  const verdict = document.createElement("div");
  verdict.setAttribute("role", "status");
  question.querySelector("details").before(button, verdict);
  question.addEventListener("change", () => verdict.replaceChildren());
  button.addEventListener("click", () => {
    const chosen = [...question.querySelectorAll("input")].findIndex(choice => choice.checked);
    if (chosen < 0) verdict.textContent = "Choose an alternative first.";
    else verdict.replaceChildren(...explanations[chosen].cloneNode(true).childNodes);
    verdict.classList.toggle("right", verdict.textContent.trim().startsWith("Right"));
  });
}

/* In a lecture answers stay locked until there is a guess. */
if (root.dataset.lecture !== undefined) import(new URL("lecture.js" + version, scriptAddress));
