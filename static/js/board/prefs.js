// Preferences for the table, stored in this browser. Unknown values are replaced by the first.
//
// theme; men: the colours of the checkers; mine: which of the two is the viewer's; home and direction: the orientation
// (R03, R06); marks: signs on the checkers; numbers, pips: whether they are shown; speed: 0 instant, 1 slow, 2, 3
// fast; tap: whether a tap on a checker plays or lifts it; keys: single-letter shortcuts; confirm: whether a whole play needs confirmation;
// sound: the volume.

const STORAGE_KEY = "barpoint.table";

export const CHOICES = {
  theme: ["club", "sea", "night", "flat", "clear"],
  men: ["board", "ruby", "amber", "slate"],
  mine: ["as-dealt", "light", "dark"],
  home: ["right", "left"],
  direction: ["counter-clockwise", "clockwise"],
  marks: [false, true],
  numbers: [true, false],
  pips: [true, false],
  speed: [2, 0, 1, 3],
  tap: ["play", "lift"],
  keys: [true, false],
  confirm: [true, false],
  sound: [0, 1, 2, 3],
};

export class Preferences extends EventTarget {
  constructor(storage = findStorage()) {
    super();
    this.storage = storage;
    this.values = sanitize(this.load());
    globalThis.addEventListener?.("storage", (event) => event.key === STORAGE_KEY && this.reload());
  }

  get(name) {
    return this.values[name];
  }

  /** Change some, store them, and dispatch "change". */
  set(changes) {
    this.values = sanitize({ ...this.values, ...changes });
    try {
      this.storage?.setItem(STORAGE_KEY, JSON.stringify(this.values));
    } catch {
      // Storage is full or blocked: the changes last as long as the page.
    }
    this.dispatchEvent(new Event("change"));
  }

  reload() {
    this.values = sanitize(this.load());
    this.dispatchEvent(new Event("change"));
  }

  load() {
    try {
      return JSON.parse(this.storage?.getItem(STORAGE_KEY) ?? "{}") ?? {};
    } catch {
      return {};
    }
  }
}

function sanitize(values) {
  const entries = Object.entries(CHOICES).map(([name, all]) => [
    name,
    all.includes(values[name]) ? values[name] : all[0],
  ]);
  return Object.fromEntries(entries);
}

function findStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
