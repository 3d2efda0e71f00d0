// A race that is played to its end by itself, as soon as both have pressed; either may stop it by pressing again.
//
// The server rolls and plays; an open page gives its share of each roll (`./dice_hand.js`), as it always does.

import { isRace, read } from "./position.js";

export class Race {
  /** `button` stands in the head of the page. */
  constructor(page, button) {
    Object.assign(this, { page, button, isBusy: false });
    button.addEventListener("click", () => this.press());
    page.client.addEventListener("change", () => this.show());
    this.show();
  }

  get agreed() {
    return this.page.client.snapshot.playing_out ?? [];
  }

  get isMine() {
    return this.agreed.includes(this.page.client.me);
  }

  get isPossible() {
    const { phase, status, board } = this.page.client.snapshot;
    return status === "live" && ["to-roll", "to-play"].includes(phase) && isRace(read(board));
  }

  show() {
    const { button, page } = this;
    const { client } = page;
    const isAsked = this.agreed.includes(client.opponent) && !this.isMine;
    const words = this.words(isAsked);
    button.hidden = !this.isPossible || client.hand === null;
    button.disabled = this.isBusy;
    button.classList.toggle("is-asked", isAsked && !button.hidden);
    if (button.textContent === words) return;
    button.textContent = words;
    if (isAsked && !button.hidden) {
      page.table.speak(page.say("race.asked", { name: page.names[client.opponent] }));
      page.table.sound.play("turn");
    }
  }

  words(isAsked) {
    const { say } = this.page;
    if (isAsked) return say("race.agree");
    if (!this.isMine) return say("race.play");
    return this.agreed.length > 1 ? say("race.stop") : say("race.waiting");
  }

  async press() {
    this.isBusy = true;
    this.show();
    const { client } = this.page;
    try {
      // No share goes along: until both have agreed, the roller may double.
      await client.order({ type: "play-out", stop: this.isMine });
    } catch (problem) {
      this.page.refused(problem);
    } finally {
      this.isBusy = false;
      this.show();
    }
  }
}
