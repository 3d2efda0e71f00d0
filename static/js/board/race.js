// A race that is played out automatically when both players agree; either may stop it.
//
// The server rolls and plays; an open page sends its share of each roll (`./dice_hand.js`) as usual.

import { isRace, read } from "./position.js";

export class Race {
  /** `button` is in the head of the page. */
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
      // Sent without a share: until both agree, the roller may double.
      await client.order({ type: "play-out", stop: this.isMine });
    } catch (problem) {
      this.page.refused(problem);
    } finally {
      this.isBusy = false;
      this.show();
    }
  }
}
