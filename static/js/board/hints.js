// Hints for a player's first board, each shown once: sound, how the dice are sealed, automatic rolls,
// and the gold ring. One at a time, over the head of the page, closed by a press.

import { loadValue, saveValue } from "./storage.js";

const SHOWN_KEY = "barpoint.told";
const DEFAULT_LOUDNESS = 2;

export class Hints {
  /** `box` shows them; `switcher` is the button that turns the sound on and off. */
  constructor(page, { box, switcher }) {
    Object.assign(this, { page, box, switcher, queue: [], shown: null, sent: null });
    const { client, prefs } = page;
    prefs.addEventListener("change", () => this.renderSwitcher());
    switcher.addEventListener("click", () => this.setSound(!prefs.get("sound")));
    switcher.hidden = false;
    this.renderSwitcher();
    if (client.me === null) return;
    client.addEventListener("sent", () => (this.sent = client.pending?.type));
    client.addEventListener("frame", ({ detail }) => this.handleFact(detail.frame.line.fact));
    client.addEventListener("change", () => this.checkState());
    if (!prefs.get("sound")) this.queueHint("sound");
    // The dice may have become ready before this module was loaded.
    this.checkState(page.data.whole.snapshot);
    this.checkState();
  }

  // -- sound

  setSound(isOn) {
    const { prefs, table } = this.page;
    prefs.set({ sound: isOn ? DEFAULT_LOUDNESS : 0 });
    if (isOn) table.sound.play("turn");
    if (this.shown === "sound") this.dismiss();
  }

  renderSwitcher() {
    const { translate, prefs } = this.page;
    this.switcher.textContent = prefs.get("sound") > 0 ? translate("sound.on") : translate("sound.off");
  }

  // -- choosing a hint

  checkState({ owing, roll, status } = this.page.client.snapshot) {
    const { client } = this.page;
    const isMine = owing.includes(client.me);
    if (isMine && roll.stage !== "ready" && (status === "waiting" || status === "live")) this.queueHint("seal");
    if (client.turn && client.snapshot.turn === client.me && client.snapshot.phase === "to-play") this.queueHint("ring");
  }

  // A roll was made automatically, without a press.
  handleFact({ fact, side }) {
    if (fact !== "rolled" || side !== this.page.client.me) return;
    if (this.sent !== "roll") this.queueHint("roll");
    this.sent = null;
  }

  queueHint(name) {
    if ((loadValue(SHOWN_KEY) ?? []).includes(name) || this.queue.includes(name) || this.shown === name) return;
    this.queue.push(name);
    if (this.shown === null) this.showNext();
  }

  // -- showing a hint

  showNext() {
    this.shown = this.queue.shift() ?? null;
    this.box.hidden = this.shown === null;
    if (this.shown === null) return;
    const words = document.createElement("p");
    words.textContent = this.page.translate(`hint.${this.shown}`);
    this.box.replaceChildren(words, ...this.createButtons());
  }

  createButtons() {
    if (this.shown !== "sound") return [this.createButton("hint.ok", () => this.dismiss())];
    return [this.createButton("hint.yes", () => this.setSound(true)), this.createButton("hint.no", () => this.setSound(false))];
  }

  createButton(words, onClick) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button--small";
    button.textContent = this.page.translate(words);
    button.addEventListener("click", onClick);
    return button;
  }

  dismiss() {
    saveValue(SHOWN_KEY, [...(loadValue(SHOWN_KEY) ?? []), this.shown]);
    this.showNext();
  }
}
