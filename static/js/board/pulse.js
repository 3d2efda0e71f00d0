// Time over a network: what the server's watch says now, and how long a message takes to it and back.
//
// The server forgives the network's part of a turn as far as it has measured it itself, by tokens that it gives and
// gets back at once (docs/journal.md). The same exchange tells how our clock stands to its own.

import { send } from "./post.js";

const EVERY_MS = 50000;
const FRESH_MS = 110000;

export class Pulse {
  constructor(client, serverTime) {
    this.client = client;
    this.token = "";
    this.at = -FRESH_MS;
    // The page was on its way for a while: rather too early than too late until it is measured.
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

  /** News that has just happened tell the time too, a little late. */
  hear(at) {
    if (!this.isMeasured) this.offset = Math.max(this.offset, at - Date.now());
  }

  /** What a command says of the network. */
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
      // Whatever is wrong with the line, others notice it too.
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
