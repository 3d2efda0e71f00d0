// The clock on the page: two halves to tap, a button to pause, and the notice of a fallen flag.

import { fallen, reading, shown, turnOf } from "./clock.js";

const SECOND = 1000;

export class Face {
  #timer = 0;
  #held = null;

  /** `put(tap)` records a tap, `watch()` returns the server's time, `words` are the texts of the page. */
  constructor(root, { put, watch, words }) {
    Object.assign(this, { root, put, watch, words });
    for (const form of root.querySelectorAll("form")) {
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const { do: act, side } = Object.fromEntries(new FormData(form));
        if (act) this.put({ do: act, side: side ?? "", number: this.#held.taps + 1 });
      });
    }
    document.addEventListener("visibilitychange", () => this.#paint());
  }

  /** Show a clock, updated while it runs. `isOpen`: it can be tapped; `mayStop`: it can be paused. */
  show(held, { isOpen, mayStop }) {
    this.#held = held;
    Object.assign(this, { isOpen, mayStop });
    this.#paint();
  }

  #paint() {
    clearTimeout(this.#timer);
    const held = this.#held;
    if (!held) return;
    const at = this.watch();
    const [turn, out, isRunning] = [turnOf(held), fallen(held, at), held.clock.since !== null];
    for (const half of this.root.querySelectorAll("[data-face]")) this.#half(half, held, { at, turn, out, isRunning });
    const stop = this.root.querySelector("[data-stop]");
    stop.hidden = !turn || Boolean(out) || !(this.isOpen || (this.mayStop && isRunning));
    stop.elements.do.value = isRunning ? "pause" : "resume";
    write(stop.querySelector("button"), isRunning ? this.words.pause : this.words.resume);
    const flag = this.root.querySelector("[data-flag]");
    flag.hidden = !out;
    write(flag, out ? this.words.flag.replace("%(name)s", this.words.players[out === "a" ? 0 : 1]) : "");
    const renew = this.root.querySelector("[data-renew]");
    renew.hidden = !out || !held.credit || !this.isOpen;
    renew.elements.side.value = out;
    this.root.querySelector("[data-take-back]").hidden = !held.prior || !this.isOpen;
    if (isRunning && !out && !document.hidden) this.#timer = setTimeout(() => this.#paint(), 100);
  }

  #half(form, held, { at, turn, out, isRunning }) {
    const side = form.dataset.face;
    const { reserve, delay } = shown(held, side, at);
    const hasTurn = turn === side;
    const button = form.querySelector("button");
    const act = turn ? (hasTurn && isRunning && !out ? "press" : "") : "start";
    form.elements.do.value = act;
    button.disabled = !act || !this.isOpen;
    button.classList.toggle("is-running", hasTurn && isRunning && !out);
    button.classList.toggle("has-turn", hasTurn);
    button.classList.toggle("is-fallen", out === side);
    write(button.querySelector("[data-reserve]"), reading(reserve));
    write(button.querySelector("[data-free]"), hasTurn && delay ? `+${Math.ceil(delay / SECOND)}` : "");
    const name = this.words.players[side === "a" ? 0 : 1];
    const told = { start: this.words.begins.replace("%(name)s", name), press: this.words.press };
    const still = out === side ? this.words.out : hasTurn ? this.words.toPlay : name;
    write(button.querySelector("[data-does]"), told[act] ?? still);
  }
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
