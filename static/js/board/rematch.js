// A rematch, offered and accepted on the page of the finished match, on both screens.
//
// Its state is the server's; a live event only triggers a request.

import { ask, send } from "./post.js";

export class Rematch {
  /** `page` is the page of the match; nothing is requested before the match is over. */
  constructor(page) {
    Object.assign(this, { page, offer: null, isBusy: false, isAwaited: false, asked: 0 });
    this.address = `${page.data.api}rematch/`;
    document.addEventListener("live:event", ({ detail }) => this.hear(detail));
    document.addEventListener("visibilitychange", () => !document.hidden && this.read());
    window.addEventListener("online", () => this.read());
    page.client.addEventListener("change", () => this.first());
    this.first();
  }

  /** True if the opponent waits for an answer. */
  get isAsked() {
    return this.offer?.status === "open" && !this.isMine;
  }

  get isMine() {
    return this.offer?.challenger.key === this.page.client.players[this.page.me].key;
  }

  /** The address of the rematch. */
  get href() {
    return location.pathname.replace(this.page.data.key, this.offer.match);
  }

  hear({ name, topic, data }) {
    const isOurs = name === "rematch" && data.match === this.page.data.key;
    if (isOurs) this.isAwaited = true;
    if (isOurs || (name === "resync" && topic.startsWith("user."))) this.read();
  }

  // The match has ended while this page was open: the opponent may already have offered.
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

  // An answer counts unless a later request is under way, which may be newer.
  begin() {
    this.asked += 1;
    return this.asked;
  }

  know(offer) {
    const wasAsked = this.isAsked;
    this.offer = offer;
    if (offer?.status === "open") this.isAwaited = true;
    // Only a waiting player is redirected, and once; visitors came to see this match.
    if (offer?.match && this.isAwaited) {
      this.isAwaited = false;
      location.assign(this.href);
      return;
    }
    if (this.isAsked && !wasAsked) this.page.table.sound.play("turn");
    this.page.show();
  }

  /** Offer one; if the opponent was quicker, this accepts their offer. */
  want() {
    return this.act(this.address);
  }

  /** Accept, decline or withdraw the offer that is shown. */
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

  /** The text and buttons of the panel. */
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
