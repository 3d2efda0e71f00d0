// Part of every page that the service worker shows without a connection (templates/offline.html). It reloads the page as soon as
// the server answers, even if none of the page's own scripts could be loaded.

// Browsers report that the network is back, but not that a server is.
const LOOK_MS = 5000;

window.addEventListener("online", reloadIfReachable);
setInterval(reloadIfReachable, LOOK_MS);

// A reload scrolls to the old top of the page, which is below the bar now; browsers do so before or after this.
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
