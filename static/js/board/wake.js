// A screen on a wall must not go dark while a match is on.

/** Keep the screen awake wherever the browser lets us, and again whenever the page comes back to the front. */
export function stayAwake() {
  if (!("wakeLock" in navigator)) return;
  const ask = () => !document.hidden && navigator.wakeLock.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", ask);
  ask();
}
