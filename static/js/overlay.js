// The overlay for a video stream of a table. The video is delayed, and the overlay by the same time: it is never early.

import { connect } from "./live.js";

const PAUSE_MS = 300;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 8000;
const STEP_MS = 100;

const place = document.getElementById("overlay");
// The states not shown yet, by time; stored, so that a reload within the delay loses none.
const STORE = `overlay:${location.pathname}`;
let moments = [];
let delay = 0;
// How far the server's clock is ahead of this one.
let ahead = 0;
let shown = null;
let newest = 0;
let timer = 0;
let retry = FIRST_RETRY_MS;

function parse(html) {
  return new DOMParser().parseFromString(html, "text/html").querySelector(".over");
}

function addMoment(html) {
  const made = parse(html);
  if (!made) throw new Error("no overlay");
  const at = Number(made.dataset.at);
  moments = [...moments, { at, html }].sort((one, other) => one.at - other.at);
  storeMoments();
  // Answers may arrive out of order; this one is the newest.
  if (at >= newest) {
    newest = at;
    delay = Number(made.dataset.delay) * 1000;
    ahead = at - Date.now();
    follow(made);
  }
  showDue();
}

// live.js reads the token and topics from the page: those of the newest state, shown or not.
function follow({ dataset }) {
  const mark = document.body;
  mark.dataset.token = dataset.token;
  mark.dataset.follows = dataset.follows;
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
}

function scheduleLoad(wait = PAUSE_MS) {
  clearTimeout(timer);
  timer = setTimeout(load, wait);
}

async function load() {
  try {
    const answer = await fetch(document.body.dataset.state, { credentials: "same-origin", cache: "no-store" });
    // The overlay has a new address: this one shows nothing any more.
    if (answer.status === 404) {
      moments = [];
      storeMoments();
      return place.replaceChildren();
    }
    if (!answer.ok) throw new Error(String(answer.status));
    addMoment(await answer.text());
    retry = FIRST_RETRY_MS;
  } catch {
    scheduleLoad(retry);
    retry = Math.min(LONGEST_RETRY_MS, retry * 2);
  }
}

/** Show the newest state that is due. */
function showDue() {
  const due = Date.now() + ahead - delay;
  const dueMoments = moments.filter((each) => each.at <= due);
  const newest = dueMoments.at(-1);
  if (!newest) return;
  moments = moments.filter((each) => each.at >= newest.at);
  if (shown === newest.at) return;
  shown = newest.at;
  const made = parse(newest.html);
  // live.js reads these from the body only.
  delete made.dataset.follows;
  delete made.dataset.token;
  place.replaceChildren(document.adoptNode(made));
  storeMoments();
}

function tick() {
  showDue();
  const passed = Date.now() + ahead - delay - (shown ?? 0);
  for (const clock of place.querySelectorAll("[data-left]")) {
    const left = Math.max(0, Number(clock.dataset.left) - (clock.dataset.runs ? passed : 0));
    const seconds = Math.ceil(left / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

function storeMoments() {
  try {
    sessionStorage.setItem(STORE, JSON.stringify(moments));
  } catch {
    // Storage is full or blocked: a reload within the delay shows nothing until the next state is due.
  }
}

function begin() {
  try {
    moments = JSON.parse(sessionStorage.getItem(STORE) ?? "[]");
  } catch {
    moments = [];
  }
  addMoment(document.getElementById("first").innerHTML);
  setInterval(tick, STEP_MS);
}

begin();
document.addEventListener("live:event", () => scheduleLoad());
new MutationObserver(() => document.documentElement.dataset.stream === "on" && scheduleLoad(0)).observe(
  document.documentElement,
  { attributeFilter: ["data-stream"] },
);
connect();
