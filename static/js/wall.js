// A screen on a wall: it turns its pages, follows the stream, and says so when it is cut off. Nothing here is clicked.

import { stayAwake } from "./board/wake.js";
import { connect } from "./live.js";
import { say } from "./aloud.js";

// News that come together are one look; a look that fails is repeated, sooner at first.
const PAUSE_MS = 300;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 4000;
// A restart of the server is over before anybody needs to be told.
const QUIET_MS = 2500;
// A timer of a browser holds no longer than this.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const place = document.getElementById("wall");
const state = document.getElementById("state");
let slide = "";
let turnTimer = 0;
let lookTimer = 0;
let untilTimer = 0;
let retry = FIRST_RETRY_MS;
let isLooking = false;
let isWanted = false;
// What the server's clock is ahead of ours, and when we last knew that what is seen is true.
let ahead = 0;
let seenAt = Date.now();
let lostAt = 0;
let isReopened = false;
let newest = "";

function picture() {
  return place.querySelector(".wall__picture");
}

// -- looking again

function want(wait = PAUSE_MS) {
  isWanted = true;
  clearTimeout(lookTimer);
  lookTimer = setTimeout(look, wait);
}

async function look() {
  if (isLooking) return;
  isLooking = true;
  isWanted = false;
  try {
    const answer = await fetch(document.body.dataset.picture, { credentials: "same-origin", cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.text());
    retry = FIRST_RETRY_MS;
    found();
  } catch {
    lost();
    isWanted = true;
  }
  isLooking = false;
  if (isWanted) {
    want(lostAt ? retry : PAUSE_MS);
    if (lostAt) retry = Math.min(LONGEST_RETRY_MS, retry * 2);
  }
}

function show(html) {
  const made = new DOMParser().parseFromString(html, "text/html").querySelector(".wall__picture");
  if (!made) throw new Error("no picture");
  place.replaceChildren(document.adoptNode(made));
  begin();
  // The stream looks whether what it tells of has changed.
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
}

// -- turning pages

function begin() {
  const { now, until, seconds } = picture().dataset;
  turnToCalls(picture().dataset.newest);
  ahead = Number(now) * 1000 - Date.now();
  const slides = [...place.querySelectorAll("[data-slide]")];
  const same = slides.find((each) => each.dataset.slide === slide) ?? slides[0];
  for (const each of slides) each.hidden = each !== same;
  if (same?.dataset.slide !== slide) turnAgain(Number(seconds));
  slide = same?.dataset.slide ?? "";
  if (!turnTimer) turnAgain(Number(seconds));
  clearTimeout(untilTimer);
  if (until) {
    const wait = Math.max(Number(until) * 1000 - Date.now() - ahead + 1000, 1000);
    untilTimer = setTimeout(() => want(0), Math.min(wait, LONGEST_TIMER_MS));
  }
  tick();
}

// A new call is seen at once, whatever the screen shows; then it turns on as ever.
function turnToCalls(call) {
  const calls = place.querySelector("[data-slide^='calls-']");
  if (calls && call && call !== newest) {
    slide = calls.dataset.slide;
    turnAgain(Number(picture().dataset.seconds));
  }
  newest = call;
  say([...place.querySelectorAll("[data-say]")]);
}

function turnAgain(seconds) {
  clearTimeout(turnTimer);
  turnTimer = seconds ? setTimeout(turn, seconds * 1000) : 0;
}

function turn() {
  const slides = [...place.querySelectorAll("[data-slide]")];
  const at = slides.findIndex((each) => each.dataset.slide === slide);
  const next = slides[(at + 1) % slides.length];
  for (const each of slides) each.hidden = each !== next;
  slide = next?.dataset.slide ?? "";
  turnAgain(Number(picture().dataset.seconds));
}

// -- the time, and how old what is seen is

function hour(ms) {
  const timeZone = picture().dataset.zone;
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(ms);
}

function tick() {
  const now = Date.now() + ahead;
  for (const each of place.querySelectorAll("[data-clock]")) each.textContent = hour(now);
  for (const each of place.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, Math.floor(now / 1000 - Number(each.dataset.since)));
    // After an hour the time of the call says more.
    if (seconds < 3600) each.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
  tell();
}

function tell() {
  const isLost = lostAt > 0 && Date.now() - lostAt >= QUIET_MS;
  state.hidden = !isLost;
  if (!isLost) return;
  const seconds = Math.max(0, Math.round((Date.now() - seenAt) / 1000));
  const isShort = seconds < 60;
  const words = isShort ? state.dataset.seconds : state.dataset.minutes;
  const age = words.replace("{count}", isShort ? seconds : Math.floor(seconds / 60));
  const said = state.dataset.words.replace("{time}", hour(seenAt + ahead)).replace("{age}", age);
  if (state.textContent !== said) state.textContent = said;
}

function isFollowing() {
  return document.documentElement.dataset.stream === "on" && navigator.onLine;
}

function lost() {
  // Until now we would have been told of every change.
  if (lostAt) return;
  lostAt = seenAt = Date.now();
  want(retry);
}

function found() {
  seenAt = Date.now();
  if (isFollowing()) lostAt = 0;
  else if (!isReopened) {
    // The server is back: the stream need not wait for its own next try.
    isReopened = true;
    window.dispatchEvent(new Event("online"));
  }
  tell();
}

function follow() {
  if (isFollowing()) {
    isReopened = false;
    want(0);
  } else lost();
}

new MutationObserver(follow).observe(document.documentElement, { attributeFilter: ["data-stream"] });
window.addEventListener("offline", follow);
window.addEventListener("online", () => want(0));
document.addEventListener("live:event", () => want());

begin();
setInterval(tick, 1000);
connect();
stayAwake();
