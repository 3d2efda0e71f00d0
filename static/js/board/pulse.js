// The server's clock, and the delay of the network.
//
// The server deducts the network's delay from a turn as far as it has measured it, by tokens that it sends and
// receives back at once (docs/journal.md). The same exchange measures the difference of the clocks.

import { send } from "./post.js";

const EVERY_MS = 50000;
const FRESH_MS = 110000;

export class Pulse {
  constructor(client, serverTime) {
    this.client = client;
    this.token = "";
    this.at = -FRESH_MS;
    // The page took a while to arrive: until measured, its time is assumed to be early rather than late.
    this.offset = serverTime - Date.now();
    this.isMeasured = false;
  }

  get isNeeded() {
    const { me, terms, isOver } = this.client;
    return me !== null && terms.control !== null && !isOver && !document.hidden;
  }

  start() {
    this.measure();
    setInterval(() => this.measure(), EVERY_MS);
    document.addEventListener("visibilitychange", () => this.measure());
  }

  /** The server's time, in milliseconds. */
  now() {
    return Date.now() + this.offset;
  }

  /** A live event carries the time, too, a little late. */
  hear(at) {
    if (!this.isMeasured) this.offset = Math.max(this.offset, at - Date.now());
  }

  /** What a command reports about the network. */
  claim(thought) {
    if (this.client.terms.control === null) return {};
    const pulse = performance.now() - this.at < FRESH_MS ? this.token : "";
    return thought === null ? { pulse } : { thought_ms: thought, pulse };
  }

  async measure() {
    if (!this.isNeeded || this.isMeasuring) return;
    this.isMeasuring = true;
    try {
      const first = await this.beat("");
      await this.beat(first.token);
    } catch {
      // A failed measurement is ignored: other requests notice that the connection is gone.
    } finally {
      this.isMeasuring = false;
    }
  }

  async beat(token) {
    const sent = Date.now();
    const answer = await send(`${this.client.api}pulse/`, JSON.stringify({ token }));
    this.offset = answer.server_time_ms - (sent + Date.now()) / 2;
    this.isMeasured = true;
    Object.assign(this, { token: answer.token, at: performance.now() });
    return answer;
  }
}
