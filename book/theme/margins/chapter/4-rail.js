// A rail of the chapter's sections in place of the list of contents, which opens over the page.
const book = document.querySelector("header.book"), button = book.querySelector(".contents-button");
const rail = document.createElement("ul");
rail.className = "rail";
for (const link of book.querySelectorAll("nav li.current > ul > li > a")) {
  const item = document.createElement("li"), tick = document.createElement("a"), name = document.createElement("span");
  tick.href = link.getAttribute("href");
  name.textContent = link.textContent;
  tick.append(name);
  item.append(tick);
  const letters = document.getElementById(decodeURIComponent(tick.hash.slice(1)))?.textContent.length ?? 2000;
  item.style.flexGrow = Math.sqrt(letters / 2000);
  rail.append(item);
  const follow = () => (link.hasAttribute("aria-current") ? tick.setAttribute("aria-current", "true") : tick.removeAttribute("aria-current"));
  new MutationObserver(follow).observe(link, { attributes: true, attributeFilter: ["aria-current"] });
  follow();
}
button.after(rail);
document.addEventListener("pointerdown", event => book.classList.contains("open") && !book.contains(event.target) && button.click());
