// Questions beside the board: to be ready, to answer a resignation, to wait, and what follows a match.
//
// If the game itself asks (roll, play, double, take), the table's buttons are in this place.

import { capped } from "./seats.js";

export class Panel {
  /** `page` is the page of the match: client, say, names, and the acts of its buttons. */
  constructor({ ask, buttons, page }) {
    Object.assign(this, { ask, buttons, page, shown: null });
    this.box = ask.parentElement;
    this.acts = document.getElementById("acts");
  }

  get isLost() {
    return this.page.client.hand?.isLost ?? false;
  }

  // A command is under way, or the dice that it needs are not here yet.
  get mustWait() {
    return Boolean(this.page.client.pending) || !this.page.client.hand;
  }

  show() {
    const found = this.question();
    this.box.hidden = found === null;
    this.acts.hidden = found !== null;
    const key = JSON.stringify(found && [found.text, found.buttons?.map(({ name, isOff, href }) => [name, isOff, href])]);
    if (found === null || key === this.shown) {
      this.shown = key;
      return;
    }
    this.shown = key;
    this.ask.textContent = found.text;
    this.arrange(found.buttons ?? []);
  }

  /** Show these buttons. One that is there already is not replaced: a click that has begun on it would be lost. */
  arrange(wanted) {
    const hadFocus = this.buttons.contains(document.activeElement);
    const present = new Map([...this.buttons.children].map((each) => [each.dataset.panel, each]));
    const buttons = wanted.map(({ name, act = null, kind = "", isOff = false, href = "" }) => {
      const button = present.get(name) ?? this.create(name, href);
      return Object.assign(button, { onclick: act, disabled: isOff, className: `button button--large ${kind}`.trim() });
    });
    for (const each of present.values()) if (!buttons.includes(each)) each.remove();
    for (const [place, each] of buttons.entries())
      if (this.buttons.children[place] !== each) this.buttons.insertBefore(each, this.buttons.children[place] ?? null);
    if (hadFocus && !this.buttons.contains(document.activeElement)) this.buttons.firstElementChild?.focus({ preventScroll: true });
  }

  create(name, href) {
    const button = document.createElement(href ? "a" : "button");
    if (href) button.href = href;
    else button.type = "button";
    button.textContent = this.page.say(`do.${name}`);
    button.dataset.panel = name;
    return button;
  }

  /** The current question, or null if the table asks itself. */
  question() {
    const { page } = this;
    const { client, say } = page;
    const { snapshot } = client;
    if (page.walked) return { text: say("ask.replay"), buttons: [{ name: "live", kind: "button--primary", act: () => page.moves.go(null) }] };
    if (client.isOver) return this.ending();
    if (snapshot.status === "paused") return { text: say("ask.paused") };
    if (this.isLost) return { text: say("ask.lost"), buttons: [{ name: "forgo", act: () => client.hand.forgo() }] };
    if (snapshot.roll.stage !== "ready") return { text: this.waiting() };
    if (snapshot.phase === "opening") return this.opening();
    if (client.isHeldUp) return this.inTheAir();
    if (snapshot.phase === "resigning") return this.resigning();
    return null;
  }

  // Before the dice are sealed no roll is possible.
  waiting() {
    const { client, say, names } = this.page;
    const { owing } = client.snapshot;
    if (client.isMine) return say("ask.sealing");
    return owing.length === 1 ? say("ask.waiting", { name: names[owing[0]] }) : say("ask.opening-watch");
  }

  opening() {
    const { page } = this;
    const { client, say, names } = page;
    const { owing, results } = client.snapshot;
    if (client.me === null) return { text: this.after(results, say("ask.opening-watch")) };
    if (!client.isMine) {
      const text = owing.length ? say("ask.not-ready", { name: names[owing[0]] }) : say("ask.opening-watch");
      return { text: this.after(results, text) };
    }
    const text = results.length ? say("ask.next", { result: this.told(results.at(-1)) }) : say("ask.ready");
    const ready = { name: "ready", kind: "button--primary", isOff: this.mustWait, act: () => page.command({ type: "roll" }) };
    return { text, buttons: [ready] };
  }

  after(results, text) {
    return results.length ? `${this.told(results.at(-1))} ${text}` : text;
  }

  inTheAir() {
    const { client, say, names } = this.page;
    const { asked } = client.snapshot.roll;
    const waitsFor = asked.by === "white" ? "black" : "white";
    if (waitsFor === client.me) return { text: say("ask.giving") };
    return { text: say(client.terms.control ? "ask.air-clock" : "ask.air", { name: names[waitsFor] }) };
  }

  resigning() {
    const { page } = this;
    const { client, say, names } = page;
    const { resignation } = client.snapshot;
    const what = say(`what.${resignation.level}`);
    const answers = resignation.by === "white" ? "black" : "white";
    if (answers === client.me) {
      const { you } = client;
      const accept = { name: "accept", isOff: this.mustWait, act: () => page.command({ type: "accept" }) };
      // Disabled until the server has said whether it may be refused.
      const decline = { name: "decline", isOff: this.mustWait || !you, act: () => page.command({ type: "decline" }) };
      const why = you?.may_not.decline?.title;
      const asked = say("ask.resigned", { name: names[resignation.by], what });
      return why ? { text: `${asked} ${why}`, buttons: [accept] } : { text: asked, buttons: [accept, decline] };
    }
    if (resignation.by === client.me) return { text: say("ask.wait-answer", { what, name: names[answers] }) };
    return { text: say("ask.wait-answer-watch", { what, name: names[answers], other: names[resignation.by] }) };
  }

  ending() {
    const { page } = this;
    const { client, say, names, data } = page;
    const { outcome, score } = client.snapshot;
    const buttons = [];
    let rematch = { text: "", buttons: [] };
    if (client.me !== null) {
      if (data.is_visitor) buttons.push({ name: "again", kind: "button--primary", act: () => document.getElementById("again").requestSubmit() });
      else if (page.rematch) rematch = page.rematch.question(say, names[client.opponent]);
      buttons.push(...rematch.buttons);
    }
    buttons.push({ name: "replay", href: data.links.replay }, { name: "dice", href: data.links.dice });
    const after = rematch.text ? ` ${rematch.text}` : "";
    if (outcome.winner === null) return { text: say("match.void") + after, buttons };
    const points = capped(score, client.terms);
    if (outcome.winner !== "white") points.reverse();
    const values = { name: names[outcome.winner], score: `${points[0]}\u2013${points[1]}` };
    const why = ["flag", "concession", "ruling"].includes(outcome.how) ? `${say(`match.${outcome.how}`)} ` : "";
    return { text: why + say(outcome.winner === client.me ? "match.you-won" : "match.won", values) + after, buttons };
  }

  /** The end of a game, in a sentence. */
  told({ winner, how, kind, points }) {
    const { say, names } = this.page;
    if (winner === null) return say("won.void");
    const key = how === "bearoff" ? `won.bearoff.${kind}` : `won.${how}`;
    return say(key === "won.report" ? "won.ruling" : key, { name: names[winner], points: say.count("points", points) });
  }
}
