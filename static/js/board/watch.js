// One match for a screen that only shows it: a snapshot, the frames that follow, and nothing sent.
//
// Where a frame is missing the page itself is asked again: it alone knows what may be shown on it, and how late. So a
// screen never sees more than its page, over whichever way it comes. It looks like `Client` to seats and clocks.
//
// Events: "frame" {frame, before}, "change", "presence", "connection".

import { listen } from "../live.js";
import { fold } from "./fold.js";

const POLL_MS = 10000;

export class Watch extends EventTarget {
  constructor(data) {
    super();
    this.me = null;
    this.isMine = false;
    this.pulse = { now: () => Date.now() + this.offset };
    this.adopt(data);
  }

  adopt({ topics, whole, frames, server_ms: serverTime }) {
    Object.assign(this, { topics, terms: whole.terms, players: whole.players });
    Object.assign(this, { snapshot: whole.snapshot, presence: whole.presence, frames });
    this.offset = serverTime - Date.now();
  }

  get head() {
    return this.snapshot.head;
  }

  get isOver() {
    return this.snapshot.status === "finished" || this.snapshot.status === "void";
  }

  /** Whose turn it is to people's eyes (as in `Client`). */
  get acting() {
    const { roll, owing } = this.snapshot;
    return roll.asked ? [roll.asked.by] : owing;
  }

  get connection() {
    return !navigator.onLine || document.documentElement.dataset.stream === "off" ? "off" : "on";
  }

  start() {
    listen(this.topics.match, (event) => this.receive(event));
    listen(this.topics.presence, (event) => this.meet(event));
    const tell = () => this.emit("connection");
    new MutationObserver(tell).observe(document.documentElement, { attributeFilter: ["data-stream"] });
    window.addEventListener("offline", tell);
    window.addEventListener("online", () => this.renew());
    document.addEventListener("visibilitychange", () => !document.hidden && this.renew());
    setInterval(() => this.connection === "off" && this.renew(), POLL_MS);
  }

  receive({ name, data }) {
    if (name === "resync") this.renew();
    if (name === "line") this.take(data);
  }

  meet({ name, data }) {
    if (name === "resync") return;
    this.presence = { ...this.presence, ...data };
    this.emit("presence");
  }

  take(frame) {
    const { seq, at } = frame.line;
    if (seq <= this.head) return;
    if (seq > this.head + 1) {
      // The answer that is on its way may be from before this frame.
      this.isBehind = this.isAsking;
      this.renew();
      return;
    }
    this.offset = Math.max(this.offset, at - Date.now());
    const before = this.snapshot;
    this.snapshot = fold(before, frame);
    this.emit("frame", { frame, before });
    this.emit("change");
  }

  /** Ask the page how it stands by now. */
  async renew() {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      const answer = await fetch(location.href, { credentials: "same-origin", cache: "no-store" });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const data = JSON.parse(page.getElementById("match-data").textContent);
      if (data.whole.snapshot.head < this.head) return;
      this.adopt(data);
      this.emit("change");
      this.emit("presence");
    } catch {
      // Offline still: the next poll asks again.
    } finally {
      this.isAsking = false;
      this.emit("connection");
      if (this.isBehind) {
        this.isBehind = false;
        this.renew();
      }
    }
  }

  emit(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
