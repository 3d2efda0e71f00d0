/* Enhancements of an event's pages, which work without this file. */

import { hasTypedFields } from "./swaps.js";

highlightPaths();
loadBracketControls();
submitChoices();
protectBusyParts();
requestShownView();

function highlightPaths() {
  let shown = "";
  document.addEventListener("pointerover", (event) => {
    const row = event.target.closest?.(".sheet-svg .p [data-n]");
    const number = row?.dataset.n ?? "";
    if (number === shown) return;
    highlight(shown, false);
    shown = number;
    highlight(shown, true);
  });
}

function highlight(number, isOn) {
  if (!number) return;
  for (const each of document.querySelectorAll(`.sheet-svg [data-n="${number}"]`)) {
    if (isOn && each.dataset.f === undefined) {
      each.dataset.f = "pointed";
      // The path of a match's winner is drawn above that of its loser.
      if (each.parentElement.classList.contains("ways")) each.parentElement.append(each);
    } else if (!isOn && each.dataset.f === "pointed") delete each.dataset.f;
  }
}

// Zoom, minimap and paths are loaded after the picture.
function loadBracketControls() {
  if (document.querySelector("[data-zoom]")) import("./bracket.js").then(({ steer }) => steer(), () => {});
}

function submitChoices() {
  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".follow__select")) event.target.form.requestSubmit();
  });
}

// Live updates do not replace a part whose form is being sent or shows an error.
function protectBusyParts() {
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    if (isBusy(detail.target)) detail.shouldSwap = false;
  });
  // The page has no place for a new part, for example when a draw is published: reload it.
  document.addEventListener("htmx:oobErrorNoTarget", () => {
    if (!hasTypedFields() && !isBusy(document.body)) location.reload();
  });
}

// The answer to a form replaces the part that holds the form, except with data-passes. An open select would close.
function isBusy(element) {
  const busy = "form.htmx-request:not([data-passes]), .mine__form:has([aria-invalid]), select:focus";
  return element.matches(busy) || element.querySelector(busy) !== null;
}

// A wide screen shows a bracket as a picture, a narrow one as lists: updates contain only what is shown.
function requestShownView() {
  const wide = matchMedia("(min-width: 48rem)");
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, parameters } = event.detail;
    if (elt.id !== "event-live" || !document.querySelector(".sheet-pane")) return;
    parameters.shows = wide.matches ? "picture" : "lists";
  });
  // The other view may be out of date.
  wide.addEventListener("change", () => {
    if (document.querySelector(".sheet-pane")) htmx.trigger("#event-live", "live");
  });
}
