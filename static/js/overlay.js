// What a streamer lays over the picture of a table. The picture is late, and so is all that is told here: never early.

import { connect } from "./live.js";

const PAUSE_MS = 300;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 8000;
const STEP_MS = 100;

const place = document.getElementById("overlay");
// What was so, by when it was so; kept for a page that is loaded again within the delay.
const KEPT = `overlay:${location.pathname}`;
let moments = [];
let delay = 0;
// What the server's clock is ahead of ours.
let ahead = 0;
let shown = null;
let newest = 0;
let timer = 0;
let retry = FIRST_RETRY_MS;

function parse(html) {
  return new DOMParser().parseFromString(html, "text/html").querySelector(".over");
}

function take(html) {
  const made = parse(html);
  if (!made) throw new Error("no overlay");
  const at = Number(made.dataset.at);
  moments = [...moments, { at, html }].sort((one, other) => one.at - other.at);
  keep();
  // An answer may come after one that was asked for later: then it is a moment of before.
  if (at >= newest) {
    newest = at;
    delay = Number(made.dataset.delay) * 1000;
    ahead = at - Date.now();
    follow(made);
  }
  turn();
}

// The stream looks at the page for what it is to tell of: of the newest moment, shown or not.
function follow({ dataset }) {
  const mark = document.body;
  mark.dataset.token = dataset.token;
  mark.dataset.follows = dataset.follows;
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
}

function want(wait = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(look, wait);
}

async function look() {
  try {
    const answer = await fetch(document.body.dataset.state, { credentials: "same-origin", cache: "no-store" });
    // Another address was made: what stood here is nobody's any more.
    if (answer.status === 404) return place.replaceChildren();
    if (!answer.ok) throw new Error(String(answer.status));
    take(await answer.text());
    retry = FIRST_RETRY_MS;
  } catch {
    want(retry);
    retry = Math.min(LONGEST_RETRY_MS, retry * 2);
  }
}

/** Show the newest moment whose time has come. */
function turn() {
  const due = Date.now() + ahead - delay;
  const ripe = moments.filter((each) => each.at <= due);
  const newest = ripe.at(-1);
  if (!newest) return;
  moments = moments.filter((each) => each.at >= newest.at);
  if (shown === newest.at) return;
  shown = newest.at;
  const made = parse(newest.html);
  // Only the page itself says what the stream is to tell of.
  delete made.dataset.follows;
  delete made.dataset.token;
  place.replaceChildren(document.adoptNode(made));
  keep();
}

function tick() {
  turn();
  const passed = Date.now() + ahead - delay - (shown ?? 0);
  for (const clock of place.querySelectorAll("[data-left]")) {
    const left = Math.max(0, Number(clock.dataset.left) - (clock.dataset.runs ? passed : 0));
    const seconds = Math.ceil(left / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

function keep() {
  sessionStorage.setItem(KEPT, JSON.stringify(moments));
}

function begin() {
  try {
    moments = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
  } catch {
    moments = [];
  }
  take(document.getElementById("first").innerHTML);
  setInterval(tick, STEP_MS);
}

begin();
document.addEventListener("live:event", () => want());
new MutationObserver(() => document.documentElement.dataset.stream === "on" && want(0)).observe(
  document.documentElement,
  { attributeFilter: ["data-stream"] },
);
connect();
