// The match as a list: a heading for each game, the moves in notation, and a walk to any position of them.
//
// It is made of the journal's frames: those from the beginning are fetched when the page has come to rest, later ones
// come as they happen. While somebody looks at an earlier position, what happens goes on behind it.

import { isNoted, noted } from "./notes.js";
import { ask } from "./post.js";

export class Moves {
  /** `onWalk` hears {state, line} of an earlier position, or null when it is now again. */
  constructor(element, { client, say, walk, onWalk }) {
    Object.assign(this, { element, client, say, onWalk, at: null });
    this.entries = [];
    this.roll = null;
    this.game = null;
    this.last = 0;
    this.waiting = [];
    this.isRead = false;
    client.addEventListener("frame", ({ detail: { frame } }) => (this.isRead ? this.add(frame) : this.waiting.push(frame)));
    element.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-entry]");
      if (button) this.go(Number(button.dataset.entry));
    });
    this.walk = walk;
    walk.first.addEventListener("click", () => this.go(0));
    walk.back.addEventListener("click", () => this.go((this.at ?? this.entries.length - 1) - 1));
    walk.on.addEventListener("click", () => this.go((this.at ?? this.entries.length) + 1));
    walk.last.addEventListener("click", () => this.go(null));
  }

  /** Fetch the match from its beginning. */
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
    if (line.fact.fact === "rolled") this.roll = line.fact.dice;
    if (!isNoted(line)) return;
    const entry = this.entries.length;
    this.entries.push({ state, line });
    if (line.fact.fact === "opened") {
      this.roll = state.dice;
      this.head(state, entry);
    } else {
      if (!this.list) this.head(state, null);
      this.list.append(this.row(line, before, entry, state));
    }
    if (!isQuiet) {
      this.scroll();
      this.tell();
    }
  }

  // A game begins: a heading with the score that leads to its first position, and a list under it.
  head(state, entry) {
    const title = document.createElement("h3");
    title.className = "moves__game";
    const score = `${state.score[0]}\u2013${state.score[1]}`;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "moves__move";
    if (entry === null) button.disabled = true;
    else button.dataset.entry = String(entry);
    button.textContent = `${this.say("moves.game", { n: state.game })} ${this.say("moves.score", { score })}`;
    title.append(button);
    this.list = document.createElement("ol");
    this.list.className = "moves__list";
    this.element.append(title, this.list);
  }

  row(line, before, entry, state) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "moves__move";
    button.dataset.entry = String(entry);
    const side = line.fact.side ?? (state.turn || "white");
    item.dataset.side = side;
    const man = document.createElement("span");
    man.className = "seat__man seat__man--small";
    man.dataset.side = side;
    const name = document.createElement("span");
    name.className = "visually-hidden";
    name.textContent = `${this.client.players[side].name}: `;
    const dice = document.createElement("span");
    dice.className = "moves__dice num";
    dice.textContent = line.fact.fact === "played" ? (this.roll ?? "") : "";
    const words = document.createElement("span");
    words.className = "moves__words";
    words.textContent = noted(line, before, this.say);
    button.append(man, name, dice, words);
    item.append(button);
    return item;
  }

  /** Show an entry's position; null, or beyond the last, is now. */
  go(entry) {
    const isNow = entry === null || entry >= this.entries.length;
    this.at = isNow || !this.entries.length ? null : Math.max(0, entry);
    this.tell();
    this.onWalk(this.at === null ? null : this.entries[this.at]);
  }

  get isWalking() {
    return this.at !== null;
  }

  tell() {
    const { walk, entries, at } = this;
    walk.first.disabled = walk.back.disabled = entries.length === 0 || at === 0;
    walk.on.disabled = walk.last.disabled = at === null;
    this.element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (at === null) return;
    const button = this.element.querySelector(`[data-entry="${at}"]`);
    button?.setAttribute("aria-current", "true");
    this.bring(button);
  }

  // Only the list scrolls, never the page under somebody's hands.
  bring(button) {
    if (!button) return;
    const { element } = this;
    const box = button.getBoundingClientRect();
    const frame = element.getBoundingClientRect();
    if (box.top < frame.top) element.scrollTop -= frame.top - box.top + 8;
    if (box.bottom > frame.bottom) element.scrollTop += box.bottom - frame.bottom + 8;
  }

  scroll() {
    if (this.at === null) this.element.scrollTop = this.element.scrollHeight;
  }
}
