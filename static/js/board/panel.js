// Questions beside the board: to be ready, to answer a resignation, to wait, and what follows a match.
//
// If the game itself asks (roll, play, double, take), the table's buttons are in this place.

import { capScore } from "./seats.js";

export class Panel {
  /** `page` is the page of the match: client, translate, names, and the acts of its buttons. */
  constructor({ ask, buttons, page }) {
    Object.assign(this, { ask, buttons, page, shown: null });
    this.box = ask.parentElement;
    this.acts = document.getElementById("acts");
  }

  get isChainMissing() {
    return this.page.client.diceAgent?.isChainMissing ?? false;
  }

  // A command is under way, or the dice that it needs are not here yet.
  get mustWait() {
    return Boolean(this.page.client.pending) || !this.page.client.diceAgent;
  }

  render() {
    const question = this.findQuestion();
    this.box.hidden = question === null;
    this.acts.hidden = question !== null;
    const key = JSON.stringify(question && [question.text, question.buttons?.map(({ name, isOff, href }) => [name, isOff, href])]);
    if (question === null || key === this.shown) {
      this.shown = key;
      return;
    }
    this.shown = key;
    this.ask.textContent = question.text;
    this.renderButtons(question.buttons ?? []);
  }

  /** Show these buttons. One that is there already is not replaced: a click that has begun on it would be lost. */
  renderButtons(wanted) {
    const hadFocus = this.buttons.contains(document.activeElement);
    const present = new Map([...this.buttons.children].map((each) => [each.dataset.panel, each]));
    const buttons = wanted.map(({ name, act = null, kind = "", isOff = false, href = "" }) => {
      const button = present.get(name) ?? this.createButton(name, href);
      return Object.assign(button, { onclick: act, disabled: isOff, className: `button button--large ${kind}`.trim() });
    });
    for (const each of present.values()) if (!buttons.includes(each)) each.remove();
    for (const [place, each] of buttons.entries())
      if (this.buttons.children[place] !== each) this.buttons.insertBefore(each, this.buttons.children[place] ?? null);
    if (hadFocus && !this.buttons.contains(document.activeElement)) this.buttons.firstElementChild?.focus({ preventScroll: true });
  }

  createButton(name, href) {
    const button = document.createElement(href ? "a" : "button");
    if (href) button.href = href;
    else button.type = "button";
    button.textContent = this.page.translate(`do.${name}`);
    button.dataset.panel = name;
    return button;
  }

  // null if the table asks itself.
  findQuestion() {
    const { page } = this;
    const { client, translate } = page;
    const { snapshot } = client;
    if (page.shownEntry) return { text: translate("ask.replay"), buttons: [{ name: "live", kind: "button--primary", act: () => page.moves.showEntry(null) }] };
    if (client.isOver) return this.createEndQuestion();
    if (snapshot.status === "paused") return { text: translate("ask.paused") };
    if (this.isChainMissing) return { text: translate("ask.lost"), buttons: [{ name: "forgo", act: () => client.diceAgent.forgo() }] };
    if (snapshot.roll.stage !== "ready") return { text: this.describeWaiting() };
    if (snapshot.phase === "opening") return this.createOpeningQuestion();
    if (client.isShareLate) return this.createShareQuestion();
    if (snapshot.phase === "resigning") return this.createResignationQuestion();
    return null;
  }

  // Before the dice are sealed no roll is possible.
  describeWaiting() {
    const { client, translate, names } = this.page;
    const { owing } = client.snapshot;
    if (client.isMine) return translate("ask.sealing");
    return owing.length === 1 ? translate("ask.waiting", { name: names[owing[0]] }) : translate("ask.opening-watch");
  }

  createOpeningQuestion() {
    const { page } = this;
    const { client, translate, names } = page;
    const { owing, results } = client.snapshot;
    if (client.me === null) return { text: this.prefixResult(results, translate("ask.opening-watch")) };
    if (!client.isMine) {
      const text = owing.length ? translate("ask.not-ready", { name: names[owing[0]] }) : translate("ask.opening-watch");
      return { text: this.prefixResult(results, text) };
    }
    const text = results.length ? translate("ask.next", { result: this.describeResult(results.at(-1)) }) : translate("ask.ready");
    const ready = { name: "ready", kind: "button--primary", isOff: this.mustWait, act: () => page.sendCommand({ type: "roll" }) };
    return { text, buttons: [ready] };
  }

  prefixResult(results, text) {
    return results.length ? `${this.describeResult(results.at(-1))} ${text}` : text;
  }

  createShareQuestion() {
    const { client, translate, names } = this.page;
    const { asked } = client.snapshot.roll;
    const lateSide = asked.by === "white" ? "black" : "white";
    if (lateSide === client.me) return { text: translate("ask.giving") };
    return { text: translate(client.terms.control ? "ask.air-clock" : "ask.air", { name: names[lateSide] }) };
  }

  createResignationQuestion() {
    const { page } = this;
    const { client, translate, names } = page;
    const { resignation } = client.snapshot;
    const what = translate(`what.${resignation.level}`);
    const answeringSide = resignation.by === "white" ? "black" : "white";
    if (answeringSide === client.me) {
      const { you } = client;
      const accept = { name: "accept", isOff: this.mustWait, act: () => page.sendCommand({ type: "accept" }) };
      // Disabled until the server has said whether it may be refused.
      const decline = { name: "decline", isOff: this.mustWait || !you, act: () => page.sendCommand({ type: "decline" }) };
      const reason = you?.may_not.decline?.title;
      const text = translate("ask.resigned", { name: names[resignation.by], what });
      return reason ? { text: `${text} ${reason}`, buttons: [accept] } : { text, buttons: [accept, decline] };
    }
    if (resignation.by === client.me) return { text: translate("ask.wait-answer", { what, name: names[answeringSide] }) };
    return { text: translate("ask.wait-answer-watch", { what, name: names[answeringSide], other: names[resignation.by] }) };
  }

  createEndQuestion() {
    const { page } = this;
    const { client, translate, names, data } = page;
    const { outcome: { winner, how }, score } = client.snapshot;
    const buttons = [];
    let rematch = { text: "", buttons: [] };
    if (client.me !== null) {
      if (data.is_visitor) buttons.push({ name: "again", kind: "button--primary", act: () => document.getElementById("again").requestSubmit() });
      else if (page.rematch) rematch = page.rematch.findQuestion(translate, names[client.opponent]);
      buttons.push(...rematch.buttons);
    }
    buttons.push({ name: "replay", href: data.links.replay }, { name: "dice", href: data.links.dice });
    const suffix = rematch.text ? ` ${rematch.text}` : "";
    if (winner === null) return { text: `${data.void_reason} ${translate("match.void")}`.trim() + suffix, buttons };
    const points = capScore(score, client.terms);
    const isMoney = !client.terms.rules.length;
    if (winner !== "white" && !isMoney) points.reverse();
    const values = { ...names, name: names[winner], score: `${points[0]}\u2013${points[1]}` };
    const text = isMoney ? "match.score" : winner === client.me ? "match.you-won" : "match.won";
    const reason = ["flag", "concession", "ruling"].includes(how) ? `${translate(`match.${how}`)} ` : "";
    return { text: reason + translate(text, values) + suffix, buttons };
  }

  describeResult({ winner, how, kind, points }) {
    const { translate, names } = this.page;
    if (winner === null) return translate("won.void");
    const key = how === "bearoff" ? `won.bearoff.${kind}` : `won.${how}`;
    return translate(key === "won.report" ? "won.ruling" : key, { name: names[winner], points: translate.plural("points", points) });
  }
}
