// Limits reloads of parts that change often (live.js).

// At most one reload in `data-pace` milliseconds, and only while the part is visible.
export function pace(element, reload) {
  const next = (element.liveAsked ?? 0) + Number(element.dataset.pace);
  clearTimeout(element.liveTimer);
  element.liveTimer = setTimeout(() => {
    if (!isVisible(element)) {
      waitUntilVisible(element, reload);
      return;
    }
    element.liveAsked = Date.now();
    reload(element);
  }, Math.max(60, next - Date.now()));
}

function isVisible(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return !document.hidden && element.isConnected && bottom > 0 && top < window.innerHeight;
}

function waitUntilVisible(element, reload) {
  if (element.liveWaits) return;
  element.liveWaits = true;
  const check = () => {
    if (element.isConnected && !isVisible(element)) return;
    observer.disconnect();
    document.removeEventListener("visibilitychange", check);
    element.liveWaits = false;
    if (element.isConnected) pace(element, reload);
  };
  const observer = new IntersectionObserver(check);
  observer.observe(element);
  document.addEventListener("visibilitychange", check);
}
