// Sounds of the table, synthesised by `./sounds.js`, which the first one loads. Silent by default.

const VOLUMES = [0, 0.12, 0.3, 0.6];

export class Sound {
  /** `prefs` have the volume. Browsers allow sound only after the first touch or key. */
  constructor(prefs) {
    this.prefs = prefs;
    this.context = null;
  }

  /** Play "man", "hit", "dice", "cube", "turn" or "low". */
  async play(name) {
    const volume = VOLUMES[this.prefs.get("sound")];
    if (!volume || !globalThis.AudioContext || globalThis.navigator?.userActivation?.hasBeenActive === false) return;
    this.context ??= new AudioContext();
    if (this.context.state === "suspended") this.context.resume().catch(() => {});
    // A sound whose module cannot be loaded is skipped; it only accompanies what the page shows.
    const { SOUNDS } = await import("./sounds.js").catch(() => ({ SOUNDS: {} }));
    SOUNDS[name]?.(this.context, volume);
  }
}
