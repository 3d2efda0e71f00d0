// Registers the service worker (templates/venue/worker.js) after the page has loaded, and sends it the viewer, so that it deletes
// pages cached for others. Browsers have it only over HTTPS and on localhost.

if (document.readyState === "complete") start();
else window.addEventListener("load", start, { once: true });

async function start() {
  const { viewer, theme, contrast } = document.documentElement.dataset;
  try {
    await navigator.serviceWorker.register("/sw.js", { scope: "/" });
  } catch {
    // Blocked in this browser.
    return;
  }
  // Error pages do not name the viewer.
  if (viewer === undefined) return;
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ viewer, look: [document.documentElement.lang, theme, contrast].join(" ") });
}
