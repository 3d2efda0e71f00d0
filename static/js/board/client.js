// A match over API and stream: its state, the possible acts, and commands that are carried out exactly once.
//
// A snapshot and the frames after it make the next snapshot (docs/journal.md). Frames arrive over the page's stream and
// in the answers to commands; the first copy counts, and gaps are filled from the journal. A command
// without a connection is stored, over a reload too, and sent under the same key until it is answered.
//
// Events: "frame" {frame, before}, "change", "refused" (a Problem), "presence", "connection", "sent", "checked".

import { listen } from "../live.js";
import { fold } from "./fold.js";
import { Problem, ask, freshKey, send } from "./post.js";
import { Pulse } from "./pulse.js";
import { keep, kept } from "./store.js";

const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15000];
const POLL_MS = 5000;
// Browsers send their shares automatically; a longer delay is shown.
const HELD_UP_MS = 1500;
// The state of a player's chain.
const ABOUT_DICE = ["promised", "unsealed", "forwent"];

export class Client extends EventTarget {
  constructor({ key, me, api, topics, whole, server_ms: serverTime }) {
    super();
    Object.assign(this, { key, me, api, topics, terms: whole.terms, players: whole.players });
    this.snapshot = whole.snapshot;
    this.presence = whole.presence;
    // Presence that arrived during a request, by side.
    this.awaited = new Set();
    this.arrived = null;
    this.know(whole, whole.snapshot.head);
    this.kept = `barpoint.command.${key}.${me}`;
    this.pending = me ? kept(this.kept) : null;
    this.failures = 0;
    // The last line that arrived out of order.
    this.heard = 0;
    this.heldUp = null;
    this.pulse = new Pulse(this, serverTime);
    this.hand = null;
  }

  get head() {
    return this.snapshot.head;
  }

  get opponent() {
    return this.me === "white" ? "black" : "white";
  }

  /** True if the match waits for the viewer. */
  get isMine() {
    return this.me !== null && this.snapshot.owing.includes(this.me);
  }

  get isOver() {
    return this.snapshot.status === "finished" || this.snapshot.status === "void";
  }

  /** True if a roll is waiting for the opponent's share. */
  get isHeldUp() {
    return this.snapshot.roll.asked !== null && this.heldUp === this.snapshot.roll.number;
  }

  /** Whose turn it is: a roll is still the roller's while the other browser sends its share. */
  get acting() {
    const { roll, owing } = this.snapshot;
    return roll.asked && !this.isHeldUp ? [roll.asked.by] : owing;
  }

  /** The viewer's possible acts; null while they are being loaded. */
  get you() {
    return this.known.head === this.head ? this.known.you : null;
  }

  /** The graph of the viewer's roll; null without a roll or while it is being loaded. */
  get turn() {
    return this.known.head === this.head ? this.known.turn : null;
  }

  /** "on", "off" (the stream is interrupted) or "offline". */
  get connection() {
    if (!navigator.onLine) return "offline";
    return document.documentElement.dataset.stream === "off" || this.failures > 1 ? "off" : "on";
  }

