// A rematch, offered and accepted on the page of the finished match, on both screens.
//
// Its state is the server's; a live event only triggers a request.

import { getJson, sendJson } from "./api.js";

export class Rematch {
  /** `page` is the page of the match; nothing is requested before the match is over. */
  constructor(page) {
    Object.assign(this, { page, offer: null, isBusy: false, isWaiting: false, requestCount: 0 });
    this.address = `${page.data.api}rematch/`;
    document.addEventListener("live:event", ({ detail }) => this.handleEvent(detail));
    document.addEventListener("visibilitychange", () => !document.hidden && this.load());
    window.addEventListener("online", () => this.load());
    page.client.addEventListener("change", () => this.loadOnce());
    this.loadOnce();
  }

  /** True if the opponent waits for an answer. */
  get needsAnswer() {
    return this.offer?.status === "open" && !this.isMine;
  }

  get isMine() {
    return this.offer?.challenger.key === this.page.client.players[this.page.me].key;
  }

  /** The address of the rematch. */
  get href() {
    return location.pathname.replace(this.page.data.key, this.offer.match);
  }

  handleEvent({ name, topic, data }) {
    const isOurs = name === "rematch" && data.match === this.page.data.key;
    if (isOurs) this.isWaiting = true;
    if (isOurs || (name === "resync" && topic.startsWith("user."))) this.load();
  }

  // The match has ended while this page was open: the opponent may already have offered.
  loadOnce() {
    if (this.hasLoaded || !this.page.client.isOver) return;
    this.hasLoaded = true;
    this.load();
  }

  async load() {
    if (!this.page.client.isOver) return;
    const requestNumber = this.startRequest();
    const { offer } = await getJson(this.address).catch(() => ({ offer: undefined }));
    if (offer !== undefined && requestNumber === this.requestCount) this.setOffer(offer);
  }

  // An answer counts unless a later request is under way, which may be newer.
  startRequest() {
    this.requestCount += 1;
    return this.requestCount;
  }

  setOffer(offer) {
    const neededAnswer = this.needsAnswer;
    this.offer = offer;
    if (offer?.status === "open") this.isWaiting = true;
    // Only a waiting player is redirected, and once; visitors came to see this match.
    if (offer?.match && this.isWaiting) {
      this.isWaiting = false;
      location.assign(this.href);
      return;
    }
    if (this.needsAnswer && !neededAnswer) this.page.table.sound.play("turn");
    this.page.render();
  }

  /** Offer one; if the opponent was quicker, this accepts their offer. */
  offerRematch() {
    return this.sendRequest(this.address);
  }

  /** Accept, decline or withdraw the offer that is shown. */
  answer(what) {
    return this.sendRequest(`${this.page.data.links.challenges}${this.offer.key}/${what}/`);
  }

  async sendRequest(address) {
    if (this.isBusy) return;
    this.isBusy = this.isWaiting = true;
    const requestNumber = this.startRequest();
    this.page.panel.render();
    try {
      const offer = await sendJson(address, "{}");
      if (requestNumber === this.requestCount) this.setOffer(offer);
      else this.load();
    } catch (problem) {
      this.page.handleRefusal(problem);
      this.load();
    } finally {
      this.isBusy = false;
      this.page.panel.render();
    }
  }

  /** The text and buttons of the panel. */
  findQuestion(translate, name) {
    if (this.offer?.match) return { text: "", buttons: [{ name: "rematch", href: this.href }] };
    const isOff = this.isBusy;
    const button = (key, act, kind = "") => ({ name: key, act, kind, isOff });
    if (this.needsAnswer) {
      const accept = button("accept", () => this.answer("accept"), "button--primary");
      return { text: translate("rematch.wanted", { name }), buttons: [accept, button("decline", () => this.answer("decline"))] };
    }
    if (this.offer?.status === "open") {
      return { text: translate("rematch.offered", { name }), buttons: [button("withdraw", () => this.answer("withdraw"))] };
    }
    const isDeclined = this.offer?.status === "declined";
    const text = isDeclined && this.isMine ? translate("rematch.declined", { name }) : "";
    return { text, buttons: [button("rematch", () => this.offerRematch(), "button--primary")] };
  }
}
