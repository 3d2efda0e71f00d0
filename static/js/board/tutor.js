// The tutor of a practice match: after each play the server is asked for its opinion. Until then the bot waits.

import { ask, send } from "./post.js";

// An analysis takes a fraction of a second, and seconds while the engine starts: the polling slows down.
const AGAIN_MS = 300;
const SELDOM_MS = 3000;
const MOST_TRIES = 25;
// Without a possible double these come automatically.
const ROLLS = ["rolled", "asked"];

export class Tutor {
  /** `box` has an element for each message; `data-address` is where to ask. */
  constructor(page, box) {
    Object.assign(this, { page, box, address: box.dataset.address, asked: 0 });
    for (const button of box.querySelectorAll("[data-answer]")) button.addEventListener("click", () => this.answer(button.dataset.answer));
    page.client.addEventListener("frame", ({ detail }) => this.hear(detail.frame.line));
    page.client.addEventListener("change", () => page.client.isOver && this.tell());
    this.look("ready");
  }

  hear({ by, fact }) {
    const { me } = this.page.client;
    const isAct = fact.side === me && !(this.isAsking && ROLLS.includes(fact.fact));
    if (by === me && fact.fact === "played") this.look("good");
    // The message stays while the bot rolls and plays, until the player's next act or play.
    else if (isAct || fact.fact === "taken-back") this.tell("ready");
  }

  get isAsking() {
    return !this.box.querySelector("[data-says=asking]").hidden;
  }

  /** Poll until the play is analysed; `otherwise` is shown if there is nothing to criticise. */
  async look(otherwise) {
    const number = ++this.asked;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const found = await ask(this.address).catch(() => null);
      // A later play has been made.
      if (number !== this.asked) return;
      if (found && !found.looking) {
        this.show(found, otherwise);
        return;
      }
      if (found) this.tell("looking");
      await new Promise((resolve) => setTimeout(resolve, Math.min(SELDOM_MS, AGAIN_MS * (1 + tries / 2))));
    }
    this.tell("engine");
  }

  show({ asking, hint, silence }, otherwise) {
    if (hint) {
      this.value("loss", hint.loss.toLocaleString(this.page.language, { minimumFractionDigits: 3, maximumFractionDigits: 3 }));
      this.value("played", hint.played);
      this.value("best", hint.best);
      this.box.querySelector("details").open = false;
      this.page.table.sound.play("low");
    }
    const said = hint ? ["hint", "best"] : [(otherwise === "good" || asking) && silence ? silence : otherwise];
    this.tell(...said, ...(asking ? ["asking"] : []));
  }

  async answer(answer) {
    const number = ++this.asked;
    this.busy(true);
    try {
      const found = await send(this.address, JSON.stringify({ answer }));
      // On a slow connection the next play may have been made and sent for analysis.
      if (number === this.asked) this.show(found, "ready");
    } catch (problem) {
      this.page.refused(problem);
      this.look("ready");
    } finally {
      this.busy(false);
    }
  }

  busy(isBusy) {
    for (const button of this.box.querySelectorAll("[data-answer]")) button.disabled = isBusy;
  }

  value(name, words) {
    this.box.querySelector(`[data-value="${name}"]`).textContent = words;
  }

  /** Show these lines only; after the match, how to begin another. */
  tell(...shown) {
    const lines = this.page.client.isOver ? ["over"] : shown;
    for (const each of this.box.querySelectorAll("[data-says]")) each.hidden = !lines.includes(each.dataset.says);
  }
}
