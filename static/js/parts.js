// Parts of a page with live updates (<div data-live="topics">) are replaced as a whole. Events that come during a request are not lost.

import { refresh } from "./live.js";

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30000;

// The number of events so far, and for each topic the number of its last one.
let eventCount = 0;
const lastEvents = new Map();

export function watchParts() {
  document.addEventListener("live:event", ({ detail: { topic } }) => lastEvents.set(topic, (eventCount += 1)));
  document.addEventListener("htmx:beforeRequest", ({ detail: { xhr } }) => {
    Object.assign(xhr, { liveCount: eventCount, liveAsked: Date.now() });
  });
  document.addEventListener("htmx:beforeOnLoad", ({ detail }) => {
    // The element that made the request was replaced by an update.
    if (!detail.target.isConnected) detail.target = document.getElementById(detail.target.id) ?? detail.target;
  });
  document.addEventListener("htmx:afterSwap", ({ detail: { xhr } }) => catchUp(xhr));
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    if (elt.matches("[data-live]") && requestConfig?.verb === "get") noteAnswer(elt, xhr.status);
  });
  catchUp();
  // Before htmx has processed an element, an event cannot reload it.
  const early = new Set(document.querySelectorAll("[data-live]"));
  document.addEventListener("htmx:afterProcessNode", ({ target }) => {
    if (early.delete(target) && hasNews(target)) refresh(target);
  });
}

// A request that failed, offline or during a restart of the server, is repeated.
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

// A new part may have been rendered before the last event, and reloads that waited on the replaced part are gone.
function catchUp({ liveCount = 0, liveAsked = 0 } = {}) {
  for (const element of document.querySelectorAll("[data-live]")) {
    if (element.liveIsKnown) continue;
    Object.assign(element, { liveIsKnown: true, liveAsked });
    if (hasNews(element, liveCount)) refresh(element);
  }
}

function hasNews(element, since = 0) {
  return element.dataset.live.split(" ").some((topic) => lastEvents.get(topic) > since);
}
