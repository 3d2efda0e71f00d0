// A race that is played out automatically when both players agree; either may stop it.
//
// The server rolls and plays; an open page sends its share of each roll (`./dice_agent.js`) as usual.

import { isRace, parsePosition } from "./position.js";

export class Race {
  /** `button` is in the head of the page. */
  constructor(page, button) {
    Object.assign(this, { page, button, isBusy: false });
    button.addEventListener("click", () => this.handlePress());
    page.client.addEventListener("change", () => this.render());
    this.render();
  }

  get agreed() {
    return this.page.client.snapshot.playing_out ?? [];
  }

  get isMine() {
    return this.agreed.includes(this.page.client.me);
  }

  get isPossible() {
    const { phase, status, board } = this.page.client.snapshot;
    return status === "live" && ["to-roll", "to-play"].includes(phase) && isRace(parsePosition(board));
  }

  render() {
    const { button, page } = this;
    const { client } = page;
    const isAsked = this.agreed.includes(client.opponent) && !this.isMine;
    const label = this.describeAct(isAsked);
    button.hidden = !this.isPossible || client.diceAgent === null;
    button.disabled = this.isBusy;
    button.classList.toggle("is-asked", isAsked && !button.hidden);
    if (button.textContent === label) return;
    button.textContent = label;
    if (isAsked && !button.hidden) {
      page.table.announce(page.translate("race.asked", { name: page.names[client.opponent] }));
      page.table.sound.play("turn");
    }
  }

  describeAct(isAsked) {
    const { translate } = this.page;
    if (isAsked) return translate("race.agree");
    if (!this.isMine) return translate("race.play");
    return this.agreed.length > 1 ? translate("race.stop") : translate("race.waiting");
  }

  async handlePress() {
    this.isBusy = true;
    this.render();
    const { client } = this.page;
    try {
      // Sent without a share: until both agree, the roller may double.
      await client.sendAutomatic({ type: "play-out", stop: this.isMine });
    } catch (problem) {
      this.page.handleRefusal(problem);
    } finally {
      this.isBusy = false;
      this.render();
    }
  }
}
