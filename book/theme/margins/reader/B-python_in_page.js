// Python in the page: fetched when a button for it is pressed, and for who has solved an exercise before.
const isFromDisk = location.protocol === "file:"; // then a browser would refuse, and complain
let failures = 0; // a browser may keep that a module could not be fetched: then another address asks anew
const pythonInPage = () => isFromDisk ? Promise.reject()
  : import(new URL(document.body.dataset.pythonInPage + (failures ? `?again=${failures}` : ""), location)).catch(reason => {
    failures++;
    throw reason;
  });
const notFetched = () => isFromDisk
  ? "A browser runs Python only in pages that a server sends. In the folder of this book call python -m http.server, then open http://localhost:8000 here."
  : "Python could not be fetched. Press again when there is a connection.";
const alertAt = place => place.querySelector("[role=alert]");
const sayNotFetched = ({ parentNode: place }) => {
  const said = alertAt(place) ?? place.appendChild(document.createElement("p"));
  said.role = "alert";
  said.textContent = notFetched();
};
addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-python]");
  if (button) pythonInPage().then(python => { alertAt(button.parentNode)?.remove(); python.open(button); }, () => sayNotFetched(button));
});
try { if (localStorage.getItem("solved exercises")) pythonInPage().then(python => python.showProgress(), () => {}); } catch { /* private browsing */ }
