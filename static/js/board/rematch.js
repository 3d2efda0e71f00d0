// A rematch, agreed on the page of the match that is over: offered, answered and begun in place, on both screens.
//
// What is known of it is the server's latest word; an event on one's own topic only says that it is worth asking.

import { ask, send } from "./post.js";

export class Rematch {
  /** `page` is the match's page; nothing is asked for before the match is over. */
  constructor(page) {
    Object.assign(this, { page, offer: null, isBusy: false, isAwaited: false, asked: 0 });
    this.address = `${page.data.api}rematch/`;
    document.addEventListener("live:event", ({ detail }) => this.hear(detail));
    document.addEventListener("visibilitychange", () => !document.hidden && this.read());
    window.addEventListener("online", () => this.read());
    page.client.addEventListener("change", () => this.first());
    this.first();
  }

  /** Does the other one wait for an answer? */
  get isAsked() {
    return this.offer?.status === "open" && !this.isMine;
  }

  get isMine() {
    return this.offer?.challenger.key === this.page.client.players[this.page.me].key;
  }

  /** Where the rematch is played. */
  get href() {
    return location.pathname.replace(this.page.data.key, this.offer.match);
  }

  hear({ name, topic, data }) {
    const isOurs = name === "rematch" && data.match === this.page.data.key;
    if (isOurs) this.isAwaited = true;
    if (isOurs || (name === "resync" && topic.startsWith("user."))) this.read();
  }

  // The end of the match has been seen: somebody may have offered already.
  first() {
    if (this.hasAsked || !this.page.client.isOver) return;
    this.hasAsked = true;
    this.read();
  }

  async read() {
    if (!this.page.client.isOver) return;
    const question = this.begin();
    const { offer } = await ask(this.address).catch(() => ({ offer: undefined }));
    if (offer !== undefined && question === this.asked) this.know(offer);
  }

  // An answer counts unless something was asked later: then it may be older than what is known by now.
  begin() {
    this.asked += 1;
    return this.asked;
  }

  know(offer) {
    const wasAsked = this.isAsked;
    this.offer = offer;
    if (offer?.status === "open") this.isAwaited = true;
    // Only whoever waits for it is taken there, and once: others came to see this match.
    if (offer?.match && this.isAwaited) {
      this.isAwaited = false;
      location.assign(this.href);
      return;
    }
    if (this.isAsked && !wasAsked) this.page.table.sound.play("turn");
    this.page.show();
  }

  /** Offer one; if the other was quicker, that is to accept theirs. */
  want() {
    return this.act(this.address);
  }

  /** Accept, decline or withdraw the very offer that is shown. */
  answer(what) {
    return this.act(`${this.page.data.links.challenges}${this.offer.key}/${what}/`);
  }

  async act(address) {
    if (this.isBusy) return;
    this.isBusy = this.isAwaited = true;
    const question = this.begin();
    this.page.panel.show();
    try {
      const offer = await send(address, "{}");
      if (question === this.asked) this.know(offer);
      else this.read();
    } catch (problem) {
      this.page.refused(problem);
      this.read();
    } finally {
      this.isBusy = false;
      this.page.panel.show();
    }
  }

  /** What the panel says and offers. */
  question(say, name) {
    if (this.offer?.match) return { text: "", buttons: [{ name: "rematch", href: this.href }] };
    const isOff = this.isBusy;
    const button = (key, act, kind = "") => ({ name: key, act, kind, isOff });
    if (this.isAsked) {
      const accept = button("accept", () => this.answer("accept"), "button--primary");
      return { text: say("rematch.wanted", { name }), buttons: [accept, button("decline", () => this.answer("decline"))] };
    }
    if (this.offer?.status === "open") {
      return { text: say("rematch.offered", { name }), buttons: [button("withdraw", () => this.answer("withdraw"))] };
    }
    const isDeclined = this.offer?.status === "declined";
    const text = isDeclined && this.isMine ? say("rematch.declined", { name }) : "";
    return { text, buttons: [button("rematch", () => this.want(), "button--primary")] };
  }
}
