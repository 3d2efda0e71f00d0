/* A player's match is called to a table: on whatever page is open a card fills the screen, with a sound, a vibration and
   a title (templates/venue/_card.html). It needs no push, so plain HTTP will do. Every page asks once when it is loaded, so
   that a call which was not answered comes again, and whoever was away is told on coming back. On pages for
   directors, who may also play, it is a strip at the bottom that does not take the focus. */

const AWAY_MS = 3000;
const SHAKE = [400, 200, 400, 200, 800];
const LOUD = 0.6;
// A card without styles is better than none.
const STYLES_MS = 2000;

const dialog = document.querySelector("#called");

let title = "";
let told = "";
let hiddenAt = 0;
let sounds = null;
let dressed = null;
// How often was asked, and which answer stands there now.
let asked = 0;
let shown = 0;

export function watchCalls() {
  // Its own page shows the card already.
  if (!dialog || location.pathname === dialog.dataset.ask) return;
  document.addEventListener("live:event", ({ detail }) => {
    if (detail.name === "called" || (detail.name === "resync" && detail.topic.startsWith("user."))) ask();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > AWAY_MS) ask();
  });
  window.addEventListener("online", () => ask());
  window.addEventListener("pageshow", (event) => event.persisted && ask());
  dialog.addEventListener("submit", answer);
  dialog.addEventListener("click", ({ target }) => target.closest("[data-dialog-close]") && dialog.close());
  dialog.addEventListener("close", () => {
    if (title) document.title = title;
    title = "";
  });
  // Browsers let a page sound once it has been touched.
  document.addEventListener("pointerdown", wake, { once: true });
  // The call may have come while no page was open, or between two pages: the stream tells only of what comes from now on.
  if (document.readyState === "complete") ask();
  else window.addEventListener("load", () => ask(), { once: true });
}

/** Ask where one is called to, and show it, or put the card away. */
async function ask(body = null) {
  const turn = (asked += 1);
  try {
    const answered = await fetch(body?.to ?? dialog.dataset.ask, {
      method: body ? "POST" : "GET",
      body: body?.data,
      headers: { "HX-Request": "true" },
      cache: "no-store",
    });
    const html = await answered.text();
    // Two may be on their way at once: what was asked before is older. To what one says oneself the answer always counts.
    if (!answered.ok || answered.redirected || (turn < shown && !body)) return;
    shown = Math.max(shown, turn);
    if (answered.status === 204) put();
    else show(html);
  } catch {
    // Offline: coming back asks again.
  }
}

async function show(html) {
  dialog.innerHTML = html;
  const card = dialog.querySelector("[data-call]");
  if (!card) return put();
  const { call, state } = card.dataset;
  const isNew = told !== `${call} ${state}`;
  told = `${call} ${state}`;
  if (state === "playing") return dialog.close();
  // It has moved to another table.
  if (dialog.open && isNew && state === "called") {
    document.title = card.dataset.title;
    return ring();
  }
  // Whoever has closed the card knows; only a call that is new, or answered here, opens it.
  if (dialog.open || !isNew || state !== "called") return;
  await dress();
  // Meanwhile it may have been answered or taken back.
  const now = dialog.querySelector("[data-call]")?.dataset;
  if (dialog.open || now?.call !== call || now.state !== state) return;
  title = document.title;
  document.title = now.title;
  const directs = document.querySelector('meta[name="directs"]') !== null;
  dialog.classList.toggle("called--strip", directs);
  // Shown by its attribute, a dialog leaves the focus where it is.
  if (directs) dialog.open = true;
  else dialog.showModal();
  ring();
}

function put() {
  told = "";
  dialog.close();
  dialog.replaceChildren();
}

function answer(event) {
  event.preventDefault();
  const { submitter, target } = event;
  const data = new FormData(target, submitter);
  ask({ to: target.action, data }).then(() => submitter.value === "coming" && dialog.close());
}

// Seldom enough not to be loaded with every page; the card waits for its styles, but not for ever.
function dress() {
  dressed ??= new Promise((done) => {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: dialog.dataset.style });
    sheet.onload = sheet.onerror = done;
    setTimeout(done, STYLES_MS);
    document.head.append(sheet);
  });
  return dressed;
}

function wake() {
  try {
    sounds ??= new AudioContext();
  } catch {
    // Silent.
  }
}

async function ring() {
  navigator.vibrate?.(SHAKE);
  try {
    wake();
    await sounds.resume();
    const { SOUNDS } = await import("./board/sounds.js");
    for (const [at, name] of ["turn", "low", "turn"].entries()) {
      setTimeout(() => SOUNDS[name](sounds, LOUD), at * 450);
    }
  } catch {
    // The card and the title say it.
  }
}
