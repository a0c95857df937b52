/* Paper shows everything that is folded on the screen, unless it is printed as shown; answers stand behind the chapter, by the name of what asks. */
const solutions = document.createElement("section");
solutions.className = "solutions";
const answers = [...document.querySelectorAll("details.solution, .quiz > details")];
const gaps = answers.map(() => document.createComment("the answer's place"));
const questions = [...document.querySelectorAll("fieldset.quiz")];

function nameOfAsking(answer) {
  if (answer.parentElement.matches(".quiz")) return `Question ${questions.indexOf(answer.parentElement) + 1}`;
  let box = answer;
  while (box && !box.matches(".exercise")) box = box.previousElementSibling;
  return box?.querySelector(".caption-number").textContent ?? "";
}
let asShown = false;
document.querySelector("button.as-shown")?.addEventListener("click", () => { asShown = true; print(); });
addEventListener("beforeprint", () => {
  if (asShown) return;
  for (const fold of document.querySelectorAll("details:not([open])")) { fold.open = true; fold.dataset.printed = ""; }
  if (!answers.length || solutions.isConnected) return;
  solutions.innerHTML = "<h2>Solutions</h2>";
  const names = answers.map(nameOfAsking);
  answers.forEach((answer, number) => {
    const title = Object.assign(document.createElement("h3"), { textContent: names[number] });
    answer.replaceWith(gaps[number]);
    solutions.append(title, answer);
  });
  document.querySelector("article").append(solutions);
});
addEventListener("afterprint", () => {
  asShown = false;
  if (solutions.isConnected) answers.forEach((answer, number) => gaps[number].replaceWith(answer));
  solutions.remove();
  for (const fold of document.querySelectorAll("details[data-printed]")) { fold.open = false; delete fold.dataset.printed; }
});
