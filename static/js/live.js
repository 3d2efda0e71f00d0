// The page's only event stream (server-sent events).
//
// Every event has a topic and a number. On reconnecting the browser sends its last position, and the server sends the missed
// events, or "resync" if it no longer has them. "ended" means that the viewer may no longer read these topics.

// A token opens a stream for five minutes.
const ADDRESS_LASTS_MS = 4 * 60 * 1000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30000;
const listeners = new Map();

let source = null;
let position = "";
let pause = FIRST_PAUSE_MS;
let timer = 0;
let failures = 0;
let renewedAt = Date.now();
let sentAt = 0;
// The topics that depend on what the page shows (data-follows), as last subscribed.
let followed = null;

/** Call `listener(event)` for every event of `topic`; returns a function that stops it. */
export function listen(topic, listener) {
  if (!listeners.has(topic)) listeners.set(topic, new Set());
  listeners.get(topic).add(listener);
  return () => listeners.get(topic)?.delete(listener);
}

/** Open the page's stream, if it has one, and keep it open. */
export function connect() {
  if (!token()) return;
  open();
  followed = follower()?.dataset.follows ?? null;
  document.addEventListener("htmx:afterSettle", follow);
  import("./landing.js").then(({ watchLandings }) => watchLandings(), () => {});
  window.addEventListener("online", reopen);
  window.addEventListener("online", () => delete document.documentElement.dataset.line);
  window.addEventListener("offline", checkConnection);
  window.addEventListener("pagehide", close);
  document.addEventListener("submit", () => (sentAt = Date.now()));
  // A part that is refused may no longer be seen by this viewer; a busy server is asked again.
  document.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
    if (!elt.matches("[data-live]")) return;
    if ([403, 404].includes(xhr.status)) endAccess();
    if (xhr.status === 503) setTimeout(refresh, FIRST_PAUSE_MS * (1 + Math.random()), elt);
  });
  window.addEventListener("pageshow", (event) => event.persisted && reopen());
}

function token() {
  return document.querySelector('meta[name="live"]')?.content ?? "";
}

// A new part may need topics that the stream does not have yet: it brings a token for them.
function follow() {
  const part = follower();
  if (!part || part.dataset.follows === followed || source?.readyState !== EventSource.OPEN) return;
  followed = part.dataset.follows;
  document.querySelector('meta[name="live"]').content = part.dataset.token;
  renewedAt = Date.now();
  // The token contains the position of the part.
  position = "";
  open();
}

function follower() {
  return document.querySelector("[data-follows]");
}

function open() {
  close();
  const query = new URLSearchParams({ t: token() });
  if (position) query.set("after", position);
  source = new EventSource(`/live/?${query}`);
  source.onopen = () => {
    pause = FIRST_PAUSE_MS;
    failures = 0;
    setState("on");
    // A part may have been replaced while the stream was being opened.
    follow();
  };
  source.onmessage = (message) => {
    if (message.lastEventId) position = message.lastEventId;
    receive(JSON.parse(message.data));
  };
  source.onerror = () => {
    setState("off");
    // The browser would reconnect with the same token, which expires.
    close();
    retryLater();
  };
}

function close() {
  clearTimeout(timer);
  source?.close();
  source = null;
}

function reopen() {
  pause = FIRST_PAUSE_MS;
  retryLater(0);
}

// A server on this machine is reachable without a network.
async function checkConnection() {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (!answer && !navigator.onLine) document.documentElement.dataset.line = "off";
}

function retryLater(wait = pause * (0.5 + Math.random())) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    failures += 1;
    // After a restart of the server the old token works; a second failure, or a long pause, needs a new one.
    const isOld = Date.now() - renewedAt > ADDRESS_LASTS_MS;
    if ((!isOld && failures < 2) || (await renew())) open();
  }, wait);
  pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
}

async function renew() {
  try {
    const query = new URLSearchParams({ renew: "1", t: token() });
    const answer = await fetch(`/live/?${query}`, { credentials: "same-origin", cache: "no-store" });
    if (answer.status === 403) {
      endAccess();
      return false;
    }
    if (answer.ok) {
      document.querySelector('meta[name="live"]').content = (await answer.json()).token;
      renewedAt = Date.now();
      return true;
    }
  } catch {
    // Offline, or the server is restarting.
  }
  retryLater();
  return false;
}

// Without the right to the stream the page may not stay either, even if the module cannot be loaded.
function endAccess() {
  close();
  setState("off");
  import("./ended.js").then(({ end }) => end(sentAt), () => location.reload());
}

function receive(event) {
  if (event.name === "hello") return;
  if (event.name === "ended") {
    endAccess();
    return;
  }
  for (const listener of listeners.get(event.topic) ?? []) listener(event);
  for (const element of document.querySelectorAll("[data-live]")) {
    if (element.dataset.live.split(" ").includes(event.topic)) refresh(element);
  }
  document.dispatchEvent(new CustomEvent("live:event", { detail: event }));
}

/** Reload a part. Events that come together cause one reload; during a reload, one more follows. */
export function refresh(element) {
  clearTimeout(element.liveTimer);
  if (element.dataset.pace) {
    // Without a connection the next event tries again.
    import("./paced.js").then(({ pace }) => pace(element, reload), () => {});
    return;
  }
  element.liveTimer = setTimeout(() => {
    // A reload would close an open menu: wait until it is closed.
    if (element.querySelector("details.menu[open]")) waitForMenu(element);
    else reload(element);
  }, 60);
}

function waitForMenu(element) {
  element.addEventListener("toggle", () => refresh(element), { once: true, capture: true });
}

function reload(element) {
  window.htmx?.trigger(element, "live");
}

function setState(state) {
  document.documentElement.dataset.stream = state;
}
