/* Scores that are typed at the desk and not entered. Every request for the desk names them, so that the answer can say in their
   rows what has changed of their matches. */

import { isRefused, isTyped } from "./swaps.js";

const SCORE = ".match__entry input[name=score]";
// An address has room for so many.
const MOST = 30;

document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters } }) => {
  if (!document.querySelector("#desk-live")?.contains(elt)) return;
  const rows = unsent()
    .filter(({ form }) => form !== elt)
    .slice(0, MOST);
  if (rows.length) parameters.unsent = JSON.stringify(rows.map(describe));
});

// What was typed of a match that has ended is given up.
document.addEventListener("click", (event) => {
  const row = event.target.closest?.("[data-leave]")?.closest("li");
  if (!row) return;
  event.preventDefault();
  row.remove();
  document.querySelector(SCORE)?.focus({ preventScroll: true });
});

function unsent() {
  return [...document.querySelectorAll(SCORE)].filter((each) => isTyped(each) || isRefused(each));
}

function describe({ value, form }) {
  return { match: form.elements.match.value, score: value, expects: form.elements.expects?.value ?? "" };
}
