// An absent opponent on a board without a clock: the time to return, and what can be claimed afterwards.

import { formatDuration } from "./clock.js";

const SECOND = 1000;
// A share of the dice that is late because of a slow connection is not shown.
const SHARE_GRACE_MS = 20 * SECOND;
// The time for a player who was already absent when the turn began (matches/state/terms.py: AWHILE).
const LONG_LEAVE_MS = 86_400 * SECOND;

// Counts whole seconds, with none left over at the end.
function formatCountdown(remaining, translate) {
  const seconds = Math.ceil(remaining / SECOND);
  return seconds < 10 ? `0:0${seconds}` : formatDuration(seconds * SECOND, translate);
}

export class Away {
  /** `box` has a sentence and a button; `page` is the page of the match. */
  constructor(box, page) {
    Object.assign(this, { box, page, announced: "" });
    const { client } = page;
    this.button = box.querySelector("button");
    this.button.addEventListener("click", () => page.sendCommand({ type: "claim-absence" }));
    for (const name of ["change", "presence", "sent"]) client.addEventListener(name, () => this.render());
    this.render();
  }

  render() {
    clearTimeout(this.timer);
    const absence = this.describeAbsence();
    this.box.hidden = absence === null;
    if (absence === null) {
      this.announced = "";
      return;
    }
    const { client, table } = this.page;
    this.box.firstElementChild.textContent = absence.text;
    this.button.hidden = absence.remaining > 0 || absence.action === "adjourn";
    this.button.disabled = Boolean(client.pending);
    this.button.textContent = this.button.hidden ? "" : this.page.translate(`do.claim.${absence.action}`);
    // Announced at the beginning, and when a claim is possible, not each second.
    const announcement = `${absence.action} ${absence.remaining > 0}`;
    if (this.announced !== announcement) table.announce(absence.text);
    this.announced = announcement;
    if (absence.remaining > 0) this.timer = setTimeout(() => this.render(), absence.remaining % SECOND || SECOND);
  }

  /** The sentence, and the time until a claim; null if the opponent is present or not expected. */
  describeAbsence() {
    const { client, translate, names, language } = this.page;
    const { snapshot, terms, opponent } = client;
    const isAwaited = snapshot.owing.length === 1 && snapshot.owing[0] === opponent;
    if (client.isOver || snapshot.status !== "live" || !isAwaited) return null;
    const absence = this.findAbsence();
    if (absence === null) return null;
    const remaining = absence.at + absence.leave - client.serverClock.now();
    const action = snapshot.phase === "resigning" ? "resign" : terms.claim;
    if (absence.isShareLate && remaining > terms.leave - SHARE_GRACE_MS) {
      this.timer = setTimeout(() => this.render(), remaining - terms.leave + SHARE_GRACE_MS);
      return null;
    }
    const reason = translate(absence.isShareLate ? "away.share" : "away.gone", { name: names[opponent] });
    const date = new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(snapshot.deadline);
    const claimKey = action === "adjourn" || remaining > 0 ? `away.${action}` : `away.may.${action}`;
    return { action, remaining, text: `${reason} ${translate(claimKey, { time: formatCountdown(remaining, translate), date })}` };
  }

  // The time since when they are missing. Automatic shares of a browser count as missing even if its player is present.
  findAbsence() {
    const { snapshot, terms, presence, opponent } = this.page.client;
    const { leave } = terms;
    const awaited = snapshot.deadline - terms.limit;
    if (snapshot.roll.asked || snapshot.roll.stage !== "ready") return { at: awaited, leave, isShareLate: true };
    const leftAt = presence[`${opponent}_since`] ?? null;
    if (leftAt === null) return null;
    return { at: Math.max(leftAt, awaited), leave: leftAt >= awaited - leave ? leave : Math.max(leave, LONG_LEAVE_MS), isShareLate: false };
  }
}
