// <section data-changes-in="840">: reload this part in so many seconds, because time alone changes it.

import { refresh } from "./live.js";

// Browsers' timers overflow after 24 days.
const LONGEST_MS = 3_600_000;

let timer = 0;

function watch() {
  clearTimeout(timer);
  const part = document.querySelector("[data-changes-in]");
  if (!part) return;
  const wait = Math.min(1000 * Number(part.dataset.changesIn), LONGEST_MS);
  timer = setTimeout(() => refresh(part.closest("[data-live]")), wait);
}

for (const change of ["htmx:oobAfterSwap", "htmx:afterSwap"]) document.addEventListener(change, watch);
watch();
