// Keeps the screen on during a match.

/** Request a wake lock where the browser has it, and again whenever the page becomes visible. */
export function stayAwake() {
  if (!("wakeLock" in navigator)) return;
  const requestLock = () => !document.hidden && navigator.wakeLock.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", requestLock);
  requestLock();
}
