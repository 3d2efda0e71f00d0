// Part of every page that the service worker shows offline (templates/offline.html). It reloads the page as soon as the server
// answers, even if no other script could be loaded.

// Browsers report that the network is back, but not that the server is.
const LOOK_MS = 5000;

window.addEventListener("online", reloadIfReachable);
setInterval(reloadIfReachable, LOOK_MS);

// After a reload browsers restore the scroll position, which is now below the bar; some do so later than this.
const bar = document.querySelector(".as-of");
if (bar) {
  showBar();
  window.addEventListener("scroll", showBar, { once: true });
}

async function reloadIfReachable() {
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

function showBar() {
  if (window.scrollY <= bar.offsetHeight) window.scrollTo(0, 0);
}
