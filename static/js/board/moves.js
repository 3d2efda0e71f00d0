// The match as a list: a heading and a score sheet for each game; every position of it can be shown.
//
// Built from the frames of the journal: the earlier ones are loaded when the page is idle, later ones
// arrive live. While an earlier position is shown, the match continues in the background.

import { Scrubber } from "../replay/scrubber.js";
import { isNoted } from "./notes.js";
import { ask } from "./post.js";
import { Sheet } from "./sheet.js";

export class Moves {
  /** `onWalk` gets {state, line} of an earlier position, or null for the current one. */
  constructor(element, { client, say, scrubber, onWalk }) {
    Object.assign(this, { element, client, say, onWalk, at: null });
    this.entries = [];
    this.game = null;
    this.last = 0;
    this.waiting = [];
    this.isRead = false;
    client.addEventListener("frame", ({ detail: { frame } }) => (this.isRead ? this.add(frame) : this.waiting.push(frame)));
    element.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-entry]");
      if (button) this.go(Number(button.dataset.entry));
    });
    this.scrubber = new Scrubber(scrubber);
    this.scrubber.addEventListener("go", ({ detail }) => this.go(detail));
  }

  /** Load the match from its beginning. */
  async read() {
    const upto = this.client.head;
    try {
      for (let more = true; more; ) {
        const page = await ask(`${this.client.api}journal/?after=${this.last}`);
        const frames = page.frames.filter((frame) => frame.line.seq <= upto && frame.line.seq > this.last);
        if (this.last === 0) this.element.replaceChildren();
        frames.forEach((frame) => this.add(frame, { isQuiet: true }));
        more = page.more && this.last < upto && frames.length > 0;
      }
    } catch {
      setTimeout(() => this.read(), 5000);
      return;
    }
    this.isRead = true;
    this.waiting.splice(0).forEach((frame) => this.add(frame, { isQuiet: true }));
    this.scroll();
    this.tell();
  }

  add(frame, { isQuiet = false } = {}) {
    const { line, state } = frame;
    if (line.seq <= this.last) return;
    this.last = line.seq;
    const before = this.before ?? state;
    this.before = state;
    if (!isNoted(line)) return;
    const entry = this.entries.length;
    this.entries.push({ state, line });
    if (line.fact.fact === "opened") {
      this.begin(state, entry);
    } else this.write(line, before, { entry, state });
    if (!isQuiet) {
      this.scroll();
      this.tell();
    }
  }

  begin(state, entry) {
    this.sheet = new Sheet({ state, entry, players: this.client.players, say: this.say });
    this.element.append(...this.sheet.parts);
  }

  write(line, before, { entry, state }) {
    if (!this.sheet) this.begin(state, null);
    const side = line.fact.side ?? (state.turn || "white");
    const dice = line.fact.fact === "played" ? (before.dice ?? "") : "";
    this.sheet.write(line, before, { entry, side, dice });
  }

  /** Show the position of an entry; null, or an index after the last, is the current one. */
  go(entry) {
    const isNow = entry === null || entry >= this.entries.length - 1;
    this.at = isNow || !this.entries.length ? null : Math.max(0, entry);
    this.tell();
    this.onWalk(this.at === null ? null : this.entries[this.at]);
  }

  tell() {
    const { scrubber, entries, at } = this;
    const last = Math.max(0, entries.length - 1);
    scrubber.show(at ?? last, last, this.say(at === null ? "moves.live" : "moves.at", { n: (at ?? last) + 1, of: last + 1 }));
    this.element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (at === null) return;
    const button = this.element.querySelector(`[data-entry="${at}"]`);
    button?.setAttribute("aria-current", "true");
    this.bring(button);
  }

  // Scrolls only the list, never the page.
  bring(button) {
    if (!button) return;
    const { element } = this;
    const box = button.getBoundingClientRect();
    const frame = element.getBoundingClientRect();
    // The names of the game stay at the top of the list.
    const top = frame.top + (button.closest("table")?.tHead.offsetHeight ?? 0);
    if (box.top < top) element.scrollTop -= top - box.top + 8;
    if (box.bottom > frame.bottom) element.scrollTop += box.bottom - frame.bottom + 8;
  }

  scroll() {
    if (this.at === null) this.element.scrollTop = this.element.scrollHeight;
  }
}
