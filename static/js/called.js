/* A player's match is called to a table: a card fills the screen of any open page, with a sound, a vibration and
   a title (templates/venue/_card.html). This needs no Web Push, so it works over plain HTTP. Every page asks once when it is loaded, so
   that an unanswered call is shown again, and once more when it becomes visible. On pages for
   directors, who may also play, the card is a strip at the bottom that does not take the focus. */

const AWAY_MS = 3000;
const VIBRATION = [400, 200, 400, 200, 800];
const LOUD = 0.6;
// After this time the card is shown without its styles.
const STYLES_MS = 2000;

const dialog = document.querySelector("#called");

let title = "";
let shownState = "";
let hiddenAt = 0;
let sounds = null;
let stylesLoaded = null;
// The number of requests, and the number of the one whose answer is shown.
let asked = 0;
let shown = 0;

export function watchCalls() {
  // The page of the call already has the card.
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
  // Browsers allow sound only after a touch.
  document.addEventListener("pointerdown", unlockSound, { once: true });
  // The call may be older than this page; the stream has only events from now on.
  if (document.readyState === "complete") ask();
  else window.addEventListener("load", () => ask(), { once: true });
}

/** Load the viewer's open call, or send an answer to it; show the card or close it. */
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
    // Of two concurrent requests the answer to the older one is discarded, except the answer to a form.
    if (!answered.ok || answered.redirected || (turn < shown && !body)) return;
    shown = Math.max(shown, turn);
    if (answered.status === 204) dismiss();
    else show(html);
  } catch {
    // Offline: asked again when the connection is back.
  }
}

async function show(html) {
  dialog.innerHTML = html;
  const card = dialog.querySelector("[data-call]");
  if (!card) return dismiss();
  const { call, state } = card.dataset;
  const isNew = shownState !== `${call} ${state}`;
  shownState = `${call} ${state}`;
  if (state === "playing") return dialog.close();
  // Moved to another table.
  if (dialog.open && isNew && state === "called") {
    document.title = card.dataset.title;
    return ring();
  }
  // A card that was closed opens again only for a new call.
  if (dialog.open || !isNew || state !== "called") return;
  await loadStyles();
  // The call may have been answered or withdrawn while the styles were loading.
  const now = dialog.querySelector("[data-call]")?.dataset;
  if (dialog.open || now?.call !== call || now.state !== state) return;
  title = document.title;
  document.title = now.title;
  const directs = document.querySelector('meta[name="directs"]') !== null;
  dialog.classList.toggle("called--strip", directs);
  // The attribute, unlike showModal(), does not move the focus.
  if (directs) dialog.open = true;
  else dialog.showModal();
  ring();
}

function dismiss() {
  shownState = "";
  dialog.close();
  dialog.replaceChildren();
}

function answer(event) {
  event.preventDefault();
  const { submitter, target } = event;
  const data = new FormData(target, submitter);
  ask({ to: target.action, data }).then(() => submitter.value === "coming" && dialog.close());
}

// Calls are rare, so their styles are not loaded with every page.
function loadStyles() {
  stylesLoaded ??= new Promise((done) => {
    const sheet = Object.assign(document.createElement("link"), { rel: "stylesheet", href: dialog.dataset.style });
    sheet.onload = sheet.onerror = done;
    setTimeout(done, STYLES_MS);
    document.head.append(sheet);
  });
  return stylesLoaded;
}

function unlockSound() {
  try {
    sounds ??= new AudioContext();
  } catch {
    // No sound.
  }
}

async function ring() {
  navigator.vibrate?.(VIBRATION);
  try {
    unlockSound();
    await sounds.resume();
    const { SOUNDS } = await import("./board/sounds.js");
    for (const [at, name] of ["turn", "low", "turn"].entries()) {
      setTimeout(() => SOUNDS[name](sounds, LOUD), at * 450);
    }
  } catch {
    // No sound: the card and the title are enough.
  }
}
