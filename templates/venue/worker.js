/* The service worker of the site. It shows calls where no page is open. Without a connection it shows the last event, the last
   match or the offline page (docs/sharing.md); all else goes to the network as if there were no worker. */

const OFFLINE = "/offline/";
// The last page of each kind is cached with its style sheets and the script of pages shown without a connection
// (static/js/offline.js), one cache for each kind. Other files are left to the browser's HTTP cache.
const KEPT = {
  event: /^\/events\/[^/]+\/((bracket|standings|players|schedule|boards)\/)?$/,
  match: /^\/matches\/[^/]+\/$/,
};
const SCRIPT = /\/js\/offline\.(\w+\.)?js$/;
// Overlays are shown over video, so nothing replaces them.
const NEVER = /^\/(live|api|admin|overlay)\//;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // Calls must be shown whether this succeeds or not.
  event.waitUntil(keepOfflinePage().catch(() => {}));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin || NEVER.test(pathname)) return;
  // Signing in and out.
  if (request.method === "POST" && pathname.startsWith("/accounts/")) event.waitUntil(forget());
  if (request.method !== "GET") return;
  if (request.mode === "navigate" && request.destination === "document") event.respondWith(open(event));
  else if (request.destination === "style" || SCRIPT.test(pathname)) event.respondWith(fetch(request).catch(() => findFile(request)));
});

// From each page after it has loaded (static/js/worker.js): "" is a visitor.
self.addEventListener("message", (event) => event.waitUntil(check(event.data)));

async function open(event) {
  const { url } = event.request;
  try {
    const response = await fetch(event.request);
    const kind = Object.keys(KEPT).find((each) => KEPT[each].test(new URL(url).pathname));
    const isPage = response.ok && response.headers.get("Content-Type")?.startsWith("text/html");
    if (kind && isPage) event.waitUntil(keep(kind, url, response.clone()));
    return response;
  } catch {
    return (await showKept(url)) ?? (await showOffline()) ?? Response.error();
  }
}

async function keepOfflinePage() {
  const response = await fetch(OFFLINE);
  if (response.ok) await keep("offline", OFFLINE, response);
}

async function keep(kind, url, response) {
  const html = await response.text();
  const headers = new Headers(response.headers);
  headers.set("X-Kept-Url", url);
  headers.set("X-Kept-At", new Date().toISOString());
  const root = /<html[^>]*>/.exec(html)[0];
  headers.set("X-Kept-For", attribute(root, "data-viewer"));
  headers.set("X-Kept-Look", ["lang", "data-theme", "data-contrast"].map((name) => attribute(root, name)).join(" "));
  const addresses = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
  const files = new Set(addresses.filter((address) => address.endsWith(".css") || SCRIPT.test(address)));
  const cache = await caches.open(kind);
  // The page comes last: a cached page always has its files.
  await cache.addAll(files);
  await cache.put("/", new Response(html, { headers }));
  const kept = ["/", ...files].map((address) => new URL(address, self.location.origin).href);
  for (const { url: old } of await cache.keys()) if (!kept.includes(old)) await cache.delete(old);
}

function attribute(tag, name) {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
}

function find(kind) {
  return caches.match("/", { cacheName: kind, ignoreVary: true });
}

async function findFile(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? Response.error();
}

async function forget() {
  await Promise.all(Object.keys(KEPT).map((kind) => caches.delete(kind)));
}

async function check({ viewer, look }) {
  for (const kind of Object.keys(KEPT)) {
    const page = await find(kind);
    if (page && page.headers.get("X-Kept-For") !== viewer) await caches.delete(kind);
  }
  const offline = await find("offline");
  if (offline?.headers.get("X-Kept-Look") !== look) await keepOfflinePage();
}

async function showKept(url) {
  const offline = (await (await find("offline"))?.text()) ?? "";
  const bar = /<template id="as-of">(.*?)<\/template>/s.exec(offline)?.[1];
  // Without the bar an old page would look like a new one.
  if (!bar) return undefined;
  for (const kind of Object.keys(KEPT)) {
    const page = await find(kind);
    if (page?.headers.get("X-Kept-Url") !== url) continue;
    const html = await page.text();
    const shown = bar.replace("<time></time>", timeOf(page, html));
    return new Response(html.replace(/<body[^>]*>/, (body) => body + shown), { headers: page.headers });
  }
  return undefined;
}

async function showOffline() {
  const offline = await find("offline");
  if (!offline) return undefined;
  let html = await offline.text();
  let lines = "";
  for (const kind of Object.keys(KEPT)) {
    const page = await find(kind);
    if (!page) continue;
    const title = /<title>(.*?)( · Barpoint)?<\/title>/s.exec(await page.text())[1];
    lines += `<li class="list__row"><a href="${page.headers.get("X-Kept-Url")}">${title}</a> ${timeOf(page, html)}</li>`;
  }
  if (lines) {
    html = html.replace(/(<section [^>]*id="last-seen"[^>]*) hidden>/, "$1>");
    html = html.replace(/<ul class="list">/, (list) => list + lines);
  }
  return new Response(html, { headers: offline.headers });
}

// The hour for today, with the day for any other.
function timeOf(page, html) {
  const written = page.headers.get("X-Kept-At");
  const at = new Date(written);
  const hour = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const isToday = at.toDateString() === new Date().toDateString();
  const text = at.toLocaleString(/<html lang="([^"]*)"/.exec(html)[1], isToday ? hour : { ...hour, day: "numeric", month: "long" });
  return `<time datetime="${written}">${text}</time>`;
}

self.addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data.json();
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag,
      data: { url },
      renotify: true,
      requireInteraction: true,
      vibrate: [400, 200, 400, 200, 800],
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(new URL(event.notification.data.url, self.location.origin).href));
});

// A page that is open comes to the front; it shows the card by itself.
async function openPage(address) {
  const pages = await self.clients.matchAll({ type: "window" });
  if (pages.length) return pages[0].focus();
  return self.clients.openWindow(address);
}
