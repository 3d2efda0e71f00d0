// Parts of a page that change often. The page's one stream says that they have changed (live.js).

// What changes with every move is asked for once in so many milliseconds at most, and only while it is seen.
export function pace(element, reload) {
  const next = (element.liveAsked ?? 0) + Number(element.dataset.pace);
  clearTimeout(element.liveTimer);
  element.liveTimer = setTimeout(() => {
    if (!isSeen(element)) {
      waitForEyes(element, reload);
      return;
    }
    element.liveAsked = Date.now();
    reload(element);
  }, Math.max(60, next - Date.now()));
}

function isSeen(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return !document.hidden && element.isConnected && bottom > 0 && top < window.innerHeight;
}

function waitForEyes(element, reload) {
  if (element.liveWaits) return;
  element.liveWaits = true;
  const look = () => {
    if (element.isConnected && !isSeen(element)) return;
    observer.disconnect();
    document.removeEventListener("visibilitychange", look);
    element.liveWaits = false;
    if (element.isConnected) pace(element, reload);
  };
  const observer = new IntersectionObserver(look);
  observer.observe(element);
  document.addEventListener("visibilitychange", look);
}
