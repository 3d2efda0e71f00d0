// A match for pages that only show it: a snapshot and the frames after it; nothing is sent.
//
// If a frame is missing, the page's own address is asked again, since it decides what may be shown, and with which delay. So a
// screen never shows more than its page. For seats and clocks it has the interface of `Client`.
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

  /** Whose turn it is, as in `Client`. */
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
      // The answer under way may be older than this frame.
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

  /** Load the current state from the page. */
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
      // Offline: the next poll tries again.
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
