// What becomes of a page whose viewer may no longer see it. Seldom enough not to be loaded with every page.

import { hasTypedFields } from "./swaps.js";
import { toast } from "./toast.js";

const RELOADED = "live:reloaded";
const LONGEST_QUIET_MS = 60 * 1000;
// Whoever sends a form is on the way to another page, unless it takes longer.
const LEAVING_MS = 10 * 1000;

/** Load the page anew, which says what is the matter. `sentAt` is when a form of it was last sent. */
export function end(sentAt) {
  // Signing out ends the right as well: to load this page anew would take away the one that is coming.
  const left = sentAt + LEAVING_MS - Date.now();
  if (left > 0) {
    const timer = setTimeout(() => end(sentAt), left);
    window.addEventListener("pagehide", () => clearTimeout(timer), { once: true });
    return;
  }
  // What somebody has typed is theirs, and stays until they load the page themselves.
  const before = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (hasTypedFields() || Date.now() - before < LONGEST_QUIET_MS) {
    toast(document.querySelector("#toasts")?.dataset.ended, { error: true });
    return;
  }
  sessionStorage.setItem(RELOADED, Date.now());
  location.reload();
}
