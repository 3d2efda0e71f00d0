// Texts for screen readers: a live region with a sentence for each move, and answers to shortcuts.

import { pipWords } from "./say.js";

const KEPT = 6;

export class Voice {
  constructor(table) {
    this.table = table;
    this.last = "";
    this.element = document.createElement("div");
    this.element.className = "visually-hidden";
    this.element.setAttribute("aria-live", "polite");
  }

  speak(sentence) {
    if (!sentence) return;
    const line = document.createElement("p");
    line.textContent = sentence;
    this.element.append(line);
    while (this.element.children.length > KEPT) this.element.firstChild.remove();
  }

  sayLast() {
    this.speak(this.last || this.table.say("said.no-last"));
  }

  sayPips() {
    const { state, options, position, seen, say } = this.table;
    if (state && options.pips !== false) this.speak(pipWords(position, seen, say));
  }
}
