// <section data-changes-in="840">: if nothing happens, what is shown is otherwise in so many seconds, and is asked for anew then.

import { refresh } from "./live.js";

let timer = 0;

function watch() {
  clearTimeout(timer);
  const part = document.querySelector("[data-changes-in]");
  if (part) timer = setTimeout(() => refresh(part.closest("[data-live]")), 1000 * Number(part.dataset.changesIn));
}

for (const change of ["htmx:oobAfterSwap", "htmx:afterSwap"]) document.addEventListener(change, watch);
watch();
