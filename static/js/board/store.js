// What this browser keeps of a match. Where it may keep nothing, it is kept as long as the page is open.

const memory = new Map();

function works() {
  try {
    window.localStorage.setItem("barpoint.test", "1");
    window.localStorage.removeItem("barpoint.test");
    return true;
  } catch {
    return false;
  }
}

/** A store like localStorage, for the Keeper of chains too. */
export const store = works()
  ? window.localStorage
  : {
      getItem: (name) => memory.get(name) ?? null,
      setItem: (name, value) => memory.set(name, value),
      removeItem: (name) => memory.delete(name),
    };

/** Read what was kept as JSON; null for nothing, or nothing that can be read. */
export function kept(name) {
  try {
    return JSON.parse(store.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** Keep a value, or forget it where it is null. */
export function keep(name, value) {
  try {
    if (value === null) store.removeItem(name);
    else store.setItem(name, JSON.stringify(value));
  } catch {
    // A full store: what was to be kept is lost with the page, and play goes on.
  }
}
