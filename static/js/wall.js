// A wall screen: shows its slides in turn, follows the event stream, and shows when it is offline. It has no controls.

import { stayAwake } from "./board/wake.js";
import { connect } from "./live.js";
import { readCalls } from "./aloud.js";

// Events that come together cause one request; a failed request is repeated, with growing pauses.
const PAUSE_MS = 300;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 4000;
// Shorter outages, such as a restart of the server, are not shown.
const QUIET_MS = 2500;
// The longest timer of a browser.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const place = document.getElementById("wall");
const state = document.getElementById("state");
let slide = "";
let turnTimer = 0;
let lookTimer = 0;
let untilTimer = 0;
let retry = FIRST_RETRY_MS;
let isLoading = false;
let isLoadWanted = false;
// How far the server's clock is ahead of this one, and when the screen was last known to be current.
let ahead = 0;
let seenAt = Date.now();
let lostAt = 0;
let isReopened = false;
let newest = "";

function getPicture() {
  return place.querySelector(".wall__picture");
}

// -- loading

function scheduleLoad(wait = PAUSE_MS) {
  isLoadWanted = true;
  clearTimeout(lookTimer);
  lookTimer = setTimeout(load, wait);
}

async function load() {
  if (isLoading) return;
  isLoading = true;
  isLoadWanted = false;
  try {
    const answer = await fetch(document.body.dataset.picture, { credentials: "same-origin", cache: "no-store" });
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.text());
    retry = FIRST_RETRY_MS;
    noteSuccess();
  } catch {
    noteFailure();
    isLoadWanted = true;
  }
  isLoading = false;
  if (isLoadWanted) {
    scheduleLoad(lostAt ? retry : PAUSE_MS);
    if (lostAt) retry = Math.min(LONGEST_RETRY_MS, retry * 2);
  }
}

function show(html) {
  const made = new DOMParser().parseFromString(html, "text/html").querySelector(".wall__picture");
  if (!made) throw new Error("no picture");
  place.replaceChildren(document.adoptNode(made));
  begin();
  // live.js checks whether the topics have changed.
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
}

// -- slides

function begin() {
  const { now, until, seconds } = getPicture().dataset;
  showNewCall(getPicture().dataset.newest);
  ahead = Number(now) * 1000 - Date.now();
  const slides = [...place.querySelectorAll("[data-slide]")];
  const same = slides.find((each) => each.dataset.slide === slide) ?? slides[0];
  for (const each of slides) each.hidden = each !== same;
  if (same?.dataset.slide !== slide) scheduleSlide(Number(seconds));
  slide = same?.dataset.slide ?? "";
  if (!turnTimer) scheduleSlide(Number(seconds));
  clearTimeout(untilTimer);
  if (until) {
    const wait = Math.max(Number(until) * 1000 - Date.now() - ahead + 1000, 1000);
    untilTimer = setTimeout(() => scheduleLoad(0), Math.min(wait, LONGEST_TIMER_MS));
  }
  tick();
}

// A new call is shown at once; then the slides go on as usual.
function showNewCall(call) {
  const calls = place.querySelector("[data-slide^='calls-']");
  if (calls && call && call !== newest) {
    slide = calls.dataset.slide;
    scheduleSlide(Number(getPicture().dataset.seconds));
  }
  newest = call;
  readCalls([...place.querySelectorAll("[data-say]")]);
}

function scheduleSlide(seconds) {
  clearTimeout(turnTimer);
  turnTimer = seconds ? setTimeout(showNextSlide, seconds * 1000) : 0;
}

function showNextSlide() {
  const slides = [...place.querySelectorAll("[data-slide]")];
  const at = slides.findIndex((each) => each.dataset.slide === slide);
  const next = slides[(at + 1) % slides.length];
  for (const each of slides) each.hidden = each !== next;
  slide = next?.dataset.slide ?? "";
  scheduleSlide(Number(getPicture().dataset.seconds));
}

// -- the time, and the age of what is shown

function hour(ms) {
  const timeZone = getPicture().dataset.zone;
  return new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(ms);
}

function tick() {
  const now = Date.now() + ahead;
  for (const each of place.querySelectorAll("[data-clock]")) each.textContent = hour(now);
  for (const each of place.querySelectorAll("[data-since]")) {
    const seconds = Math.max(0, Math.floor(now / 1000 - Number(each.dataset.since)));
    // After an hour the time of the call is more useful.
    if (seconds < 3600) each.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
  showAge();
}

function showAge() {
  const isLost = lostAt > 0 && Date.now() - lostAt >= QUIET_MS;
  state.hidden = !isLost;
  if (!isLost) return;
  const seconds = Math.max(0, Math.round((Date.now() - seenAt) / 1000));
  const isShort = seconds < 60;
  const words = isShort ? state.dataset.seconds : state.dataset.minutes;
  const age = words.replace("{count}", isShort ? seconds : Math.floor(seconds / 60));
  const message = state.dataset.words.replace("{time}", hour(seenAt + ahead)).replace("{age}", age);
  if (state.textContent !== message) state.textContent = message;
}

function isFollowing() {
  return document.documentElement.dataset.stream === "on" && navigator.onLine;
}

function noteFailure() {
  // Until now every change would have arrived.
  if (lostAt) return;
  lostAt = seenAt = Date.now();
  scheduleLoad(retry);
}

function noteSuccess() {
  seenAt = Date.now();
  if (isFollowing()) lostAt = 0;
  else if (!isReopened) {
    // The server is back: the stream reconnects at once.
    isReopened = true;
    window.dispatchEvent(new Event("online"));
  }
  showAge();
}

function follow() {
  if (isFollowing()) {
    isReopened = false;
    scheduleLoad(0);
  } else noteFailure();
}

new MutationObserver(follow).observe(document.documentElement, { attributeFilter: ["data-stream"] });
window.addEventListener("offline", follow);
window.addEventListener("online", () => scheduleLoad(0));
document.addEventListener("live:event", () => scheduleLoad());

begin();
setInterval(tick, 1000);
connect();
stayAwake();
