// Sounds of the table, made on the spot (`./sounds.js`, fetched by the first one). Silent unless asked for.

const LOUDNESS = [0, 0.12, 0.3, 0.6];

export class Sound {
  /** `prefs` say how loud; nothing is made before somebody has touched the page, as browsers demand. */
  constructor(prefs) {
    this.prefs = prefs;
    this.context = null;
  }

  /** Play "man", "hit", "dice", "cube", "turn" or "low". */
  async play(name) {
    const loud = LOUDNESS[this.prefs.get("sound")];
    if (!loud || !globalThis.AudioContext || globalThis.navigator?.userActivation?.hasBeenActive === false) return;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") this.context.resume().catch(() => {});
    // A sound that the line was too weak to bring is left out: whatever it goes with is on the page.
    const { SOUNDS } = await import("./sounds.js").catch(() => ({ SOUNDS: {} }));
    SOUNDS[name]?.(this.context, loud);
  }
}
