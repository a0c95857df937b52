// The site's service worker: without a connection it answers with what the browser has kept of an earlier visit.
//
// It lies at the top of the site, or it would not be asked for pages; the first press of a button of Python in
// the page puts it there. With a connection it hands on what the host says. It stores nothing of its own.

addEventListener("fetch", event => {
  const { request } = event, isOwn = new URL(request.url).origin === location.origin;
  if (isOwn && request.method === "GET") event.respondWith(fetch(request).catch(() => kept(request)));
});

/** What the browser has kept, however old: the host cannot be asked whether it still holds. */
const kept = ({ url }) => fetch(url, { cache: "force-cache" });
