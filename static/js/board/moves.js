// The match as a list: a heading and a score sheet for each game; every position of it can be shown.
//
// Built from the frames of the journal: the earlier ones are loaded when the page is idle, later ones
// arrive live. While an earlier position is shown, the match continues in the background.

import { Scrubber } from "../replay/scrubber.js";
import { isListed } from "./move_texts.js";
import { getJson } from "./api.js";
import { Sheet } from "./sheet.js";

export class Moves {
  /** `onSelect` gets {state, line} of an earlier position, or null for the current one. */
  constructor(element, { client, translate, scrubber, onSelect }) {
    Object.assign(this, { element, client, translate, onSelect, current: null });
    this.entries = [];
    this.game = null;
    this.lastSeq = 0;
    this.queue = [];
    this.isLoaded = false;
    client.addEventListener("frame", ({ detail: { frame } }) => (this.isLoaded ? this.add(frame) : this.queue.push(frame)));
    element.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-entry]");
      if (button) this.showEntry(Number(button.dataset.entry));
    });
    this.scrubber = new Scrubber(scrubber);
    this.scrubber.addEventListener("go", ({ detail }) => this.showEntry(detail));
  }

  /** Load the match from its beginning. */
  async load() {
    const headAtStart = this.client.head;
    try {
      for (let more = true; more; ) {
        const page = await getJson(`${this.client.api}journal/?after=${this.lastSeq}`);
        const frames = page.frames.filter((frame) => frame.line.seq <= headAtStart && frame.line.seq > this.lastSeq);
        if (this.lastSeq === 0) this.element.replaceChildren();
        frames.forEach((frame) => this.add(frame, { isQuiet: true }));
        more = page.more && this.lastSeq < headAtStart && frames.length > 0;
      }
    } catch {
      setTimeout(() => this.load(), 5000);
      return;
    }
    this.isLoaded = true;
    this.queue.splice(0).forEach((frame) => this.add(frame, { isQuiet: true }));
    this.scrollToEnd();
    this.renderCurrent();
  }

  add(frame, { isQuiet = false } = {}) {
    const { line, state } = frame;
    if (line.seq <= this.lastSeq) return;
    this.lastSeq = line.seq;
    const before = this.previousState ?? state;
    this.previousState = state;
    if (!isListed(line)) return;
    const entry = this.entries.length;
    this.entries.push({ state, line });
    if (line.fact.fact === "opened") {
      this.startSheet(state, entry);
    } else this.addMove(line, before, { entry, state });
    if (!isQuiet) {
      this.scrollToEnd();
      this.renderCurrent();
    }
  }

  startSheet(state, entry) {
    this.sheet = new Sheet({ state, entry, players: this.client.players, translate: this.translate });
    this.element.append(...this.sheet.parts);
  }

  addMove(line, before, { entry, state }) {
    if (!this.sheet) this.startSheet(state, null);
    const side = line.fact.side ?? (state.turn || "white");
    const dice = line.fact.fact === "played" ? (before.dice ?? "") : "";
    this.sheet.addMove(line, before, { entry, side, dice });
  }

  /** Show the position of an entry; null, or an index after the last, is the current one. */
  showEntry(entry) {
    const isCurrent = entry === null || entry >= this.entries.length - 1;
    this.current = isCurrent || !this.entries.length ? null : Math.max(0, entry);
    this.renderCurrent();
    this.onSelect(this.current === null ? null : this.entries[this.current]);
  }

  renderCurrent() {
    const { scrubber, entries, current } = this;
    const last = Math.max(0, entries.length - 1);
    scrubber.show(current ?? last, last, this.translate(current === null ? "moves.live" : "moves.at", { n: (current ?? last) + 1, of: last + 1 }));
    this.element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (current === null) return;
    const button = this.element.querySelector(`[data-entry="${current}"]`);
    button?.setAttribute("aria-current", "true");
    this.scrollTo(button);
  }

  // Scrolls only the list, never the page.
  scrollTo(button) {
    if (!button) return;
    const { element } = this;
    const box = button.getBoundingClientRect();
    const frame = element.getBoundingClientRect();
    // The names of the game stay at the top of the list.
    const top = frame.top + (button.closest("table")?.tHead.offsetHeight ?? 0);
    if (box.top < top) element.scrollTop -= top - box.top + 8;
    if (box.bottom > frame.bottom) element.scrollTop += box.bottom - frame.bottom + 8;
  }

  scrollToEnd() {
    if (this.current === null) this.element.scrollTop = this.element.scrollHeight;
  }
}
