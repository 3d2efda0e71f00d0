// One match over API and stream: how it stands, what one may do, and commands that arrive exactly once.
//
// A snapshot and the frames after it make the next snapshot (docs/journal.md). Frames come over the page's stream and
// with the answers to our own commands; whichever comes first counts, and a gap is filled from the journal. A command
// that finds no connection is kept, over a reload too, and sent under the same key until it is answered.
//
// Events: "frame" {frame, before}, "change", "refused" (a Problem), "presence", "connection", "sent", "checked".

import { listen } from "../live.js";
import { fold } from "./fold.js";
import { Problem, ask, freshKey, send } from "./post.js";
import { Pulse } from "./pulse.js";
import { keep, kept } from "./store.js";

const RETRY_MS = [500, 1000, 2000, 4000, 8000, 15000];
const POLL_MS = 5000;
// Browsers give their shares by themselves; what takes longer than this is worth a word.
const HELD_UP_MS = 1500;
// What is said of one's chain, whatever else goes on.
const ABOUT_DICE = ["promised", "unsealed", "forwent"];

export class Client extends EventTarget {
  constructor({ key, me, api, topics, whole, server_ms: serverTime }) {
    super();
    Object.assign(this, { key, me, api, topics, terms: whole.terms, players: whole.players });
    this.snapshot = whole.snapshot;
    this.presence = whole.presence;
    // What is told of the presence while an answer is on its way, for each of them.
    this.awaited = new Set();
    this.arrived = null;
    this.know(whole, whole.snapshot.head);
    this.kept = `barpoint.command.${key}.${me}`;
    this.pending = me ? kept(this.kept) : null;
    this.failures = 0;
    // The last line that came before its turn.
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

  /** Does the match wait for me? */
  get isMine() {
    return this.me !== null && this.snapshot.owing.includes(this.me);
  }

  get isOver() {
    return this.snapshot.status === "finished" || this.snapshot.status === "void";
  }

  /** Is a roll asked for whose other share does not come? */
  get isHeldUp() {
    return this.snapshot.roll.asked !== null && this.heldUp === this.snapshot.roll.number;
  }

  /** Whose turn it is to people's eyes: a roll is still the roller's while the other browser gives its share. */
  get acting() {
    const { roll, owing } = this.snapshot;
    return roll.asked && !this.isHeldUp ? [roll.asked.by] : owing;
  }

  /** What I may do now; null while that is being asked. */
  get you() {
    return this.known.head === this.head ? this.known.you : null;
  }

  /** The graph of my roll; null while there is none or it is being asked for. */
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
    // The stream says at once what happened; where there is none, the journal is asked now and then.
    setInterval(() => this.connection !== "on" && !this.isOver && this.fill(), POLL_MS);
    this.pulse.start();
    this.flush();
    this.attend();
  }

  /** Take up a player's share of the dice (`DiceHand`); nothing can be done before. */
  equip(Hand) {
    this.hand = new Hand(this);
    this.emit("change");
    this.attend();
  }

  // -- what happened

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

  /** Fold frames into what is known, each once. */
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
    // First what needs no hand: then nobody is asked for it.
    this.attend();
    this.emit("change");
    this.watchShare();
    // A share is given without asking what else is open.
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

  /** Get the lines that are missing from the journal. */
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
        // Only in its own order: a hole here would be one in the journal.
        const isNext = frames[0]?.line.seq === this.head + 1;
        if (isNext) this.take(frames);
        more = isNext && (page.more || this.head < this.heard);
      }
    } catch (problem) {
      this.failed(problem);
    }
  }

  // What I may do is told with my own answers; after what others did it is asked for.
  refreshSoon() {
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(() => this.known.head !== this.head && !this.pending && this.refresh(), 0);
  }

  /** Ask for everything anew. */
  async refresh() {
    const news = {};
    this.awaited.add(news);
    try {
      const whole = await ask(this.api);
      this.failures = 0;
      if (whole.snapshot.head > this.head) await this.fill();
      if (whole.snapshot.head === this.head) {
        this.know(whole, whole.snapshot.head);
        // Who came or went since we asked is not in the answer.
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

  // -- what I do

  /** Send a command of the game; one at a time, kept until it is answered. */
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
      // What was answered may be older than what came over the stream meanwhile.
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

  /** The command of this key, or whichever waits, needs no answer any more. */
  answered(key = this.pending?.key) {
    if (!this.pending || this.pending.key !== key) return;
    this.pending = null;
    // Another tab may have begun one of its own.
    if (kept(this.kept)?.key === key) keep(this.kept, null);
  }

  // A line of mine that comes after the board I acted on: what waits was carried out, or comes too late. Its answer may
  // be lost for a while, and what I do next is not to wait for that.
  isDone({ by, seq, fact }) {
    return this.pending !== null && by === this.me && seq > this.pending.after && !ABOUT_DICE.includes(fact.fact);
  }

  /** A command that nobody decides on: promises, heads, shares. Refusals are told to the caller. */
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

  // -- the line to the server

  failed(problem) {
    if (problem.status === 0 || problem.status >= 500) this.failures += 1;
    this.tellConnection();
    if (problem.status === 401 || problem.status === 403 || problem.status === 404) this.emit("refused", problem);
  }

  /** Try again in a while: each kind of thing by itself, at longer and longer intervals. */
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
