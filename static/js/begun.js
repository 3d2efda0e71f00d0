/* A match that came of one's own offer begins: from where nothing is lost the page goes to its board, elsewhere a dialog
   says so (templates/_begun.html), with a bell and in the title. A match may also begin between two pages: in a browser that was
   lately where offers are made, every page asks once when it is loaded. Whoever was away is told on coming back. */

const AWAY_MS = 3000;
const SEEN = "barpoint.begun";
const OFFERED = "barpoint.offered";
// As long as an offer to play at once may be accepted.
const OFFERS_LAST_MS = 24 * 60 * 60 * 1000;
const NO_KEY = "0000000000";

const dialog = document.querySelector("#begun");
const others = "BroadcastChannel" in window ? new BroadcastChannel(SEEN) : null;

let title = "";
let hiddenAt = 0;

export function watchBeginnings() {
  if (!dialog) return;
  arriveHere();
  document.addEventListener("live:event", ({ detail }) => {
    if (detail.name === "match-begins") begin(detail.data);
    else if (detail.name === "resync" && detail.topic.startsWith("user.")) ask();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > AWAY_MS) ask();
  });
  window.addEventListener("online", () => ask());
  window.addEventListener("pageshow", (event) => event.persisted && ask());
  dialog.addEventListener("close", () => {
    settle(dialog.dataset.match);
    document.title = title;
  });
  // Somebody with two tabs answers in one of them.
  others?.addEventListener("message", ({ data }) => data === dialog.dataset.match && dialog.open && dialog.close());
  // The stream tells only of what comes from now on.
  if (!mayHaveOffers()) return;
  if (document.readyState === "complete") ask();
  else window.addEventListener("load", () => ask(), { once: true });
}

function mayHaveOffers() {
  try {
    if (document.querySelector("#lobby, .match__play")) localStorage.setItem(OFFERED, Date.now());
    return Date.now() - Number(localStorage.getItem(OFFERED)) < OFFERS_LAST_MS;
  } catch {
    return true;
  }
}

function board(match) {
  return dialog.dataset.board.replace(NO_KEY, match);
}

// Who is at a board need not be called to it.
function arriveHere() {
  const here = /\/matches\/([0-9a-z]{10})\/$/.exec(location.pathname);
  if (here) settle(here[1]);
}

function begin({ match, opponent }) {
  if (location.pathname === board(match) || isSettled(match)) return;
  if (document.querySelector("#lobby, .match__play[data-over]")) location.assign(board(match));
  else announce(match, opponent);
}

function announce(match, opponent) {
  if (dialog.open) return;
  const words = dialog.dataset.title.replace("{name}", opponent);
  dialog.dataset.match = match;
  dialog.querySelector("h2").textContent = words;
  dialog.querySelector("a").href = board(match);
  title = document.title;
  document.title = words;
  // A board that is being played stays in reach of its player's hands.
  if (document.querySelector(".match__play")) dialog.show();
  else dialog.showModal();
  ring();
}

// The line may be cut just then: what was to be said stands in the dialog and the title, without the bell too.
async function ring() {
  try {
    const [{ Sound }, { Preferences }] = await Promise.all([import("./board/sound.js"), import("./board/prefs.js")]);
    new Sound(new Preferences()).play("turn");
  } catch {
    // Silent.
  }
}

/** Ask which of one's offers have become matches meanwhile. */
async function ask() {
  try {
    const answer = await fetch(dialog.dataset.ask, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (!answer.ok) return;
    const [first] = (await answer.json()).filter((each) => !isSettled(each.match));
    if (first) begin({ match: first.match, opponent: first.opponent.name });
  } catch {
    // Offline still: coming back asks again.
  }
}

// What was answered in this browser is not said again, in whichever tab.
function settle(match) {
  try {
    localStorage.setItem(SEEN, JSON.stringify([match, ...seen()].slice(0, 20)));
  } catch {
    // A full or forbidden store: at worst it is said twice.
  }
  others?.postMessage(match);
}

function isSettled(match) {
  return seen().includes(match);
}

function seen() {
  try {
    return JSON.parse(localStorage.getItem(SEEN) ?? "[]");
  } catch {
    return [];
  }
}
