// Hints for a player's first board, each shown once: sound, how the dice are sealed, automatic rolls,
// and the gold ring. One at a time, over the head of the page, closed by a press.

import { keep, kept } from "./store.js";

const TOLD = "barpoint.told";
const USUAL_LOUDNESS = 2;

export class Hints {
  /** `box` shows them; `switcher` is the button that turns the sound on and off. */
  constructor(page, { box, switcher }) {
    Object.assign(this, { page, box, switcher, waiting: [], shown: null, sent: null });
    const { client, prefs } = page;
    prefs.addEventListener("change", () => this.tellSound());
    switcher.addEventListener("click", () => this.turn(!prefs.get("sound")));
    switcher.hidden = false;
    this.tellSound();
    if (client.me === null) return;
    client.addEventListener("sent", () => (this.sent = client.pending?.type));
    client.addEventListener("frame", ({ detail }) => this.watch(detail.frame.line.fact));
    client.addEventListener("change", () => this.look());
    if (!prefs.get("sound")) this.offer("sound");
    // The dice may have become ready before this module was loaded.
    this.look(page.data.whole.snapshot);
    this.look();
  }

  // -- sound

  turn(isOn) {
    const { prefs, table } = this.page;
    prefs.set({ sound: isOn ? USUAL_LOUDNESS : 0 });
    if (isOn) table.sound.play("turn");
    if (this.shown === "sound") this.putAway();
  }

  tellSound() {
    const { say, prefs } = this.page;
    this.switcher.textContent = prefs.get("sound") > 0 ? say("sound.on") : say("sound.off");
  }

  // -- choosing a hint

  look({ owing, roll, status } = this.page.client.snapshot) {
    const { client } = this.page;
    const isMine = owing.includes(client.me);
    if (isMine && roll.stage !== "ready" && (status === "waiting" || status === "live")) this.offer("seal");
    if (client.turn && client.snapshot.turn === client.me && client.snapshot.phase === "to-play") this.offer("ring");
  }

  // A roll was made automatically, without a press.
  watch({ fact, side }) {
    if (fact !== "rolled" || side !== this.page.client.me) return;
    if (this.sent !== "roll") this.offer("roll");
    this.sent = null;
  }

  offer(name) {
    if ((kept(TOLD) ?? []).includes(name) || this.waiting.includes(name) || this.shown === name) return;
    this.waiting.push(name);
    if (this.shown === null) this.next();
  }

  // -- showing a hint

  next() {
    this.shown = this.waiting.shift() ?? null;
    this.box.hidden = this.shown === null;
    if (this.shown === null) return;
    const words = document.createElement("p");
    words.textContent = this.page.say(`hint.${this.shown}`);
    this.box.replaceChildren(words, ...this.answers());
  }

  answers() {
    if (this.shown !== "sound") return [this.button("hint.ok", () => this.putAway())];
    return [this.button("hint.yes", () => this.turn(true)), this.button("hint.no", () => this.turn(false))];
  }

  button(words, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button--small";
    button.textContent = this.page.say(words);
    button.addEventListener("click", act);
    return button;
  }

  putAway() {
    keep(TOLD, [...(kept(TOLD) ?? []), this.shown]);
    this.next();
  }
}
