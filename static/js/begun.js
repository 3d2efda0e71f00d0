/* The player's offer was accepted and the match begins. The lobby and a finished match go to the new board; any other page opens
   a dialog (templates/_begun.html), rings and changes its title. A match can also begin while no page is open, so every page of a
   browser that has visited the lobby lately asks the server once when it is loaded, and again when it becomes visible. */

const AWAY_MS = 3000;
const SEEN = "barpoint.begun";
const OFFERED = "barpoint.offered";
// Offers to play at once expire after this time.
const OFFERS_LAST_MS = 24 * 60 * 60 * 1000;
const NO_KEY = "0000000000";

const dialog = document.querySelector("#begun");
const otherTabs = "BroadcastChannel" in window ? new BroadcastChannel(SEEN) : null;

let title = "";
let hiddenAt = 0;

export function watchBeginnings() {
  if (!dialog) return;
  markOpenBoard();
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
    markSeen(dialog.dataset.match);
    document.title = title;
  });
  // With two tabs open, the answer in one closes the dialog of the other.
  otherTabs?.addEventListener("message", ({ data }) => data === dialog.dataset.match && dialog.open && dialog.close());
  // The stream has only events from now on.
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

function buildBoardPath(match) {
  return dialog.dataset.board.replace(NO_KEY, match);
}

// No dialog for the match whose board is open.
function markOpenBoard() {
  const here = /\/matches\/([0-9a-z]{10})\/$/.exec(location.pathname);
  if (here) markSeen(here[1]);
}

function begin({ match, opponent }) {
  if (location.pathname === buildBoardPath(match) || isSeen(match)) return;
  if (document.querySelector("#lobby, .match__play[data-over]")) location.assign(buildBoardPath(match));
  else announce(match, opponent);
}

function announce(match, opponent) {
  if (dialog.open) return;
  const words = dialog.dataset.title.replace("{name}", opponent);
  dialog.dataset.match = match;
  dialog.querySelector("h2").textContent = words;
  dialog.querySelector("a").href = buildBoardPath(match);
  title = document.title;
  document.title = words;
  // Not modal over a board: the match there can be played on.
  if (document.querySelector(".match__play")) dialog.show();
  else dialog.showModal();
  ring();
}

// The modules may not load without a connection; the dialog and the title do not need the bell.
async function ring() {
  try {
    const [{ Sound }, { Preferences }] = await Promise.all([import("./board/sound.js"), import("./board/prefs.js")]);
    new Sound(new Preferences()).play("turn");
  } catch {
    // No sound.
  }
}

/** Ask the server which of the viewer's offers have become matches. */
async function ask() {
  try {
    const answer = await fetch(dialog.dataset.ask, { headers: { Accept: "application/json" }, cache: "no-store" });
    if (!answer.ok) return;
    const [first] = (await answer.json()).filter((each) => !isSeen(each.match));
    if (first) begin({ match: first.match, opponent: first.opponent.name });
  } catch {
    // Offline: asked again when the connection is back.
  }
}

// A dialog that was answered opens in no other tab of this browser.
function markSeen(match) {
  try {
    localStorage.setItem(SEEN, JSON.stringify([match, ...seen()].slice(0, 20)));
  } catch {
    // Storage is full or blocked: the dialog may open twice.
  }
  otherTabs?.postMessage(match);
}

function isSeen(match) {
  return seen().includes(match);
}

function seen() {
  try {
    return JSON.parse(localStorage.getItem(SEEN) ?? "[]");
  } catch {
    return [];
  }
}
