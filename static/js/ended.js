// A page that its viewer may no longer see. This is rare, so the module is loaded on demand.

import { hasTypedFields } from "./swaps.js";
import { toast } from "./toast.js";

const RELOADED = "live:reloaded";
const LONGEST_QUIET_MS = 60 * 1000;
// For this time after a form was sent, another page is expected.
const LEAVING_MS = 10 * 1000;

/** Reload the page, which then explains itself. `sentAt`: when a form of it was last sent. */
export function end(sentAt) {
  // Signing out revokes access, too: a reload would cancel the page that is coming.
  const left = sentAt + LEAVING_MS - Date.now();
  if (left > 0) {
    const timer = setTimeout(() => end(sentAt), left);
    window.addEventListener("pagehide", () => clearTimeout(timer), { once: true });
    return;
  }
  // Typed text is not thrown away: the viewer reloads the page themselves.
  const before = Number(sessionStorage.getItem(RELOADED) ?? 0);
  if (hasTypedFields() || Date.now() - before < LONGEST_QUIET_MS) {
    toast(document.querySelector("#toasts")?.dataset.ended, { error: true });
    return;
  }
  sessionStorage.setItem(RELOADED, Date.now());
  location.reload();
}
