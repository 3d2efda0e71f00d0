// What somebody likes about the table, kept in this browser. Values that are not known are taken for the first.
//
// theme: how it looks; men: the checkers' colours; mine: which of the two are one's own; home and direction: how it
// lies (R03, R06); marks: signs on the checkers; numbers, pips: whether they are written; speed: 0 at once, 1 slow, 2, 3
// quick; tap: whether a tap on a checker plays it or lifts it; keys: single letters act; confirm: a whole play is sent when that is said;
// sound: how loud.

const KEY = "barpoint.table";

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
  constructor(storage = safeStorage()) {
    super();
    this.storage = storage;
    this.values = known(this.kept());
    globalThis.addEventListener?.("storage", (event) => event.key === KEY && this.reload());
  }

  get(name) {
    return this.values[name];
  }

  /** Change one or several, keep them, and tell whoever listens for "change". */
  set(changes) {
    this.values = known({ ...this.values, ...changes });
    try {
      this.storage?.setItem(KEY, JSON.stringify(this.values));
    } catch {
      // A full or forbidden store: they hold until the page is left.
    }
    this.dispatchEvent(new Event("change"));
  }

  reload() {
    this.values = known(this.kept());
    this.dispatchEvent(new Event("change"));
  }

  kept() {
    try {
      return JSON.parse(this.storage?.getItem(KEY) ?? "{}") ?? {};
    } catch {
      return {};
    }
  }
}

function known(values) {
  const entries = Object.entries(CHOICES).map(([name, all]) => [
    name,
    all.includes(values[name]) ? values[name] : all[0],
  ]);
  return Object.fromEntries(entries);
}

function safeStorage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}
