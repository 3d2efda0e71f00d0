// A page that the service worker shows without connection brings this along (templates/offline.html): whatever else of the
// page was never loaded, it is loaded again as soon as the server can be reached.

// Browsers notice a network that is back, but no server.
const LOOK_MS = 5000;

window.addEventListener("online", reloadIfReachable);
setInterval(reloadIfReachable, LOOK_MS);

// A reload scrolls to what stood at the top, which is below the bar now; browsers do so before or after this.
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
