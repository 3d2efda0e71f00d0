// The one stream of a page, which only listens.
//
// Every event says which topic it is about and carries a number. The browser repeats the last
// position when it reconnects and the server sends what was missed, or says "resync". When the viewer's
// rights have changed it says "ended".

// An address opens a stream for five minutes.
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
// The changing part of what the stream tells of, as the part of the page that shows it names it.
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
  // A part that is refused is not ours to see any more; a busy server is asked again.
  document.addEventListener("htmx:responseError", ({ detail: { elt, xhr } }) => {
    if (!elt.matches("[data-live]")) return;
    if ([403, 404].includes(xhr.status)) lose();
    if (xhr.status === 503) setTimeout(refresh, FIRST_PAUSE_MS * (1 + Math.random()), elt);
  });
  window.addEventListener("pageshow", (event) => event.persisted && reopen());
}

function token() {
  return document.querySelector('meta[name="live"]')?.content ?? "";
}

// A part that has come anew may show what the stream does not tell of yet: it brings a token that does.
function follow() {
  const part = follower();
  if (!part || part.dataset.follows === followed || source?.readyState !== EventSource.OPEN) return;
  followed = part.dataset.follows;
  document.querySelector('meta[name="live"]').content = part.dataset.token;
  renewedAt = Date.now();
  // What the token says is where the part stands.
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
    say("on");
    // A part may have come while the stream was still being opened.
    follow();
  };
  source.onmessage = (message) => {
    if (message.lastEventId) position = message.lastEventId;
    receive(JSON.parse(message.data));
  };
  source.onerror = () => {
    say("off");
    // By itself the browser would come back to the same address, which does not last.
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

// A server on this machine can be reached without a network.
async function checkConnection() {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (!answer && !navigator.onLine) document.documentElement.dataset.line = "off";
}

function retryLater(wait = pause * (0.5 + Math.random())) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    failures += 1;
    // A restart passes by itself; what fails again, or was left alone for long, needs a fresh address.
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
      lose();
      return false;
    }
    if (answer.ok) {
      document.querySelector('meta[name="live"]').content = (await answer.json()).token;
      renewedAt = Date.now();
      return true;
    }
  } catch {
    // Still offline, or restarting.
  }
  retryLater();
  return false;
}

// Who may not listen any more may not see what stands here, even when the module cannot be fetched.
function lose() {
  close();
  say("off");
  import("./ended.js").then(({ end }) => end(sentAt), () => location.reload());
}

function receive(event) {
  if (event.name === "hello") return;
  if (event.name === "ended") {
    lose();
    return;
  }
  for (const listener of listeners.get(event.topic) ?? []) listener(event);
  for (const element of document.querySelectorAll("[data-live]")) {
    if (element.dataset.live.split(" ").includes(event.topic)) refresh(element);
  }
  document.dispatchEvent(new CustomEvent("live:event", { detail: event }));
}

/** Have a part made anew. Many events at once are one reload; a reload already under way is followed by one more. */
export function refresh(element) {
  clearTimeout(element.liveTimer);
  if (element.dataset.pace) {
    // Where the line is cut just then, the next news asks again.
    import("./paced.js").then(({ pace }) => pace(element, reload), () => {});
    return;
  }
  element.liveTimer = setTimeout(() => {
    // A menu must not close under the finger: the reload waits until it is put away.
    if (element.querySelector("details.menu[open]")) waitForHand(element);
    else reload(element);
  }, 60);
}

function waitForHand(element) {
  element.addEventListener("toggle", () => refresh(element), { once: true, capture: true });
}

function reload(element) {
  window.htmx?.trigger(element, "live");
}

function say(state) {
  document.documentElement.dataset.stream = state;
}
