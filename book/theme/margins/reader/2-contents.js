// The contents on narrow screens, and the way to the search field.
const book = document.querySelector("header.book");
const contentsButton = book.querySelector(".contents-button");

function openContents(open) {
  book.classList.toggle("open", open);
  contentsButton.setAttribute("aria-expanded", String(open));
}
contentsButton.addEventListener("click", () => openContents(!book.classList.contains("open")));
book.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !book.classList.contains("open")) return;
  openContents(false);
  contentsButton.focus();
});
book.addEventListener("focusout", event => event.relatedTarget && !book.contains(event.relatedTarget) && openContents(false)); // or it covers what has the focus

/* Ctrl+K or Command+K goes to the search field. No key does so alone: who speaks to a computer would press it unawares. */
const searchField = document.getElementById("book-search");
document.addEventListener("keydown", event => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]"), held = event.ctrlKey || event.metaKey;
  if (event.key !== "k" || typing || !held || event.altKey) return;
  event.preventDefault();
  openContents(true);
  searchField.focus();
});
