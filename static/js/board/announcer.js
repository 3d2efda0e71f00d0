// Texts for screen readers: a live region with a sentence for each move, and answers to shortcuts.

import { describePips } from "./play_texts.js";

const MAX_LINES = 6;

export class Announcer {
  constructor(table) {
    this.table = table;
    this.last = "";
    this.element = document.createElement("div");
    this.element.className = "visually-hidden";
    this.element.setAttribute("aria-live", "polite");
  }

  announce(sentence) {
    if (!sentence) return;
    const line = document.createElement("p");
    line.textContent = sentence;
    this.element.append(line);
    while (this.element.children.length > MAX_LINES) this.element.firstChild.remove();
  }

  announceLastPlay() {
    this.announce(this.last || this.table.translate("said.no-last"));
  }

  announcePips() {
    const { state, options, position, viewpoint, translate } = this.table;
    if (state && options.pips !== false) this.announce(describePips(position, viewpoint, translate));
  }
}
