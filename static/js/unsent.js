/* Scores that are typed on the desk or on a helper's page, and not sent. Every request for the desk lists them, and the answer shows
   in their rows what has changed in their matches. Offline they are marked as not sent, and one button sends them all; a result
   that had arrived is not entered twice. They survive a reload in this tab, with their marks. */

import { isRefused, isTyped } from "./swaps.js";

const SCORE = "#main form input[name=score]";
// The length of an address is limited.
const MOST = 30;
const STORE = `barpoint.unsent.${location.pathname}`;

const page = document.documentElement;
const notice = document.querySelector("#desk-unsent");
// Matches whose scores could not be sent, or were typed offline.
const late = new Set();
// Those whose scores could not be sent: these marks survive a reload. (Leaving a page ends its stream, which looks like offline.)
const failed = new Set();
// Scores typed before a reload whose rows are gone: the next request asks for the state of their matches.
let lostRows = [];

document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters } }) => {
  if (!document.querySelector("#desk-live")?.contains(elt)) return;
  const rows = [...unsent().filter(({ form }) => form !== elt).map(describe), ...lostRows].slice(0, MOST);
  if (rows.length) parameters.unsent = JSON.stringify(rows);
  lostRows = [];
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, xhr } }) => {
  const match = requestConfig?.elt.elements?.match?.value;
  if (!match || requestConfig.verb !== "post") return;
  const isFailed = xhr.status === 0 || xhr.status >= 500;
  for (const each of [late, failed]) each[isFailed ? "add" : "delete"](match);
  updateMarks();
});
// Shown in the row and in the notice: a toast (toast.js) would cover other rows.
document.querySelector("#main").addEventListener("htmx:sendError", (event) => {
  if (event.target.elements?.score?.value) event.stopPropagation();
});
document.addEventListener("htmx:afterSwap", updateMarks);
document.addEventListener("input", ({ target }) => target.matches(SCORE) && updateMarks());
notice.querySelector("button").addEventListener("click", sendAll);
new MutationObserver(updateMarks).observe(page, { attributeFilter: ["data-line", "data-stream"] });

// "Leave it" discards the score typed for a match that has ended.
document.addEventListener("click", (event) => {
  const row = event.target.closest?.("[data-leave]")?.closest("li");
  if (!row) return;
  event.preventDefault();
  row.remove();
  document.querySelector(SCORE)?.focus({ preventScroll: true });
  updateMarks();
});

fillAgain();
updateMarks();

function unsent() {
  return [...document.querySelectorAll(SCORE)].filter((each) => isTyped(each) || isRefused(each));
}

function describe({ value, form }) {
  return { match: form.elements.match.value, score: value, expects: form.elements.expects?.value ?? "" };
}

function updateMarks() {
  const isOff = page.dataset.line === "off" || page.dataset.stream === "off";
  const rows = unsent();
  if (isOff) rows.filter(isTyped).forEach(({ form }) => late.add(form.elements.match.value));
  const marked = rows.filter(({ form }) => form.matches("[hx-post]") && late.has(form.elements.match.value));
  document.querySelectorAll(".match__unsent").forEach((each) => each.remove());
  for (const field of marked) field.before(buildMark());
  const { words } = notice.dataset;
  notice.hidden = !isOff && !marked.length;
  notice.querySelector("[data-off]").hidden = !isOff;
  notice.querySelector("[data-back]").hidden = isOff;
  notice.querySelector("button").hidden = !marked.length;
  notice.querySelector("button").textContent = words.replace("{count}", marked.length);
  store(rows.map(describe).map((each) => ({ ...each, isFailed: failed.has(each.match) })));
}

function buildMark() {
  const made = document.createElement("span");
  made.className = "match__unsent badge badge--gold";
  made.textContent = notice.dataset.mark;
  return made;
}

// One at a time, since each answer replaces the desk.
async function sendAll() {
  for (const match of [...late]) {
    const field = unsent().find(({ form }) => form.matches("[hx-post]") && form.elements.match.value === match);
    if (field && (await send(field.form)) === 0) return;
  }
}

function send(form) {
  return new Promise((done) => {
    const hear = ({ detail: { requestConfig, xhr } }) => {
      if (requestConfig?.elt !== form) return;
      document.removeEventListener("htmx:afterRequest", hear);
      done(xhr.status);
    };
    document.addEventListener("htmx:afterRequest", hear);
    // htmx may not have processed a row of the last answer yet.
    htmx.process(form);
    form.requestSubmit();
  });
}

function fillAgain() {
  for (const { isFailed, ...row } of stored()) {
    if (isFailed) for (const each of [late, failed]) each.add(row.match);
    const field = [...document.querySelectorAll(SCORE)].find(({ form }) => form.elements.match.value === row.match);
    if (!field && document.querySelector("#desk-live")) lostRows.push(row);
    else if (field && !field.value) {
      field.value = row.score;
      if (row.expects) field.form.elements.expects.value = row.expects;
    }
  }
  if (lostRows.length) addEventListener("load", () => htmx.trigger("#desk-live", "live"), { once: true });
}

function stored() {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? "[]");
  } catch {
    return [];
  }
}

function store(rows) {
  try {
    if (rows.length) sessionStorage.setItem(STORE, JSON.stringify([...rows, ...lostRows]));
    else if (!lostRows.length) sessionStorage.removeItem(STORE);
  } catch {
    // Storage is blocked: a reload loses what is typed.
  }
}
