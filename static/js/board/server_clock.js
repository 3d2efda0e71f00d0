// The server's clock, and the delay of the network.
//
// The server deducts the network's delay from a turn as far as it has measured it, by tokens that it sends and
// receives back at once (docs/journal.md). The same exchange measures the difference of the clocks.

import { sendJson } from "./api.js";

const INTERVAL_MS = 50000;
const FRESH_MS = 110000;

export class ServerClock {
  constructor(client, serverTime) {
    this.client = client;
    this.token = "";
    this.measuredAt = -FRESH_MS;
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
    setInterval(() => this.measure(), INTERVAL_MS);
    document.addEventListener("visibilitychange", () => this.measure());
  }

  /** The server's time, in milliseconds. */
  now() {
    return Date.now() + this.offset;
  }

  /** A live event carries the time, too, a little late. */
  observeTime(at) {
    if (!this.isMeasured) this.offset = Math.max(this.offset, at - Date.now());
  }

  /** What a command reports about the network. */
  describeNetwork(thinkingMs) {
    if (this.client.terms.control === null) return {};
    const pulse = performance.now() - this.measuredAt < FRESH_MS ? this.token : "";
    return thinkingMs === null ? { pulse } : { thought_ms: thinkingMs, pulse };
  }

  async measure() {
    if (!this.isNeeded || this.isMeasuring) return;
    this.isMeasuring = true;
    try {
      const first = await this.exchangeToken("");
      await this.exchangeToken(first.token);
    } catch {
      // A failed measurement is ignored: other requests notice that the connection is gone.
    } finally {
      this.isMeasuring = false;
    }
  }

  async exchangeToken(token) {
    const sent = Date.now();
    const answer = await sendJson(`${this.client.api}pulse/`, JSON.stringify({ token }));
    this.offset = answer.server_time_ms - (sent + Date.now()) / 2;
    this.isMeasured = true;
    Object.assign(this, { token: answer.token, measuredAt: performance.now() });
    return answer;
  }
}
