// The tutor of a practice match: after each play the server is asked for its opinion. Until then the bot waits.

import { getJson, sendJson } from "./api.js";

// An analysis takes a fraction of a second, and seconds while the engine starts: the polling slows down.
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 3000;
const MAX_TRIES = 25;
// Without a possible double these come automatically.
const AUTOMATIC_FACTS = ["rolled", "asked"];

export class Tutor {
  /** `box` has an element for each message; `data-address` is where to ask. */
  constructor(page, box) {
    Object.assign(this, { page, box, address: box.dataset.address, requestCount: 0 });
    for (const button of box.querySelectorAll("[data-answer]")) button.addEventListener("click", () => this.answer(button.dataset.answer));
    page.client.addEventListener("frame", ({ detail }) => this.handleLine(detail.frame.line));
    page.client.addEventListener("change", () => page.client.isOver && this.showLines());
    this.poll("ready");
  }

  handleLine({ by, fact }) {
    const { me } = this.page.client;
    const isAct = fact.side === me && !(this.isAsking && AUTOMATIC_FACTS.includes(fact.fact));
    if (by === me && fact.fact === "played") this.poll("good");
    // The message stays while the bot rolls and plays, until the player's next act or play.
    else if (isAct || fact.fact === "taken-back") this.showLines("ready");
  }

  get isAsking() {
    return !this.box.querySelector("[data-says=asking]").hidden;
  }

  /** Poll until the play is analysed; `otherwise` is shown if there is nothing to criticise. */
  async poll(fallback) {
    const request = ++this.requestCount;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const opinion = await getJson(this.address).catch(() => null);
      // A later play has been made.
      if (request !== this.requestCount) return;
      if (opinion && !opinion.looking) {
        this.showOpinion(opinion, fallback);
        return;
      }
      if (opinion) this.showLines("looking");
      await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * (1 + tries / 2))));
    }
    this.showLines("engine");
  }

  showOpinion({ asking, hint, silence }, fallback) {
    if (hint) {
      this.setValue("loss", hint.loss.toLocaleString(this.page.language, { minimumFractionDigits: 3, maximumFractionDigits: 3 }));
      this.setValue("played", hint.played);
      this.setValue("best", hint.best);
      this.box.querySelector("details").open = false;
      this.page.table.sound.play("low");
    }
    const lines = hint ? ["hint", "best"] : [(fallback === "good" || asking) && silence ? silence : fallback];
    this.showLines(...lines, ...(asking ? ["asking"] : []));
  }

  async answer(answer) {
    const request = ++this.requestCount;
    this.setBusy(true);
    try {
      const opinion = await sendJson(this.address, JSON.stringify({ answer }));
      // On a slow connection the next play may have been made and sent for analysis.
      if (request === this.requestCount) this.showOpinion(opinion, "ready");
    } catch (problem) {
      this.page.handleRefusal(problem);
      this.poll("ready");
    } finally {
      this.setBusy(false);
    }
  }

  setBusy(isBusy) {
    for (const button of this.box.querySelectorAll("[data-answer]")) button.disabled = isBusy;
  }

  setValue(name, words) {
    this.box.querySelector(`[data-value="${name}"]`).textContent = words;
  }

  /** Show these lines only; after the match, how to begin another. */
  showLines(...shown) {
    const lines = this.page.client.isOver ? ["over"] : shown;
    for (const each of this.box.querySelectorAll("[data-says]")) each.hidden = !lines.includes(each.dataset.says);
  }
}
