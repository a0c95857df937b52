// Python in the page: fetched when a button for it is pressed, and for who has solved an exercise before.
const pythonInPage = () => import(new URL(document.body.dataset.pythonInPage, location));
addEventListener("click", event => event.target.closest?.("[data-python]") && pythonInPage().then(python => python.open(event.target.closest("[data-python]"))));
try { if (localStorage.getItem("solved exercises")) pythonInPage().then(python => python.showProgress()); } catch { /* private browsing */ }
