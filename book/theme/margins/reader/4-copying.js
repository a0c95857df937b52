// Copying: a button on all code, and formulas as the TeX that they were written in.
/** A button that puts onto the clipboard what `text` gives. */
function copyButton(words, text) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words });
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(await text());
      button.textContent = "Copied";
    } catch { button.textContent = "Select and copy by hand"; }
    setTimeout(() => (button.textContent = words), 2000);
  });
  return button;
}

/* On all code, and on no output, which it would cover. */
for (const block of document.querySelectorAll("div.highlight:not(.cell_output *)")) {
  const button = copyButton(block.closest("#cite") ? "Copy BibTeX" : "Copy", () => block.querySelector("pre").textContent.trimEnd());
  button.className = "copy";
  block.append(button);
}

/* The page as Markdown; from a disk nothing can be fetched, and the link alone remains. */
async function markdownOf(link) {
  const answer = await fetch(link.href);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.text();
}
if (location.protocol !== "file:")
  for (const link of document.querySelectorAll("a.as-markdown")) link.after(" ", copyButton("Copy as Markdown", () => markdownOf(link)));

/* Copying gives formulas as the TeX that they were written in, whole, wherever in them a selection ends. */
const mathAt = place => (place.nodeType === Node.ELEMENT_NODE ? place : place.parentElement).closest("math");

/** Where the formula begins that `part` is of: long ones in the text are several <math> (mathml.py). */
function beginning(part) {
  const parts = [...document.querySelectorAll("math")];
  return parts.slice(0, parts.indexOf(part) + 1).findLast(formula => formula.dataset.tex);
}

/** A copy of what is selected, its formulas whole. */
function selected(selection) {
  const copy = document.createElement("div");
  for (let number = 0; number < selection.rangeCount; number++) {
    const range = selection.getRangeAt(number).cloneRange();
    const first = mathAt(range.startContainer), last = mathAt(range.endContainer);
    if (first) range.setStartBefore(beginning(first));
    if (last) range.setEndAfter(last);
    copy.append(range.cloneContents());
  }
  return copy;
}

document.addEventListener("copy", event => {
  const copy = selected(getSelection()), formulas = copy.querySelectorAll("math");
  if (!formulas.length) return;
  event.preventDefault();
  event.clipboardData.setData("text/html", copy.innerHTML);
  for (const formula of formulas) formula.replaceWith(formula.dataset.tex ?? "");
  for (const tool of copy.querySelectorAll("button, .headerlink")) tool.remove();
  document.body.append(copy); // lines are those of a text that is laid out
  event.clipboardData.setData("text/plain", copy.innerText);
  copy.remove();
});
