// An absent opponent on a board without a clock: the time to return, and what can be claimed afterwards.

import { spelled } from "./clock.js";

const SECOND = 1000;
// A share of the dice that is late because of a slow connection is not shown.
const PATIENCE_MS = 20 * SECOND;
// The time for a player who was already absent when the turn began (matches/state/terms.py: AWHILE).
const AWHILE_MS = 86_400 * SECOND;

// Counts whole seconds, with none left over at the end.
function whole(left, say) {
  const seconds = Math.ceil(left / SECOND);
  return seconds < 10 ? `0:0${seconds}` : spelled(seconds * SECOND, say);
}

export class Away {
  /** `box` has a sentence and a button; `page` is the page of the match. */
  constructor(box, page) {
    Object.assign(this, { box, page, told: "" });
    const { client } = page;
    this.button = box.querySelector("button");
    this.button.addEventListener("click", () => page.command({ type: "claim-absence" }));
    for (const name of ["change", "presence", "sent"]) client.addEventListener(name, () => this.show());
    this.show();
  }

  show() {
    clearTimeout(this.timer);
    const found = this.found();
    this.box.hidden = found === null;
    if (found === null) {
      this.told = "";
      return;
    }
    const { client, table } = this.page;
    this.box.firstElementChild.textContent = found.text;
    this.button.hidden = found.left > 0 || found.what === "adjourn";
    this.button.disabled = Boolean(client.pending);
    this.button.textContent = this.button.hidden ? "" : this.page.say(`do.claim.${found.what}`);
    // Announced at the beginning, and when a claim is possible, not each second.
    const told = `${found.what} ${found.left > 0}`;
    if (this.told !== told) table.speak(found.text);
    this.told = told;
    if (found.left > 0) this.timer = setTimeout(() => this.show(), found.left % SECOND || SECOND);
  }

  /** The sentence, and the time until a claim; null if the opponent is present or not expected. */
  found() {
    const { client, say, names, language } = this.page;
    const { snapshot, terms, opponent } = client;
    const isAwaited = snapshot.owing.length === 1 && snapshot.owing[0] === opponent;
    if (client.isOver || snapshot.status !== "live" || !isAwaited) return null;
    const since = this.since();
    if (since === null) return null;
    const left = since.at + since.leave - client.pulse.now();
    const what = snapshot.phase === "resigning" ? "resign" : terms.claim;
    if (since.isShare && left > terms.leave - PATIENCE_MS) {
      this.timer = setTimeout(() => this.show(), left - terms.leave + PATIENCE_MS);
      return null;
    }
    const first = say(since.isShare ? "away.share" : "away.gone", { name: names[opponent] });
    const date = new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(snapshot.deadline);
    const key = what === "adjourn" || left > 0 ? `away.${what}` : `away.may.${what}`;
    return { what, left, text: `${first} ${say(key, { time: whole(left, say), date })}` };
  }

  // The time since when they are missing. Automatic shares of a browser count as missing even if its player is present.
  since() {
    const { snapshot, terms, presence, opponent } = this.page.client;
    const { leave } = terms;
    const awaited = snapshot.deadline - terms.limit;
    if (snapshot.roll.asked || snapshot.roll.stage !== "ready") return { at: awaited, leave, isShare: true };
    const gone = presence[`${opponent}_since`] ?? null;
    if (gone === null) return null;
    return { at: Math.max(gone, awaited), leave: gone >= awaited - leave ? leave : Math.max(leave, AWHILE_MS), isShare: false };
  }
}
