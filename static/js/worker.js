// The service worker (templates/venue/worker.js): registered once the page has loaded, and sent the viewer, so that it deletes
// what it keeps of others. Browsers have it only over HTTPS and on localhost.

if (document.readyState === "complete") start();
else window.addEventListener("load", start, { once: true });

async function start() {
  const { viewer, theme, contrast } = document.documentElement.dataset;
  // A page that was shown without connection is out of date. The connection may have come back before this script was there.
  if (document.querySelector("[data-kept]")) {
    window.addEventListener("online", reloadIfReachable);
    if (navigator.onLine) reloadIfReachable();
  }
  // A reload puts back what stood at the top, which is below the bar now; browsers do so before or after this.
  const bar = document.querySelector(".as-of");
  if (bar) {
    showBar(bar);
    window.addEventListener("scroll", () => showBar(bar), { once: true });
  }
  try {
    await navigator.serviceWorker.register("/sw.js", { scope: "/" });
  } catch {
    // Switched off in this browser.
    return;
  }
  // Error pages do not know who is looking.
  if (viewer === undefined) return;
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ viewer, look: [document.documentElement.lang, theme, contrast].join(" ") });
}

async function reloadIfReachable() {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

function showBar(bar) {
  if (window.scrollY <= bar.offsetHeight) window.scrollTo(0, 0);
}
