// The service worker (templates/venue/worker.js): registered once the page has loaded, and sent the viewer, so that it deletes
// what it keeps of others. Browsers have it only over HTTPS and on localhost.

if (document.readyState === "complete") start();
else window.addEventListener("load", start, { once: true });

async function start() {
  const { viewer, theme, contrast } = document.documentElement.dataset;
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
