// Search, loaded by who uses it: in the field, on the page of results, or come from there.
const searching = () => import(new URL("search.js" + version, scriptAddress));
searchField.addEventListener("focus", () => searching().then(search => search.attach(searchField)), { once: true });
const results = document.getElementById("search-results");
if (results) searching().then(search => search.showAll(document.getElementById("search-progress"), results));
const cameFor = new URLSearchParams(location.search).get("marked");
if (cameFor) searching().then(search => search.mark(cameFor));