  start() {
    listen(this.topics.match, (event) => this.receive(event));
    listen(this.topics.presence, (event) => this.meet(event));
    new MutationObserver(() => this.tellConnection()).observe(document.documentElement, { attributeFilter: ["data-stream"] });
    window.addEventListener("online", () => this.back());
    window.addEventListener("offline", () => this.tellConnection());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.attend() : this.back()));
    // The stream sends changes at once; without it the journal is polled.
    setInterval(() => this.connection !== "on" && !this.isOver && this.fill(), POLL_MS);
    this.pulse.start();
    this.flush();
    this.attend();
  }

  /** Attach the player's part in the dice (`DiceHand`); before that no act is possible. */
  equip(Hand) {
    this.hand = new Hand(this);
    this.emit("change");
    this.attend();
  }

  // -- changes

  receive(event) {
    if (event.name === "resync") this.fill();
    if (event.name === "line") {
      this.pulse.hear(event.data.line.at);
      this.take([event.data]);
    }
  }

  meet(event) {
    if (event.name === "resync") {
      this.refresh();
      return;
    }
    this.presence = { ...this.presence, ...event.data };
    for (const news of this.awaited) Object.assign(news, event.data);
    this.emit("presence");
  }

  /** Fold frames into the state, each once. */
  take(frames) {
    let isNew = false;
    for (const frame of frames) {
      if (frame.line.seq <= this.head) continue;
      if (frame.line.seq > this.head + 1) {
        this.heard = frames.at(-1).line.seq;
        this.fill();
        break;
      }
      const before = this.snapshot;
      this.snapshot = fold(before, frame);
      if (this.isDone(frame.line)) this.answered();
      if (this.isMine && !before.owing.includes(this.me)) this.arrived = performance.now();
      isNew = true;
      this.emit("frame", { frame, before });
    }
    if (isNew) this.settled();
    return isNew;
  }

  settled() {
    // Automatic acts first, so that the player is not asked for them.
    this.attend();
    this.emit("change");
    this.watchShare();
    // A share is sent without loading the possible acts.
    if (this.isMine && !this.pending && !this.snapshot.roll.asked) this.refreshSoon();
  }

  watchShare() {
    const { roll } = this.snapshot;
    clearTimeout(this.shareTimer);
    if (!roll.asked) return;
    this.shareTimer = setTimeout(() => {
      this.heldUp = roll.number;
      this.emit("change");
    }, HELD_UP_MS);
  }

  /** Load the missing lines of the journal. */
  async fill() {
    if (this.filling) return this.filling;
    this.filling = this.read().finally(() => (this.filling = null));
    return this.filling;
  }

  async read() {
    try {
      for (let more = true; more; ) {
        const page = await ask(`${this.api}journal/?after=${this.head}`);
        this.failures = 0;
        if (page.head < this.head) break;
        const frames = page.frames.filter((frame) => frame.line.seq > this.head);
        // Only in order: a gap here would be one in the journal.
        const isNext = frames[0]?.line.seq === this.head + 1;
        if (isNext) this.take(frames);
        more = isNext && (page.more || this.head < this.heard);
      }
    } catch (problem) {
      this.failed(problem);
    }
  }

  // Answers to the viewer's commands contain their possible acts; after others' acts they are loaded.
  refreshSoon() {
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(() => this.known.head !== this.head && !this.pending && this.refresh(), 0);
  }

  /** Load everything again. */
  async refresh() {
    const news = {};
    this.awaited.add(news);
    try {
      const whole = await ask(this.api);
      this.failures = 0;
      if (whole.snapshot.head > this.head) await this.fill();
      if (whole.snapshot.head === this.head) {
        this.know(whole, whole.snapshot.head);
        // Presence that changed during the request is not in the answer.
        this.presence = { ...whole.presence, ...news };
        this.emit("presence");
        this.emit("change");
        this.attend();
      }
    } catch (problem) {
      this.failed(problem);
      if (problem.isPassing) this.later("refresh", () => this.refresh());
    } finally {
      this.awaited.delete(news);
    }
  }

  know({ you, turn }, head) {
    this.known = { you, turn: turn ?? null, head };
  }

  // -- commands

  /** Send a command of the game; one at a time, stored until it is answered. */
  send(command, thought = null) {
    if (this.pending || this.hand === null) return false;
    const body = { after: this.head, command, turn: true, shares: this.hand.shares(command.type), ...this.pulse.claim(thought ?? this.thought()) };
    this.pending = { key: freshKey(), text: JSON.stringify(body), type: command.type, after: this.head };
    keep(this.kept, this.pending);
    this.emit("sent");
    this.flush();
    return true;
  }

  thought() {
    return this.arrived === null ? null : Math.max(0, Math.round(performance.now() - this.arrived));
  }

  async flush() {
    if (!this.pending || this.flushing === this.pending.key) return;
    const { key, text } = this.pending;
    this.flushing = key;
    try {
      const answer = await send(`${this.api}commands/`, text, key);
      this.answered(key);
      this.failures = 0;
      // The answer may be older than frames that have arrived over the stream.
      this.take(answer.frames);
      if (answer.head === this.head) {
        this.know(answer, answer.head);
        this.attend();
      } else if (answer.head > this.head) await this.fill();
      this.emit("change");
      if (this.isMine && this.known.head !== this.head) this.refreshSoon();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (problem.isPassing) {
        this.failed(problem);
        if (this.flushing === key) this.flushing = null;
        this.later("flush", () => this.flush());
        return;
      }
      this.answered(key);
      await this.fill();
      this.emit("refused", problem);
      this.refresh();
    } finally {
      if (this.flushing === key) this.flushing = null;
    }
  }

  /** The command of this key, or the waiting one, needs no answer any more. */
  answered(key = this.pending?.key) {
    if (!this.pending || this.pending.key !== key) return;
    this.pending = null;
    // Another tab may have begun a command.
    if (kept(this.kept)?.key === key) keep(this.kept, null);
  }

  // A line of this viewer after the position acted on: the waiting command was carried out, or is too late. Its answer may
  // be delayed, and must not hold up the next command.
  isDone({ by, seq, fact }) {
    return this.pending !== null && by === this.me && seq > this.pending.after && !ABOUT_DICE.includes(fact.fact);
  }

  /** A command without a decision: commitments, heads, shares. The caller handles refusals. */
  order(command, shares = {}) {
    const text = JSON.stringify({ after: this.head, command, turn: true, shares, ...this.pulse.claim(0) });
    return send(`${this.api}commands/`, text, freshKey()).then((answer) => {
      this.failures = 0;
      this.take(answer.frames);
      if (answer.head === this.head) this.know(answer, answer.head);
      this.emit("change");
      this.attend();
      return answer;
    });
  }

  attend() {
    this.hand?.attend();
  }

  // -- the connection

  failed(problem) {
    if (problem.status === 0 || problem.status >= 500) this.failures += 1;
    this.tellConnection();
    if (problem.status === 401 || problem.status === 403 || problem.status === 404) this.emit("refused", problem);
  }

  /** Try again later: each kind of request separately, with growing pauses. */
  later(name, act) {
    this.timers ??= {};
    clearTimeout(this.timers[name]);
    this.timers[name] = setTimeout(act, RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)]);
  }

  back() {
    this.failures = 0;
    this.tellConnection();
    this.flush();
    if (!this.isOver) this.fill();
    this.attend();
  }

  tellConnection() {
    this.emit("connection");
  }

  emit(name, detail = null) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
