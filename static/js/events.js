/* What makes pages of events easier to use; they work without this file. */

import { hasTypedFields } from "./swaps.js";

lightWays();
steerSheets();
chooseAtOnce();
leaveWhatIsSent();
askForWhatIsShown();

function lightWays() {
  let shown = "";
  document.addEventListener("pointerover", (event) => {
    const row = event.target.closest?.(".sheet-svg .p [data-n]");
    const number = row?.dataset.n ?? "";
    if (number === shown) return;
    light(shown, false);
    shown = number;
    light(shown, true);
  });
}

function light(number, isOn) {
  if (!number) return;
  for (const each of document.querySelectorAll(`.sheet-svg [data-n="${number}"]`)) {
    if (isOn && each.dataset.f === undefined) {
      each.dataset.f = "pointed";
      // The last part of a way lies above that of whoever lost there.
      if (each.parentElement.classList.contains("ways")) each.parentElement.append(each);
    } else if (!isOn && each.dataset.f === "pointed") delete each.dataset.f;
  }
}

// Zoom, minimap and the ways of winner and loser come after the picture, which is whole without them.
function steerSheets() {
  if (document.querySelector("[data-zoom]")) import("./bracket.js").then(({ steer }) => steer(), () => {});
}

function chooseAtOnce() {
  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".follow__select")) event.target.form.requestSubmit();
  });
}

// News do not replace a part from which a form was just sent, nor one that says why a report was refused.
function leaveWhatIsSent() {
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    if (isBusy(detail.target)) detail.shouldSwap = false;
  });
  // The page has no place for a part yet, as when a draw is published: reload it.
  document.addEventListener("htmx:oobErrorNoTarget", () => {
    if (!hasTypedFields() && !isBusy(document.body)) location.reload();
  });
}

// The answer to a form needs the part it was sent from; forms with data-passes do not. An open list of choices would close.
function isBusy(element) {
  const busy = "form.htmx-request:not([data-passes]), .mine__form:has([aria-invalid]), select:focus";
  return element.matches(busy) || element.querySelector(busy) !== null;
}

// A wide screen shows the picture of a bracket and a narrow one its lists: news of the other need not come.
function askForWhatIsShown() {
  const wide = matchMedia("(min-width: 48rem)");
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, parameters } = event.detail;
    if (elt.id !== "event-live" || !document.querySelector(".sheet-pane")) return;
    parameters.shows = wide.matches ? "picture" : "lists";
  });
  // What was not shown may be old.
  wide.addEventListener("change", () => {
    if (document.querySelector(".sheet-pane")) htmx.trigger("#event-live", "live");
  });
}
