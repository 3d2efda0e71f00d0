// A match for pages that only show it: a snapshot and the frames after it; nothing is sent.
//
// If a frame is missing, the page's own address is asked again, since it decides what may be shown, and with which delay. So a
// screen never shows more than its page. For seats and clocks it has the interface of `Client`.
//
// Events: "frame" {frame, before}, "change", "presence", "connection".

import { listen } from "../live.js";
import { fold } from "./fold.js";

const POLL_MS = 10000;

export class SpectatorClient extends EventTarget {
  constructor(data) {
    super();
    this.me = null;
    this.isMine = false;
    this.serverClock = { now: () => Date.now() + this.offset };
    this.setState(data);
  }

  setState({ topics, whole, frames, server_ms: serverTime }) {
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
  get sidesToAct() {
    const { roll, owing } = this.snapshot;
    return roll.asked ? [roll.asked.by] : owing;
  }

  get connection() {
    return !navigator.onLine || document.documentElement.dataset.stream === "off" ? "off" : "on";
  }

  start() {
    listen(this.topics.match, (event) => this.receiveEvent(event));
    listen(this.topics.presence, (event) => this.receivePresence(event));
    const emitConnection = () => this.emit("connection");
    new MutationObserver(emitConnection).observe(document.documentElement, { attributeFilter: ["data-stream"] });
    window.addEventListener("offline", emitConnection);
    window.addEventListener("online", () => this.reload());
    document.addEventListener("visibilitychange", () => !document.hidden && this.reload());
    setInterval(() => this.connection === "off" && this.reload(), POLL_MS);
  }

  receiveEvent({ name, data }) {
    if (name === "resync") this.reload();
    if (name === "line") this.applyFrame(data);
  }

  receivePresence({ name, data }) {
    if (name === "resync") return;
    this.presence = { ...this.presence, ...data };
    this.emit("presence");
  }

  applyFrame(frame) {
    const { seq, at } = frame.line;
    if (seq <= this.head) return;
    if (seq > this.head + 1) {
      // The answer under way may be older than this frame.
      this.isBehind = this.isLoading;
      this.reload();
      return;
    }
    this.offset = Math.max(this.offset, at - Date.now());
    const before = this.snapshot;
    this.snapshot = fold(before, frame);
    this.emit("frame", { frame, before });
    this.emit("change");
  }

  /** Load the current state from the page. */
  async reload() {
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      const response = await fetch(location.href, { credentials: "same-origin", cache: "no-store" });
      if (!response.ok) return;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const data = JSON.parse(page.getElementById("match-data").textContent);
      if (data.whole.snapshot.head < this.head) return;
      this.setState(data);
      this.emit("change");
      this.emit("presence");
    } catch {
      // Offline: the next poll tries again.
    } finally {
      this.isLoading = false;
      this.emit("connection");
      if (this.isBehind) {
        this.isBehind = false;
        this.reload();
      }
    }
  }

  emit(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
