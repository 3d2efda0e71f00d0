// Parts of a page that follow the news (<div data-live="topics">) are exchanged as a whole, and news come in between.

import { refresh } from "./live.js";

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30000;

// How many events have come, and which of them was a topic's last.
let count = 0;
const told = new Map();

export function watchParts() {
  document.addEventListener("live:event", ({ detail: { topic } }) => told.set(topic, (count += 1)));
  document.addEventListener("htmx:beforeRequest", ({ detail: { xhr } }) => {
    Object.assign(xhr, { liveCount: count, liveAsked: Date.now() });
  });
  document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
    // News have exchanged what this answer was asked for.
    if (!detail.target.isConnected) detail.target = document.getElementById(detail.target.id) ?? detail.target;
  });
  document.addEventListener("htmx:afterSwap", ({ detail: { xhr } }) => catchUp(xhr));
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    if (elt.matches("[data-live]") && requestConfig?.verb === "get") noteAnswer(elt, xhr.status);
  });
  catchUp();
  // While the other modules of a page are still on their way, htmx has set nothing up yet, and news are lost on it.
  const early = new Set(document.querySelectorAll("[data-live]"));
  document.addEventListener("htmx:afterProcessNode", ({ target }) => {
    if (early.delete(target) && hasNews(target)) refresh(target);
  });
}

// News that could not be had, since the line was cut or the server was starting anew, are asked for again.
function noteAnswer(element, status) {
  clearTimeout(element.liveRetry);
  if (status && status !== 429 && status < 500) {
    element.livePause = 0;
    return;
  }
  element.livePause = Math.min(LONGEST_RETRY_MS, element.livePause * 2 || FIRST_RETRY_MS);
  element.liveRetry = setTimeout(
    () => element.isConnected && refresh(element),
    element.livePause * (0.5 + Math.random()),
  );
}

// A part that comes anew may have been made before the last news. Those that waited for the part it replaces went with it.
function catchUp({ liveCount = 0, liveAsked = 0 } = {}) {
  for (const element of document.querySelectorAll("[data-live]")) {
    if (element.liveIsKnown) continue;
    Object.assign(element, { liveIsKnown: true, liveAsked });
    if (hasNews(element, liveCount)) refresh(element);
  }
}

function hasNews(element, since = 0) {
  return element.dataset.live.split(" ").some((topic) => told.get(topic) > since);
}
