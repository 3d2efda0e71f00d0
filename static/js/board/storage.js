// What this browser stores for a match. Without storage it lasts as long as the page.

const memory = new Map();

function isStorageAvailable() {
  try {
    window.localStorage.setItem("barpoint.test", "1");
    window.localStorage.removeItem("barpoint.test");
    return true;
  } catch {
    return false;
  }
}

/** A store with the interface of localStorage, also used by `ChainStore`. */
export const store = isStorageAvailable()
  ? window.localStorage
  : {
      getItem: (name) => memory.get(name) ?? null,
      setItem: (name, value) => memory.set(name, value),
      removeItem: (name) => memory.delete(name),
    };

/** Read a value as JSON; null if there is none, or an unreadable one. */
export function loadValue(name) {
  try {
    return JSON.parse(store.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value; null removes it. */
export function saveValue(name, value) {
  try {
    if (value === null) store.removeItem(name);
    else store.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is full: the value is lost with the page.
  }
}
