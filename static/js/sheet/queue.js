// Unsent taps: stored on the phone until the server has them, sent in order, each with its key.

import { loadValue, saveValue } from "../board/storage.js";

const RETRY_MS = 3000;

export class Queue {
  #name;
  #timer = 0;
  #isSending = false;

  /** `send(tap)` resolves to true for a tap that is recorded, here or by another phone, to false for a refused one, and throws otherwise. */
  constructor(name, { send, changed }) {
    this.#name = name;
    this.send = send;
    this.changed = changed;
    window.addEventListener("online", () => this.flush());
  }

  get taps() {
    return loadValue(this.#name) ?? [];
  }

  add(tap) {
    saveValue(this.#name, [...this.taps, tap]);
    this.changed();
    this.flush();
  }

  async flush() {
    if (this.#isSending) return;
    clearTimeout(this.#timer);
    this.#isSending = true;
    try {
      while (this.taps.length) {
        const [first] = this.taps;
        const isWritten = await this.send(first);
        // Taps after a refused one were made on a wrong sheet.
        const rest = isWritten ? this.taps.filter((tap) => tap.key !== first.key) : [];
        saveValue(this.#name, rest.length ? rest : null);
        this.changed();
      }
    } catch {
      this.#timer = setTimeout(() => this.flush(), RETRY_MS);
    } finally {
      this.#isSending = false;
    }
  }
}
