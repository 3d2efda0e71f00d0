// The tutor of a practice match: after each play of one's own the server is asked what it thinks of it. Until then the bot waits.

import { ask, send } from "./post.js";

// It takes a fraction of a second to look at a play, and seconds while the engine starts: it is asked less and less often.
const AGAIN_MS = 300;
const SELDOM_MS = 3000;
const MOST_TRIES = 25;
// Where no double is possible these come by themselves.
const ROLLS = ["rolled", "asked"];

export class Tutor {
  /** `box` has a line for all it may say, and says in `data-address` where it asks. */
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
    // What was said is read while the bot rolls and plays; it goes with the player's next act, or with the play itself.
    else if (isAct || fact.fact === "taken-back") this.tell("ready");
  }

  get isAsking() {
    return !this.box.querySelector("[data-says=asking]").hidden;
  }

  /** Ask until it has looked; `otherwise` is said where nothing is the matter. */
  async look(otherwise) {
    const number = ++this.asked;
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const found = await ask(this.address).catch(() => null);
      // A later play is asked about by now.
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
      // On a slow line the next play may have been made and asked about meanwhile.
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

  /** Show these lines and no others; when the match is over, how to begin another. */
  tell(...shown) {
    const lines = this.page.client.isOver ? ["over"] : shown;
    for (const each of this.box.querySelectorAll("[data-says]")) each.hidden = !lines.includes(each.dataset.says);
  }
}
